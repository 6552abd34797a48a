# gp: programs in cmd/ by wildcard over one library in lib/. `make deps` installs what is needed.
# No configure step: what is optional is probed here and said by the programs.

PREFIX ?= /usr/local
DESTDIR ?=
CC ?= gcc
CLANG ?= clang
B ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
comma := ,

WARN = -Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wundef -Wwrite-strings -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wimplicit-fallthrough \
	-Wconversion -Wsign-conversion -fno-common
CFLAGS ?= -O2 -g
GP_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(if $(WERROR),-Werror) -Ilib -I$(B) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined,-D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE)
GP_LDFLAGS = $(if $(SAN),-fsanitize=$(SAN),-pie -Wl,-z$(comma)relro$(comma)-z$(comma)now) -Wl,--as-needed
LIBS = -lunwind-x86_64 -lunwind -larchive -ljansson -lz -liberty $(if $(HAVE_LIBBPF),-lbpf -lelf)

PROGRAMS = $(patsubst cmd/%.c,%,$(wildcard cmd/*.c))
LIB_C = $(wildcard lib/*/*.c)
LIB_O = $(LIB_C:lib/%.c=$(B)/lib/%.o)
WORK_C = $(wildcard tests/work/*.c)
UNIT_C = $(wildcard tests/unit/*.c)

all: $(PROGRAMS:%=$(B)/%)

$(B)/libgp.a: $(LIB_O)
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/gp-%: cmd/gp-%.c $(B)/libgp.a
	$(CC) $(GP_CFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(B)/libgp.a $(GP_LDFLAGS) $(LDFLAGS) $(LIBS)

$(B)/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	$(CC) $(GP_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/unit/%: tests/unit/%.c $(B)/libgp.a
	@mkdir -p $(@D)
	$(CC) $(GP_CFLAGS) -Itests/unit $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(B)/libgp.a $(GP_LDFLAGS) $(LDFLAGS) $(LIBS)

unit: $(UNIT_C:tests/unit/%.c=$(B)/unit/%)

clean:
	rm -rf build build-*

-include $(LIB_O:.o=.d) $(wildcard $(B)/*.d $(B)/unit/*.d)

.PHONY: all unit clean
.DELETE_ON_ERROR:
