#!/bin/sh
# gp-record's options, one by one. (That profiles are true is truth.t's business.)
. "$(dirname "$0")/lib/tap.sh"
may_record_machine || skip_all "needs root or perf_event_paranoid <= 0 (unprivileged.t is for the others)"

cat >spin.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
volatile unsigned long x;
static double cpu(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
__attribute__((noipa)) void spin(double s) { s += cpu(); while (cpu() < s) for (int i = 0; i < 10000; i++) x += i; }
__attribute__((noipa)) void touch(int n)
{
	for (; n > 0; n--) { char *p = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *p = 1; munmap(p, 4096); }
}
static void *thread(void *name) { prctl(PR_SET_NAME, name); spin(0.3); return 0; }
int main(int c, char **v)
{
	pthread_t t;
	if (c > 2 && strcmp(v[1], "touch") == 0) { touch(atoi(v[2])); return 0; }
	if (c > 2 && strcmp(v[1], "threads") == 0) { pthread_create(&t, 0, thread, "other"); spin(0.3); pthread_join(t, 0); return 0; }
	if (c > 2 && strcmp(v[1], "kernel") == 0) { double s = cpu() + atof(v[2]); while (cpu() < s) for (int i = 0; i < 1000; i++) getppid(); return 0; }
	spin(atof(v[1]));
	return 0;
}
C
cc -O2 -pthread -o spin spin.c || skip_all "no compiler"

# stacks FILE: the lines that are stacks; total FILE: their sum
stacks() { grep -v '^#' "$1"; }
total() { stacks "$1" | awk '{ n += $NF } END { print n + 0 }'; }
header() { sed -n 1p "$1" | grep -o "\"$2\":[^,}]*" | cut -d: -f2-; }

exits "-F 499" 0 'gp-record -F 499 -o a.folded -- ./spin 0.5'
ok "-F 499: about 499 samples a second" test "$(total a.folded)" -gt 200 -a "$(total a.folded)" -lt 300
ok "the header knows the rate" test "$(header a.folded freq_hz)" = 499
gp-record -F 20000 -o begun.folded -- ./spin 0.05 2>.err
ok "the way to the program: nothing of before its exec" test -s begun.folded -a "$(grep -c 'alloc_bprm\|pipe_read\|no-mapping' begun.folded)" = 0
exits "-c 5000000" 0 'gp-record -c 5000000 -o c.folded -- ./spin 0.5'
ok "-c: a sample every 5 ms of CPU" test "$(total c.folded)" -gt 80 -a "$(total c.folded)" -lt 125
ok "the header knows the period" test "$(header c.folded period_ns)" = 5000000

exits "-c below what clocks can" 2 'gp-record -c 1000 -- true'
says "... says how small it may be" '10000'

exits "-e page-faults -c 1" 0 'gp-record -e page-faults -c 1 -o f.folded -- ./spin touch 5000'
# A burst of samples may be more than the rings hold; then it is counted.
ok "every fault is counted" test $(($(total f.folded) + $(header f.folded lost))) -ge 5000
ok "faults are events, not samples" test "$(header f.folded unit)" = '"events"'
exits "-e page-faults -F 999" 0 'gp-record -e page-faults -F 999 -o w.folded -- ./spin touch 200000'
n=$(total w.folded)
not "... no share of them is taken for a number of samples" grep -Eq '[0-9]+ (truncated|unresolved)' .err
ok "sampled faults weigh their period ($n of 200000)" test "$n" -gt 150000 -a "$n" -lt 250000
exits "-e context-switches without the kernel" 1 'gp-record -e context-switches --user-only -- true'
says "... says why" 'happens inside the kernel'
exits "-e of nothing" 2 'gp-record -e no-such-event -- true'
says "... names what there is" 'cpu-clock'

exits "--by" 0 'gp-record --by time=100ms,host,pid,tid,thread,cpu -o b.folded -- ./spin threads 1'
not "every stack has the labels, time first" sh -c "grep -v '^#' b.folded | grep -Ev '^time=[0-9]{6}\.[0-9]00;host=[^;]+;pid=[0-9]+;tid=[0-9]+;thread=[^;]+;cpu=[0-9]+;spin;'"
ok "the second thread has its own name" grep -q ';thread=other;' b.folded
ok "the process keeps its own" grep -q ';thread=other;cpu=[0-9]*;spin;' b.folded
ok "the header lists them" grep -q '"labels":\["time","host","pid","tid","thread","cpu"\]' b.folded
exits "--by of nothing" 2 'gp-record --by nothing -- true'

exits "--user-only" 0 'gp-record -F 999 --user-only -o u.folded -- ./spin kernel 0.3'
not "--user-only: no kernel frame" grep -q '_\[k\]' u.folded
exits "--kernel-only" 0 'gp-record -F 999 --kernel-only -o k.folded -- ./spin kernel 0.3'
ok "--kernel-only: kernel frames" grep -q 'getppid' k.folded
not "--kernel-only: no user frame" grep -q ';main;' k.folded

exits "--unwind fp" 0 'gp-record --unwind fp -o p.folded -- ./spin 0.2'
exits "--unwind of nothing" 2 'gp-record --unwind magic -- true'
exits "--max-depth" 0 'gp-record --max-depth 2 -o d.folded -- ./spin 0.2'
ok "--max-depth: cut and said" grep -q '^spin;\[truncated\];' d.folded
exits "--stack-size" 0 'GP_NO_BPF=1 gp-record --stack-size 64 -o s.folded -- ./spin 0.2'
ok "--stack-size 64: cut and said" grep -q '^spin;\[truncated\];' s.folded
ok "truncated stacks are counted in the header" test "$(header s.folded truncated)" -gt 5
exits "--stack-size too large" 2 'gp-record --stack-size 65536 -- true'

cp spin bare
strip bare
exits "--addresses" 0 'gp-record --addresses -o x.folded -- ./bare 0.2'
ok "--addresses: where there is no symbol" grep -Eq '\[bare\+0x[0-9a-f]+\]' x.folded

exits "-z" 0 'gp-record -z -o z.folded.gz -- ./spin 0.2'
ok "-z: gzip" sh -c 'gzip -dc z.folded.gz | grep -q ";spin "'
exits "--no-header" 0 'gp-record --no-header -o n.folded -- ./spin 0.2'
not "--no-header: none" grep -q '^#' n.folded
exits "--delay" 0 'gp-record -F 999 --delay 1 -o y.folded -- sh -c "./spin 0.2; sleep 1; exec ./bare 0.2"'
not "--delay: what came before is not there" grep -q '^spin;' y.folded
ok "--delay: what came after is" grep -q '^bare;' y.folded
agrees() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a == "" || (a >= 0.8 * b && a <= 1.2 * b)) }'; }
for bpf in '' GP_NO_BPF=1; do
	exits "--delay, exec before it ends $bpf" 0 "$bpf gp-record -F 999 --delay 0.3 -o y.folded -- sh -c 'exec ./spin 0.8'"
	not "--delay: the program that it is by then" sh -c "grep -v '^#' y.folded | grep -qv '^spin;'"
	ok "--delay: its samples" test "$(total y.folded)" -gt 400 -a "$(total y.folded)" -lt 850
	ok "--delay: cpu_s is none, or of that time" agrees "$(header y.folded cpu_s)" "$(header y.folded sampled_s)"
	exits "--delay, fork before it ends $bpf" 0 "$bpf gp-record -F 999 --delay 0.3 -o y.folded -- sh -c './spin 0.8; true'"
	ok "--delay: children started before" test "$(total y.folded)" -gt 300
