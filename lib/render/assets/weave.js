// Trees made of trees: frames filtered, grouped, seen from their leaves, gathered around a function.
// Equal paths become one frame; names are numbers in byte order, so that order costs no comparison.

class Weave {
	constructor(room, columns, layout) {
		this.layout = layout;
		this.exact = [new Map(), new Map()];
		this.room = Math.max(1024, room);
		this.count = 1;
		this.name = new Int32Array(this.room);
		this.caller = new Int32Array(this.room);
		this.self = new Float64Array(this.room);
		this.was = columns === 2 ? new Float64Array(this.room) : null;
		this.name[0] = root;
		this.caller[0] = -1;
		this.rehash();
	}

	rehash() {
		let bits = 12;
		while ((1 << bits) < this.room * 1.5)
			bits++;
		this.shift = 32 - bits;
		this.mask = (1 << bits) - 1;
		this.slots = new Int32Array(1 << bits);
		for (let node = 1; node < this.count; node++)
			this.slots[this.slot(this.caller[node], this.name[node])] = node;
	}

	grow() {
		const larger = array => {
			const copy = new array.constructor(this.room);
			copy.set(array);
			return copy;
		};
		this.room *= 2;
		for (const key of ['name', 'caller', 'self', 'was'])
			if (this[key])
				this[key] = larger(this[key]);
		this.rehash();
	}

	// Where the callee is, or would be.
	slot(caller, name) {
		let at = Math.imul(Math.imul(caller, 0x9e3779b1) ^ name, 0x85ebca6b) >>> this.shift;
		for (let node; (node = this.slots[at]) && (this.caller[node] !== caller || this.name[node] !== name);)
			at = (at + 1) & this.mask;
		return at;
	}

	child(caller, name) {
		let at = this.slot(caller, name);
		if (this.slots[at])
			return this.slots[at];
		if (this.count === this.room) {
			this.grow();
			at = this.slot(caller, name);
		}
		this.slots[at] = this.count;
		this.name[this.count] = name;
		this.caller[this.count] = caller;
		return this.count++;
	}

	add(node, value, big, column = 0) {
		addValue(column ? this.was : this.self, this.exact[column], node, value, big);
	}

	// The frames that have a value, callees by name, or in another order that was asked for.
	tree() {
		const { name, caller, self, was, count } = this, first = new Int32Array(count).fill(-1);
		const next = new Int32Array(count), placedAt = new Int32Array(count), several = new Uint8Array(count);
		const whole = self.slice(0, count);
		this.slots = null;
		for (let i = count - 1; i > 0; i--) {
			if (was)
				whole[i] += was[i];
			if (!(whole[i] > 0))
				continue;
			const up = caller[i];
			whole[up] += whole[i];
			several[up] = first[up] < 0 ? 0 : 1;
			next[i] = first[up];
			first[up] = i;
		}
		const inOrder = node => {
			const callees = [];
			for (let i = first[node]; i >= 0; i = next[i])
				callees.push(i);
			if (settings.order === 'weight')
				callees.sort((a, b) => whole[b] - whole[a] || name[a] - name[b]);
			else if (settings.order === 'name')
				callees.sort((a, b) => name[a] - name[b]);
			first[node] = callees[0];
			callees.forEach((callee, i) => {
				next[callee] = i + 1 < callees.length ? callees[i + 1] : -1;
			});
		};
		let kept = 0;
		for (let i = 0; i < count; i++)
			kept += i === 0 || whole[i] > 0 ? 1 : 0;
		const out = { name: new Int32Array(kept), caller: new Int32Array(kept), self: new Float64Array(kept),
			was: was && new Float64Array(kept), count: kept, layout: this.layout, exact: [new Map(), new Map()] };
		for (let node = 0, placed = 0, up = -1; ;) {
			out.name[placed] = name[node];
			out.caller[placed] = up;
			out.self[placed] = self[node];
			if (was)
				out.was[placed] = was[node];
			placedAt[node] = placed++;
			if (several[node])
				inOrder(node);
			if (first[node] >= 0) {
				up = placedAt[node];
				node = first[node];
				continue;
			}
			while (node > 0 && next[node] < 0)
				node = caller[node];
			if (node <= 0)
				break;
			up = placedAt[caller[node]];
			node = next[node];
		}
		this.exact.forEach((sums, column) => sums.forEach((sum, node) => out.exact[column].set(placedAt[node], sum)));
		return treeOf(out);
	}
}

