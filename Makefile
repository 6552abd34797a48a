# gp: programs in cmd/ by wildcard over one library in lib/. `make deps` installs what is needed.
# No configure step: what is optional is probed here and said by the programs.
#
#	make demo	a flame graph of this machine	make check	the tests
#	make		build/gp-*			make install	PREFIX= DESTDIR=; make uninstall
#	make deps	Debian packages for the build	make SAN=address,undefined check
#	make lint | fuzz | bench | completions

PREFIX ?= /usr/local
DESTDIR ?=
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
CLANG ?= clang
B ?= build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
comma := ,
hash := \#

# One run of the preprocessor tells which of the headers named are not there.
absent = $(shell for h in $(1); do printf '$(hash)if !__has_include(<%s>)\n%s\n$(hash)endif\n' $$h $$h; done | $(CC) -E -P -x c - 2>/dev/null || echo "$(firstword $(CC)), or $(1)")
MISSING := $(call absent,zlib.h archive.h jansson.h pcre2.h libunwind.h libiberty/demangle.h elf.h)
HAVE_LIBBPF ?= $(if $(call absent,bpf/libbpf.h bpf/bpf.h),,yes)
have = $(shell command -v $(1) >/dev/null && echo yes)
# Lines of the source.
HAVE_LIBDW ?= $(if $(call absent,elfutils/libdw.h dwarf.h),,yes)
# The BPF programs are compiled by clang and loaded by libbpf.
LACKS := $(if $(HAVE_LIBBPF),,libbpf) $(if $(shell $(CLANG) -target bpf -x c -c -o /dev/null /dev/null 2>&1 || echo no),clang)
HAVE_BPF ?= $(if $(strip $(LACKS)),,yes)

WARN = -Wall -Wextra -Wshadow -Wvla -Wformat=2 -Wundef -Wwrite-strings -Wstrict-prototypes \
	-Wmissing-prototypes -Wold-style-definition -Wpointer-arith -Wcast-qual -Wimplicit-fallthrough \
	-Wconversion -Wsign-conversion -fno-common
CFLAGS ?= -O2 -g
GP_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(WARN) $(if $(WERROR),-Werror) -Ilib -I$(B) $(if $(HAVE_BPF),-DHAVE_BPF) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined,-D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE)
GP_LDFLAGS = $(if $(SAN),-fsanitize=$(SAN),-pie -Wl,-z$(comma)relro$(comma)-z$(comma)now) -Wl,--as-needed
LIBS = -lunwind-x86_64 -lunwind -larchive -ljansson -lz -liberty -lpcre2-8 -lm $(if $(HAVE_BPF),-lbpf) \
	$(if $(HAVE_LIBDW),-ldw) $(if $(HAVE_BPF)$(HAVE_LIBDW),-lelf)

