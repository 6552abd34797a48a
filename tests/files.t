#!/bin/sh
# The file of a mapping is the one that was mapped, whatever has happened to its path since.
# together: it looks at its own processes, by their numbers
. "$(dirname "$0")/lib/tap.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0"
[ "$(id -u)" -eq 0 ] || skip_all "needs root for mounts"

# build OUT NAME [flags]: a program that burns in NAME, called by main, in a text of its own pages.
cat >work.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
volatile unsigned long x;
extern char __executable_start, etext;
#define TEXT __attribute__((noipa, section("spinning"), aligned(4096)))
TEXT void NAME(void) { volatile unsigned long x = 0; for (int i = 0; i < 100000; i++) x += i; }
#define BEGIN ((char *)NAME)
#define SIZE 4096 /* of a page */
__attribute__((noipa)) void again(void (*f)(void)) { for (;;) f(), x++; }

int main(int c, char **v)
{
	const char *how = c > 1 ? v[1] : "";
	char *copy, name[64];
	int fd;

	if (strcmp(how, "memfd") == 0) { /* become a file that never had a path */
		static char block[65536];
		int from = open("/proc/self/exe", O_RDONLY);
		fd = memfd_create("in-memory", 0);
		for (ssize_t n; (n = read(from, block, sizeof block)) > 0;)
			if (write(fd, block, n) != n) return 1;
		fexecve(fd, (char *[]){ v[0], 0 }, environ);
		return 1;
	}
	if (strcmp(how, "moved") == 0 || strcmp(how, "copied") == 0) {
		copy = mmap(0, SIZE, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(copy, BEGIN, SIZE);
		if (*how == 'm') {
			mprotect(copy, SIZE, 5);
			mremap(copy, SIZE, SIZE, MREMAP_MAYMOVE | MREMAP_FIXED, BEGIN);
		} else {
			mmap(BEGIN, SIZE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
			memcpy(BEGIN, copy, SIZE);
			mprotect(BEGIN, SIZE, 5);
		}
	}
	if (strcmp(how, "jit") == 0) { /* other code at the place where a file's was */
		mmap(BEGIN, SIZE, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		memset(BEGIN, 0x90, SIZE); /* nop, and ret at the end */
		*(volatile char *)(BEGIN + SIZE - 1) = (char)0xc3;
		mprotect(BEGIN, SIZE, 5);
	}
	if (strcmp(how, "twice") == 0) {
		/* The file's offset of the section is the one of its address, as the linker was told. */
		fd = open("/proc/self/exe", O_RDONLY);
		for (char *line = 0; !line;) {
			char *whole = mmap(0, 1 << 20, 1, MAP_PRIVATE, fd, 0);
			size_t at = 0;
			while (memcmp(whole + at, BEGIN, 64)) at += 4096;
			line = mmap(0, SIZE, 5, MAP_PRIVATE, fd, at);
			again((void (*)(void))line);
		}
	}
	again(NAME);
}
C
build() { out=$1 name=$2; shift 2; cc -O2 -no-pie -DNAME="$name" "$@" -o "$out" work.c; }
build first first_work || skip_all "no compiler"
build second second_work

# profile OUT PID...: attached to what runs
profile() {
	rm -f o.folded
	profile_out=$1
	shift
	sleep 0.2
	gp-record -q -d 0.5 -F 499 -p "$(echo "$*" | tr ' ' ,)" -o "$profile_out" 2>"$profile_out.err"
	kill "$@"
	wait "$@" 2>/dev/null
}
# names NAME FILE PROCESS FUNCTION: whole stacks of that process with it, and nearly all of them
names() {
	names_all=$(grep -v '^#' "$2" | grep "^$3;" | awk '{ n += $NF } END { print n + 0 }')
	names_good=$(grep "^$3;_start;.*;main;again;$4[ ;]" "$2" | awk '{ n += $NF } END { print n + 0 }')
	if [ "$names_good" -ge 3 ] && [ "$((names_good * 100))" -ge "$((names_all * 80))" ]; then
		pass "$1"
	else
		fail "$1" "$names_good of $names_all: $(grep -v '^#' "$2" | head -n 5)"
	fi
}

# --- paths
cp first deleted
./deleted & one=$!
sleep 0.1
rm deleted
profile o.folded $one
names "a deleted file" o.folded deleted first_work

cp first program
./program & one=$!
sleep 0.1
cp second new && mv new program
./program & two=$!
gp-record -q -a --by pid -d 1 -F 499 -o o.folded
kill $one $two
ok "replaced: who ran before has the old names" grep -q "^pid=$one;program;.*;main;again;first_work " o.folded
ok "replaced: who ran later has the new ones" grep -q "^pid=$two;program;.*;main;again;second_work " o.folded
not "replaced: nobody has the other's" grep -Eq "^pid=($one;.*second|$two;.*first)_work " o.folded

cp first "gone (deleted)"
gone='./gone (deleted)'
"$gone" & one=$!
profile o.folded $one
names "a file called so" o.folded 'gone (deleted)' first_work
cp first "gone (deleted)"
strip "gone (deleted)"
"$gone" & one=$!
profile o.folded $one
ok "a file called so, without names" grep -q ';\[gone (deleted)\] ' o.folded
"$gone" & one=$!
sleep 0.1
rm "gone (deleted)"
profile o.folded $one
ok "a file called so, and deleted" grep -q ';\[gone (deleted)\] ' o.folded
cp first bare
strip bare
./bare & one=$!
sleep 0.1
rm bare
profile o.folded $one
ok "a deleted file without names" grep -q ';\[bare\] ' o.folded

newline='a
b'
cp first "$newline"
"./$newline" & one=$!
profile o.folded $one
names "a newline in the path" o.folded 'a?b' first_work
cp first 'a\012b'
'./a\012b' & one=$!
profile o.folded $one
names "a backslash and 012 in the path" o.folded 'a\\012b' first_work

# An inode number that is used again, by another file of the same name, before anybody looked.
cp first again
before=$(stat -c %i again)
rm again
cp second again
if [ "$(stat -c %i again)" = "$before" ]; then
	exits "an inode used again" 0 "gp-record -q -F 999 -o o.folded -- sh -c 'for i in 1 2 3 4 5; do
		rm again; cp first again; timeout 0.05 ./again; rm again; cp second again; sleep 0.1; done'"
	ok "... is not the file that was" grep -q '^again;' o.folded
	not "... nobody has the later one's names" grep -q 'second_work' o.folded
else
	skip "an inode used again" "this file system does not"
fi
# Written over, and its time set back: another file, as its build-id says. Touched alone: the same.
for name in one two; do
	echo "volatile long x; __attribute__((noipa)) void $name(void) { for (int i = 0; i < 100000; i++) x += i; } void work(void) { $name(); x++; }" >same.c
	cc -O2 -shared -fPIC -Wl,--build-id -o "$name.so" same.c
done
cat >keep.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int c, char **v)
{
	void *library = dlopen("./same.so", RTLD_NOW);
	void (*work)(void) = (void (*)(void))dlsym(library, "work");
	for (time_t end = time(0) + 2; time(0) < end;) work();
	_exit(c > 1 && system(v[1])); /* what would end it may be gone */
}
C
cc -O2 -o keep keep.c
if [ "$(stat -c %s one.so)" = "$(stat -c %s two.so)" ]; then
	cp one.so same.so
	exits "a library touched" 0 "gp-record -q -F 199 -o o.folded -- ./keep 'touch same.so'"
	ok "... has its names" grep -q ';main;work;one ' o.folded
	exits "a library written over, its time set back" 0 \
		"gp-record -q -F 199 -o o.folded -- ./keep 'touch -r same.so time; cat two.so >same.so; touch -r time same.so'"
	not "... has not the later names" grep -q ';two ' o.folded
	ok "... it is the file alone" grep -Eq ';main;\[same.so\];\[same.so\] ' o.folded
	for name in one two; do
		objcopy --remove-section .note.gnu.build-id $name.so
	done
	cp one.so same.so
	exits "the same without build-ids" 0 \
		"gp-record -q -F 199 -o o.folded -- ./keep 'touch -r same.so time; cat two.so >same.so; touch -r time same.so'"
	not "... has not the later names" grep -q ';two ' o.folded
	ok "... it is the file alone" grep -Eq ';main;\[same.so\];\[same.so\] ' o.folded
else
	fail "two libraries of one size" "they are not"
fi

# More files than descriptors: some are held open, others are not, all have their names.
mkdir many
i=0
while [ $i -lt 150 ]; do
	cp first many/p$i
	i=$((i + 1))
done
cat >run-many.sh <<'S'
for i in many/p*; do timeout 0.06 $i; [ "$1" = gone ] && rm $i; done
true
S
exits "150 programs, 64 descriptors" 0 "ulimit -n 64; gp-record -F 499 -o o.folded -- sh run-many.sh"
not "... all opened" grep -q 'could not be opened' .err
ok "... all named" sh -c "test \"\$(grep -c '^p[0-9]*;.*;again;first_work ' o.folded)\" -ge 140"
not "... none without its file" grep -Eq '^p[0-9]*;\[unknown:no-(file|mapping)\]' o.folded
exits "the same, and gone" 0 "ulimit -n 64; gp-record -F 499 -o o.folded -- sh run-many.sh gone"
missed=$(grep -E '^p[0-9]*;\[unknown:no-(file|mapping)\]' o.folded | awk '{ n += $NF } END { print n + 0 }')
have=$(grep -E '^p[0-9]*;.*;again;first_work ' o.folded | awk '{ n += $NF } END { print n + 0 }')
ok "... named or said ($have named, $missed not)" sh -c "test $((have + missed)) -gt 0 && { test $missed -eq 0 || grep -q 'unresolved' .err; }"

# --- other mounts
mkdir place
cat >in-mounts.sh <<'S'
mount -t tmpfs none place && cp "$1" place/program && exec place/program
S
if unshare -m true 2>/dev/null; then
	unshare -m sh in-mounts.sh first & one=$!
	unshare -m sh in-mounts.sh second & two=$!
	sleep 0.3
	gp-record -q -a --by pid -d 1 -F 499 -o o.folded
	kill $one $two
	ok "a path with two contents: the one" grep -q "^pid=$one;program;.*;main;again;first_work " o.folded
	ok "a path with two contents: the other" grep -q "^pid=$two;program;.*;main;again;second_work " o.folded
	exits "a mount of its own, from the start" 124 "gp-record -q -F 499 -o o.folded -- timeout 0.7 unshare -m sh in-mounts.sh first"
	names "... is named" o.folded program first_work

	# What lies at that path for us is not what was mapped: it is looked at, and never opened, whatever it is.
	mkfifo place/program
	unshare -m sh in-mounts.sh first & one=$!
	sleep 0.3
	if strace -o /dev/null true 2>/dev/null; then
		strace -f -qq -e trace=open,openat,openat2 -o opened gp-record -q -F 199 -d 0.5 -p $one -o o.folded
		ok "a fifo where it is for us: is not opened" sh -c \
			'grep -q "\"$1\", O_RDONLY.*O_PATH" opened && ! grep "\"$1\"" opened | grep -v O_PATH' sh "$T/place/program"
	else
		skip "a fifo where it is for us: is not opened" "no strace"
		gp-record -q -F 199 -d 0.5 -p $one -o o.folded
	fi
	kill $one
	names "... and hides no names" o.folded program first_work
	rm place/program

	cat >in-overlay.sh <<'S'
	mount -t tmpfs none place && cd place && mkdir lower upper work merged &&
	cp ../first lower/low && cp ../first lower/both && cp ../second upper/both &&
	mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work none merged && exec merged/"$1"
S
	for which in low:first_work both:second_work; do
		unshare -m sh in-overlay.sh "${which%:*}" & one=$!
		sleep 0.3
		if [ "$(cat /proc/$one/comm)" != "${which%:*}" ]; then
			skip "overlayfs" "there is none"
			continue
		fi
		profile o.folded $one
		names "overlayfs, ${which%:*}: attached" o.folded "${which%:*}" "${which#*:}"
		exits "overlayfs, ${which%:*}: from the start" 124 \
			"gp-record -q -F 499 -o o.folded -- timeout 0.7 unshare -m sh in-overlay.sh ${which%:*}"
		names "... is named" o.folded "${which%:*}" "${which#*:}"
	done
else
	skip "mounts of their own" "no unshare -m"
fi

# --- mappings
for how in memfd moved copied twice; do
	./first $how & one=$!
	profile o.folded $one
	process=first
	[ $how = memfd ] && process=$(grep -v '^#' o.folded | sed 's/;.*//; q') # "3": fexecve's idea of a name
	names "$how: attached" o.folded "$process" first_work
	exits "$how: from the start" 124 "gp-record -q -F 499 -o o.folded -- timeout 0.7 ./first $how"
	[ $how = memfd ] && process=$(grep -v '^#' o.folded | grep '_work' | sed 's/;.*//; q')
	names "... is named" o.folded "$process" first_work
done
./first jit & one=$!
profile o.folded $one
not "other code where a file's was: not its name" grep -q 'first_work' o.folded
ok "... but [jit]" grep -q ';\[jit\] ' o.folded
exits "other code, from the start" 124 "gp-record -q -F 499 -o o.folded -- timeout 0.7 ./first jit"
not "... not its name" grep -q 'first_work' o.folded

# --- files without what one expects of them
cp first sections
perl -e 'open F, "+<", "sections"; binmode F; seek F, 40, 0; print F "\0" x 8; seek F, 58, 0; print F "\0" x 6'
./sections & one=$!
profile o.folded $one
ok "no section headers: whole, as the file" sh -c \
	'test "$(grep -Ec "^sections;\[sections\];__libc_start_main.*;\[sections\];\[sections\];\[sections\] " o.folded)" -ge 1'
not "... nothing unknown" grep -q 'unknown' o.folded

# A library that is written over, and loaded again.
cat >load.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int main(void)
{
	for (int turn = 0; turn < 2; turn++) {
		void *library = dlopen("./library.so", RTLD_NOW);
		void (*work)(void) = (void (*)(void))dlsym(library, "work");
		for (time_t end = time(0) + 2; time(0) < end;) work();
		dlclose(library);
		if (turn == 0 && system("cat new.so >library.so")) return 1;
	}
	return 0;
}
C
for name in old_work new_work; do
	echo "volatile long x; __attribute__((noipa)) void $name(void) { for (int i = 0; i < 100000; i++) x += i; } void work(void) { $name(); x++; }" >lib.c
	[ $name = new_work ] && echo 'int more[1000] = { 1 };' >>lib.c
	cc -O2 -shared -fPIC -o "${name%_work}.so" lib.c
done
cc -O2 -o load load.c
cp old.so library.so
exits "a library written over" 0 "gp-record -q -F 199 -o o.folded -- ./load"
ok "... is named as it is now" grep -q ';main;work;new_work ' o.folded
ok "... what was in it is nowhere: its file alone" grep -Eq ';main;\[library.so\];\[library.so\] ' o.folded

# --- as an ordinary user, of his own programs
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] && command -v setpriv >/dev/null; then
	chmod 755 .
	mkdir -m 777 theirs
	nobody="setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all"
	cp "$B/gp-record" first theirs
	for how in '' memfd; do
		cp first theirs/own
		(cd theirs && exec $nobody ./own $how) & one=$!
		sleep 0.2
		rm theirs/own
		(cd theirs && $nobody ./gp-record -q -d 0.5 -F 499 -p $one -o o.folded)
		kill $one
		ok "an ordinary user: his deleted program $how" grep -q ';main;again;first_work' theirs/o.folded
	done
else
	skip "an ordinary user" "perf_event_paranoid or no setpriv"
fi
done_testing