// What steps do to names: bits for each focus that a stack needs, and sets of names for the rest.
function stepsByName(what) {
	const bits = new Int32Array(names.length), hidden = new Uint8Array(names.length);
	const collapsed = new Int32Array(names.length);
	const found = { need: 0, ignored: 0, from: 0, bits, hidden, collapsed, merge: false };
	let bit = 1;
	const each = (text, act) => {
		const test = expression(text, true);
		for (let n = 0; n < names.length; n++)
			if (n !== root && test(names[n]))
				act(n);
	};
	what.steps.forEach(({ kind, text }, i) => {
		const own = kind === 'focus' || kind === 'ignore' || kind === 'show-from' ? bit : 0;
		if (own)
			bit <<= 1;
		if (kind === 'merge-recursion')
			found.merge = true;
		else
			each(text, n => {
				bits[n] |= own;
				if (kind === 'hide')
					hidden[n] = 1;
				if (kind === 'collapse')
					collapsed[n] = i + 1;
			});
		if (kind === 'ignore')
			found.ignored |= own;
		else
			found.need |= own;
		if (kind === 'show-from')
			found.from |= own;
	});
	if (what.off.size)
		for (let n = 0; n < names.length; n++)
			if (n !== root && what.off.has(kindOf(n)))
				hidden[n] = 1;
	return found;
}

const isWhole = what => !what.steps.length && !what.off.size && !what.group.length && !what.times.length &&
	!Object.keys(what.labels).length;

// Adds to a weave what a selection leaves of a profile; column 0 is now, 1 was.
function weaveIn(weave, profile, what, column, factor, isPaired = false) {
	const { tree, contexts } = profile, { name, caller, self, count } = tree;
	const { need, ignored, from, bits, hidden, collapsed, merge } = stepsByName(what);
	const map = new Int32Array(count), seen = need | ignored ? new Int32Array(count) : null;
	const group = context => {
		let node = 0;
		for (const key of what.group)
			node = weave.child(node, addName(key + '=' + (context.values[key] || ''), LABEL));
		return node;
	};
	let at = 0;
	for (let frame = 0; frame < count; frame++) {
		const n = name[frame];
		if (at < contexts.length && frame === contexts[at].frame) {
			const context = contexts[at++];
			map[frame] = isSelected(context, what) ? context.own || self[frame] ? group(context) : 0 : -1;
			if (seen)
				seen[frame] = frame ? seen[caller[frame]] | bits[n] & ~from : 0;
		} else {
			let node = map[caller[frame]];
			if (seen)
				seen[frame] = seen[caller[frame]] | bits[n];
			if (node >= 0 && seen && seen[frame] & ignored)
				node = -1;
			if (node >= 0 && !hidden[n] && !(from && (seen[frame] & from) !== from)) {
				const above = weave.name[node];
				if (!(merge && above === n) && !(collapsed[n] && collapsed[above] === collapsed[n]))
					node = weave.child(node, n);
			}
			map[frame] = node;
		}
		if (map[frame] < 0 || (seen && ((seen[frame] & need) !== need || seen[frame] & ignored)))
			continue;
		if (self[frame])
			weave.add(map[frame], self[frame] * factor, factor === 1 ? tree.exact[0].get(frame) : undefined, column);
		if (tree.wasSelf && column === 0 && isPaired)
			weave.add(map[frame], tree.wasSelf[frame], tree.exact[1].get(frame), 1);
	}
}