PROGRAMS = $(patsubst cmd/%.c,%,$(wildcard cmd/gp-*.c))
LIB_C = $(filter-out $(if $(HAVE_BPF),%/bpf_absent.c,lib/source/bpf.c) \
	$(if $(HAVE_LIBDW),%/source_lines_absent.c,lib/symbol/source_lines.c lib/symbol/source_units.c),$(wildcard lib/*/*.c))
LIB_O = $(LIB_C:lib/%.c=$(B)/lib/%.o)
UNIT_C = $(wildcard tests/unit/*.c)
FUZZ_C = $(wildcard tests/fuzz/*.c)

# What is done in a word; V=1 shows the commands.
run = $(if $(V),$(2),@echo "  $(1) $@"; $(2))

all: $(PROGRAMS:%=$(B)/%)
	$(if $(HAVE_LIBDW),,@echo "Built without --lines, everything else works. It needs: libdw (make deps)")
	$(if $(HAVE_BPF),,@echo "Built without BPF, everything else works. It needs: $(strip $(LACKS)) (make deps)")

ifneq ($(strip $(MISSING)),)
$(B)/flags: headers
headers:
	@echo "Missing: $(strip $(MISSING)). \`make deps\` installs what is needed." >&2; exit 1
endif

$(B)/libgp.a: $(LIB_O)
	@rm -f $@
	$(call run,AR,$(AR) rcs $@ $^)

$(B)/gp-%: cmd/gp-%.c $(B)/libgp.a $(B)/flags
	$(call run,LD,$(CC) $(GP_CFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(B)/libgp.a $(GP_LDFLAGS) $(LDFLAGS) $(LIBS))

$(B)/lib/%.o: lib/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call run,CC,$(CC) $(GP_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<)

$(B)/unit/%: tests/unit/%.c $(B)/libgp.a $(B)/flags
	@mkdir -p $(@D)
	$(call run,LD,$(CC) $(GP_CFLAGS) -Itests/unit $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(B)/libgp.a $(GP_LDFLAGS) $(LDFLAGS) $(LIBS))

# Fuzz targets without a fuzzer, over their seeds.
$(B)/fuzz/%: tests/fuzz/%.c tests/lib/seeds.c $(B)/libgp.a $(B)/flags
	@mkdir -p $(@D)
	$(call run,LD,$(CC) $(GP_CFLAGS) $(CFLAGS) -o $@ $< tests/lib/seeds.c $(B)/libgp.a $(GP_LDFLAGS) $(LDFLAGS) $(LIBS))

# Another compiler or other flags build everything anew.
BUILT_WITH := $(CC) $(GP_CFLAGS) $(CFLAGS) $(GP_LDFLAGS) $(LDFLAGS) $(LIBS)
$(B)/flags: FORCE
	@mkdir -p $(B); echo '$(BUILT_WITH)' | cmp -s - $@ || echo '$(BUILT_WITH)' >$@

unit: $(UNIT_C:tests/unit/%.c=$(B)/unit/%) $(FUZZ_C:tests/fuzz/%.c=$(B)/fuzz/%)

# What needs more than these rules says so in its own folder.
include $(wildcard lib/*/build.mk tests/*/build.mk)

# ---- what people type

JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

deps:
	@.ci/packages build

DEMO_LOAD = $(if $(wildcard tests/work/threads.c),$(B)/work/threads $(B)/work/syscalls)
# What cannot be installed is said; the build, or the tests by skipping, then show what it was needed for.
demo:
	@.ci/packages build || :
	@$(MAKE) $(if $(V),,-s) $(JOBS) --no-print-directory all $(DEMO_LOAD)
	@$(if $(DEMO_LOAD),LOAD="$(DEMO_LOAD:%=% 60 &) wait") PATH="$(abspath $(B)):$$PATH" examples/demo.sh

check:
	@.ci/packages build tests || :
	@.ci/tools 150
	@$(MAKE) $(if $(V),,-s) $(JOBS) --no-print-directory all unit $(if $(wildcard tests/work/build.mk),work)
	@B="$(abspath $(B))" .ci/check $(TESTS)

lint:
	@.ci/packages lint || :
	@.ci/lint

fuzz:
	@.ci/fuzz

bench: all
	@.ci/tools
	@B="$(abspath $(B))" .ci/bench

completions: all
	@B="$(abspath $(B))" completions/generate.sh completions

# ---- installation

ROOT = $(DESTDIR)$(PREFIX)
BASH_DIR = $(ROOT)/share/bash-completion/completions
ZSH_DIR = $(ROOT)/share/zsh/site-functions
FISH_DIR = $(ROOT)/share/fish/vendor_completions.d
DOC_DIR = $(ROOT)/share/doc/gp
# Links named flamegraph.pl and the like, for whom wants them before others in PATH.
COMPAT_DIR = $(ROOT)/libexec/gp/compat
COMPAT = gp-flame=flamegraph.pl gp-flame=inferno-flamegraph
MAN = $(wildcard man/*.[157])
DOC = README.md NEWS.md LICENSE

install: all
	install -d $(ROOT)/bin $(ROOT)/share/man/man1 $(ROOT)/share/man/man5 $(ROOT)/share/man/man7 \
		$(BASH_DIR) $(ZSH_DIR) $(FISH_DIR) $(DOC_DIR)/examples $(COMPAT_DIR)
	install -m 755 $(PROGRAMS:%=$(B)/%) $(ROOT)/bin
	for name in $(COMPAT); do ln -sf ../../../bin/$${name%%=*} $(COMPAT_DIR)/$${name#*=} || exit; done
	for page in $(MAN); do install -m 644 $$page $(ROOT)/share/man/man$${page##*.}/ || exit; done
	for p in $(PROGRAMS); do install -m 644 completions/$$p.bash $(BASH_DIR)/$$p && \
		install -m 644 completions/_$$p $(ZSH_DIR)/ && \
		install -m 644 completions/$$p.fish $(FISH_DIR)/ || exit; done
	install -m 644 $(DOC) $(DOC_DIR)
	install -m 755 $(wildcard examples/*.sh) $(DOC_DIR)/examples
	install -m 644 $(filter-out %.sh,$(wildcard examples/*)) $(DOC_DIR)/examples

uninstall:
	rm -f $(PROGRAMS:%=$(ROOT)/bin/%) $(foreach page,$(MAN),$(ROOT)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
	rm -f $(PROGRAMS:%=$(BASH_DIR)/%) $(PROGRAMS:%=$(ZSH_DIR)/_%) $(PROGRAMS:%=$(FISH_DIR)/%.fish)
	rm -rf $(DOC_DIR) $(ROOT)/libexec/gp

# What a script wants to know of this file.
print-%:
	@echo '$($*)'

clean:
	rm -rf build $(filter-out build-tools,$(wildcard build-*))

-include $(LIB_O:.o=.d) $(wildcard $(B)/*.d $(B)/unit/*.d)

FORCE:
.PHONY: FORCE all headers unit deps demo check lint fuzz bench completions install uninstall clean
.DELETE_ON_ERROR:
