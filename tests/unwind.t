#!/bin/sh
# Rows against libunwind, pc by pc, on the same bytes: tests/unit/oracle.c samples a program at 4 kHz and
# walks every sample twice. Where the two part, one of its rules must explain it:
#	no-cfi		no CFI at a frame they share: libunwind follows rbp, or its idea of a signal frame or
#			a stub, without a word; rows have checks and say that they guessed
#	below-sp	the leaf has popped a register and its rule still names the slot, now below rsp and not
#			in the copy: libunwind ends where it wants the register, rows keep its value
#	alt-stack	the stack that a signal interrupted is another one, and not in the copy
#	trampoline	they part where a signal interrupted
# Anything else is different, and fails. A stack is complete when it reached its root.
. "$(dirname "$0")/lib/tap.sh"

CC=${CC:-cc}
ORACLE=$B/unit/oracle
[ -x "$ORACLE" ] || { printf "Bail out! make unit first\n"; exit 1; }
"$ORACLE" -d 0.2 -- true >.probe 2>&1 || skip_all "perf events are not allowed here: $(cat .probe)"
SHAPES=$TOP/tests/work/unwind-shapes.c

has() {
	command -v "$1" >/dev/null 2>&1
}

# field NAME: of the oracle's last words
field() {
	awk -v name="$1" '$1 == name { print $2; found = 1 } END { if (!found) print 0 }' .walked
}

# agree NAME COMPLETE SAMPLES [oracle's options] -- command: nothing different, that share complete (in %),
# and so many samples at least
agree() {
	name=$1 complete=$2 least=$3
	shift 3
	whole=0 all=0 share=0
	for _ in 1 2 3; do
		"$ORACLE" "$@" >.walked 2>.errors
		# A busy machine may lose records, mappings among them: that says nothing.
		[ "$(field lost)" -eq 0 ] || continue
		[ "$(field different)" -eq 0 ] || break
		# One sample of so few decides the share: record more, and count all of them.
		all=$((all + $(field samples)))
		whole=$(awk -v before="$whole" -v n="$(field samples)" -v is="$(field complete)" 'BEGIN { print before + n * is / 100 }')
		share=$(awk -v n="$all" -v whole="$whole" 'BEGIN { printf "%.2f", n ? 100 * whole / n : 0 }')
		awk -v n="$all" -v is="$share" -v wanted="$complete" \
			'BEGIN { exit is + 0 < wanted + 0 && n * (100 - wanted) < 100 }' && break
	done
	if [ "$(field different)" -eq 0 ] && [ "$(field lost)" -eq 0 ] && [ "$(field samples)" -ge "$least" ] &&
		awk -v is="$share" -v wanted="$complete" 'BEGIN { exit !(is + 0 >= wanted + 0) }'; then
		pass "$name: $all samples, $(field explained) explained in the last run, $share % complete"
	else
		cat .errors >>.walked
		head -60 .walked >.out
		fail "$name" - <.out
	fi
}

# at_least NAME FIELD NUMBER: of the last agree
at_least() {
	if [ "$(field "$2")" -ge "$3" ]; then pass "$1"; else fail "$1" - <.walked; fi
}

# build NAME flags: in the background; built NAME: it is there
build() {
	name=$1
	shift
	# shellcheck disable=SC2086 # CC may be words
	$CC -std=gnu11 -D_GNU_SOURCE -O2 -fomit-frame-pointer -pthread "$@" -o "$name" >"$name.log" 2>&1
}
built() {
	[ -x "$1" ] || {
		skip "$1" "it cannot be built here: $(head -1 "$1.log")"
		return 1
	}
}

many() { # a library of functions, and a program whose children call each once: all of it is lazy binding
	awk 'BEGIN { for (i = 0; i < 1500; i++) printf "void f%d(void); void f%d(void) {}\n", i, i }' >many.c
	awk 'BEGIN {
		print "#include <unistd.h>\n#include <sys/wait.h>"
		for (i = 0; i < 1500; i++) printf "void f%d(void);\n", i
		print "int main(void) { for (int n = 0; n < 40; n++) { if (fork() == 0) {"
		for (i = 0; i < 1500; i++) printf "f%d();\n", i
		print "_exit(0); } wait(0); } return 0; }"
	}' >lazy.c
	build libmany.so -O0 -shared -fPIC many.c && build lazy lazy.c -Wl,-z,lazy ./libmany.so
}

# The header's encodings of number and table become "omitted": what ld writes when it cannot sort.
without_table() {
	offset=$(LC_ALL=C readelf -lW plain | awk '$1 == "GNU_EH_FRAME" { print $2 }')
	cp plain no-table && printf '\377\377' | dd of=no-table bs=1 seek=$((offset + 2)) conv=notrunc 2>/dev/null
}

