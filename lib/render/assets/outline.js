// The tree as lines that open and close: what screen readers read, and whoever likes numbers in columns.

const outline = {
	list: null,
	lines: [], // frames in sight
	open: new Set(),

	show() {
		if (outline.tree !== current.tree) {
			outline.tree = current.tree;
			outline.open = new Set([0]);
			// Down to where the stacks part.
			for (let frame = 0, only; ; frame = only) {
				const callees = outline.callees(frame);
				only = callees[0];
				if (callees.length !== 1 || outline.open.size > 200)
					break;
				outline.open.add(only);
			}
		}
		if (!outline.list)
			outline.list = new List('treegrid', 'Frames as a tree', i => outline.row(i), (i, what) => outline.act(i, what));
		$('list').replaceChildren(make('div', { class: 'head', 'aria-hidden': 'true' }, make('span', { class: 'number' }, 'Self'),
			make('span', { class: 'number' }, 'Total'), make('span', { class: 'name' }, 'Frame')), outline.list.element);
		outline.fill();
	},
	// The largest first.
	callees(frame) {
		const { end, total } = current.tree, found = [];
		for (let callee = frame + 1; callee < end[frame]; callee = end[callee])
			found.push(callee);
		return found.sort((a, b) => total[b] - total[a] || a - b);
	},
	fill() {
		const lines = outline.lines = [], stack = [0];
		while (stack.length) {
			const frame = stack.pop();
			lines.push(frame);
			if (outline.open.has(frame))
				stack.push(...outline.callees(frame).reverse());
		}
		outline.list.show(lines.length);
	},
	row(i) {
		const tree = current.tree, frame = outline.lines[i], hasMore = tree.end[frame] > frame + 1, isOpen = outline.open.has(frame);
		const column = tree.layout === 'base' ? 1 : 0, whole = worth(tree)[0];
		const cell = of => make('span', { role: 'gridcell', class: 'number' }, make('b', {}, amount(of, true)),
			make('small', {}, share(Number(of), whole)));
		const name = make('span', { role: 'gridcell', class: 'name' }, make('span', { class: 'sign', 'aria-hidden': 'true' },
			hasMore ? isOpen ? '▾' : '▸' : ''), nameOf(tree, frame).slice(0, 512));
		name.style.paddingLeft = 6 + 12 * Math.min(tree.depth[frame], 40) + 'px';
		const found = search.matches && search.matches[tree.name[frame]];
		return make('div', { role: 'row', class: found ? 'line found' : 'line', 'aria-level': tree.depth[frame] + 1,
			'aria-expanded': hasMore ? String(isOpen) : null }, cell(exactSelf(tree, frame, column)), cell(exactTotal(tree, frame, column)), name);
	},
	act(i, what) {
		const frame = outline.lines[i], { end, caller } = current.tree, isOpen = outline.open.has(frame);
		if (what === 'Enter' || what === 'click' || (what === 'ArrowRight' && !isOpen) || (what === 'ArrowLeft' && isOpen)) {
			if (end[frame] > frame + 1) {
				outline.open[isOpen ? 'delete' : 'add'](frame);
				outline.fill();
			}
		} else if (what === 'ArrowRight' && end[frame] > frame + 1) {
			outline.list.choose(i + 1);
		} else if (what === 'ArrowLeft' && frame) {
			outline.list.choose(outline.lines.indexOf(caller[frame]));
		} else if (what === 'x' && frame) {
			around(current.tree.name[frame]);
		} else if ((what === 'h' || what === 'f') && frame) {
			addStep(what === 'h' ? 'hide' : 'focus', exactly(names[current.tree.name[frame]]));
		} else {
			return false;
		}
		return true;
	},
};
