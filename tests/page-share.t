#!/bin/sh
# What leaves the page: links, copies, files, the profile itself; the page without script, and without inline code.
. "$(dirname "$0")/lib/tap.sh"

# ---- gp-fold gives back what the page was made of

cat >in <<'END'
#{"gp":1,"host":"web1","event":"cpu-clock","unit":"samples","target":"a<b","samples":100}
a\q;<x> 5
idle 20
main 10
main;parse_[j];lex_[i] 30
main;parse_[j];parse_[j] 10
main;run::all;</script><b>x 20
main;run::all;lex_[i] 10
END
printf 'main;z\377\342\200\250\t 3\n' >>in
gp-fold in >canonical
gp-flame -o x.html in
is "gp-fold of a page is its canonical input, byte for byte" 'gp-fold x.html' <canonical
gp-flame -o again.html canonical
ok "and a page of that the same page" cmp x.html again.html
is "compressed too, and without a header" 'gzip -c x.html | gp-fold --no-header -' <<END
$(sed 1d canonical)
END
printf '#{"gp":1,"unit":"samples","columns":2,"kind":"diff","names":["base","new"]}\na 1 2\na;b 0 5\nc 3 0\n' >two
gp-fold two >two.want
is "two columns" 'gp-flame -o two.html two && gp-fold two.html' <two.want
is "--separate: a stream, one profile a tab" 'gp-flame --separate -o tabs.html in two && gp-fold tabs.html' <<END
$(cat canonical)
#
$(cat two.want)
#
END
awk 'BEGIN { for (i = 0; i < 3000; i++) { l = "r"; for (j = 0; j < 12; j++) l = l ";f" (i * 7919 * (j + 3)) % (97 + j * 11); print l, 1 + i % 50 } for (i = 0; i < 5000; i++) printf "d%d;", i; print "leaf 18446744073709000000" }' >large
gp-fold large >large.want
is "many stacks, a deep one, a large value" 'gp-flame -o large.html large && gp-fold large.html' <large.want
exits "an empty profile" 1 'gp-flame -o none.html /dev/null'
is "its page" 'gp-fold none.html' </dev/null

damage() { perl -0777 -pe "$1" x.html >bad.html; exits "damaged: $2" 1 'gp-fold bad.html'; says "which is said: $2" 'damaged'; ok "nothing is written: $2" test ! -s .got; }
damage 's/.{9}\z//s' "its end is missing"
damage 's{(class="rows"[^>]*>.{9}).}{$1!}s' "a byte of the stacks"
damage 's{lex_}{lax_}' "a byte of a name" 2>/dev/null
damage 's{"host":"web1"}{"host":"web2"}' "a byte of the header"
damage 's{data-gp-profiles="1"}{data-gp-profiles="2"}' "a profile is missing"

# Cut anywhere, or with a byte changed anywhere in what it carries: refused, and nothing is written. Where the page
# says what it holds a change may make it no page, which is a profile of nothing that was in it.
size=$(wc -c <x.html)
cut=0 refused=0
while [ "$cut" -lt "$size" ]; do
	head -c "$cut" x.html >bad.html
	gp-fold bad.html >got 2>err
	status=$?
	if [ "$status" -eq 1 ] && [ ! -s got ]; then refused=$((refused + 1)); else echo "cut at $cut: status $status, $(wc -c <got) bytes" >>why; fi
	cut=$((cut + size / 40 + 1))
done
ok "cut at 40 places: refused" test "$refused" -ge 39 -a ! -e why
first=$(grep -abo 'class="header"' x.html | head -n 1 | cut -d : -f 1) last=$(grep -abo 'class="sum"' x.html | tail -n 1 | cut -d : -f 1)
at=$((first + 60)) changed=0 kept=0
while [ "$at" -lt "$((last + 28))" ]; do
	perl -0777 -pe "substr(\$_, $at, 1) ^= chr(1 << ($at % 7))" x.html >bad.html
	changed=$((changed + 1))
	gp-fold bad.html >got 2>err && kept=$((kept + 1)) && { cmp -s got canonical || echo "changed at $at" >>why; }
	[ ! -s got ] || cmp -s got canonical || echo "half read at $at" >>why
	at=$((at + 11))
