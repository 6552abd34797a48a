// What is said of a frame: the line below the graph, the tooltip, the menu.

function shares(graph, frame) {
	const { tree, zoomed } = graph, { caller, depth } = tree;
	const value = worth(tree), of = value[frame];
	const words = [share(of, value[0])];
	if (zoomed && frame >= zoomed)
		words.push(share(of, value[zoomed]) + ' of the view');
	if (depth[frame] > 1)
		words.push(share(of, value[caller[frame]]) + ' of its caller');
	return words.join(', ');
}

// Two lines: total and self.
function wordsOf(graph, frame) {
	const { tree } = graph, kind = frame ? settings.kinds[kindOf(tree.name[frame])][0] + ' · ' : '';
	if (!tree.was)
		return [kind + amount(exactTotal(tree, frame)) + ' · ' + shares(graph, frame),
			'self ' + amount(exactSelf(tree, frame)) + ' · ' + share(tree.self[frame], tree.total[0])];
	return [kind + changeWords(tree, frame, false), 'self: ' + changeWords(tree, frame, true)];
}

// What a file gave to a name: [title, link].
const attributesOf = n => n === root ? ['', ''] : settings.attributes[shown(n)] || ['', ''];

const nameOf = (tree, frame) => tree.name[frame] === root ? rootName(tree) : shown(tree.name[frame]);

function describe(graph, frame) {
	$('details').textContent = frame < 0 ? '' :
		nameOf(graph.tree, frame).slice(0, 4096) + ' · ' + wordsOf(graph, frame).join(' · ');
}

const tip = {
	show(graph, frame, clientX, clientY) {
		const element = $('tip');
		if (frame < 0)
			return tip.hide();
		const [about, own] = wordsOf(graph, frame);
		element.children[0].textContent = nameOf(graph.tree, frame).slice(0, 4096);
		const [title] = attributesOf(graph.tree.name[frame]);
		element.children[1].textContent = title ? title + ' · ' + about : about;
		element.children[2].textContent = own;
		element.hidden = false;
		const x = clientX + 14, y = clientY + 16;
		element.style.left = Math.max(4, Math.min(x, innerWidth - element.offsetWidth - 8)) + 'px';
		element.style.top = (y + element.offsetHeight > innerHeight - 8 ?
			Math.max(4, clientY - element.offsetHeight - 10) : y) + 'px';
	},
	hide() {
		$('tip').hidden = true;
	},
};

// Addresses of a frame's source, by the templates of the command line.
function linksOf(n) {
	const name = shown(n), place = /\(([^()]*?):(\d+)\)$/.exec(name), module = /^\[([^\]+]+)/.exec(name);
	const values = { file: place && place[1], line: place && place[2], name, module: module && module[1] };
	const found = [], [, given] = attributesOf(n);
	if (given)
		found.push(given);
	for (const template of settings.links || []) {
		let isWhole = true;
		const address = template.replace(/\{(file|line|name|module)\}/g, (_, key) => {
			if (!values[key])
				isWhole = false;
			return encodeURIComponent(values[key] || '').replace(/%2F/g, '/');
		});
		if (isWhole)
			found.push(address);
	}
	return found;
}

const menu = {
	from: null,
	items(graph, frame) {
		const { tree } = graph, n = tree.name[frame], list = [['Zoom to it', () => graph.zoom(frame)]];
		if (frame > 0) {
			const step = kind => () => addStep(kind, exactly(names[n]));
			list.push(['Callers and callees', () => around(n)], ['Focus: only stacks with it', step('focus')],
				['Ignore: only stacks without it', step('ignore')], ['Hide it', step('hide')],
				['Show from it on', step('show-from')], ['Collapse: runs of it as one', step('collapse')],
				['Merge recursion', () => addStep('merge-recursion', '')], ['Search for it', () => search.set(exactly(shown(n)))], ['Copy name', () => copy(names[n], 'name')]);
			for (const address of linksOf(n))
				list.push(['Open ' + address.slice(0, 60), () => open(address, '_blank', 'noopener')]);
		}
		list.push(['Copy stack', () => copy(graph.pathTo(frame).map(at => names[at]).join('\n'), 'stack')],
			['Copy subtree, folded', () => copyFolded(graph.tree, frame)]);
		return list;
	},
	open(graph, frame, clientX, clientY) {
		const element = $('menu');
		tip.hide();
		menu.from = document.activeElement;
		element.replaceChildren(...menu.items(graph, frame).map(([words, act]) =>
			make('button', { role: 'menuitem', onclick() {
				menu.close();
				act();
			} }, words)));
		element.hidden = false;
		element.style.left = Math.max(4, Math.min(clientX, innerWidth - element.offsetWidth - 8)) + 'px';
		element.style.top = Math.max(4, Math.min(clientY, innerHeight - element.offsetHeight - 8)) + 'px';
		element.firstChild.focus();
	},
	close() {
		if ($('menu').hidden)
			return false;
		$('menu').hidden = true;
		if (menu.from)
			menu.from.focus();
		return true;
	},
	key(event) {
		const all = [...$('menu').children], at = all.indexOf(document.activeElement);
		const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
		if (to === undefined)
			return false;
		all.at(to % all.length).focus();
		return true;
	},
};

// Where the menu of a frame opens when a key asks for it.
function menuAtCursor(graph) {
	const frame = graph.cursor >= 0 ? graph.cursor : graph.zoomed, { x, w, y } = graph.boxOf(frame);
	const box = graph.canvas.getBoundingClientRect();
	menu.open(graph, frame, box.left + x + Math.min(w, 40), box.top + y - graph.view.scrollTop + BOX);
}

// A word on what was done, for a moment.
function say(words) {
	$('said').textContent = words;
	$('said').hidden = false;
	clearTimeout(say.timer);
	say.timer = setTimeout(() => {
		$('said').hidden = true;
	}, 4000);
}
