// The page itself: what is looked at, how it becomes trees, and who is told when it changes.

const emptyWhat = () => ({ steps: [], off: new Set(), group: [], times: [], labels: {} });
const state = { tab: 0, mode: 'graph', of: -1, colour: settings.colours, what: emptyWhat(), a: null, compare: '', fair: true, sides: null };
const profiles = readProfiles();
const current = { tree: profiles[0].tree, bottom: null, functions: null }; // callers before callees, filtered
readTheme();
const graphs = { main: new Graph($('view'), settings.inverted), other: new Graph($('other'), settings.inverted) };

const activeGraph = () => !$('other').hidden && $('other').contains(document.activeElement) ? graphs.other : graphs.main;

// The selection changed: trees anew, zoom kept by names.
function apply(words) {
	const { main } = graphs, cursor = main.cursor > 0 ? main.pathTo(main.cursor) : [];
	const profile = profiles[state.tab], path = words ? null : main.tree && main.pathTo(main.zoomed);
	state.sides = profile.header.names || null;
	current.tree = state.compare === 'diff' ? diffTree() : filtered(profile, state.what);
	current.bottom = current.functions = null;
	showSteps();
	strip.draw();
	showMode(path, words);
	// The frame that was chosen, or what is left of the way to it.
	if (cursor.length && state.mode === 'graph' && main.follow(cursor))
		main.select(main.follow(cursor), false);
	search.count();
	panel.show();
	updateLink();
}

// What the second graph shows, if anything: A beside B, or callers beside callees.
function showOther() {
	const isAround = state.mode === 'around', isBeside = state.compare === 'side' && (state.mode === 'graph' || state.mode === 'bottom');
	$('other').hidden = !isAround && !isBeside;
	$('views').className = isAround ? 'stacked' : isBeside ? 'beside' : '';
	graphs.main.linked = graphs.other.linked = null;
	if (isAround) {
		graphs.other.inverted = false;
		const callers = callersOf(current.tree, state.of);
		callers.title = 'callers';
		graphs.other.show(callers, [state.of]);
	} else if (isBeside) {
		const tree = filtered(profiles[state.a.tab], state.a.what), a = state.mode === 'bottom' ? bottomUp(tree) : tree;
		graphs.other.inverted = graphs.main.inverted;
		a.title = 'A: ' + nameOfSide(state.a);
		graphs.other.show(a, graphs.main.pathTo(graphs.main.zoomed));
		graphs.main.linked = graphs.other;
		graphs.other.linked = graphs.main;
	}
}

function showMode(path, words) {
	const { mode } = state, isList = mode === 'table' || mode === 'tree', main = graphs.main;
	let tree = current.tree;
	if (mode === 'bottom') {
		tree = current.bottom = current.bottom || bottomUp(tree);
		if (tree.isCut)
			say('Too many callers for one graph: the farthest are left out');
	} else if (mode === 'around') {
		tree = calleesOf(tree, state.of);
		tree.title = 'callees';
	}
	for (const button of document.querySelectorAll('[data-mode]'))
		button.setAttribute('aria-pressed', button.dataset.mode === mode || (mode === 'around' && button.dataset.mode === 'graph'));
	const isEmpty = !current.tree.total[0];
	$('view').hidden = isList || isEmpty;
	$('empty').hidden = !isEmpty;
	$('empty').textContent = profiles[state.tab].tree.total[0] ? 'Nothing is left: take a step back.' : 'No samples: there is nothing to draw.';
	$('list').hidden = !isList || isEmpty;
	if (mode === 'around' && !state.wasInverted) {
		state.wasInverted = [main.inverted];
		main.inverted = true;
	} else if (mode !== 'around' && state.wasInverted) {
		[main.inverted] = state.wasInverted;
		state.wasInverted = null;
	}
	main.show(tree, words ? followWords(tree, words) : path && path.length ? path : mode === 'around' ? [state.of] : []);
	showOther();
	showList();
	showZoom();
	showLegend();
}

function showList() {
	if (state.mode === 'table')
		table.show();
	else if (state.mode === 'tree')
		outline.show();
}