function filtered(profile, what) {
	if (isWhole(what) && profile.contexts.length === 1)
		return profile.tree;
	if (profile.tree.chart)
		return widen(chartOf(profile, what), profile.asked);
	const weave = new Weave(profile.tree.count, profile.tree.wasSelf ? 2 : 1, profile.tree.layout);
	weaveIn(weave, profile, what, 0, 1, true);
	return widen(weave.tree(), profile.asked);
}

// Both selections in one tree: B is now, A was.
function compared(profileA, a, profileB, b, factor) {
	const weave = new Weave(Math.max(profileA.tree.count, profileB.tree.count), 2, 'union');
	weaveIn(weave, profileA, a, 1, factor);
	weaveIn(weave, profileB, b, 0, 1);
	const tree = weave.tree();
	tree.factor = factor;
	return tree;
}

// More frames than a browser holds well; beyond, callers far away are left out, and that is said.
const BOTTOM_MOST = 6e6;

// Callers above callees: the stacks that end in the frames given, each with its value. Frames of one name are
// gathered, then their callers by name, and so on; most stacks are soon alone, and then walked to their ends.
function upwards(tree, from, value, was, exact) {
	const { name, caller, depth } = tree, items = from.length;
	let limit = tree.deepest + 1, most;
	for (;;) {
		most = 1;
		for (const frame of from)
			most += Math.min(depth[frame], limit);
		if (most <= BOTTOM_MOST || limit < 16)
			break;
		limit >>= 1;
	}
	const out = { name: new Int32Array(most), caller: new Int32Array(most), self: new Float64Array(most),
		was: was && new Float64Array(most), count: 1, layout: tree.layout, exact: [new Map(), new Map()] };
	const order = new Int32Array(items), at = Int32Array.from(from); // by item: the frame that its walk has come to
	const groups = []; // first, end, caller in out, level: places of order that are one frame
	const give = (node, item) => {
		addValue(out.self, out.exact[0], node, value[from[item]], exact && exact[0].get(from[item]));
		if (was)
			addValue(out.was, out.exact[1], node, was[from[item]], exact && exact[1].get(from[item]));
	};
	const emit = (n, up) => {
		out.name[out.count] = n;
		out.caller[out.count] = up;
		return out.count++;
	};
	// order[first..end) by name, and those of one name as they are: most parts are small.
	const sort = (first, end) => {
		if (end - first > 24) {
			const keys = new Float64Array(end - first);
			for (let i = first; i < end; i++)
				keys[i - first] = name[at[order[i]]] * items + order[i];
			keys.sort();
			for (let i = first; i < end; i++)
				order[i] = keys[i - first] - Math.floor(keys[i - first] / items) * items;
			return;
		}
		for (let i = first + 1; i < end; i++) {
			const item = order[i], n = name[at[item]];
			let to = i;
			for (; to > first && name[at[order[to - 1]]] > n; to--)
				order[to] = order[to - 1];
			order[to] = item;
		}
	};
	// Groups of order[first..end) by name, so that the first of them is taken first.
	const part = (first, end, node, level) => {
		const found = [];
		sort(first, end);
		for (let i = first, n = -1; i < end; i++) {
			const here = name[at[order[i]]];
			if (here !== n)
				found.push([i, node, level, 0]);
			n = here;
			found[found.length - 1][3] += value[from[order[i]]];
		}
		found.forEach((group, i) => group.push(i + 1 < found.length ? found[i + 1][0] : end));
		if (settings.order === 'weight')
			found.sort((a, b) => b[3] - a[3]);
		for (let i = found.length - 1; i >= 0; i--)
			groups.push(found[i]);
	};
	out.name[0] = root;
	out.caller[0] = -1;
	order.forEach((_, i) => {
		order[i] = i;
	});
	part(0, items, 0, 1);
	while (groups.length) {
		const [first, up, level, , end] = groups.pop();
		let node = emit(name[at[order[first]]], up), left = first;
		if (end === first + 1) {
			const item = order[first];
			for (let frame = caller[at[item]], deep = level; frame > 0 && deep < limit; frame = caller[frame], deep++)
				node = emit(name[frame], node);
			give(node, item);
			continue;
		}
		for (let i = first; i < end; i++) {
			const item = order[i];
			at[item] = caller[at[item]];
			if (at[item] > 0 && level < limit)
				order[left++] = item;
			else
				give(node, item);
		}
		if (left > first)
			part(first, left, node, level + 1);
	}
	for (const key of ['name', 'caller', 'self', 'was'])
		out[key] = out[key] && out[key].subarray(0, out.count);
	const result = treeOf(out);
	result.factor = tree.factor;
	result.isCut = limit < tree.deepest;
	return result;
}

