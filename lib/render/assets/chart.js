// Flame charts: what steps and selections leave of one, row after row, as time goes; only neighbours are joined.

// As Weave, but that equal paths are one frame only while nothing came between.
class Chart {
	constructor(columns) {
		this.name = [root];
		this.caller = [-1];
		this.self = [0];
		this.was = columns === 2 ? [0] : null;
		this.exact = [new Map(), new Map()];
		this.rows = [];
		this.open = [0]; // the row before, as frames
	}

	add(path, row) {
		let shared = 0;
		const { open, name } = this;
		while (shared < path.length && shared + 1 < open.length && name[open[shared + 1]] === path[shared])
			shared++;
		open.length = shared + 1;
		for (; shared < path.length; shared++) {
			this.caller.push(open[shared]);
			this.self.push(0);
			if (this.was)
				this.was.push(0);
			open.push(name.push(path[shared]) - 1);
		}
		const frame = open[shared], base = this.was ? row.base : 0;
		addValue(this.self, this.exact[0], frame, row.value, row.big[0]);
		if (this.was)
			addValue(this.was, this.exact[1], frame, base, row.big[1]);
		this.rows.push({ frame, value: row.value, base, big: row.big });
	}

	tree(layout) {
		const count = this.name.length, tree = treeOf({ name: Int32Array.from(this.name), caller: Int32Array.from(this.caller),
			self: Float64Array.from(this.self), was: this.was && Float64Array.from(this.was), count, exact: this.exact, layout,
			chart: this.rows });
		placeRows(tree, this.rows);
		return tree;
	}
}

function chartOf(profile, what) {
	const { tree, contexts } = profile, { name, caller } = tree, found = stepsByName(what);
	const contextOf = new Map(contexts.map(context => [context.frame, context])), chart = new Chart(tree.was ? 2 : 1);
	for (const row of tree.chart) {
		const frames = [];
		let frame = row.frame;
		for (; !contextOf.has(frame); frame = caller[frame])
			frames.push(name[frame]);
		const context = contextOf.get(frame);
		if (!isSelected(context, what))
			continue;
		let seen = 0;
		for (; frame > 0; frame = caller[frame])
			seen |= found.bits[name[frame]] & ~found.from;
		const path = what.group.map(key => addName(key + '=' + (context.values[key] || ''), LABEL)), labels = path.length;
		for (const n of frames.reverse()) {
			seen |= found.bits[n];
			if (found.hidden[n] || (seen & found.from) !== found.from)
				continue;
			const above = path.length > labels ? path.at(-1) : root;
			if (!(found.merge && above === n) && !(found.collapsed[n] && found.collapsed[above] === found.collapsed[n]))
				path.push(n);
		}
		if ((seen & found.need) === found.need && !(seen & found.ignored))
			chart.add(path, row);
	}
	return chart.tree(tree.layout);
}
