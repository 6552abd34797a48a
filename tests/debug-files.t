#!/bin/sh
# Names from elsewhere: folders of GP_DEBUG_DIR, .gnu_debugdata, compressed sections, debuginfod. What is of
# another build is refused, and said.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib/tap.sh"

NAMES=$B/unit/symbols
[ -x "$NAMES" ] || skip_all "make unit"
CC=${CC:-cc}
unset GP_DEBUG_DIR DEBUGINFOD_URLS DEBUGINFOD_MAXTIME
DEBUGINFOD_CACHE_PATH=$T/cache
export DEBUGINFOD_CACHE_PATH

cat >lib.c <<'C'
static __attribute__((noinline)) int secret(int x) { return x * x + 1; }
int open_function(int x) { return secret(x) + secret(x + 1); }
C

# build NAME CFLAGS...: NAME.full, NAME.debug, and NAME.so that is stripped, without a link
build() {
	name=$1
	shift
	"$CC" -g -O1 -fPIC -shared "$@" -o "$name.full" lib.c && objcopy --only-keep-debug "$name.full" "$name.debug" &&
		objcopy --strip-all "$name.full" "$name.so"
}

# secret FILE FULL: what the static function is called in FILE; its address is FULL's
secret() {
	nm "$2" | awk '$3 == "secret" { print $1 }' | "$NAMES" "$1" 2>told | cut -d' ' -f2-
}

id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# put ROOT FILE ID: FILE as ROOT's debug file of ID
put() {
	mkdir -p "$1/.build-id/$(printf %.2s "$3")"
	cp "$2" "$1/.build-id/$(printf %.2s "$3")/${3#??}.debug"
}

ok "a library, and one of another build" build one -Wl,--build-id
build two -Wl,--build-id -DOTHER -O0
id=$(id_of one.full)
is "stripped, without a debug file: no name" 'cat got' <<W
$(secret one.so one.full >got; echo '?')
W

# ---- folders

put first one.debug "$id"
GP_DEBUG_DIR=$T/first
export GP_DEBUG_DIR
is "by build-id under GP_DEBUG_DIR" 'cat got' <<W
$(secret one.so one.full >got; echo secret)
W
GP_DEBUG_DIR=$T/nowhere:$T/first
is "or under the second of its folders" 'cat got' <<W
$(secret one.so one.full >got; echo secret)
W
put wrong two.debug "$id"
GP_DEBUG_DIR=$T/wrong
is "one of another build is refused" 'cat got' <<W
$(secret one.so one.full >got; echo '?')
W
ok "and said" grep -q 'wrong/.*\.debug is of another build' told
is "once" 'grep -c "another build" told' <<W
1
W
GP_DEBUG_DIR=$T/wrong:$T/first
is "the next folder's is taken" 'cat got' <<W
$(secret one.so one.full >got; echo secret)
W
cp one.so linked.so
objcopy --add-gnu-debuglink=one.debug linked.so
mkdir -p "links$T"
mv one.debug "links$T/"
GP_DEBUG_DIR=$T/links
is "by link under GP_DEBUG_DIR and the file's own folder" 'cat got' <<W
$(secret "$T/linked.so" one.full >got; echo secret)
W
cp two.debug one.debug
is "the file beside it is of another build: passed over" 'cat got' <<W
$(secret "$T/linked.so" one.full >got; echo secret)
W
ok "that is said, too" grep -q 'one.debug is of another build' told
rm one.debug
mkfifo one.debug
is "a fifo of that name hangs nothing" 'cat got' <<W
$(secret "$T/linked.so" one.full >got; echo secret)
W
rm one.debug
unset GP_DEBUG_DIR

# ---- inside the file

