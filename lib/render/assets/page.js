// The page: unpacks the stacks it carries, draws those in sight, answers clicks, keys and searches.
'use strict';
(() => {
const $ = id => document.getElementById(id);
const text = id => $(id).textContent;
const settings = JSON.parse(text('settings'));

// ---- data: the format is told in render/pack.h

// A function that gives the numbers of a text one after another.
function numbers(packed) {
	let at = 0;
	const next = () => {
		let value = 0, unit = 1;
		for (;;) {
			const code = packed.charCodeAt(at++), digit = code < 60 ? code - 32 : code - 33;
			if (digit < 47)
				return value + digit * unit;
			value += (digit - 47) * unit;
			unit *= 47;
		}
	};
	next.rest = () => packed.slice(at);
	return next;
}

// What a frame is called and coloured: by number, then one more each for the root.
function readNames(packed) {
	const names = [], colours = [];
	let written = '';
	for (let at = 0, end; (end = packed.indexOf('\n', at)) >= 0; at = end + 1) {
		const next = numbers(packed.slice(at, end));
		written = written.slice(0, next());
		const colour = next(), suffix = settings.kinds[Math.floor(colour / settings.shades)][1];
		written += next.rest();
		let name = written;
		if (name.includes('\\'))
			name = name.replace(/\\(..)/g, (_, hex) => {
				const code = parseInt(hex, 16);
				return code < 32 || code > 126 ? '\ufffd' : String.fromCharCode(code);
			});
		if (suffix && name.endsWith(suffix))
			name = name.slice(0, -suffix.length);
		names.push(name || '(empty)');
		colours.push(colour);
	}
	return { names, colours };
}

// Frames in the order of the rows, callers before callees; those of frame i are i + 1 to end[i] - 1.
function readRows(packed, nameCount) {
	const next = numbers(packed);
	const count = next() + 1, rows = next(), recentCount = settings.recent;
	const name = new Int32Array(count), end = new Int32Array(count);
	const total = new Float64Array(count), left = new Float64Array(count);
	const recent = new Int32Array((nameCount + 1) * recentCount).fill(-1);
	const path = [0];
	let frames = 1, deepest = 0;
	name[0] = nameCount;
	for (let row = 0; row < rows; row++) {
		for (let back = next(); back > 0; back--)
			end[path.pop()] = frames;
		let caller = name[path[path.length - 1]];
		for (let more = next(); more > 0; more--) {
			const code = next(), base = caller * recentCount;
			const callee = code < recentCount ? recent[base + code] : code - recentCount;
			for (let i = Math.min(code, recentCount - 1); i > 0; i--)
				recent[base + i] = recent[base + i - 1];
			caller = recent[base] = name[frames] = callee;
			path.push(frames++);
		}
		total[path[path.length - 1]] += next(); // its own value so far
		deepest = Math.max(deepest, path.length - 1);
	}
	while (path.length)
		end[path.pop()] = frames;
	const self = total.slice();
	// Callees come after their callers, so backwards every total is whole before it is added on.
	const caller = new Int32Array(count);
	for (let i = 0, at = -1; i < count; i++) {
		while (at >= 0 && i >= end[at])
			at = caller[at];
		caller[i] = at;
		at = i;
	}
	for (let i = count - 1; i > 0; i--)
		total[caller[i]] += total[i];
	// A frame's own value lies left of its callees'.
	const used = self.slice();
	for (let i = 1; i < count; i++) {
		left[i] = left[caller[i]] + used[caller[i]];
		used[caller[i]] += total[i];
	}
	return { name, end, total, left, self, caller, count, deepest };
}

const { names, colours } = readNames(text('names'));
const tree = readRows(text('rows'), names.length);
const { name, end, total, left, self, caller } = tree;
names.push('all');
colours.push((settings.kinds.length - 1) * settings.shades);

// ---- words

const grouped = number => number.toLocaleString('en-US', { maximumFractionDigits: 9 });
const larger = { ns: [['s', 1e9], ['ms', 1e6], ['µs', 1e3]], us: [['s', 1e6], ['ms', 1e3]],
	bytes: [['TiB', 2 ** 40], ['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]] };

function amount(value) {
	const real = value / settings.scale, unit = settings.unit;
	const exact = (value > Number.MAX_SAFE_INTEGER ? 'about ' : '') + grouped(real) + ' ' +
		(real === 1 ? unit.replace(/(..)s$/, '$1') : unit);
	for (const [word, size] of larger[unit] || [])
		if (real >= size)
			return grouped(+(real / size).toPrecision(3)) + ' ' + word + ' (' + exact + ')';
	return exact;
}

const share = (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + ' %';
const kindOf = frame => settings.kinds[Math.floor(colours[name[frame]] / settings.shades)];

// ---- the view

const ROW = 18, BOX = 17, INSET = 4, NARROWEST = 0.5; // pixels
const view = $('view'), tall = $('tall'), canvas = $('canvas'), field = $('search'), hover = $('hover'), tip = $('tip');
const paint = canvas.getContext('2d');
const dark = matchMedia('(prefers-color-scheme: dark)');
let zoomed = 0, before = [], inverted = settings.inverted;
let matches = null; // by name: 1 where it was found
let width = 0, height = 0, column = 7.25, palette, pale, theme;

function depthOf(frame) {
	let depth = 0;
	for (; frame > 0; frame = caller[frame])
		depth++;
	return depth;
}

function mix(colour, other) {
	const parts = c => [1, 3, 5].map(at => parseInt(c.slice(at, at + 2), 16));
	const [a, b] = [parts(colour), parts(other)];
	return 'rgb(' + a.map((part, i) => Math.round(part * 0.38 + b[i] * 0.62)) + ')';
}

function readTheme() {
	const style = getComputedStyle(document.documentElement), of = key => style.getPropertyValue('--' + key).trim();
	theme = { page: of('page'), ink: of('ink'), match: of('match'), small: of('small'), mono: of('mono') };
	palette = settings.kinds.flatMap(kind => kind[dark.matches ? 3 : 2]);
	pale = palette.map(colour => mix(colour, theme.page));
	const present = new Set();
	for (let i = 0; i < names.length - 1; i++)
		present.add(Math.floor(colours[i] / settings.shades));
	$('legend').replaceChildren(...[...present].sort((a, b) => a - b).map(kind => {
		const item = document.createElement('li'), swatch = document.createElement('i');
		swatch.style.background = palette[kind * settings.shades + 2];
		item.append(swatch, settings.kinds[kind][0]);
		return item;
	}));
}

// Where a row of frames lies in the whole height, which may be far more than the canvas.
const contentHeight = () => Math.max((tree.deepest + 1) * ROW, height);
const top = depth => inverted ? depth * ROW : contentHeight() - (depth + 1) * ROW;

function fit(words, columns) {
	if (words.length > columns + 2)
		words = words.slice(0, columns + 2);
	let used = 0, cut = 0, at = 0;
	for (const character of words) {
		used += character.codePointAt(0) < 0x1100 ? 1 : 2;
		at += character.length;
		if (used > columns)
			return words.slice(0, cut) + '..';
		if (used + 2 <= columns)
			cut = at;
	}
	return words;
}

function drawBox(frame, x, w, y, above) {
	const found = matches && matches[name[frame]];
	const colour = colours[name[frame]];
	paint.fillStyle = found ? theme.match : matches || above ? pale[colour] : palette[colour];
	if (w < 8) {
		paint.fillRect(x, y, w, BOX);
		return;
	}
	paint.beginPath();
	(paint.roundRect || paint.rect).call(paint, x, y, w - 0.5, BOX, 2);
	paint.fill();
	const columns = Math.floor((w - 2 * INSET) / column);
	if (columns >= 3) {
		paint.fillStyle = theme.ink;
		paint.fillText(fit(names[name[frame]], columns), x + INSET, y + 12.5);
	}
}

function drawAbove(scroll) {
	let depth = depthOf(zoomed);
	for (let frame = caller[zoomed]; frame >= 0; frame = caller[frame]) {
		const y = top(--depth) - scroll;
		if (y > -ROW && y < height)
			drawBox(frame, 0, width, y, true);
	}
}

// Frames in sight, callers first; the callees of what is too narrow are passed over as one.
function drawBelow(scroll) {
	const scale = width / total[zoomed], origin = left[zoomed], stop = end[zoomed];
	const open = []; // ends of the frames around
	let depth = depthOf(zoomed), frame = zoomed, y = top(depth) - scroll;
	let runLeft = 0, runRight = -1, runY = 0;
	const flush = () => {
		if (runRight > runLeft) {
			paint.fillStyle = theme.small;
			paint.fillRect(runLeft, runY, runRight - runLeft, BOX);
		}
		runRight = -1;
	};
	while (frame < stop) {
		while (open.length && frame >= open[open.length - 1]) {
			open.pop();
			y = top(--depth) - scroll;
		}
		const x = (left[frame] - origin) * scale, w = total[frame] * scale, after = end[frame];
		if (w < NARROWEST) {
			if (runY !== y || x - runRight > 0.01) {
				flush();
				runLeft = x;
				runY = y;
			}
			runRight = x + w;
			frame = after;
			continue;
		}
		const seen = y > -ROW && y < height, beyond = inverted ? y >= height : y <= -ROW;
		if (seen)
			drawBox(frame, x, w, y, false);
		if (after > frame + 1 && !beyond) {
			open.push(after);
			y = top(++depth) - scroll;
			frame++;
		} else {
			frame = after;
		}
	}
	flush();
}

let waiting = false;
function draw() {
	waiting = false;
	const scroll = view.scrollTop;
	paint.clearRect(0, 0, width, height);
	if (!total[0])
		return;
	drawBelow(scroll);
	drawAbove(scroll);
}

function drawSoon() {
	if (!waiting)
		requestAnimationFrame(draw);
	waiting = true;
}

function measure() {
	const ratio = devicePixelRatio || 1;
	width = view.clientWidth;
	height = view.clientHeight;
	tall.style.height = contentHeight() + 'px';
	width = view.clientWidth; // a scroll bar may have come
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = width + 'px';
	canvas.style.height = height + 'px';
	paint.setTransform(ratio, 0, 0, ratio, 0, 0);
	paint.font = '12px ' + theme.mono;
	column = Math.max(paint.measureText('mmmmmmmmmm').width / 10, 1);
}

// The frame at a point of the canvas, or -1.
function frameAt(x, y) {
	const place = y + view.scrollTop;
	let depth = Math.floor((inverted ? place : contentHeight() - place) / ROW), here = depthOf(zoomed);
	if (depth < 0 || x < 0 || x >= width || !total[0])
		return -1;
	if (depth < here) {
		let frame = zoomed;
		for (; here > depth; here--)
			frame = caller[frame];
		return frame;
	}
	const value = left[zoomed] + x / width * total[zoomed];
	let frame = zoomed;
	for (; here < depth; here++) {
		let callee = frame + 1;
		while (callee < end[frame] && value >= left[callee] + total[callee])
			callee = end[callee];
		if (callee >= end[frame] || value < left[callee])
			return -1;
		frame = callee;
	}
	return frame;
}

// ---- what people do

function zoom(frame, isBack) {
	if (!isBack && frame !== zoomed)
		before.push(zoomed);
	zoomed = frame;
	$('reset').disabled = zoomed === 0;
	leave();
	drawSoon();
}

// The widest matches count, what lies above them is in them.
function search(term) {
	field.setCustomValidity('');
	matches = null;
	if (term) {
		let test;
		try {
			const pattern = new RegExp(term);
			test = words => pattern.test(words);
		} catch (error) {
			field.setCustomValidity(error.message);
			test = words => words.includes(term);
		}
		matches = new Uint8Array(names.length);
		for (let i = 0; i < names.length - 1; i++)
			matches[i] = test(names[i]) ? 1 : 0;
	}
	let sum = 0;
	for (let frame = 1; matches && frame < tree.count;) {
		if (matches[name[frame]]) {
			sum += total[frame];
			frame = end[frame];
		} else {
			frame++;
		}
	}
	$('matched').textContent = matches ? 'Matched ' + share(sum, total[0]) : '';
	drawSoon();
}

function describe(frame) {
	const parts = [(frame ? kindOf(frame)[0] + ' · ' : '') + amount(total[frame]) + ' · ' + share(total[frame], total[0]),
		'self ' + amount(self[frame]) + ' · ' + share(self[frame], total[0])];
	if (zoomed && frame >= zoomed)
		parts[0] += ', ' + share(total[frame], total[zoomed]) + ' of the view';
	return parts;
}

function leave() {
	hover.hidden = tip.hidden = true;
	$('details').textContent = '';
}

function point(event) {
	const box = canvas.getBoundingClientRect(), frame = frameAt(event.clientX - box.left, event.clientY - box.top);
	if (frame < 0) {
		leave();
		return;
	}
	const depth = depthOf(frame), isAbove = depth < depthOf(zoomed), scale = width / total[zoomed];
	const words = names[name[frame]].slice(0, 4096), [about, own] = describe(frame);
	hover.style.left = (isAbove ? 0 : (left[frame] - left[zoomed]) * scale) + 'px';
	hover.style.width = (isAbove ? width : Math.max(total[frame] * scale, 1)) + 'px';
	hover.style.top = top(depth) + 'px';
	hover.style.height = BOX + 'px';
	tip.children[0].textContent = words;
	tip.children[1].textContent = about;
	tip.children[2].textContent = own;
	$('details').textContent = words + ' · ' + about + ' · ' + own;
	hover.hidden = tip.hidden = false;
	const x = event.clientX + 14, y = event.clientY + 16;
	tip.style.left = Math.max(4, Math.min(x, innerWidth - tip.offsetWidth - 8)) + 'px';
	tip.style.top = (y + tip.offsetHeight > innerHeight - 8 ? Math.max(4, event.clientY - tip.offsetHeight - 10) : y) + 'px';
}

function flip() {
	const bottom = contentHeight() - height - view.scrollTop;
	inverted = !inverted;
	view.scrollTop = bottom;
	leave();
	drawSoon();
}

function back() {
	if (before.length)
		zoom(before.pop(), true);
}

function key(event) {
	const typing = event.target === field, plain = !event.ctrlKey && !event.metaKey && !event.altKey;
	if (event.key === 'F3' || (event.key === 'f' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing)) {
		field.focus();
		field.select();
	} else if (event.key === 'Escape' && !$('keys').open) {
		if (field.value) {
			field.value = '';
			search('');
		} else {
			zoom(0);
		}
		view.focus();
	} else if (typing || !plain) {
		return;
	} else if (event.key === '0') {
		zoom(0);
	} else if (event.key === 'Backspace') {
		back();
	} else if (event.key === 'i') {
		flip();
	} else if (event.key === '?') {
		$('keys').showModal();
	} else {
		return;
	}
	event.preventDefault();
}

canvas.addEventListener('click', event => {
	const box = canvas.getBoundingClientRect(), frame = frameAt(event.clientX - box.left, event.clientY - box.top);
	if (frame >= 0)
		zoom(frame);
});
canvas.addEventListener('mousemove', point);
canvas.addEventListener('mouseleave', leave);
view.addEventListener('scroll', () => {
	leave();
	drawSoon();
});
field.addEventListener('input', () => search(field.value));
$('reset').addEventListener('click', () => zoom(0));
$('flip').addEventListener('click', flip);
$('help').addEventListener('click', () => $('keys').showModal());
addEventListener('keydown', key);
dark.addEventListener('change', () => {
	readTheme();
	drawSoon();
});

readTheme();
measure();
if (!total[0]) {
	tall.hidden = true;
	$('empty').hidden = false;
}
if (!inverted)
	view.scrollTop = contentHeight();
if (settings.search) {
	field.value = settings.search;
	search(field.value);
}
draw();
new ResizeObserver(() => {
	measure();
	draw();
}).observe(view);
performance.mark('drawn');
})();
