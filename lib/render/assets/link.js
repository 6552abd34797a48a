// The view as a fragment of the address: by names of frames, so that it survives new data, order and width.

// [key, texts, may they be hashes]; in the order in which they are given up, the first being kept longest.
function linkParts() {
	const list = [], whatParts = (what, tab, before) => {
		if (tab)
			list.push([before + 'tab', [String(tab)]]);
		if (what.steps.length)
			list.push([before + 'steps', what.steps.map(({ kind, text }) => kind + ':' + text)]);
		if (what.off.size)
			list.push([before + 'off', [...what.off].map(kind => settings.kinds[kind][0])]);
		if (what.times.length)
			list.push([before + 'time', what.times.map(range => range.join('..'))]);
		if (what.group.length)
			list.push([before + 'by', what.group]);
		for (const key of Object.keys(what.labels))
			list.push([before + 'only.' + key, [...what.labels[key]], true]);
	};
	if (state.mode !== 'graph')
		list.push(['view', [state.mode]]);
	if (state.mode === 'around')
		list.push(['of', [names[state.of]], true]);
	if (graphs.main.inverted !== settings.inverted)
		list.push(['flip', ['1']]);
	if (state.colour !== settings.colours)
		list.push(['colour', [state.colour]]);
	if (search.text)
		list.push([search.matchCase ? 'S' : 's', [search.text]]);
	whatParts(state.what, state.tab, '');
	if (state.compare) {
		list.push(['compare', [state.compare + (state.fair ? '' : '.raw')]]);
		whatParts(state.a.what, state.a.tab, 'a.');
	}
	const path = graphs.main.tree ? graphs.main.pathTo(graphs.main.zoomed).map(n => names[n]) : [];
	if (path.length)
		list.push(['zoom', path, true]);
	return list;
}

// The fragment, and what could not be told in it.
function link() {
	const list = linkParts(), lost = new Map();
	const text = () => list.map(([key, texts]) => encoded(key) + '=' + texts.map(encoded).join(';')).join('&');
	const isLong = () => text().length > LINK_MOST;
	for (let i = list.length - 1; i >= 0 && isLong(); i--)
		if (list[i][2]) {
			list[i] = [list[i][0], list[i][1].map(shortened), true];
			lost.set(list[i][0], ' shortened');
		}
	while (list.length && isLong())
		lost.set(list.pop()[0], ' left out');
	return { text: text(), lost: [...lost].map(pair => pair.join('')).join(', ') };
}

function updateLink() {
	const { text } = link();
	try {
		history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
	} catch {
		// A frame without an address of its own.
	}
}

const sameName = (n, word) => names[n] === word || (word.startsWith('~') && hashOf(names[n]) === word);

// The view that an address tells; `?s=` and `#s=` of older links are a search.
function readLink() {
	const given = new Map();
	for (const pair of (location.search.slice(1) + '&' + location.hash.slice(1)).split('&')) {
		const cut = pair.indexOf('=');
		if (cut > 0)
			given.set(decoded(pair.slice(0, cut)), pair.slice(cut + 1).split(';').map(decoded));
	}
	const one = key => given.has(key) ? given.get(key)[0] : '';
	const tabOf = key => Math.min(parseInt(one(key), 10) || 0, profiles.length - 1);
	const whatOf = (before, tab) => {
		const what = emptyWhat();
		for (const text of given.get(before + 'steps') || []) {
			const cut = text.indexOf(':'), kind = text.slice(0, cut);
			if (STEPS[kind])
				what.steps.push({ kind, text: text.slice(cut + 1) });
		}
		for (const title of given.get(before + 'off') || []) {
			const kind = settings.kinds.findIndex(one => one[0] === title);
			if (kind >= 0)
				what.off.add(kind);
		}
		for (const text of given.get(before + 'time') || []) {
			const range = text.split('..').map(Number);
			if (range.length === 2 && range[1] > range[0])
				what.times.push(range);
		}
		what.group = (given.get(before + 'by') || []).filter(key => profiles[tab].keys.includes(key));
		for (const [key, words] of given)
			if (key.startsWith(before + 'only.')) {
				const label = key.slice(before.length + 5), known = new Set(profiles[tab].contexts.map(one => one.values[label] || ''));
				const values = [...known].filter(value => words.includes(value) || words.includes(hashOf(value)));
				if (profiles[tab].keys.includes(label) && values.length)
					what.labels[label] = new Set(values);
			}
		return what;
	};
	state.tab = tabOf('tab');
	state.what = whatOf('', state.tab);
	state.mode = ['bottom', 'table', 'tree'].includes(one('view')) ? one('view') : 'graph';
	if (one('view') === 'around') {
		state.of = names.findIndex((_, n) => n !== root && sameName(n, one('of')));
		state.mode = state.of < 0 ? 'graph' : 'around';
	}
	state.wasInverted = null;
	graphs.main.inverted = settings.inverted !== Boolean(one('flip'));
	const colour = MODES.some(([key]) => key === one('colour')) ? one('colour') : settings.colours;
	if (colour !== state.colour) {
		state.colour = colour;
		readTheme();
	}
	state.compare = '';
	const compare = one('compare').split('.');
	if (compare[0] === 'side' || compare[0] === 'diff') {
		state.a = { tab: tabOf('a.tab'), what: whatOf('a.', tabOf('a.tab')) };
		state.compare = compare[0];
		state.fair = compare[1] !== 'raw';
	}
	search.matchCase = given.has('S');
	$('case').setAttribute('aria-pressed', search.matchCase);
	$('search').value = one('S') || one('s') || settings.search;
	return given.get('zoom') || [];
}

// Goes down a tree by names, as far as they lead.
function followWords(tree, words) {
	const path = [];
	let frame = 0;
	for (const word of words) {
		let callee = frame + 1;
		while (callee < tree.end[frame] && !sameName(tree.name[callee], word))
			callee = tree.end[callee];
		if (callee >= tree.end[frame])
			break;
		path.push(tree.name[callee]);
		frame = callee;
	}
	return path;
}