nm -D one.full --format=posix --defined-only | awk '{ print $1 }' | sort >dynamic
nm one.full --format=posix --defined-only | awk '$2 ~ /[Tt]/ { print $1 }' | sort | comm -13 dynamic - >kept
if objcopy --only-keep-debug one.full small 2>/dev/null && command -v xz >/dev/null; then
	objcopy -S --remove-section .gdb_index --remove-section .comment --keep-symbols=kept small mini
	xz -k mini
	cp one.so packed.so
	objcopy --add-section .gnu_debugdata=mini.xz packed.so
	is ".gnu_debugdata" 'cat got' <<-W
		$(secret packed.so one.full >got; echo secret)
	W
	head -c 200 mini.xz >cut.xz
	cp one.so cut.so
	objcopy --add-section .gnu_debugdata=cut.xz cut.so
	is "cut short it names nothing" 'cat got' <<-W
		$(secret cut.so one.full >got; echo '?')
	W
	head -c 300000000 /dev/zero | xz -0 >bomb.xz
	cp one.so bomb.so
	objcopy --add-section .gnu_debugdata=bomb.xz bomb.so
	is "nor does one that unpacks to 300 MB" 'cat got' <<-W
		$(secret bomb.so one.full >got; echo '?')
	W
else
	skip ".gnu_debugdata" "no xz"
fi

# ---- from a server

if ldconfig -p 2>/dev/null | grep -q libdebuginfod.so.1 || ls /usr/lib/*/libdebuginfod.so.1 >/dev/null 2>&1; then
	mkdir -p "served/buildid/$id"
	cp "links$T/one.debug" "served/buildid/$id/debuginfo"
	is "debuginfod is not asked unless DEBUGINFOD_URLS is set" 'cat got; test ! -e cache' <<-W
		$(secret one.so one.full >got; echo '?')
	W
	DEBUGINFOD_URLS=file://$T/served
	export DEBUGINFOD_URLS
	is "then it is" 'cat got' <<-W
		$(secret one.so one.full >got; echo secret)
	W
	rm -rf cache served
	is "a file that it does not have is no trouble" 'cat got; cat told' <<-W
		$(secret one.so one.full >got; echo '?')
	W
	rm -rf cache
	mkdir -p "served/buildid/$id"
	cp two.debug "served/buildid/$id/debuginfo"
	is "one that has another build's is not believed" 'cat got; grep -c "another build" told' <<-W
		$(secret one.so one.full >got; printf '?\n1')
	W
	rm -rf cache served
	# Servers: one that takes connections and says nothing, one that sends a byte now and then, one that is not there.
	perl -MIO::Socket::INET -e '$SIG{PIPE} = "IGNORE"; $SIG{CHLD} = "IGNORE";
		$s = IO::Socket::INET->new(Listen => 9, LocalAddr => "127.0.0.1") or die;
		open $f, ">", "slow.new"; print $f $s->sockport; close $f; rename "slow.new", "slow";
		while ($c = $s->accept) { next if fork; print $c "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
			$c->flush; for (1 .. 30) { select undef, undef, undef, 0.2; last unless print $c "x"; $c->flush } exit }' &
	slow=$!
	perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 9, LocalAddr => "127.0.0.1") or die;
		open $f, ">", "port.new"; print $f $s->sockport; close $f; rename "port.new", "port";
		push @c, $s->accept while 1' &
	server=$!
	while [ ! -s port ]; do sleep 0.05; done
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat port)/
	DEBUGINFOD_MAXTIME=1
	export DEBUGINFOD_MAXTIME
	rm -rf cache
	is "one that never answers has its time" 'cat got' <<-W
		$(secret one.so one.full >got; echo '?')
	W
	ok "which is said" grep -q 'time for debug files is over' told
	while [ ! -s slow ]; do sleep 0.05; done
	DEBUGINFOD_URLS=http://127.0.0.1:$(cat slow)/
	rm -rf cache
	start=$(date +%s)
	is "one that sends a byte now and then has its time, too" 'cat got; grep -c "is over" told' <<-W
		$(secret one.so one.full >got; printf '?\n1')
	W
	ok "... and no more" test $(($(date +%s) - start)) -lt 5
	kill "$server" "$slow"
	wait "$server" "$slow" 2>/dev/null
	DEBUGINFOD_URLS="http://127.0.0.1:$(cat port)/ http://127.0.0.1:$(cat slow)/"
	DEBUGINFOD_MAXTIME=30
	rm -rf cache
	start=$(date +%s)
	is "one that is not there is no trouble" 'cat got; cat told' <<-W
		$(secret one.so one.full >got; echo '?')
	W
	ok "... and takes no time" test $(($(date +%s) - start)) -lt 10
	unset DEBUGINFOD_URLS DEBUGINFOD_MAXTIME
else
	skip "debuginfod" "no libdebuginfod1"
fi
done_testing
