// What keys do. In somebody's page only while the picture has the focus.

const PLAIN = {
	0: () => zoom(root),
	n: () => search.go(1),
	N: () => search.go(-1),
	c: () => controls.toggleCase(),
	'?': () => controls.sheet.showModal(),
};

function escape() {
	if (search.text) {
		controls.field.value = '';
		controls.changed();
		tree.focus();
	} else if (tip.box) {
		outline('cursor', null);
		tip.hide();
	} else {
		zoom(root);
	}
}

function key(event) {
	const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey, { field, sheet } = controls;
	const isTyping = event.target === field, isButton = event.target.localName === 'button';
	if (sheet.open || (!isWhole && !svg.contains(event.target)))
		return;
	if (event.key === 'F3' || (event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey)) ||
		(event.key === '/' && isPlain && !isTyping)) {
		field.focus();
		field.select();
	} else if (event.key === 'Escape') {
		escape();
	} else if (isTyping && event.key === 'Enter') {
		search.go(event.shiftKey ? -1 : 1);
	} else if (isTyping || !isPlain) {
		return;
	} else if (event.key === 'Backspace') {
		travel(event.shiftKey ? 1 : -1);
	} else if (event.key.startsWith('Arrow') || event.key === 'Home') {
		tree.focus({ preventScroll: true });
		move(event.key);
	} else if (event.key === 'Enter' && !isButton && chosen.cursor) {
		zoom(chosen.cursor);
		choose(zoomed);
	} else if (PLAIN[event.key]) {
		PLAIN[event.key]();
	} else {
		return;
	}
	event.preventDefault();
}
