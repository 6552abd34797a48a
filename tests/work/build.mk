# Programs that know their own profile, each built as its name says. Without frame pointers throughout;
# the flags are ours, not the user's CFLAGS: the tests depend on them.

WORK_CC = $(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O2 -g -fomit-frame-pointer
W = $(B)/work
WORK_H = tests/work/work.h tests/work/build.mk
WORK_NAMES = shares recurse deep threads signals loading syscalls children leader exec_thread rename jit \
	frames clock deny-perf usage toll elfs arriving newborn perf-map roots stacks fibers many disturb kernel-code \
	reuse retid dying sharing rewritten unanswered
WORK = $(WORK_NAMES:%=$W/%) $W/plugin_a.so $W/plugin_b.so $W/shares-static $W/shares-static-pie \
	$W/shares-no-pie $W/shares-fp $W/shares-bare $W/shares-by-id $W/shares-by-link $W/moved $W/names $W/optional

work: $(WORK)

$(WORK_NAMES:%=$W/%): $W/%: tests/work/%.c $(WORK_H)
	@mkdir -p $(@D)
	$(WORK_CC) -o $@ $< -pthread -ldl

$W/plugin_%.so: tests/work/plugin.c $(WORK_H)
	@mkdir -p $(@D)
	$(WORK_CC) -shared -fPIC -DPLUGIN=plugin_burn_$* -o $@ $<

$W/shares-static: FLAGS = -static
$W/shares-static-pie: FLAGS = -static-pie -fPIE
$W/shares-no-pie: FLAGS = -no-pie -fno-pie
$W/shares-fp: FLAGS = -fno-omit-frame-pointer -fno-asynchronous-unwind-tables
$W/shares-bare: FLAGS = -s
$W/shares-static $W/shares-static-pie $W/shares-no-pie $W/shares-fp $W/shares-bare: tests/work/shares.c $(WORK_H)
	@mkdir -p $(@D)
	$(WORK_CC) $(FLAGS) -o $@ $<

# Text of which a part is a huge page, and in the order of the source.
$W/moved: tests/work/moved.c $(WORK_H)
	@mkdir -p $(@D)
	$(WORK_CC) -fno-toplevel-reorder -Wl,-z,max-page-size=0x200000 -o $@ $<

# Stripped, the names in debug files under $W/debug, which is a root as /usr/lib/debug is one.
$W/shares-by-id: FLAGS = -Wl,--build-id=sha1
$W/shares-by-link: FLAGS = -Wl,--build-id=none
$W/shares-by-id $W/shares-by-link: tests/work/shares.c tests/work/split-debug $(WORK_H)
	@mkdir -p $(@D)
	$(WORK_CC) $(FLAGS) -o $@ $<
	tests/work/split-debug $@ $W/debug

$W/names: tests/work/names.cc $(WORK_H)
	$(CXX) -std=gnu++17 -D_GNU_SOURCE -Wall -Wextra -O2 -g -fomit-frame-pointer -o $@ $<

# What not every machine can build: i386, Rust, Go, other linkers. Tests say what is missing.
$W/optional: tests/work/shares.c tests/work/rust.rs tests/work/goroutines.go tests/work/cgo.go tests/work/roots.c $(WORK_H)
	-@$(WORK_CC) -m32 -o $W/shares-32 $< 2>/dev/null || echo "work: no i386 compiler (gcc-multilib): shares-32 is not built"
	-@MAKEFLAGS= rustc --crate-name rust -C opt-level=2 -g -o $W/rust tests/work/rust.rs || echo "work: no rustc: rust is not built"
	-@MAKEFLAGS= GO111MODULE=off CGO_ENABLED=0 go build -o $W/goroutines tests/work/goroutines.go || \
		echo "work: no go: goroutines is not built"
	-@MAKEFLAGS= GO111MODULE=off CGO_ENABLED=1 go build -o $W/cgo tests/work/cgo.go 2>/dev/null || \
		echo "work: no go with a C compiler: cgo is not built"
	-@$(WORK_CC) -fuse-ld=lld -o $W/shares-lld $< 2>/dev/null || echo "work: no lld: shares-lld is not built"
	-@$(WORK_CC) -fuse-ld=mold -o $W/shares-mold $< 2>/dev/null || echo "work: no mold: shares-mold is not built"
	-@$(WORK_CC) -fsplit-stack -o $W/roots-split tests/work/roots.c -pthread 2>/dev/null || \
		echo "work: the compiler has no split stacks: roots-split is not built"
	-@$(CLANG) -std=gnu11 -D_GNU_SOURCE -O2 -g -fomit-frame-pointer -o $W/deep-clang tests/work/deep.c || \
		echo "work: no clang: deep-clang is not built"
	@touch $@

.PHONY: work
