#!/bin/sh
# Code that is not where its file was mapped: text copied onto huge pages has the names of the file that was there,
# and whole stacks; what a packed program unpacks has no file, and says so.
# alone: gp-record
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
gp-record -F 99 -d 0.1 -o probe -p $$ 2>.err || skip_all "gp-record may not record: $(head -1 .err)"
CC=${CC:-cc}

# ---- huge pages, as programs do it that remap their own text at start

cat >huge.c <<'C'
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#define HUGE (2ul << 20)
#define STUB __attribute__((noipa, section("stub"), aligned(2 << 20)))

static inline __attribute__((always_inline)) long
call(long n, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = 0;
	__asm__ volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return n;
}
/* Nothing in here may be in the text that goes away. */
STUB int
remap(char *start, size_t size, char *copy, int flags, int move)
{
	const char *from = start;
	char *to = copy;
	size_t n = size;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) :: "memory");
	if (move)
		return call(SYS_mprotect, (long)copy, size, PROT_READ | PROT_EXEC, 0, 0) ||
		    call(SYS_mremap, (long)copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (long)start) != (long)start;
	if (call(SYS_mmap, (long)start, size, PROT_READ | PROT_WRITE | PROT_EXEC, flags, -1) != (long)start)
		return 1;
	call(SYS_madvise, (long)start, size, MADV_HUGEPAGE, 0, 0);
	to = start, from = copy, n = size;
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) :: "memory");
	return call(SYS_mprotect, (long)start, size, PROT_READ | PROT_EXEC, 0, 0) != 0;
}
volatile unsigned long x;
__attribute__((noipa)) void spin(void) { for (int i = 0; i < 100000; i++) x += i; }
__attribute__((noipa)) void again(void) { for (;;) spin(), x++; }
int
main(int argc, char **argv)
{
	char *start = (char *)((uintptr_t)main & -HUGE), *end = (char *)((uintptr_t)remap & -HUGE), *copy;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;

	if (start >= end || argc < 2)
		return 3;
	copy = mmap(0, end - start + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	copy = (char *)(((uintptr_t)copy + HUGE - 1) & -HUGE);
	madvise(copy, end - start, MADV_HUGEPAGE);
	if (strcmp(argv[1], "hugetlb") == 0)
		flags |= MAP_HUGETLB;
	if (remap(start, end - start, copy, flags, strcmp(argv[1], "move") == 0))
		return 4;
	again();
	return 0;
}
C
# whole NAME: nearly all stacks of the program are whole, and named
whole() {
	whole_all=$(grep '^huge[a-z-]*;' o.folded | awk '{ n += $NF } END { print n + 0 }')
	whole_good=$(grep -E '^huge[a-z-]*;_start;.*;main;again;spin[ ;]' o.folded | awk '{ n += $NF } END { print n + 0 }')
	if [ "$whole_good" -ge 5 ] && [ "$((whole_good * 100))" -ge "$((whole_all * 80))" ]; then
		pass "$1 ($whole_good of $whole_all)"
	else
		fail "$1" "$whole_good of $whole_all: $(grep -v '^#' o.folded | head -n 5)"
	fi
}
pages=$(cat /proc/sys/vm/nr_hugepages 2>/dev/null)
for kind in fixed:-static static:-static-pie dynamic:-pie; do
	program=huge-${kind%%:*}
	# shellcheck disable=SC2086
	if ! "$CC" -O2 -fomit-frame-pointer -Wl,-z,max-page-size=0x200000 ${kind#*:} -o "$program" huge.c 2>.err; then
		skip "huge pages, ${kind%%:*}" "cannot be linked here"
		continue
	fi
	for how in copy move hugetlb; do
		if [ $how = hugetlb ]; then
			[ "$program" = huge-fixed ] || continue
			if ! { [ "$(id -u)" -eq 0 ] && echo $((pages + 4)) >/proc/sys/vm/nr_hugepages &&
				[ "$(awk '/HugePages_Free/ { print $2 }' /proc/meminfo)" -ge 1 ]; } 2>/dev/null; then
				skip "hugetlb" "no such pages may be had"
				continue
			fi
		fi
		./"$program" $how & one=$!
		sleep 0.3
		huge=$(awk '/^AnonHugePages|^Private_Hugetlb/ { n += $2 } END { print n + 0 }' /proc/$one/smaps 2>/dev/null)
		gp-record -q -d 0.4 -F 499 -p $one -o o.folded 2>.err
		kill $one 2>/dev/null
		wait $one 2>/dev/null
		whole "text onto huge pages, ${kind%%:*}, $how, $huge kB of them: attached"
		gp-record -q -F 499 -o o.folded -- timeout 0.6 ./"$program" $how 2>.err
		whole "... from the start"
	done
done
[ "$(cat /proc/sys/vm/nr_hugepages 2>/dev/null)" = "$pages" ] || echo "$pages" >/proc/sys/vm/nr_hugepages

# V8's own text, as node moves it
if command -v node >/dev/null && node --use-largepages=on -e 0 >/dev/null 2>.err && [ ! -s .err ]; then
	cat >hot.js <<-'J'
		while (process.cpuUsage().user < 1500000) JSON.parse(JSON.stringify(Array.from({ length: 2000 }, (_, i) => "x" + i)))
	J
	node --use-largepages=on hot.js & one=$!
	sleep 0.5
	moved=$(grep -cE '00000 r-xp 0+ 00:00 0 *$' /proc/$one/maps)
	gp-record -q -F 499 -p $one -o o.folded 2>.err
	wait $one
	if [ "$moved" -eq 0 ]; then
		skip "node --use-largepages" "it did not move"
	else
		has "node --use-largepages: the names of its file" '(v8::internal::|Json(Parser|Stringifier))' o.folded
		whole_all=$(grep -v '^#' o.folded | grep '^node;' | awk '{ n += $NF } END { print n + 0 }')
		whole_good=$(grep -E '^node;_start;.*;node::Start;.*v8::' o.folded | awk '{ n += $NF } END { print n + 0 }')
		ok "... whole stacks ($whole_good of $whole_all)" test "$((whole_good * 2))" -ge "$whole_all" -a "$whole_good" -gt 5
	fi
else
	skip "node --use-largepages" "no node that does"
fi

# ---- packed: the program that runs is in no file

cat >inner.c <<'C'
static volatile unsigned long x;
__attribute__((noipa)) void inner_work(void) { for (int i = 0; i < 100000; i++) x += i; }
__attribute__((noipa)) void inner_main(void) { for (;;) inner_work(), x++; }
__attribute__((section(".first"))) void _start(void) { inner_main(); }
C
cat >outer.c <<'C'
#include <sys/mman.h>
extern const unsigned char packed[], packed_end[];
__asm__(".section .rodata\n.globl packed, packed_end\npacked: .incbin \"inner.packed\"\npacked_end:\n.previous");
int main(void)
{
	unsigned char *to = mmap((void *)0x20000000, 1 << 20, 7, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (long i = 0; i < packed_end - packed; i++)
		to[i] = packed[i] ^ 0x5a;
	mprotect(to, 1 << 19, 5);
	((void (*)(void))to)();
	return 0;
}
C
cat >inner.ld <<'L'
SECTIONS { . = 0x20000000; .all : { *(.first) *(.text*) *(.rodata*) *(.eh_frame*) } . = 0x20080000; .rest : { *(.data*) *(.bss*) } }
L
if "$CC" -O2 -fomit-frame-pointer -fno-pie -no-pie -static -nostdlib -Wl,--build-id=none -T inner.ld -o inner inner.c 2>.err &&
	objcopy -O binary -j .all inner inner.raw && perl -0777 -pe '$_ = join "", map { chr(ord($_) ^ 0x5a) } split //' inner.raw >inner.packed &&
	"$CC" -O2 -o outer outer.c
then
	./outer & one=$!
	sleep 0.2
	gp-record -d 0.4 -F 499 -p $one -o o.folded 2>.err
	kill $one
	wait $one 2>/dev/null
	has "packed: what it unpacked is code that no file has" '^outer;.*\[jit\] ' o.folded
	lacks "... and no other's name" '^outer;.*(inner|outer|packed|\[outer\])[^;]* [0-9]*$' o.folded
	gp-record -F 499 -o o.folded -- timeout 0.5 ./outer 2>.err
	has "packed, from the start" '^outer;.*\[jit\] ' o.folded
	ok "... no stack but its beginning is without a mark" sh -c \
		'grep "^outer;" o.folded | grep -v "_\[k\] " | grep "\[jit\]" | awk "{ all += \$NF } /\[unknown:/ || /;main;\[jit\]/ { n += \$NF } END { exit !(all > 10 && n == all) }"'
else
	fail "packed: made" - <.err
fi
done_testing