# Each way to build is a group of its own; two at a time.
{
	build plain "$SHAPES" && without_table
	build static -static "$SHAPES"
	build no-header -Wl,--no-eh-frame-hdr "$SHAPES"
	build debug-frame -g -Wl,--build-id=none -fno-asynchronous-unwind-tables -fno-unwind-tables "$SHAPES"
	build segments -no-pie -DHOT -Wl,--section-start=.hot=0x5000000 "$SHAPES"
	echo 'void external(void); void external(void) {}' >external.c
	build libexternal.so -shared -fPIC external.c &&
		for linker in bfd lld mold; do
			build "stubs-$linker" -fuse-ld=$linker -DEXTERN "$SHAPES" -Wl,-z,lazy ./libexternal.so
		done
} &
{
	many
	build static-pie -static-pie -fPIE "$SHAPES"
	build no-pie -no-pie -fno-pie "$SHAPES"
	build lld -fuse-ld=lld -ffunction-sections -Wl,--gc-sections "$SHAPES"
	build mold -fuse-ld=mold -ffunction-sections -Wl,--gc-sections "$SHAPES"
	build debug-frame-gz -g -gz=zlib -fno-asynchronous-unwind-tables -fno-unwind-tables "$SHAPES"
	build high -pie -fPIE -Wl,-Ttext-segment=0x30000000 "$SHAPES"
	build frame-pointer -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables "$SHAPES"
	build clang-built "$SHAPES"
} &
wait
for program in no-table lazy; do [ -e "$program.log" ] || echo "its parts are not" >"$program.log"; done

# ---- rows of whole files against readelf

