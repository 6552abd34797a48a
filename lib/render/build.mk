# What the assembler takes in, the compiler does not list.
$(B)/lib/render/assets.o: $(wildcard lib/render/assets/*)
