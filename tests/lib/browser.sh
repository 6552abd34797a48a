# Sourced after tap.sh by tests that look at pages and pictures in a browser.
# shellcheck shell=sh

command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
	skip_all "no chromium"
browse() { perl "$TOP/tests/lib/browser.pl" "$@"; }
echo 'eval 6 * 7' | browse /dev/null >.got 2>.err || skip_all "chromium does not run: $(tail -1 .err)"

# steps NAME [browser's options] FILE: stdin holds steps, and behind a TAB what they print.
# later: the same, but it waits for others (for browsed or the end), since a browser takes long to start.
blocks=0
steps() {
	later "$@"
	browsed
}

later() {
	blocks=$((blocks + 1))
	echo "$1" >"name.$blocks"
	shift
	cat >script
	sed -n 's/^\t//p' script >"want.$blocks"
	{ echo "block $blocks"; printf open; printf " '%s'" "$@"; echo; grep -v '^	' script; } >>blocks
}

# Does all that waits, in one browser, and says what came of it.
browsed() {
	[ "$blocks" -gt 0 ] || return 0
	perl "$TOP/tests/lib/browser.pl" <blocks >got.all 2>err
	awk '/^\001block /{ if (file) close(file); file = "got." $2; printf "" >file; next } file { print >file }' got.all
	block=0
	while [ "$block" -lt "$blocks" ]; do
		block=$((block + 1))
		name=$(cat "name.$block")
		if cmp -s "want.$block" "got.$block"; then pass "$name"; else
			{ diff "want.$block" "got.$block"; cat err; } 2>&1 | head -40 >why
			fail "$name" - <why
		fi
	done
	rm -f blocks name.* want.* got.*
	blocks=0
}

# As in tap.sh, after what waits.
# shellcheck disable=SC2154
done_testing() {
	browsed
	printf '1..%d\n' "$count"
	[ "$failures" -eq 0 ]
	exit
}