done
exits "--delay of more than can be added" 2 'gp-record --delay 18446744073 -- true'
exits "--cpus" 0 'gp-record --cpus 0 --by cpu -d 0.3 -o cpu.folded'
not "--cpus 0: no other" grep -q '^cpu=[^0]' cpu.folded
exits "a CPU that is not there" 1 'gp-record --cpus 8000 -d 0.1'

./spin 3 & spinner=$!
exits "-p" 0 "gp-record -p $spinner -d 0.5 -o pid.folded"
ok "-p: the process" test "$(stacks pid.folded | grep -c '^spin;')" -gt 0
not "-p: no other" sh -c "grep -v '^#' pid.folded | grep -qv '^spin;'"
exits "-p without BPF" 0 "GP_NO_BPF=1 gp-record -p $spinner -d 0.5 -o nobpf.folded"
not "-p without BPF: no other" sh -c "grep -v '^#' nobpf.folded | grep -qv '^spin;'"
ok "... and the notes say so" grep -q 'no.u0020BPF' nobpf.folded
exits "-t" 0 "gp-record -t $spinner -d 0.5 -o tid.folded"
ok "-t: the thread" test "$(total tid.folded)" -gt 5
exits "-a" 0 "gp-record -a -d 0.5 -o all.folded"
ok "-a: the process too" grep -q '^spin;' all.folded
exits "--exclude-self" 0 "echo \$\$ >self; exec gp-record -F 9999 -a -d 0.5 --by pid --exclude-self -o self.folded"
not "--exclude-self: not there" grep -q "^pid=$(cat self);" self.folded
kill $spinner

