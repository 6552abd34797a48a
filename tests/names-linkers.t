#!/bin/sh
# What linkers and link-time optimisation make of names: functions folded into one, cloned, split into hot and cold
# parts, made unique across files. The function keeps its name, and the stack its callers.
# together: it looks at its own commands, by names
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/profile.sh"
gp-record -F 99 -d 0.1 -o probe -p $$ 2>.err || skip_all "gp-record may not record: $(head -1 .err)"

# ---- identical code folded: two functions, one place

cat >icf.c <<'C'
volatile unsigned long x, sink;
#define SAME(name) __attribute__((noinline)) unsigned long name(unsigned long n) { while (n--) x += n ^ 5; return x; }
SAME(same_one)
SAME(same_two)
__attribute__((noinline)) void by_one(void) { sink = same_one(200000); sink++; }
__attribute__((noinline)) void by_two(void) { sink = same_two(200000); sink += 2; }
int main(void) { for (int i = 0; i < 1500; i++) by_one(), by_two(); return 0; }
C
for linker in gold lld mold; do
	if ! "${CC:-cc}" -O1 -fno-ipa-icf -ffunction-sections -fomit-frame-pointer -fuse-ld=$linker -Wl,--icf=all -o icf icf.c 2>.err; then
		skip "$linker --icf=all" "cannot link so"
		continue
	fi
	if [ "$(nm icf | awk '/ same_(one|two)$/ { print $1 }' | sort -u | wc -l)" -gt 1 ]; then
		skip "$linker --icf=all" "it folded nothing"
		continue
	fi
	gp-record -F 499 -o .profile -- ./icf 2>.err
	nm icf | grep -o 'same_...$' | sort -u | paste -sd'|' >have
	has "$linker --icf=all: by the one" ";main;by_one;($(cat have)) "
	has "... and by the other" ";main;by_two;($(cat have)) "
	is "... under one name, the same for both" "grep -o 'same_...' .profile | sort -u | wc -l" <<-'E'
		1
	E
	lacks "... and none without" ';by_(one|two);\['
done

# ---- link-time optimisation

cat >lto1.c <<'C'
volatile unsigned long x;
struct pair { long a, b; };
__attribute__((noinline)) static void local(long n) { while (n--) x += n; }
__attribute__((noinline)) static long by_constant(long n, long k) { long s = 0; while (n--) { x += k; s += x; } return s; }
__attribute__((noinline)) static long by_pair(struct pair *p) { long n = p->a, s = 0; while (n--) { x += n; s ^= x; } return s; }
__attribute__((cold, noinline)) void rare(void) { x++; }
__attribute__((noinline)) void part_in_cold(long n)
{
	if (__builtin_expect(n > 1, 0)) {
		rare();
		while (n--)
			x += n;
		rare();
	}
	x++;
}
void one(long n)
{
	struct pair p = { n, n };
	local(n);
	x += by_constant(n, 7);
	x += by_pair(&p);
	part_in_cold(n);
	x++;
}
C
cat >lto2.c <<'C'
extern volatile unsigned long x;
void one(long n);
__attribute__((noinline)) static void local(long n) { while (n--) x ^= n; }
void two(long n) { local(n); x++; }
int main(int c, char **v) { for (int i = 0; i < 600; i++) one(300000 * c), two(300000 * c); return v == 0; }
C
# clones COMPILER FLAGS...: built, recorded; every function under its own name
clones() {
	clones_name=$1
	shift
	if ! "$@" -O2 -fomit-frame-pointer -o lto lto1.c lto2.c 2>.err; then
		skip "$clones_name" "cannot be built here"
		return
	fi
	made=$(nm lto | grep -oE '(local|by_constant|by_pair|part_in_cold)\.[a-z_]+' | sort -u | tr '\n' ' ')
	gp-record --no-header -F 499 -o .profile -- ./lto 2>.err
	for function in local by_constant by_pair part_in_cold; do
		has "$clones_name: $function ($made)" "^lto;_start;.*;(${function})[ ;]"
	done
	lacks "... and no suffix" '\.(lto_priv|constprop|isra|part|cold|llvm|[0-9])'
	lacks "... nothing without a name" '\[lto\]'
}
clones "clones, gcc" gcc
clones "clones, gcc -flto" gcc -flto
clones "clones, gcc -flto, in one piece" gcc -flto -flto-partition=one
clones "clones, clang -flto=thin" clang -flto=thin -fuse-ld=lld
clones "clones, clang -flto by mold" clang -flto -fuse-ld=mold
done_testing
