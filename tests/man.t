#!/bin/sh
# Man pages are whole, and say of options and usage what the programs say. Their examples: examples.t.
. "$(dirname "$0")/lib/tap.sh"

command -v mandoc >/dev/null || skip_all "no mandoc"

for page in "$TOP"/man/*.[157]; do
	p=$(basename "$page")
	mandoc -T lint -W warning "$page" >lint 2>&1
	ok "$p is clean" sh -c '! grep . lint'
	case $p in
	*.1) sections="NAME SYNOPSIS DESCRIPTION EXIT.STATUS EXAMPLES SEE.ALSO" ;;
	*) sections="NAME DESCRIPTION SEE.ALSO" ;;
	esac
	sed -n 's/^\.Sh //p' "$page" >there
	for section in $sections; do
		ok "$p has $section" grep -qx "$section" there
	done
	sed -n 's/^\.\(It \)\{0,1\}Xr \(gp[^ ]*\) \([1-9]\).*/\2.\3/p' "$page" | sort -u >named
	while read -r other; do
		ok "$p names $other, which exists" test -e "$TOP/man/$other"
	done <named
	# What is not called by anybody's name in EXAMPLES is not tried by examples.t either.
	ok "$p has no line over 120 columns" sh -c '! grep -nE "^.{121}" "$1"' - "$page"
done

# The flags of a page's .It Fl lines, sorted.
flags_of_page() {
	awk '/^\.It Fl/ { for (i = 2; i < NF; i++) if ($i == "Fl") print $(i + 1) }' "$1" | sed 's/\\-/-/g' | sort
}

for page in "$TOP"/man/*.1; do
	p=$(basename "$page" .1)
	[ -x "$B/$p" ] || continue
	"$p" --print-options | awk -F '\t' 'NR > 1 { print "-" $2; if ($1 != "-") print $1 }' | sort >wanted
	flags_of_page "$page" >found
	ok "$p: every option is in the page and the other way round" diff wanted found
	# Letter and long name are explained together, in the order of the table.
	"$p" --print-options | awk -F '\t' 'NR > 1 && $3 != "" { print $2, $3 }' >arguments
	while read -r name arg; do
		ok "$p --$name: its argument is called $arg" grep -q "^\.It Fl.*Fl -$name Ar $arg\$\|^\.It Fl -$name Ar $arg\$" "$page"
	done <arguments

	"$p" -h | sed -n '/^usage:/,/^$/p' | sed 's/^usage: //' | tr -d ' \n' >usage
	mandoc -T ascii -O width=78 "$page" | sed 's/.'"$(printf '\b')"'//g' |
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | sed '1d;$d' | tr -d ' \n' >synopsis
	ok "$p: SYNOPSIS is the usage" diff usage synopsis
	sed -n "s/^\.Nd //p" "$page" >nd
	"$p" --print-options | head -n 1 | cut -f 3 >summary
	ok "$p: NAME says what -h says" diff nd summary
done
done_testing
