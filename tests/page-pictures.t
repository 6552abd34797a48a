#!/bin/sh
# Pictures of the page's views, for people to look at: build/pictures/NAME.png.
. "$(dirname "$0")/lib/tap.sh"
. "$TOP/tests/lib/browser.sh"

pictures=$B/pictures
mkdir -p "$pictures" || exit 1
rm -f "$pictures"/*.png
# A service: two hosts, four runtimes, a slow minute.
awk 'BEGIN { srand(5)
	print "#{\"gp\":1,\"event\":\"cpu-clock\",\"unit\":\"samples\",\"target\":\"-a\",\"host\":\"web1\",\"start\":\"2026-01-31T12:00:00Z\",\"duration_s\":30.0,\"samples\":38000,\"lost\":12,\"labels\":[\"time\",\"host\"]}"
	java = "java;Thread.run_[j];Server.accept_[j];Handler.handle_[j]"
	n = split("Parser.parse_[j];Lexer.next_[i]|Parser.parse_[j];Parser.value_[j];Lexer.next_[i]|Parser.parse_[j];Parser.value_[j];String.hashCode_[0]|Store.get_[j];HashMap.get_[j];String.equals_[i]|Store.get_[j];Cache.load_[1];Socket.read_[0];read;entry_SYSCALL_64_[k];do_syscall_64_[k];tcp_recvmsg_[k];copy_to_user_[k]|Json.write_[j];Buffer.put_[i]|Json.write_[j];Socket.write_[0];write;entry_SYSCALL_64_[k];do_syscall_64_[k];tcp_sendmsg_[k];tcp_push_[k];ip_output_[k]", deep, "|")
	for (t = 0; t < 300; t++) for (h = 1; h <= 2; h++) {
		label = sprintf("time=%06.1f;host=web%d;", t / 10, h)
		slow = t > 120 && t < 190 && t % 10 < 4 ? 6 : 1
		for (i = 1; i <= n; i++) { v = int((i == 4 ? slow : 1) * (9 * rand() + 14 - i)); if (v > 0) print label java ";" deep[i], v }
		print label "python3;main (app.py:10)_[p];query (db.py:88)_[p];std::vector<int>::push_back;malloc", 3 + int(6 * rand())
		print label "node;LazyCompile:*render /srv/app.js:12;std::map::find;[libc.so]", 2 + int(5 * rand())
		print label "redis-server;main;aeMain;aeProcessEvents;readQueryFromClient;processCommand;lookupKey;dictFind", 4 + int(5 * rand())
	} }' >in
gp-flame -o x.html in
sed 's/^time=[^;]*;host=[^;]*;//; s/"labels":\["time","host"\]/"notes":[]/' in | gp-merge - >plain
awk 'BEGIN { print "#{\"gp\":1,\"unit\":\"samples\",\"columns\":2,\"kind\":\"diff\",\"names\":[\"Monday\",\"Tuesday\"]}" }
	!/^#/ { n++; v = $NF; sub(/ [0-9]+$/, ""); print $0, n == 3 ? 0 : v, n == 5 ? 0 : n % 4 == 0 ? v * 2 : n % 7 == 0 ? int(v / 3) : v } ' plain >"diff"
sed 's/"kind":"diff"/"kind":"ratio"/; s/Monday/instructions/; s/Tuesday/cycles/' diff >ratio
gp-flame -o diff.html diff
gp-flame -o ratio.html ratio
gp-flame --colors java -o java.html plain
gp-flame -o plain.html plain
gp-flame -o plain.svg plain

words='globalThis.button = words => [...document.querySelectorAll("button")].find(b => b.textContent === words); globalThis.press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); globalThis.wait = () => new Promise(done => setTimeout(done, 300)); 0'
# view NAME [browser's options] FILE: stdin holds steps that lead to it
made=
view() {
	made="$made $1"
	{
		name=$1
		shift
		printf 'open'
		printf " '%s'" "$@"
		printf '\neval %s\n' "$words"
		cat
		printf 'eval wait()\nshot %s/%s.png\n' "$pictures" "$name"
	} >>script
}
view graph-light x.html <<END
move 400 500
END
view graph-dark -d x.html </dev/null
view graph-400 -w 400 -h 800 x.html </dev/null
view zoom-steps x.html <<END
eval press('F'); document.querySelector('#panel select').value = 'hide'; document.querySelector('#panel form input').value = '^Thread'; document.querySelector('#panel form button').click(); search.value = 'parse'; search.dispatchEvent(new Event('input')); 0
END
view table x.html <<END
eval press('3')
END
view tree-dark -d x.html <<END
eval press('4')
END
view bottom-up x.html <<END
eval press('2')
END
view callers x.html <<END
eval press('3'); document.querySelectorAll('#list .line')[1].dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
END
view search -d x.html <<END
eval search.value = 'parse|lex'; search.dispatchEvent(new Event('input'))
END
view diff diff.html <<END
move 300 600
END
view diff-dark -d diff.html </dev/null
view ratio ratio.html <<END
move 500 600
END
view compare -w 1600 x.html <<END
eval press('L'); document.querySelectorAll('.values .line')[0].click(); press('C'); button('Keep this as A').click(); press('L'); document.querySelectorAll('.values .line')[0].click(); document.querySelectorAll('.values .line')[1].click(); press('C'); button('Side by side').click()
END
view compare-diff -w 1600 x.html <<END
eval location.hash = '#time=13..18&compare=diff&a.time=0..10'
eval wait().then(() => press('C'))
END
view time-range x.html <<END
eval press('L'); location.hash = '#time=13..18&by=host'
END
view menu x.html <<END
eval view.focus(); for (let i = 0; i < 5; i++) view.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true })); press('m')
END
view keys -d x.html <<END
eval press('?')
END
view java java.html </dev/null
view svg plain.svg </dev/null
# Where no script runs nothing can be waited for.
made="$made still"
printf 'open -n plain.html\nshot %s/still.png\n' "$pictures" >>script
browse <script >got 2>err || cat err
for name in $made; do
	ok "$name.png" test "$(wc -c <"$pictures/$name.png")" -gt 5000
done
done_testing