done
ok "a bit changed at $changed places of its data: refused, or the very same profile" test "$changed" -gt 30 -a "$kept" -lt 4 -a ! -e why
[ ! -e why ] || sed 's/^/# /' why
for swap in names rows sum; do damage "s{class=\"$swap\"}{class=\"other\"}" "no $swap"; done
damage 's{(<script type="text/plain" class="rows".*?</script>\n)}{$1$1}s; s{class="sum" data-tab="0">.}{class="sum" data-tab="0">g}' "rows twice, and no sum"

# ---- a stack of which nothing is left

printf 'a;b 3\na 2\nc 5\n' >hidden
is "all frames hidden: the root's in a picture, [unnamed] in folded text" 'gp-flame --hide "^[ab]" -o hidden.html hidden; gp-fold hidden.html; gp-flame --hide "^[ab]" --text --width 100 hidden | sed 1,3d; gp-flame --hide "^[ab]" hidden | grep -o "^self 5.*%"' <<'END'
[unnamed] 5
c 5

Self:
  50.00 %  c  5 samples
self 5 samples, 50.00 %
END

# ---- the command line

exits "--csp needs a file" 2 'gp-flame --html --csp in'
exits "--separate needs a page" 2 'gp-flame --separate in two'
for link in 'javascript:alert(1)' 'data:text/html,x' ' https://x' 'file:///etc'; do
	exits "--link $link is refused" 2 "gp-flame -o l.html --link '$link' in"
done
gp-flame --csp -o 'c d#1%20?.html' in
ok "--csp: files beside the page" test -s 'c d#1%20?.js' -a -s 'c d#1%20?.css'
# All elements with content that could run, attributes too.
not "nothing inline" grep -nE '<style|<script>|style=| on[a-z]+=' 'c d#1%20?.html'
is "and gp-fold reads it" "gp-fold 'c d#1%20?.html'" <canonical

printf '#{"gp":1,"labels":["time"]}\ntime=01.0;a 1\ntime=02.0;a 2\ntime=03.5;a 4\n' >slices
is "--time: seconds of the label time, the end not included" 'gp-flame --html --time 1..2 --time 3..4 slices | gp-fold --no-header -' <<END
time=01.0;a 1
time=03.5;a 4
END
exits "--time takes a range" 2 'gp-flame --time 2..1 slices'

. "$TOP/tests/lib/browser.sh"
words='globalThis.errors = []; addEventListener("error", e => errors.push(e.message)); const at = (x, row) => { const r = canvas.getBoundingClientRect(); return { clientX: r.left + x, clientY: r.bottom - row * 18 - 9, bubbles: true } }; const press = (x, row) => canvas.dispatchEvent(new MouseEvent("click", at(x, row))); const on = (x, row) => { canvas.dispatchEvent(new MouseEvent("mousemove", at(x, row))); return details.textContent.split(" · ")[0] }; const button = words => [...document.querySelectorAll("button")].find(b => b.textContent === words); const wait = ms => new Promise(done => setTimeout(done, ms)); Object.defineProperty(navigator, "clipboard", { value: { writeText: async text => { globalThis.copied = text } } }); const create = URL.createObjectURL; URL.createObjectURL = blob => { globalThis.blob = blob; return create.call(URL, blob) }; void 0'

later "links: by names of frames, and back; copies; files" x.html <<END
eval $words
	undefined
eval press(900, 2); wait(300).then(() => location.hash)
	#zoom=main;run::all
key /
type lex
key Escape
key F
eval document.querySelector('#panel select').value = 'hide'; document.querySelector('#panel form input').value = '^idle'; document.querySelector('#panel form button').click(); location.hash
	#steps=hide:%5Eidle&zoom=main;run::all
eval view.focus(); location.hash = '#s=lex&zoom=main;run::all'; wait(300).then(() => [on(20, 2), matched.textContent.slice(0, 7), document.getElementById('steps').hidden])
	["run::all","Matched",true]
key S
eval button('Command for this view').click(); copied
	gp-fold x.html | gp-flame --show-from '^run::all$' --search lex -o view.svg