for type in cgroup2 cgroup; do
	root=$(awk -v type=$type '$3 == type && ($3 == "cgroup2" || $4 ~ /memory|pids|cpu/) { print $2; exit }' /proc/self/mounts)
	group=gp-test-$$
	if [ -z "$root" ] || ! mkdir -p "$root/$group/below" 2>/dev/null; then
		skip "-G in a $type hierarchy" "there is none to write to"
		continue
	fi
	sh -c "echo \$\$ >$root/$group/below/cgroup.procs && exec ./spin 2" & inside=$!
	./spin 2 & outside=$!
	sleep 0.2
	exits "-G of $type, by path" 0 "gp-record -G /$group --by pid -d 0.5 -o g.folded"
	ok "-G: the task below it" grep -q "^pid=$inside;" g.folded
	not "-G: no other" sh -c "grep -v '^#' g.folded | grep -qv '^pid=$inside;'"
	exits "-G of $type, by directory, without BPF" 0 "GP_NO_BPF=1 gp-record -G $root/$group --by pid,cgroup -d 0.5 -o g.folded"
	# Of several v1 hierarchies the label shows one.
	[ $type = cgroup ] || ok "-G: the label" grep -q "^pid=$inside;cgroup=/$group/below;" g.folded
	not "-G: no other" sh -c "grep -v '^#' g.folded | grep -qv '^pid=$inside;'"
	exits "-G of $type, a slash too many" 0 "GP_NO_BPF=1 gp-record -G //$group/ --by pid -d 0.3 -o g.folded"
	ok "-G: the task below it all the same" grep -q "^pid=$inside;" g.folded
	kill $inside $outside
	wait $inside $outside 2>/dev/null
	rmdir "$root/$group/below" "$root/$group"
done
exits "-G of nothing" 1 'gp-record -G /no/such/group -d 0.1'
exits "-G of what is no cgroup" 1 'gp-record -G ../.. -d 0.1'

# A recorder that cannot run loses samples; it must count them and find its way again.
./spin 4 & spinner=$!
gp-record -a -F 20000 -o lost.folded 2>lost.err & recorder=$!
sleep 0.3
kill -STOP $recorder
sleep 0.8
kill -CONT $recorder
sleep 0.3
kill -TERM $recorder # a shell starts background jobs with SIGINT ignored
wait $recorder
kill $spinner
lost=$(header lost.folded lost)
ok "samples that did not fit are counted ($lost)" test "$lost" -gt 100
ok "... and said" grep -q "$lost lost" lost.err
ok "... and stacks stay whole" sh -c "grep -q '^spin;_start;.*;main;spin ' lost.folded"

exits "two targets" 2 'gp-record -a -p 1'
exits "-F 0 is no frequency" 2 'gp-record -F 0 -- true'
exits "-F 2^64 - 1 is none" 2 'gp-record -F 18446744073709551615 -- true'
exits "-d 2^64 - 1 ns is none" 2 'gp-record -d 18446744073.709551615 -- true'
exits "-G of an empty name" 2 'gp-record -G "" -d 0.1'
exits "-c 0 is no period" 2 'gp-record -c 0 -- true'
exits "-d 0 is no duration" 2 'gp-record -d 0 -- true'
exits "a name is no process" 2 'gp-record -p init'
says "how its number is found" 'pgrep'
exits "-F with -c" 2 'gp-record -F 99 -c 1000 -- true'
done_testing
