// Names that match, what they are worth together, and the way from one to the next.

const search = {
	text: '',
	matchCase: false,
	matches: null, // by name: 1 where it was found

	set(text) {
		$('search').value = text;
		search.run();
	},
	run() {
		const text = search.text = $('search').value;
		$('search').setCustomValidity(!text || isExpression(text) ? '' : 'not a regular expression: searched as it is');
		search.matches = null;
		if (text) {
			const test = expression(text, search.matchCase), matches = search.matches = new Uint8Array(names.length);
			for (let n = 0; n < names.length; n++)
				matches[n] = n !== root && test(shown(n)) ? 1 : 0;
		}
		search.count();
		showSearch();
	},
	// Total without overlap, and self, of what matches.
	count() {
		const { matches } = search, tree = current.tree;
		const value = worth(tree), selves = tree.layout === 'base' ? tree.wasSelf : tree.self;
		let total = 0, self = 0, frames = 0;
		for (let frame = 1, inside = 0; matches && frame < tree.count; frame++)
			if (matches[tree.name[frame]]) {
				frames++;
				self += selves[frame];
				if (frame >= inside) {
					total += value[frame];
					inside = tree.end[frame];
				}
			}
		const whole = value[0];
		$('matched').textContent = matches ?
			'Matched ' + share(total, whole) + ', self ' + share(self, whole) : '';
		$('next').disabled = $('previous').disabled = !frames;
	},
	// The match after the cursor, or before it.
	go(step) {
		const graph = graphs.main, tree = graph.tree, { matches } = search;
		if (!matches || !tree)
			return;
		let frame = Math.max(graph.cursor, 0);
		for (let i = 0; i < tree.count; i++) {
			frame = (frame + step + tree.count) % tree.count;
			if (frame && matches[tree.name[frame]]) {
				graph.select(frame);
				return;
			}
		}
	},
	toggleCase() {
		search.matchCase = !search.matchCase;
		$('case').setAttribute('aria-pressed', search.matchCase);
		search.run();
	},
};