# frames-interp's tables → ADDRESS CFA RBP RBX RA
cat >rows.awk <<'END'
/ (CIE|FDE) / { fde = / FDE / }
{ gsub(/r[0-9]+ \(/, "(") }
$1 == "LOC" { delete column; for (i = 2; i <= NF; i++) column[$i] = i; next }
fde && length($1) == 16 && $1 ~ /^[0-9a-f]+$/ { print $1, $2, rule("rbp"), rule("rbx"), rule("ra") }
function rule(name) { return name in column ? $(column[name]) : "u" }
END
for name in bash perl python3 libc.so.6 libcrypto.so.3 libstdc++.so.6 ld-linux-x86-64.so.2; do
	for file in /usr/bin/$name /lib64/$name /lib/x86_64-linux-gnu/$name; do [ ! -f "$file" ] || break; done
	if [ -f "$file" ] && has readelf; then
		ok "rows of $name are readelf's" sh -c "readelf --debug-dump=frames-interp $file 2>/dev/null |
			awk -f rows.awk | $B/unit/cfi_rows $file"
	fi
done

# ---- shapes of stacks

if built plain; then
	for shape in plain deep realigned noreturn cold threads clone coroutine popped; do
		agree "$shape" 99.5 50 -- ./plain $shape
	done
	at_least "popped: rows kept the register that libunwind lost" explained 20
	agree "signal" 99.5 50 -- ./plain signal
	if may_record_machine; then
		agree "vfork" 99.5 50 -a -s 8192 -- ./plain vfork 0.2
		agree "threads that begin and end" 97 50 -a -s 8192 -- ./plain short-threads 0.2
	else
		skip "vfork, threads that begin and end" "only an event of the whole CPU sees short lives"
	fi
	agree "an expression" 99.5 50 -- ./plain expression
	at_least "an expression: libunwind walked it" used-libunwind 20
	agree "a CFA in r12, amid the stack" 99.5 50 -- ./plain r12
	at_least "a CFA in r12: libunwind walked it" used-libunwind 20
	agree "an alternate signal stack" 80 50 -- ./plain altstack
	agree "a frame larger than the copy" 0 50 -- ./plain big
	ok "a frame larger than the copy: truncated, not guessed" \
		awk '$1 == "end" && $2 == 1 { n = $3 } $1 == "complete" { share = $2 } END { exit !(n > 20 && share < 20) }' .walked
	agree "--unwind cfi" 99.5 50 -m cfi -- ./plain
fi
if built lazy; then
	agree "lazy binding" 99.5 20 -d 5 -a -s 8192 -- ./lazy
fi

# ---- where CFI is found

for program in static static-pie no-pie lld mold clang-built no-header no-table debug-frame debug-frame-gz high; do
	if built $program; then agree "$program" 99.5 50 -- ./$program plain 0.05; fi
done
if built segments; then agree "two segments of code" 99.5 50 -- ./segments hot 0.05; fi
# The debug file by its link: in .debug beside the program.
if built debug-frame && has objcopy; then
	mkdir -p .debug
	cp debug-frame debug-apart
	objcopy --only-keep-debug debug-frame .debug/debug-apart.debug &&
		(cd .debug && objcopy --strip-debug --add-gnu-debuglink=debug-apart.debug ../debug-apart)
	agree "debug-frame in a debug file" 99.5 50 -- ./debug-apart plain 0.05
fi

# e_shoff, then e_shnum and e_shstrndx: without section headers .eh_frame is found by the program header or,
# in a static program that has none, by its looks.
for program in plain static no-header; do
	if built $program; then
		cp $program $program-bare
		head -c 8 /dev/zero | dd of=$program-bare bs=1 seek=40 conv=notrunc 2>/dev/null
		head -c 4 /dev/zero | dd of=$program-bare bs=1 seek=60 conv=notrunc 2>/dev/null
		agree "$program, no section headers" 99.5 50 -- ./$program-bare plain 0.05
	fi
done
for linker in bfd lld mold; do
	if built stubs-$linker; then agree "stubs by $linker" 99.5 50 -- ./stubs-$linker stubs 0.1; fi
done

# ---- code without CFI

if built frame-pointer; then
	agree "frame pointers without CFI" 99.5 50 -- ./frame-pointer plain 0.05
	at_least "frame pointers without CFI: marked as guessed" guessed 20
	agree "frame pointers without CFI, --unwind cfi" 0 50 -m cfi -- ./frame-pointer plain 0.05
	ok "--unwind cfi guesses nothing" awk '$1 == "guessed" && $2 == 0 { ok = 1 } END { exit !ok }' .walked
fi

if built frame-pointer; then
	agree "--unwind fp" 0 50 -m fp -- ./frame-pointer plain 0.05
	ok "--unwind fp reaches main, without guesses" awk '$1 == "frames" { frames = $2 } $1 == "samples" { samples = $2 }
		$1 == "guessed" { guessed = $2 } END { exit !(frames >= 30 * samples && !guessed) }' .walked
fi

# ---- files whose stat() has another device number than their mappings

mkdir -p over/lower over/mount over/tmp
if built plain && cp plain over/lower/ && unshare -m true 2>/dev/null; then
	cat >in-overlay <<'END'
mount -t tmpfs none over/tmp && mkdir over/tmp/upper over/tmp/work &&
	mount -t overlay none -o lowerdir=over/lower,upperdir=over/tmp/upper,workdir=over/tmp/work over/mount || exit 9
[ -n "$*" ] || exit 0
exec "$ORACLE" "$@"
END
	if unshare -m sh in-overlay 2>/dev/null; then
		real=$ORACLE
		ORACLE=$T/wrapped
		printf '#!/bin/sh\nORACLE=%s exec unshare -m sh in-overlay "$@"\n' "$real" >wrapped
		chmod +x wrapped
		agree "on overlayfs" 99.5 50 -- over/mount/plain plain 0.05
		ORACLE=$real
	else
		skip "on overlayfs" "it cannot be mounted here"
	fi
else
	skip "on overlayfs" "no mount namespaces here"
fi

# ---- the programs that know their own profile

for program in "$B"/work/*; do
	case $program in
	*.so | */deny-perf | */elfs | */reuse | */retid | */terminal | */toll | */usage | */clock | *-32) continue ;; # i386 has no CFI walk
	*/roots | */roots-split | */stacks | */fibers | */goroutines | */cgo) continue ;; # not in its copy: deep.t, other-stacks.t, cgo.t
	*/unanswered) continue ;; # nor is it to be had: unanswered.t
	*/sharing) continue ;; # it takes the two for strangers: shared-memory.t
	esac
	if [ -f "$program" ] && [ -x "$program" ]; then
		agree "work/${program##*/}" 99.5 10 -a -s 16384 -d 0.4 -- "$program" 1
	fi
done

# ---- system programs, as they are

cat >loop.py <<'END'
import json
for i in range(400):
    json.loads(json.dumps(list(range(500))))
END
head -c 6000000 /dev/urandom >noise
mkdir -p repo && (cd repo && git init -q . && seq 200000 >a && git add a) >/dev/null 2>&1
# shellcheck disable=SC2016
{
	agree bash 99.5 50 -d 2 -a -s 16384 -- bash -c 'for i in $(seq 150); do x=$(echo $i | tr 1 2); done; for ((i = 0; i < 100000; i++)); do x=$i; done'
	agree perl 99.5 50 -- perl -e 'sub f { my $n = shift; $n < 2 ? 1 : f($n - 1) + f($n - 2) } f(25)'
	for python in /usr/bin/python3 python3; do
		if has $python; then agree "$python" 99.5 50 -d 2 -- $python loop.py; fi
	done
	if has git; then agree git 99.5 20 -d 2 -- git -C repo hash-object a a a a a a a a a a a a; fi
	agree gzip 99.5 50 -d 2 -- gzip -9 -k -f noise
	if has perf; then agree perf 90 20 -d 2 -- perf bench mem memcpy -l 200; fi
	if has node; then agree "node" 90 50 -d 2 -- node -e 'let s = 0; for (let i = 0; i < 3e7; i++) s += Math.sqrt(i)'; fi
	if has java; then agree "java" 90 50 -d 2 -- java -Xint -version; fi
}
done_testing
