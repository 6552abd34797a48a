// A window of any width, pointers and fingers, and the beginning.

const LETTER = 6.4, SWATCH = 15, NARROW = 800; // as they were written

// Lines of the head and the legend as they fit; what follows is so much lower.
function layOut(width) {
	const isNarrow = width < NARROW, y = isNarrow ? 78 : 34, title = find('title'), subtitle = find('subtitle');
	const space = width - (isNarrow ? 0 : NARROW / 2);
	layOut.subtitle ||= subtitle.textContent;
	title.textContent = fitEnd(svg.querySelector('title').textContent, Math.max(0, space / 10.5));
	subtitle.textContent = fitEnd(layOut.subtitle, Math.max(0, space / 6.6));
	title.setAttribute('y', y);
	subtitle.setAttribute('y', y + 20);
	let x = origin, down = y + 40;
	const legend = [...find('legend').children];
	for (let i = 0; i < legend.length; i += 2) {
		const wide = SWATCH + LETTER * legend[i + 1].textContent.length + 10;
		if (i && x + wide > origin + width) {
			x = origin;
			down += 16;
		}
		legend[i].setAttribute('x', x);
		legend[i].setAttribute('y', down - 9);
		legend[i + 1].setAttribute('x', x + SWATCH);
		legend[i + 1].setAttribute('y', down);
		x += wide;
	}
	inner = width;
	fall = (legend.length ? down + 12 : down - 8) - top0;
	const high = top0 + fall + rows.length * row + 34;
	details.setAttribute('y', high - 14);
	svg.setAttribute('height', high);
	svg.setAttribute('viewBox', `0 0 ${width + 2 * origin} ${high}`);
}

function fill() {
	svg.setAttribute('width', '100%');
	const width = Math.max(320, Math.round(svg.getBoundingClientRect().width)) - 2 * origin;
	if (width === inner)
		return;
	layOut(width);
	controls.place();
	draw();
	tip.hide();
}

let pointer = 'mouse';
svg.addEventListener('pointerdown', event => {
	pointer = event.pointerType;
});
svg.addEventListener('pointermove', event => {
	if (event.pointerType !== 'mouse')
		return;
	const box = boxAt(event);
	outline('pointed', box);
	tip.show(box, event.clientX, event.clientY);
});
svg.addEventListener('pointerleave', event => {
	if (event.pointerType !== 'mouse')
		return;
	outline('pointed', null);
	tip.hide();
});
svg.addEventListener('click', event => {
	const box = boxAt(event);
	if (!box)
		return pointer === 'mouse' || controls.holder.contains(event.target) ? null : tip.hide();
	if (pointer === 'mouse' || tip.box === box) {
		zoom(box);
		outline('cursor', null);
	} else {
		// No pointer hovers over a screen that is touched: the first tap tells.
		outline('cursor', box);
		event.preventDefault();
	}
	if (pointer !== 'mouse')
		tip.show(box, event.clientX, event.clientY);
});
addEventListener('keydown', key);
for (const group of [base, view, ...Object.values(outlines)])
	group.setAttribute('aria-hidden', 'true'); // the tree tells
controls.place();
list(root);
if (isWhole) {
	addEventListener('popstate', arrive);
	if (given.fluid) {
		addEventListener('resize', fill);
		fill();
	}
	const [box, text, matchCase] = told();
	trail.at = history.state?.at || 0; // after a reload
	trail.list[trail.at] = box;
	if (box !== root)
		show(box);
	search.run(text || given.search, matchCase);
} else if (given.search) {
	search.run(given.search, false);
}