function showLegend() {
	$('legend').replaceChildren(...legend(graphs.main.tree).map(([words, colour, mark]) => {
		const swatch = make('i', { class: mark });
		swatch.style.backgroundColor = colour;
		return make('li', {}, swatch, words);
	}));
}

function showZoom() {
	const main = graphs.main;
	$('reset').disabled = main.isWhole() || $('view').hidden;
	$('back').disabled = !main.before.length;
	$('forward').disabled = !main.after.length;
}

// The search changed.
function showSearch() {
	graphs.main.drawSoon();
	graphs.other.drawSoon();
	showList();
	updateLink();
}

// Colours changed.
function redraw() {
	showLegend();
	strip.draw();
	showSearch();
}

function setMode(mode) {
	if (mode === state.mode)
		return;
	state.mode = mode;
	showSteps();
	showMode(null, null);
	search.count();
	updateLink();
	focusView();
}

function focusView() {
	const list = $('list').querySelector('.rows');
	(list && !$('list').hidden ? list : $('view')).focus({ preventScroll: true });
}

// Callers and callees of a function over all its places.
function around(n) {
	if (n === root)
		return;
	state.of = n;
	state.mode = 'around';
	showSteps();
	showMode(null, null);
	search.count();
	updateLink();
	focusView();
}

function flip() {
	for (const graph of [graphs.main, graphs.other]) {
		if (!graph.tree || (graph === graphs.other && $('other').hidden))
			continue;
		const bottom = graph.contentHeight() - graph.height - graph.view.scrollTop;
		graph.inverted = !graph.inverted;
		graph.view.scrollTop = bottom;
		graph.hover.hidden = true;
		graph.drawSoon();
	}
	tip.hide();
	updateLink();
}

function showTab(tab) {
	state.tab = tab;
	state.what.labels = {};
	state.what.group = state.what.group.filter(key => profiles[tab].keys.includes(key));
	state.what.times = [];
	for (const button of $('tabs').children)
		button.setAttribute('aria-pressed', Number(button.dataset.tab) === tab);
	document.querySelector('[data-panel="labels"]').hidden = !profiles[tab].keys.some(key => key !== 'time');
	if (panel.open === 'labels')
		panel.toggle('labels');
	strip.read(profiles[tab]);
}

// What the address tells, the selection too, which another tab would take back. Returns the zoom's words.
function arrive(tab) {
	const words = readLink(), what = copyOf(state.what);
	if (state.tab !== tab)
		showTab(state.tab);
	state.what = what;
	return words;
}

$('search').addEventListener('input', () => search.run());
$('case').addEventListener('click', search.toggleCase);
$('next').addEventListener('click', () => search.go(1));
$('previous').addEventListener('click', () => search.go(-1));
$('reset').addEventListener('click', () => activeGraph().zoom(0));
$('back').addEventListener('click', () => activeGraph().back());
$('forward').addEventListener('click', () => activeGraph().forward());
$('flip').addEventListener('click', flip);
$('help').addEventListener('click', () => $('keys').showModal());
for (const button of document.querySelectorAll('[data-mode]'))
	button.addEventListener('click', () => setMode(button.dataset.mode));
for (const button of document.querySelectorAll('[data-panel]'))
	button.addEventListener('click', () => panel.toggle(button.dataset.panel));
addEventListener('keydown', key);
addEventListener('pointerdown', event => {
	if (!event.target.closest('#menu'))
		$('menu').hidden = true;
});
addEventListener('zoomed', () => {
	showZoom();
	clearTimeout(showZoom.timer);
	showZoom.timer = setTimeout(updateLink, 200);
});
addEventListener('hashchange', () => {
	apply(arrive(state.tab));
	search.run();
});
dark.addEventListener('change', () => {
	readTheme();
	redraw();
});
if (profiles.length > 1) {
	$('tabs').hidden = false;
	$('tabs').append(...profiles.map((profile, tab) => make('button', { 'data-tab': tab, onclick() {
		showTab(tab);
		apply();
	} }, profile.title)));
}
strip.listen();
$('still').remove();
apply(arrive(-1));
if ($('search').value)
	search.run();
requestAnimationFrame(() => setTimeout(() => performance.mark('drawn'))); // it is in sight
