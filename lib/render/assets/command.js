// The command that gives what is in sight from this page, by the options of gp-flame; and what they cannot say.

// Expressions that find the frames of a kind, and no other, by how names are written.
function kindExpression(kind) {
	const [title, suffix] = settings.kinds[kind];
	const any = '_\\[(' + settings.kinds.map(one => one[1].slice(2, -1)).filter(Boolean).join('|') + ')\\]$';
	const script = '(LazyCompile|Function|JS|Script|Eval|RegExp|Builtin|BytecodeHandler|Stub):';
	if (suffix)
		return suffix.replace(/[[\]]/g, '\\$&') + '$';
	return { JavaScript: `^(?!.*${any})${script}`, 'C++, Rust': `^(?!.*${any})(?!\\[.*\\]$)(?!${script}).*::`,
		native: `^(?!.*${any})(?!\\[.*\\]$)(?!${script})(?!.*::)`, 'mark or unnamed': `^(?!.*${any})\\[.*\\]$` }[title] || '';
}

// One gp-flame looks for stacks with any of several expressions; what asks for all of them, or for runs of one and
// runs of another, takes a gp-flame each, and a page carries the profile from one to the next.
function commandStages() {
	const { what } = state, { keys, header } = profiles[state.tab], main = graphs.main, lost = [];
	const alone = [], last = [], option = (to, name, value) => to.push(value === undefined ? '--' + name : '--' + name + ' ' + quoted(value));
	const each = { focus: [], 'show-from': [], collapse: [] };
	for (const { kind, text } of what.steps)
		if (each[kind])
			each[kind].push(text);
		else
			option(last, kind, text || undefined);
	for (const kind of what.off)
		if (kindExpression(kind))
			option(last, 'hide', kindExpression(kind));
		else
			lost.push('no frames: ' + settings.kinds[kind][0]);
	for (const key of Object.keys(what.labels)) {
		const values = [...what.labels[key]];
		if (values.includes(''))
			lost.push('stacks without ' + key);
		else
			each.focus.push('^' + key + '=(' + values.map(value => exactly(value).slice(1, -1)).join('|') + ')$');
	}
	for (const text of each.focus)
		option(alone, 'focus', text);
	for (const text of each.collapse.slice(0, -1))
		option(alone, 'collapse', text);
	if (each.collapse.length)
		option(last, 'collapse', each.collapse.at(-1));
	if (alone.length)
		last.unshift(alone.pop());
	for (const text of each['show-from'].slice(0, 1))
		option(last, 'show-from', text);
	if (each['show-from'].length > 1)
		lost.push('from several frames on');
	for (const [from, to] of what.times)
		option(alone.length ? alone : last, 'time', from + '..' + to);
	if (main.zoomed && state.mode === 'graph') {
		const n = main.tree.name[main.zoomed], places = outermost(main.tree, n);
		if (places.length === 1 && places[0] === main.zoomed && !each['show-from'].length && kindOf(n) !== LABEL)
			option(last, 'show-from', exactly(names[n]));
		else
			lost.push('the zoom');
	} else if (!main.isWhole()) {
		lost.push('the zoom');
	}
	if (settings.order === 'time')
		option(last, 'flamechart');
	else if (settings.order !== 'name')
		option(last, 'order', settings.order);
	if (state.mode === 'bottom')
		option(last, 'reverse');
	if (state.mode === 'around')
		lost.push('callers and callees');
	if (state.mode === 'table' || state.mode === 'tree')
		lost.push('the ' + state.mode);
	if (state.compare)
		lost.push('the comparison');
	if (header.columns === 2) {
		const layout = settings.layouts[state.tab];
		if (layout !== (isRatio() ? 'base' : 'union'))
			option(last, 'layout', layout);
		if (settings.delta !== 'total')
			option(last, 'delta', settings.delta);
		if (settings.negate)
			option(last, 'negate');
	}
	if (main.inverted && state.mode !== 'around')
		option(last, 'inverted');
	if (state.colour === 'diffusion')
		option(last, 'colordiffusion');
	else if (state.colour !== 'kind')
		option(last, 'colors', state.colour === 'palette' ? settings.palette : state.colour);
	if (search.text)
		option(last, 'search', search.text);
	if (search.text && search.matchCase)
		lost.push('the search’s case');
	// An SVG has a box for every label, a page none; groups are boxes in the order of the keys in the data.
	const own = keys.filter(key => settings.order !== 'time' || key !== 'time');
	const isBoxes = own.length && own.join() === what.group.join();
	if (what.group.length && !isBoxes)
		lost.push('groups by ' + what.group.join(', '));
	const output = own.length && !isBoxes ? 'view.html' : 'view.svg';
	return { stages: [...alone.map(one => one.split('\n')), last], output, lost };
}

function command() {
	const { stages, output, lost } = commandStages(), parts = ['gp-fold ' + quoted(fileName())];
	// Of several profiles, each of which a line "#" ends, this one.
	if (profiles.length > 1)
		parts.push(`awk '$0 == "#" { n++; next } n == ${state.tab}'`);
	stages.forEach((words, i) => {
		const isLast = i === stages.length - 1;
		parts.push(['gp-flame', ...isLast ? [] : ['--html'], ...words, ...isLast ? ['-o', output] : []].join(' '));
		if (!isLast)
			parts.push('gp-fold -');
	});
	return { text: parts.join(' | '), lost };
}

function copyCommand() {
	const { text, lost } = command();
	copy(text, 'command' + (lost.length ? ' (it cannot say: ' + lost.join(', ') + ')' : ''));
}
