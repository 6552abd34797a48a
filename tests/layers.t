#!/bin/sh
# The layer law of HACKING.md: a file includes its own stage, base, and the stages before it.
. "$(dirname "$0")/lib/tap.sh"

stages="base target sample source unwind symbol fold record store render view wire"

# law DIR: prints what breaks it
law() {
	for file in "$1"/*/*.[ch] "$1"/*/*/*.[ch]; do
		[ -e "$file" ] || continue
		stage=${file#"$1"/}
		stage=${stage%%/*}
		case " $stages " in
		*" $stage "*) ;;
		*) echo "$file: '$stage' is no stage"; continue ;;
		esac
		sed -n 's,^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*,\1,p' "$file" | while read -r included; do
			case $included in
			*.skel.h | vmlinux.h) continue ;; # made by bpftool
			*/*) to=${included%%/*} ;;
			*) echo "$file: \"$included\" is not written stage/file.h"; continue ;;
			esac
			case " $stages " in
			*" $to "*) ;;
			*) echo "$file: \"$included\" is of no stage"; continue ;;
			esac
			[ "$to" = base ] || [ "$to" = "$stage" ] && continue
			case $stages in
			*"$to "*"$stage"*) ;;
			*) echo "$file: $stage must not include $to" ;;
			esac
		done
	done
}

law "$TOP/lib" >broken
ok "every include goes to an earlier stage" test ! -s broken
[ -s broken ] && sed 's/^/# /' broken

mkdir -p bad/base bad/fold bad/helper
echo '#include "fold/fold.h"' >bad/base/a.h
echo '#include "base/a.h"' >bad/fold/fold.h
echo '#include "fold.h"' >bad/fold/b.c
: >bad/helper/c.c
law bad | sed 's,bad/,,' >found
cat >wanted <<!
base/a.h: base must not include fold
fold/b.c: "fold.h" is not written stage/file.h
helper/c.c: 'helper' is no stage
!
ok "a tree that breaks it is found out" diff wanted found

cd "$TOP" || exit 1
ls cmd/*.c lib/*/*.c | sed 's,.*/,,' | sort | uniq -d >"$T/twice"
ok "every .c has a base name of its own: an archive lists members by it" test ! -s "$T/twice"
git ls-files 2>/dev/null | grep -E '(^|/)(util|utils|common|misc|helpers?)(\.[a-z]+)?(/|$)' >"$T/rooms"
ok "nothing is called util, common, misc or helper" test ! -s "$T/rooms"
wc -l lib/*/*.[ch] lib/render/assets/*.js cmd/*.c 2>/dev/null | awk '$2 != "total" && $1 >= 500' >"$T/long"
ok "every file is under 500 lines" test ! -s "$T/long"
not "the library names no program's options" grep -nE '\b(getopt|argv\[)' lib/[!b]*/*.c
awk '/^main\(/ { print FILENAME ": " $0 }' lib/*/*.c >"$T/mains"
ok "the library has no main" test ! -s "$T/mains"
for header in lib/*/*.h; do
	head -n 1 "$header" | grep -q '^/\*' || echo "$header"
done >"$T/silent"
ok "every header says first what it is" test ! -s "$T/silent"
for file in "$T/twice" "$T/rooms" "$T/long" "$T/mains" "$T/silent"; do
	sed 's/^/# /' "$file"
done
for stage in lib/*/; do
	stage=$(basename "$stage")
	ok "HACKING.md knows $stage" grep -q "^| \`$stage\`" HACKING.md
done
done_testing
