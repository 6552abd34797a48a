# What tests share that is compiled: a terminal with a person at it.
work: $(B)/work/terminal

$(B)/work/terminal: tests/lib/terminal.c tests/lib/build.mk
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O2 -g -o $@ $<
