// The packed text of render/pack.h as arrays: names, and rows as a tree of frames.

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
// i + 1 to end[i] - 1. With two columns `was` holds the first one's own values.
function unpackRows(packed, root, columns) {
	const next = numbers(packed);
	const count = next() + 1, rows = next(), recentCount = settings.recent;
	const name = new Int32Array(count), self = new Float64Array(count), caller = new Int32Array(count);
	const was = columns === 2 ? new Float64Array(count) : null;
	const recent = new Int32Array((root + 1) * recentCount).fill(-1);
	const path = [0];
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
		if (was)
			was[above] += next();
		self[above] += next();
	}
	return treeOf({ name, caller, self, was, count });
}

// Ends, depths, totals and places of frames that are in order. A frame's own value lies left of its callees'.
// With two columns a frame is as wide as the larger of its own values, and now and was are its totals.
function treeOf({ name, caller, self, was, count }) {
	const end = new Int32Array(count), left = new Float64Array(count), used = new Float64Array(count);
	let total = self.slice(), now = null, wasTotal = null, deepest = 0, wide = self;
	if (was) {
		wide = self.map((value, i) => Math.max(value, was[i]));
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
	return { name, caller, end, total, left, self, depth, count, deepest, wasSelf: was, was: wasTotal, now };
}
