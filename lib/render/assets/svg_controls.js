// Search field, buttons and the sheet of keys. They exist only where they work.

const BAR = 390, BAR_HIGH = 50;
const KEYS = [['click, Enter', 'zoom to a frame; on a pale one, out to it'], ['tap', 'show a frame; a second tap zooms'],
	['\u2190 \u2191 \u2192 \u2193', 'move among frames; Home: the zoomed one'],
	['Backspace', 'the zoom before; with Shift the one after; also the browser\u2019s back and forward'], ['0', 'reset zoom'],
	['/ or Ctrl F', 'search by a regular expression'], ['c', 'match case, or not'], ['n N', 'next and previous match'],
	['Esc', 'close, clear the search, then reset zoom'], ['?', 'this sheet']];

const controls = {
	reset: html('button', { onclick: () => zoom(root) }, 'Reset zoom'),
	field: html('input', { type: 'search', placeholder: 'Search (regex)', 'aria-label': 'Search frames by regular expression',
		spellcheck: 'false', autocomplete: 'off', oninput: () => controls.changed() }),
	matchCase: html('button', { title: 'Match case (c)', 'aria-label': 'Aa: match case', 'aria-pressed': 'false', onclick: () => controls.toggleCase() }, 'Aa'),
	previous: html('button', { title: 'Previous match (N)', 'aria-label': 'Previous match', onclick: () => search.go(-1) }, '\u2039'),
	next: html('button', { title: 'Next match (n)', 'aria-label': 'Next match', onclick: () => search.go(1) }, '\u203a'),
	help: html('button', { title: 'Keys (?)', 'aria-label': 'Keys', onclick: () => controls.sheet.showModal() }, '?'),
	matched: html('output', { class: 'matched' }),
	sheet: html('dialog', { class: 'sheet', 'aria-label': 'Keys' }, html('h2', {}, 'Keys'),
		html('dl', {}, ...KEYS.flatMap(([keys, what]) => [html('dt', {}, html('kbd', {}, keys)), html('dd', {}, what)])),
		html('button', { onclick: () => controls.sheet.close() }, 'Close')),
	holder: shape('foreignObject', { y: 12, height: BAR_HIGH }),
	treeHolder: shape('foreignObject', { width: 1, height: 1 }),

	place() {
		const width = Math.min(BAR, inner);
		controls.holder.setAttribute('x', origin + inner - width);
		controls.holder.setAttribute('width', width);
	},
	changed() {
		search.run(controls.field.value, search.matchCase);
		remember(false);
	},
	toggleCase() {
		search.run(search.text, !search.matchCase);
		remember(false);
	},
	// What a search has found.
	search(words) {
		const { field } = controls, isFound = boxes.some(box => box.hit);
		if (field.value !== search.text)
			field.value = search.text;
		field.setCustomValidity(!search.text || isExpression(search.text) ? '' : 'not a regular expression: searched as it is');
		controls.matched.textContent = words;
		controls.matchCase.setAttribute('aria-pressed', search.matchCase);
		controls.next.disabled = controls.previous.disabled = !isFound;
	},
};
controls.reset.hidden = controls.next.disabled = controls.previous.disabled = true;
controls.holder.append(html('div', { class: 'bar', role: 'search' }, controls.reset, controls.field, controls.matchCase,
	controls.previous, controls.next, controls.help, controls.matched), controls.sheet);
controls.treeHolder.append(tree, tip.body);
svg.append(controls.holder, controls.treeHolder);