function bottomUp(tree) {
	const from = [];
	for (let frame = 1; frame < tree.count; frame++)
		if (tree.self[frame] || (tree.wasSelf && tree.wasSelf[frame]))
			from.push(frame);
	const result = upwards(tree, from, tree.self, tree.wasSelf, tree.exact);
	if (!tree.was)
		result.total[0] = tree.total[0]; // or what --total says
	return result;
}

// Frames of a function that are called by no other one of it: its value counted once.
function outermost(tree, n) {
	const found = [];
	for (let frame = 1; frame < tree.count;)
		if (tree.name[frame] === n) {
			found.push(frame);
			frame = tree.end[frame];
		} else {
			frame++;
		}
	return found;
}

const callersOf = (tree, n) => upwards(tree, outermost(tree, n), tree.now || tree.total, tree.was);

// A frame and what is upon it, below a root of its own.
function partOf(tree, top) {
	const { name, caller, self, end, wasSelf } = tree, count = end[top] - top + 1;
	const lift = values => {
		const part = new values.constructor(count);
		part.set(values.subarray(top, end[top]), 1);
		return part;
	};
	const part = { name: lift(name), caller: lift(caller), self: lift(self), was: wasSelf && lift(wasSelf), count, layout: tree.layout,
		exact: tree.exact.map(sums => new Map([...sums].filter(([frame]) => frame >= top && frame < end[top])
			.map(([frame, sum]) => [frame - top + 1, sum]))) };
	part.name[0] = root;
	part.caller[0] = -1;
	part.caller[1] = 0;
	for (let i = 2; i < count; i++)
		part.caller[i] -= top - 1;
	return treeOf(part);
}

function calleesOf(tree, n) {
	const { name, caller, self, end, wasSelf } = tree, places = outermost(tree, n);
	if (places.length === 1)
		return Object.assign(partOf(tree, places[0]), { factor: tree.factor });
	const room = places.reduce((sum, place) => sum + end[place] - place, 1);
	const weave = new Weave(room, wasSelf ? 2 : 1, tree.layout), map = new Int32Array(tree.count);
	for (const place of places)
		for (let frame = place; frame < end[place]; frame++) {
			const node = weave.child(frame === place ? 0 : map[caller[frame]], name[frame]);
			map[frame] = node;
			if (self[frame])
				weave.add(node, self[frame], tree.exact[0].get(frame));
			if (wasSelf)
				weave.add(node, wasSelf[frame], tree.exact[1].get(frame), 1);
		}
	const result = weave.tree();
	result.factor = tree.factor;
	return result;
}

// Self and total of every name, recursion counted once.
function functionsOf(tree) {
	const { name, end, count } = tree, self = tree.layout === 'base' ? tree.wasSelf : tree.self;
	const selfOf = new Float64Array(names.length), totalOf = new Float64Array(names.length);
	const open = new Int32Array(names.length); // by name: where the outermost one ends
	const present = [], value = worth(tree);
	for (let frame = 1; frame < count; frame++) {
		const n = name[frame];
		if (open[n] <= frame) {
			if (!open[n])
				present.push(n);
			open[n] = end[frame];
			totalOf[n] += value[frame];
		}
		selfOf[n] += self[frame];
	}
	return { present: Int32Array.from(present), selfOf, totalOf };
}

// The values that shares are of: of a ratio, and where the first column is the width, that one.
const worth = tree => !tree.was ? tree.total : tree.layout === 'base' ? tree.was : tree.now;