eval button('Link to this view').click(); copied.replace(/.*#/, '#')
	#s=lex&zoom=main;run::all
eval button('Folded text of what is in sight').click(); wait(50).then(() => copied)
	main;run::all;</script><b>x 20
	main;run::all;lex_[i] 10
	
eval document.querySelector('[data-focus="Folded text"]').click(); blob.arrayBuffer().then(b => new TextDecoder('latin1').decode(b).split('\n').slice(0, 3))
	["#{\"gp\":1,\"host\":\"web1\",\"event\":\"cpu-clock\",\"unit\":\"samples\",\"target\":\"a<b\",\"samples\":100}","a\\\\q;<x> 5","idle 20"]
eval blob.arrayBuffer().then(b => [...new Uint8Array(b)].slice(-9))
	[59,122,255,226,128,168,32,51,10]
eval document.querySelector('[data-focus="SVG"]').click(); blob.text().then(svg => { const d = new DOMParser().parseFromString(svg, 'image/svg+xml'); return [d.querySelectorAll('parsererror').length, [...d.querySelectorAll('text')].map(t => t.textContent).slice(1, 3)] })
	[0,["all","main"]]
eval document.querySelector('[data-focus="PNG"]').click(); wait(300).then(() => blob.type)
	image/png
eval canvas.dispatchEvent(new MouseEvent('contextmenu', { ...at(700, 2), button: 2 })); [...menu.children].find(item => item.textContent === 'Copy stack').click(); copied
	main
	run::all
eval errors
	[]
requests
END

# The command gives what the page shows: each is run, and its profile compared with what the page saves.
cat >labelled <<'END'
#{"gp":1,"unit":"samples","labels":["time","host"]}
time=01.0;host=web1;java;a_[j];b_[k] 5
time=01.0;host=web2;java;a_[j];c::d 7
time=02.0;host=web1;java;a_[j];c::d;a_[j] 9
time=02.0;host=web2;python;x_[p];[libc.so];y 4
END
gp-flame -o labelled.html labelled
gp-flame --separate -o several.html in labelled
row=0
while IFS='|' read -r page hash; do
	row=$((row + 1))
	printf 'block %s\nopen %s\neval %s\n' "$row" "$page" "$words"
	printf 'eval location.hash = "%s"; wait(400).then(() => { document.querySelector("[data-panel=share]").click(); document.querySelector("[data-focus=\"Command for this view\"]").click(); return wait(50) }).then(() => copied + "\\n" + document.getElementById("said").textContent)\n' "$hash"
	printf 'eval globalThis.before = copied; document.querySelector("[data-focus=\"Folded text of what is in sight\"]").click(); (async () => { while (copied === before) await wait(20); return copied })()\n'
done >script <<'END'
x.html|#steps=hide:%5Eidle;collapse:%5E(main%7Cparse)&zoom=main;run::all
x.html|#steps=focus:lex;focus:%5Erun
x.html|#off=inlined;C%2B%2B, Rust
x.html|#off=native
labelled.html|#only.host=web1&steps=focus:c::
labelled.html|#time=2..3&by=host
labelled.html|#view=bottom&only.host=web1;web2
several.html|#tab=1&steps=ignore:java
END
browse <script >got.all 2>err || cat err
awk '/^\001block /{ close(file); file = "got." $2; next } { print >file }' got.all
row=0
for what in "steps and zoom" "two expressions at once" "kinds switched off" "native frames switched off" "a label and an expression" \
	"a group, which it cannot say" "bottom-up" "one profile of several"; do
	row=$((row + 1))
	command=$(sed -n 2p "got.$row")
	sed '1,3d; /^$/d' "got.$row" >seen
	rm -f view.svg view.html
	# Without labels, which the page does not draw; what is above the zoom is not told either.
	sh -c "$command" 2>err && output=$(ls view.svg view.html 2>/dev/null)
	sh -c "$(echo "$command" | sed 's/-o view\.[a-z]*$/--html/')" 2>/dev/null | gp-fold --no-header - | sed 's/^\(\(time\|host\)=[^;]*;\)*//; s/^main;run::all/run::all/; /^main;z/d' | gp-merge --no-header - >drawn
	sed 's/^main;run::all/run::all/; /^main;z/d; s/^\(host=[^;]*;\)*//' seen | gp-merge --no-header - >want
	if [ -n "$output" ] && cmp -s want drawn; then pass "the command of $what"; else { echo "$command"; diff want drawn; cat err; } >why; fail "the command of $what" - <why; fi
done
is "and it says what it cannot" 'sed -n 3p got.6' <<END
Copied: command (it cannot say: groups by host)
END

# Frames whose names do not fit into a link; another order, width and more data.
awk 'BEGIN { for (i = 0; i < 90; i++) printf "%s%sframe_with_a_long_name_number_%d", i ? ";" : "", "namespace::", i; print " 50"; print "other 50" }' >deep
gp-flame -o deep.html deep
later "a link is at most 2,000 bytes, and says what it lacks" deep.html <<END
eval $words
	undefined
eval view.scrollTop = 0; press(200, canvas.height / 18 - 3); wait(300).then(() => [location.hash.length > 500, location.hash.length <= 2001])
	[true,true]
key S
eval button('Link to this view').click(); wait(50).then(() => document.getElementById('said').textContent)
	Copied: link (too long for all of it: zoom shortened)
eval const depth = location.hash.split(';').length, hash = location.hash; reset.click(); location.hash = ''; location.hash = hash; wait(400).then(() => [location.hash === hash, depth > 60, reset.disabled])
	[true,true,false]
END
gp-flame --inverted --link 'https://host/{file}#L{line}' --link 'https://m/{module}' -o l.html - <<'END'
main;run (src/a "b".c:12) 5
main;[libc.so] 3
END
later "sources are opened by templates; \`?s=\` of older links is read" -q '?s=libc' -w 400 l.html <<END
eval $words
	undefined
eval search.value
	libc
eval globalThis.open = address => { globalThis.opened = address }; const y = canvas.getBoundingClientRect(); canvas.dispatchEvent(new MouseEvent('contextmenu', { clientX: y.left + 300, clientY: y.top + 45, bubbles: true })); [...menu.children].find(item => item.textContent.startsWith('Open')).click(); opened
	https://host/src/a%20%22b%22.c#L12
END
# ---- each copy and each file, for what is in it

later "what is copied by the menu: name, stack, subtree; what a picture is saved as" x.html <<END
eval $words
	undefined
eval const choose = (x, row, item) => { canvas.dispatchEvent(new MouseEvent('contextmenu', { ...at(x, row), button: 2 })); [...menu.children].find(one => one.textContent === item).click(); return wait(100).then(() => copied) }; choose(900, 3, 'Copy name')
	</script><b>x
eval choose(400, 2, 'Copy stack')
	main
	parse_[j]
eval choose(400, 2, 'Copy subtree, folded')
	main;parse_[j];lex_[i] 30
	main;parse_[j];parse_[j] 10
	
key S
eval globalThis.colour = (x, row) => [...canvas.getContext('2d').getImageData(x, canvas.height - row * 18 - 3, 1, 1).data].join(); button('PNG').click(); wait(400).then(() => createImageBitmap(blob)).then(image => { const copy = document.createElement('canvas'); copy.width = image.width; copy.height = image.height; const paint = copy.getContext('2d'); paint.drawImage(image, 0, 0); const of = (x, row) => [...paint.getImageData(x, image.height - row * 18 - 3, 1, 1).data].join(); return [image.width === canvas.width, image.height, [[100, 1], [600, 1], [400, 2], [900, 3]].every(([x, row]) => of(x, row) === colour(x, row))] })
	[true,72,true]
eval button('SVG').click(); blob.text().then(svg => { const d = new DOMParser().parseFromString(svg, 'image/svg+xml'); return [...d.querySelectorAll('g g')].map(g => g.textContent.split('\n').slice(0, 2).join(' ')).sort() }).then(all => [all.length, ...all.slice(0, 2)])
	[12,"</script><b>x native · 20 samples · 18.52 %, 66.67 % of its caller","<x> native · 5 samples · 4.63 %, 100.00 % of its caller"]
eval errors
	[]
END

# ---- a link on a page of new data, in another order and width

cat >old <<'END'
#{"gp":1,"unit":"samples","labels":["time","host"]}
time=01.0;host=web1;java;a_[j];b_[k] 5
time=01.0;host=web2;java;a_[j];c::d 7
time=02.0;host=web1;java;a_[j];c::d;a_[j] 9
time=02.0;host=web2;python;x_[p];[libc.so];y 4
END
sed 's/ \([0-9]*\)$/ 9\1/; s/^time=01.0;host=web1;java;a/&;new/' old >new.1
printf 'time=02.0;host=web1;awk;z 800\ntime=02.0;host=web1;java;a_[j];c::d;zz 3\ntime=02.0;host=web3;java;a_[j];q 7\n' | cat new.1 - >new
gp-flame -o old.html old
gp-flame --order weight -o new.html new
printf 'block old\nopen old.html\neval %s\n' "$words" >script
cat >>script <<'END'
eval location.hash = '#steps=hide:%5Eb;ignore:nothing&time=2..3&only.host=web1&by=host'; wait(300)
eval search.value = 'c::'; search.dispatchEvent(new Event('input')); press(600, 4); wait(400).then(() => location.hash)
END
browse <script >got 2>err || cat err
hash=$(sed -n '/^#/p' got | tail -1)
is "a link says all of a view" 'sed -n "/^#/p" got | tail -1' <<'END'
#s=c::&steps=hide:%5Eb;ignore:nothing&time=2..3&by=host&only.host=web1&zoom=host=web1;java;a_%5Bj%5D;c::d
END
later "and is followed on a page of new data, in another order and width" -w 700 -q "$hash" new.html <<END
eval $words
	undefined
eval [...document.querySelectorAll('#steps li')].map(l => l.firstChild.textContent)
	["Hidden ^b","Without stacks with nothing","host: web1","time: 2–3 s","by host"]
eval [search.value, matched.textContent.startsWith('Matched'), reset.disabled, on(20, 4), on(650, 4), on(20, 1)]
	["c::",true,false,"c::d","c::d","host=web1"]
eval [on(20, 5), on(canvas.width - 5, 5), canvas.width < 700]
	["a","zz",true]
eval errors
	[]
END

# Frames that do not fit even as hashes.
awk 'BEGIN { for (i = 0; i < 400; i++) printf "%sframe_with_a_long_name_%d", i ? ";" : "", i; print " 50"; print "other 50" }' >deepest
gp-flame --inverted -o deepest.html deepest
later "what does not fit even so is left out, which is said" -h 8000 deepest.html <<END
eval $words
	undefined
eval search.value = 'frame_with'; search.dispatchEvent(new Event('input')); canvas.dispatchEvent(new MouseEvent('click', { clientX: canvas.getBoundingClientRect().left + 20, clientY: canvas.getBoundingClientRect().top + 395 * 18 + 9, bubbles: true })); wait(400).then(() => [reset.disabled, location.hash])
	[false,"#s=frame_with"]
key S
eval button('Link to this view').click(); wait(50).then(() => document.getElementById('said').textContent)
	Copied: link (too long for all of it: zoom left out)
END
gp-flame --link 'https://n/{name}' --link 'https://m/{module}?x={name}' --link 'vscode://file/{file}:{line}' -o links.html - <<'END'
run (src/a.c:12) 5
[libc.so+0x12] 5
plain<x> 5
END
later "templates: {name}, {module}, {file}, {line}; one that lacks a value is not offered" -w 900 links.html <<END
eval $words
	undefined
eval const offered = x => { canvas.dispatchEvent(new MouseEvent('contextmenu', { ...at(x, 1), button: 2 })); return [...menu.children].map(item => item.textContent).filter(text => text.startsWith('Open ')) }; offered(100)
	["Open https://n/%5Blibc.so%2B0x12%5D","Open https://m/libc.so?x=%5Blibc.so%2B0x12%5D"]
eval offered(400)
	["Open https://n/plain%3Cx%3E"]
eval offered(800)
	["Open https://n/run%20(src/a.c%3A12)","Open vscode://file/src/a.c:12"]
END

# ---- without script

# Frames of at least 0.5 %, at most 50 functions.
awk 'BEGIN { for (i = 0; i < 80; i++) printf "main;f%02d %d\n", i, i < 60 ? 40 + i : 10; print "main;narrow 1" }' >many
gp-flame -o many.html many
sed -n '/<div id=.still/,/<.div>/p' many.html >still
is "without script: a picture of frames of at least 0.5 %, and 50 rows of the table" \
	'grep -c "<rect" still; grep -c "<td>" still; grep -c narrow still; grep -o "<td>[^<]*" still | sed -n "1p;50p"' <<'END'
63
50
0
<td>f59
<td>f10
END
# In the scheme's colours, text on them dark or light.
look='[document.querySelectorAll("#still rect").length, ...["body", "#still rect", "#still svg text"].map(one => getComputedStyle(document.querySelector(one))).map((style, i) => i ? style.fill : style.backgroundColor)]'
later "without script, in the light" -n -w 1232 many.html <<END
eval $look
	[63,"rgb(251, 250, 248)","rgb(247, 166, 155)","rgb(31, 35, 40)"]
END
later "without script, in the dark" -n -d -w 1232 many.html <<END
eval $look
	[63,"rgb(23, 25, 29)","rgb(106, 60, 55)","rgb(243, 242, 238)"]
END
later "--csp: works under its own policy" 'c d#1%20?.html' <<END
eval $words
	undefined
eval [on(400, 1), document.getElementById('still'), getComputedStyle(document.body).display]
	["main",null,"flex"]
requests
END
done_testing
