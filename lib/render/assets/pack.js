// The packed text of render/pack.h as arrays: names, and rows as a tree of frames.

const MOST = Number.MAX_SAFE_INTEGER; // beyond it a double is not exact, and a BigInt is kept beside it

// A function that gives the numbers of a text one after another.
function numbers(packed) {
	let at = 0;
	const next = () => {
		const from = at;
		let value = 0, unit = 1;
		for (;;) {
			const code = packed.charCodeAt(at++), digit = code < 60 ? code - 32 : code - 33;
			if (digit < 47) {
				value += digit * unit;
				next.exact = value > MOST ? exactNumber(packed.slice(from, at)) : null;
				return value;
			}
			value += (digit - 47) * unit;
			unit *= 47;
		}
	};
	next.rest = () => packed.slice(at);
	return next;
}

function exactNumber(digits) {
	let value = 0n, unit = 1n;
	for (const c of digits) {
		const code = c.charCodeAt(0);
		value += BigInt((code < 60 ? code - 32 : code - 33) % 47) * unit;
		unit *= 47n;
	}
	return value;
}

// Adds to one of a tree's values. exact: [self's, the first column's] sums that are too large, by frame.
function addValue(values, exact, frame, value, big) {
	const sum = values[frame] + value;
	if (sum > MOST)
		exact.set(frame, (exact.get(frame) ?? BigInt(Math.round(values[frame]))) + (big ?? BigInt(Math.round(value))));
	values[frame] = sum;
}

// Names as they are written, their colours, and the packed text of those that are not wholly UTF-8.
function unpackNames(packed) {
	const written = [], colours = [], raw = new Map();
	let line = '';
	for (let at = 0, end; (end = packed.indexOf('\n', at)) >= 0; at = end + 1) {
		const next = numbers(packed.slice(at, end));
		line = line.slice(0, next());
		colours.push(next());
		line += next.rest();
		let name = line;
		if (name.includes('\\')) {
			raw.set(written.length, line);
			name = name.replace(/\\(..)/g, (_, hex) => {
				const code = parseInt(hex, 16);
				return code < 32 || code > 126 ? '\ufffd' : String.fromCharCode(code);
			});
		}
		written.push(name);
	}
	return { written, colours, raw };
}

// Frames in the order of the rows, callers before callees, frame 0 being the root; those of frame i are
// i + 1 to end[i] - 1. With two columns `was` holds the first one's own values. Of a chart the rows are kept.
function unpackRows(packed, root, columns, layout, isChart) {
	const next = numbers(packed);
	const count = next() + 1, rows = next(), recentCount = settings.recent;
	const name = new Int32Array(count), self = new Float64Array(count), caller = new Int32Array(count);
	const was = columns === 2 ? new Float64Array(count) : null, exact = [new Map(), new Map()];
	const recent = new Int32Array((root + 1) * recentCount).fill(-1);
	const path = [0], chart = isChart ? [] : null;
	let frames = 1;
	name[0] = root;
	caller[0] = -1;
	for (let row = 0; row < rows; row++) {
		for (let back = next(); back > 0; back--)
			path.pop();
		let above = path[path.length - 1], of = name[above];
		for (let more = next(); more > 0; more--) {
			const code = next(), base = of * recentCount;
			const callee = code < recentCount ? recent[base + code] : code - recentCount;
			for (let i = Math.min(code, recentCount - 1); i > 0; i--)
				recent[base + i] = recent[base + i - 1];
			of = recent[base] = name[frames] = callee;
			caller[frames] = above;
			above = frames;
			path.push(frames++);
		}
		let base = 0, bigBase = null;
		if (was) {
			base = next();
			bigBase = next.exact;
			addValue(was, exact[1], above, base, bigBase);
		}
		const value = next();
		addValue(self, exact[0], above, value, next.exact);
		if (chart)
			chart.push({ frame: above, value, base, big: [next.exact, bigBase] });
	}
	const tree = treeOf({ name, caller, self, was, count, exact, layout, chart });
	if (chart)
		placeRows(tree, chart);
	return tree;
}

// What a frame's own values make of its width.
const widthOf = (layout, now, was) => layout === 'new' ? now : layout === 'base' ? was : Math.max(now, was);

// Ends, depths, totals and places of frames that are in order. A frame's own value lies left of its callees'.
// With two columns now and was are a frame's totals, and the layout says how wide it is: as the larger of its own
// values, or as one of them.
function treeOf({ name, caller, self, was, count, exact, layout, chart = null }) {
	const end = new Int32Array(count), left = new Float64Array(count), used = new Float64Array(count);
	let total = self.slice(), now = null, wasTotal = null, deepest = 0, wide = self;
	if (was) {
		wide = self.map((value, i) => widthOf(layout, value, was[i]));
		total = wide.slice();
		now = self.slice();
		wasTotal = was.slice();
	}
	for (let i = 0; i < count; i++)
		end[i] = i + 1;
	for (let i = count - 1; i > 0; i--) {
		const up = caller[i];
		total[up] += total[i];
		if (was) {
			now[up] += now[i];
			wasTotal[up] += wasTotal[i];
		}
		if (end[up] < end[i])
			end[up] = end[i];
	}
	const depth = new Int32Array(count);
	used[0] = wide[0];
	for (let i = 1; i < count; i++) {
		const up = caller[i];
		left[i] = used[up];
		used[up] += total[i];
		used[i] = left[i] + wide[i];
		const deep = depth[up] + 1;
		depth[i] = deep;
		if (deep > deepest)
			deepest = deep;
	}
	return { name, caller, end, total, left, self, depth, count, deepest, wasSelf: was, was: wasTotal, now, exact, layout, chart };
}

// In a chart time goes from left to right: a frame begins where the rows before it end.
function placeRows(tree, rows) {
	let at = 0, frame = 1;
	for (const row of rows) {
		for (; frame <= row.frame; frame++)
			tree.left[frame] = at;
		at += tree.was ? widthOf(tree.layout, row.value, row.base) : row.value;
	}
}

// The sum of a frame and its callees, exact where a double is not.
function exactTotal(tree, frame, column = 0) {
	const own = column ? tree.wasSelf : tree.self, sums = column ? tree.was : tree.now || tree.total;
	if (sums[frame] <= MOST)
		return sums[frame];
	let whole = 0n, part = 0;
	for (let i = frame; i < tree.end[frame]; i++) {
		const big = tree.exact[column].get(i);
		if (big !== undefined) {
			whole += big;
		} else if (part + own[i] > MOST) {
			whole += BigInt(Math.round(part));
			part = own[i];
		} else {
			part += own[i];
		}
	}
	return whole + BigInt(Math.round(part));
}

const exactSelf = (tree, frame, column = 0) => tree.exact[column].get(frame) ?? (column ? tree.wasSelf : tree.self)[frame];
