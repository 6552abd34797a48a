// Every key, and what it does wherever it is pressed.

const typing = element => element && (element.tagName === 'INPUT' && element.type !== 'checkbox' || element.tagName === 'SELECT' || element.tagName === 'TEXTAREA');

const PLAIN = {
	0: () => activeGraph().zoom(0),
	'+': () => activeGraph().scale(0.7),
	'=': () => activeGraph().scale(0.7),
	'-': () => activeGraph().scale(1 / 0.7),
	a: () => activeGraph().pan(-80),
	d: () => activeGraph().pan(80),
	n: () => search.go(1),
	N: () => search.go(-1),
	c: () => search.toggleCase(),
	i: () => flip(),
	1: () => setMode('graph'),
	2: () => setMode('bottom'),
	3: () => setMode('table'),
	4: () => setMode('tree'),
	m: () => menuAtCursor(activeGraph()),
	x: () => onCursor(n => around(n)),
	h: () => onCursor(n => addStep('hide', exactly(names[n]))),
	f: () => onCursor(n => addStep('focus', exactly(names[n]))),
	u: undo,
	F: () => panel.toggle('filter'),
	L: () => profiles[state.tab].keys.length && panel.toggle('labels'),
	C: () => panel.toggle('compare'),
	S: () => panel.toggle('share'),
	A: () => panel.toggle('about'),
	t: () => $('load').focus(),
	'?': () => $('keys').showModal(),
};

function onCursor(act) {
	const graph = activeGraph(), frame = graph.cursor >= 0 ? graph.cursor : graph.zoomed;
	if (frame > 0)
		act(graph.tree.name[frame]);
	else
		say('Choose a frame with the arrow keys first');
}

function undo() {
	const { what } = state;
	if (state.mode === 'around')
		state.mode = 'graph';
	else if (what.steps.length)
		what.steps.pop();
	else if (what.off.size)
		what.off.delete([...what.off].at(-1));
	else
		return;
	apply();
}

function escape() {
	if (menu.close())
		return;
	if (search.text) {
		search.set('');
		focusView();
	} else if (!panel.close()) {
		activeGraph().zoom(0);
	}
}

function key(event) {
	const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey, inGraph = event.target.closest('.view');
	if ($('keys').open)
		return;
	if (event.key === 'F3' || (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) ||
		(event.key === '/' && isPlain && !typing(event.target))) {
		$('search').focus();
		$('search').select();
	} else if (event.key === 'Escape') {
		escape();
	} else if (!$('menu').hidden && menu.key(event)) {
		// It moved.
	} else if (event.target === $('search') && event.key === 'Enter') {
		search.go(event.shiftKey ? -1 : 1);
	} else if (typing(event.target) || !isPlain) {
		return;
	} else if (event.key === 'Backspace') {
		activeGraph()[event.shiftKey ? 'forward' : 'back']();
	} else if (inGraph && event.key.startsWith('Arrow')) {
		activeGraph().moveCursor(event.key.slice(5).toLowerCase());
	} else if (inGraph && event.key === 'Enter') {
		activeGraph().zoom(Math.max(activeGraph().cursor, 0));
	} else if (event.key === 'ContextMenu') {
		menuAtCursor(activeGraph());
	} else if (PLAIN[event.key]) {
		PLAIN[event.key]();
	} else {
		return;
	}
	event.preventDefault();
}
