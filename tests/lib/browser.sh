# Sourced after tap.sh by tests that look at pages and pictures in a browser.
# shellcheck shell=sh

command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null ||
	skip_all "no chromium"
browse() { perl "$TOP/tests/lib/browser.pl" "$@"; }
echo 'eval 6 * 7' | browse /dev/null >.got 2>.err || skip_all "chromium does not run: $(tail -1 .err)"

# steps NAME [browser's options] FILE: stdin holds steps and what they print, "# wanted" after each
steps() {
	name=$1
	shift
	cat >script
	sed -n 's/^\t//p' script >want
	grep -v '^	' script | browse "$@" >got 2>err
	if cmp -s want got; then pass "$name"; else { diff want got; cat err; } | head -40 >why; fail "$name" - <why; fi
}
