# The BPF programs, compiled by clang, go whole into bpf.o. llvm-strip, where it is, leaves out their
# DWARF (not their BTF): half of each.
BPF_O = $(patsubst lib/source/bpf/%.bpf.c,$(B)/bpf/%.bpf.o,$(wildcard lib/source/bpf/*.bpf.c))
LLVM_STRIP ?= $(if $(call have,llvm-strip),llvm-strip,$(if $(call have,llvm-strip-14),llvm-strip-14,:))

$(B)/bpf/%.bpf.o: lib/source/bpf/%.bpf.c $(B)/flags
	@mkdir -p $(@D)
	$(call run,BPF,$(CLANG) -target bpf -mcpu=v2 -O2 -g -Wall -Wextra -Wno-unused-parameter $(if $(WERROR),-Werror) -Ilib \
		-D__TARGET_ARCH_x86 -isystem /usr/include/$(shell uname -m)-linux-gnu -MMD -MP -c -o $@ $< && $(LLVM_STRIP) -g $@)

ifneq ($(HAVE_BPF),)
$(B)/lib/source/bpf.o: $(BPF_O)
$(B)/lib/source/bpf.o: GP_CFLAGS += -DBPF_OBJECTS='"$(B)/bpf"'
endif

-include $(BPF_O:.o=.d)
