// Functions with self and total, recursion counted once: sorted by a click, filtered by the search.

const table = {
	by: 'self',
	isRising: false,
	order: [],
	list: null,

	functions() {
		return current.functions || (current.functions = functionsOf(current.tree));
	},
	// A sum that a double may not hold is added up anew for the rows in sight.
	exactly(n, isSelf) {
		const tree = current.tree, functions = table.functions(), sum = (isSelf ? functions.selfOf : functions.totalOf)[n];
		const column = tree.layout === 'base' ? 1 : 0, key = n + (isSelf ? 'self' : 'total');
		const exact = functions.exact || (functions.exact = new Map());
		if (sum <= MOST || exact.has(key))
			return exact.get(key) ?? sum;
		const whole = value => typeof value === 'bigint' ? value : BigInt(Math.round(value));
		let all = 0n;
		if (isSelf)
			tree.name.forEach((name, frame) => {
				all += name === n ? whole(exactSelf(tree, frame, column)) : 0n;
			});
		else
			outermost(tree, n).forEach(frame => {
				all += whole(exactTotal(tree, frame, column));
			});
		exact.set(key, all);
		return all;
	},
	// All functions in order: sorted anew for other functions or another column, not for every letter of a search.
	sorted() {
		const functions = table.functions(), { present, selfOf, totalOf } = functions, kind = table.by + table.isRising;
		if (functions.kind !== kind) {
			const key = table.by === 'self' ? selfOf : totalOf, second = table.by === 'self' ? totalOf : selfOf;
			const list = Array.from(present).sort(table.by === 'name' ? (a, b) => a - b :
				(a, b) => key[b] - key[a] || second[b] - second[a] || a - b);
			functions.list = table.isRising !== (table.by === 'name') ? list.reverse() : list;
			functions.kind = kind;
		}
		return functions.list;
	},
	show() {
		const { matches } = search, all = table.sorted();
		table.order = matches ? all.filter(n => matches[n]) : all;
		if (!table.list)
			table.list = new List('grid', 'Functions by self and total', i => table.row(i), (i, what) => table.act(i, what));
		$('list').replaceChildren(table.head(), table.list.element);
		table.list.show(table.order.length);
	},
	head() {
		const column = (by, words, className) => make('button', { class: className, 'aria-pressed': table.by === by,
			onclick() {
				table.isRising = table.by === by ? !table.isRising : by === 'name';
				table.by = by;
				table.show();
			} }, words + (table.by === by ? table.isRising ? ' ▴' : ' ▾' : ''));
		return make('div', { class: 'head', role: 'group', 'aria-label': 'Sort by' }, column('self', 'Self', 'number'),
			column('total', 'Total', 'number'), column('name', 'Function', 'name'));
	},
	row(i) {
		const n = table.order[i], whole = worth(current.tree)[0];
		const cell = exact => {
			const bar = make('i', {}), value = Number(exact);
			bar.style.width = 100 * value / (whole || 1) + '%';
			return make('span', { role: 'gridcell', class: 'number' }, bar, make('b', {}, amount(exact, true)),
				make('small', {}, share(value, whole)));
		};
		const swatch = make('i', { class: 'swatch' });
		swatch.style.backgroundColor = colourOfName(n);
		return make('div', { role: 'row', class: 'line' }, cell(table.exactly(n, true)), cell(table.exactly(n, false)),
			make('span', { role: 'gridcell', class: 'name', title: names[n].slice(0, 4096) }, swatch, shown(n).slice(0, 512)));
	},
	act(i, what) {
		const n = table.order[i];
		if (what === 'Enter' || what === 'x')
			around(n);
		else if (what === 'h' || what === 'f')
			addStep(what === 'h' ? 'hide' : 'focus', exactly(names[n]));
		else
			return false;
		return true;
	},
};
