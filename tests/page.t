#!/bin/sh
# What a browser makes of gp-flame's page: zoom, search, reset, tooltips, keys, light and dark.
. "$(dirname "$0")/lib/tap.sh"

. "$TOP/tests/lib/browser.sh"

# 100 samples over a width of 1168: main has 80 of them, two callees with the same name, one of them recursive.
cat >in <<'EOF'
#{"gp":1,"event":"cpu-clock","unit":"samples","target":"-a","host":"web1","samples":100}
idle 20
main 10
main;parse_[j];lex_[i] 30
main;parse_[j];parse_[j] 10
main;run::all;</script><b>x 20
main;run::all;lex_[i] 10
EOF

# ---- the page: frames are on a canvas, so what the mouse finds there is asked for

gp-flame -o x.html in
# 1168 wide; rows of 18 from the bottom of the canvas.
at='const at = (x, row) => { const r = canvas.getBoundingClientRect(); return [r.left + x, r.bottom - row * 18 - 9] }; const on = (x, row) => { const [X, Y] = at(x, row); canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: X, clientY: Y })); return details.textContent }; const press = (x, row) => { const [X, Y] = at(x, row); canvas.dispatchEvent(new MouseEvent("click", { clientX: X, clientY: Y })); return reset.disabled }; const colour = (x, row) => [...canvas.getContext("2d").getImageData(x, canvas.height - row * 18 - 5, 1, 1).data].join(); const view2 = () => [0, 1, 2, 3].map(row => on(20, row).split(" · ")[0] + "|" + on(1150, row).split(" · ")[0]).join(", ")'
later "page: what lies where, with self, total and share" x.html <<EOF
eval $at
	undefined
eval document.title
	cpu-clock of the whole machine on web1
eval document.querySelector('h1 + p').textContent
	100 samples
eval on(10, 0)
	all · 100 samples · 100.00 % · self 0 samples · 0.00 %
eval on(10, 1)
	idle · native · 20 samples · 20.00 % · self 20 samples · 20.00 %
eval on(300, 1)
	main · native · 80 samples · 80.00 % · self 10 samples · 10.00 %
eval on(400, 2)
	parse · JIT, Java (C2) · 40 samples · 40.00 %, 50.00 % of its caller · self 0 samples · 0.00 %
eval on(900, 3)
	</script><b>x · native · 20 samples · 20.00 %, 66.67 % of its caller · self 20 samples · 20.00 %
eval on(300, 2)
	
eval [tip.hidden, on(1150, 3), tip.hidden, tip.textContent.includes('lex')]
	[true,"lex · inlined · 10 samples · 10.00 %, 33.33 % of its caller · self 10 samples · 10.00 %",false,true]
eval colour(20, 5)
	0,0,0,0
eval colour(5, 1) !== colour(5, 5)
	true
eval [...document.querySelectorAll('#legend li')].map(li => li.textContent)
	["native","C++, Rust","inlined","JIT, Java (C2)"]
requests
EOF

later "page: zoom, back, reset, flip" x.html <<EOF
eval $at
	undefined
eval press(900, 2)
	false
eval view2()
	all|all, main|main, run::all|run::all, </script><b>x|lex
eval on(20, 3)
	</script><b>x · native · 20 samples · 20.00 %, 66.67 % of the view, 66.67 % of its caller · self 20 samples · 20.00 %
eval press(20, 1)
	false
eval view2()
	all|all, main|main, |run::all, |lex
key Backspace
eval view2()
	all|all, main|main, run::all|run::all, </script><b>x|lex
key 0
eval view2()
	all|all, idle|main, |run::all, |lex
eval reset.disabled
	true
key i
eval on(20, canvas.height / 18 - 1).slice(0, 3) + on(20, canvas.height / 18 - 2).slice(0, 4)
	allidle
eval press(900, canvas.height / 18 - 2)
	false
key Escape
eval reset.disabled
	true
key ?
eval keys.open
	true
EOF

later "page: search" x.html <<EOF
eval $at
	undefined
eval globalThis.before = colour(1000, 3); before === colour(1000, 3)
	true
key /
type parse|lex
eval matched.textContent
	Matched 50.00 %, self 50.00 %
eval colour(1150, 3)
	238,124,247,255
key Escape
eval matched.textContent + (before === colour(1000, 3))
	true
eval search.value = '['; search.dispatchEvent(new Event('input')); [matched.textContent, search.validity.valid]
	["Matched 0.00 %, self 0.00 %",false]
EOF
gp-flame --html --search lex --inverted in >s.html
later "page: --search and --inverted from the start, dark" -d -w 420 -h 600 s.html <<EOF
eval $at
	undefined
eval matched.textContent
	Matched 40.00 %, self 40.00 %
eval on(5, canvas.height / 18 - 1).slice(0, 3)
	all
eval getComputedStyle(document.body).backgroundColor
	rgb(23, 25, 29)
eval document.documentElement.scrollWidth <= innerWidth
	true
EOF
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "f%d;", i; print "leaf 1"; print "f0;a\377b 1" }' >deep
gp-flame -o deep.html deep
later "page: 10,000 frames deep on a canvas no larger than the window" deep.html <<EOF
eval $at
	undefined
eval [canvas.height <= 800, tall.clientHeight]
	[true,180036]
eval on(1100, 2).slice(0, 4)
	f1 ·
eval on(20, 2).slice(0, 5)
	a�b ·
eval view.scrollTop = 0; new Promise(done => view.onscroll = () => requestAnimationFrame(() => done(0)))
	0
eval on(1100, canvas.height / 18 - 1).slice(0, 4)
	leaf
EOF
gp-flame --html /dev/null >empty.html 2>/dev/null
later "page: nothing to draw" empty.html <<'EOF'
eval [empty.hidden, empty.textContent]
	[false,"No samples: there is nothing to draw."]
key 0
requests
EOF
done_testing
