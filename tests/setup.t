#!/bin/sh
# What people type first: building without what is optional, installing, packages. Nothing is fetched here.
. "$(dirname "$0")/lib/tap.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS SAN CC

make_in() {
	make -C "$TOP" --no-print-directory "$@"
}

# ---- a header is missing
mkdir include
for entry in /usr/include/*; do
	case $entry in
	*/archive.h | */jansson.h) ;;
	*) ln -s "$entry" include/ ;;
	esac
done
make_in B="$T/none" CC="gcc -nostdinc -isystem $T/include -isystem /usr/include/$(gcc -print-multiarch) -isystem $(gcc -print-file-name=include)" >.got 2>.err
ok "without a header make fails" test $? -ne 0
says "without a header: it is named, and what to type" '^Missing: archive.h jansson.h. `make deps` installs'
ok "without a header nothing is compiled" sh -c '! grep CC .got'
make_in B="$T/none" CC=no-such-compiler >.got 2>.err
says "without a compiler: it is named, and what to type" '^Missing: no-such-compiler.*`make deps` installs'

# ---- no clang, no bpftool in PATH
mkdir path
for directory in /bin /usr/bin /usr/local/bin; do
	find "$directory/" -maxdepth 1 ! -name 'clang*' ! -name 'llvm*' ! -name 'bpf*' ! -type d \
		-exec ln -sf -t path {} +
done
PATH=$T/path make_in -j2 B="$T/lean" CFLAGS=-O1 all >.got 2>&1
ok "without clang it builds" test $? -eq 0
grep -v '^  ' .got | sed 's/^/# /'
ok "without clang: it is said what is lacking" grep -q '^Built without BPF.* needs: .*clang' .got
for source in "$TOP"/cmd/gp-*.c; do
	p=$(basename "$source" .c)
	ok "without clang: $p runs" "$T/lean/$p" -h
done
if [ -x lean/gp-record ]; then
	exits "without clang: gp-record records" 0 "lean/gp-record -q -o x.folded -- sh -c 'i=0; while [ \$i -lt 300000 ]; do i=\$((i+1)); done'"
	ok "without clang: the profile's notes say so" grep -q '"notes":.*BPF' x.folded
fi

# ---- install, uninstall
before=$(cd "$TOP" && ls)
make_in B="$T/lean" CFLAGS=-O1 PREFIX=/opt/gp DESTDIR="$T/root" install >.got 2>&1
ok "make install" test $? -eq 0
sed 's/^/# /' .got | tail -3
ok "make install adds nothing here" test "$before" = "$(cd "$TOP" && ls)"
cd root/opt/gp || exit 1
for source in "$TOP"/cmd/gp-*.c; do
	p=$(basename "$source" .c)
	for file in bin/$p share/man/man1/$p.1 share/bash-completion/completions/$p \
		share/zsh/site-functions/_$p share/fish/vendor_completions.d/$p.fish; do
		ok "installed: $file" test -s "$file"
	done
	ok "installed: bin/$p runs" "bin/$p" -V
done
for file in share/man/man7/gp.7 share/doc/gp/README.md share/doc/gp/LICENSE share/doc/gp/examples/machine.sh; do
	ok "installed: $file" test -s "$file"
done
ok "installed: scripts run, units and tables are read" sh -c '
	cd share/doc/gp/examples && test -x machine.sh && ! test -x gp.cron && ! test -x gp-record.service' _
ok "installed: room for compatible names" test -d libexec/gp/compat
ok "installed: gp-flame under the names it speaks for" sh -c 'libexec/gp/compat/flamegraph.pl -inv /dev/null | grep "Icicle Graph"'
is "nothing is installed beside PREFIX" "find $T/root -maxdepth 2 -mindepth 2" <<!
$T/root/opt/gp
!
: >bin/somebody-elses
cd "$T" || exit 1
make_in B="$T/lean" PREFIX=/opt/gp DESTDIR="$T/root" uninstall >.got 2>&1
ok "make uninstall" test $? -eq 0
is "make uninstall leaves nothing of ours" "find root ! -type d" <<!
root/opt/gp/bin/somebody-elses
!
is "make uninstall leaves no folder of ours" "find root -mindepth 3 -name 'gp*'" <<!
!

# ---- packages, with stand-ins for what would install
mkdir stand
stand_in() {
	cat >"stand/$1"
	chmod +x "stand/$1"
}
stand_in id <<'EOS'
#!/bin/sh
echo "$ID"
EOS
stand_in dpkg-query <<'EOS'
#!/bin/sh
eval package=\${$#}
[ -e "has-all" ] || [ "$package" = zlib1g-dev ] || exit 1
printf installed
EOS
stand_in apt-get <<'EOS'
#!/bin/sh
echo "$*" >>apt.log
case $* in *install*) : >has-all ;; esac
EOS
stand_in apt-cache <<'EOS'
#!/bin/sh
eval package=\${$#}
[ "$package" != libbpf-dev ]
EOS
packages() {
	rm -f apt.log
	ID=$1 PATH=$T/stand:$PATH "$TOP/.ci/packages" "$2" </dev/null >.got 2>.err
}

# It could ask, were sudo there; it is not, in this PATH.
rm -f path/sudo
if (PATH=$T/path packages 1000 build); then
	fail "an ordinary user without sudo"
else
	pass "an ordinary user without sudo"
fi
says "an ordinary user without sudo: the command for root" '^As root: apt-get install .*libarchive-dev'
ok "an ordinary user without sudo: nothing is tried" test ! -e apt.log

stand_in sudo <<'EOS'
#!/bin/sh
[ "$1" != -n ] || shift
[ "$1" = true ] || echo "sudo" >>apt.log
exec "$@"
EOS
ok "sudo, if it need not ask" packages 1000 build
says "sudo: it says so, and what" '^Installing with sudo: .*libarchive-dev'
says "what apt does not know is named" '^apt does not know libbpf-dev'
is "sudo: once for the lists, once to install" "grep -c ^sudo apt.log" <<!
2
!
ok "what is there is not installed" sh -c '! grep -q zlib1g-dev apt.log'
ok "what apt does not know is left out" sh -c '! grep -q libbpf-dev apt.log'
ok "nothing is missing" packages 0 build
ok "nothing is missing: nothing is done or said" sh -c 'test ! -e apt.log && ! grep . .err'
rm -f has-all stand/sudo
ok "root" packages 0 build
says "root: without sudo" '^Installing: '
exits "misused" 2 "$TOP/.ci/packages world"

# The two commands of the README are there.
for target in demo check deps lint fuzz bench; do
	ok "make $target" make_in -n "$target"
	ok "make $target is in HACKING.md or README.md" grep -q "make $target" "$TOP/HACKING.md" "$TOP/README.md"
done
ok ".ci/run runs the README's test command" sh -c "grep -q '^make check' $TOP/README.md && grep -q 'exec make check' $TOP/.ci/run"
done_testing
