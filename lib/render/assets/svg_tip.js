// What is said of a box: beside it, and in the line below the picture.

// Name, total, shares, self.
function wordsOf(box) {
	const [name, about, ...more] = linesOf(box), shares = [];
	if (zoomed !== root && isIn(box, zoomed))
		shares.push(share(box.total, zoomed.total) + ' of the view');
	if (box.depth > 1)
		shares.push(share(box.total, box.caller.total) + ' of its caller');
	if (about && !more.length && !isSmall(box))
		more.push('self ' + about.split(', ').slice(-2).join(', '));
	return [name, about, shares.join(', '), ...more].filter(Boolean);
}

const details = find('details');
const tip = {
	box: null,
	// Above all else, also where the picture is too low for it. A browser that knows no popover has the line below.
	body: html('div', { class: 'tip', popover: 'manual', 'aria-hidden': 'true' }),

	// Beside a point of the window, or below the chosen box.
	show(box, x, y) {
		if (!box)
			return tip.hide();
		const { body } = tip;
		if (tip.box !== box) {
			const [name, ...lines] = wordsOf(box);
			body.replaceChildren(html('b', {}, name), ...lines.map(line => html('p', {}, line)));
			details.textContent = fitEnd((given.type ? given.type + ' ' : '') + [name, ...lines].join(' \u00b7 '), inner / 6.6);
			box.rect.querySelector('title').textContent = '';
			tip.box = box;
		}
		if (!body.showPopover)
			return body.remove();
		if (!body.matches(':popover-open'))
			body.showPopover();
		if (x === undefined) {
			const area = outlines.cursor.getBoundingClientRect();
			x = Math.max(area.left, 0);
			y = area.bottom - 8;
		}
		const { width, height } = body.getBoundingClientRect();
		body.style.left = Math.max(4, Math.min(x + 12, innerWidth - width - 8)) + 'px';
		body.style.top = Math.max(4, y + 16 + height > innerHeight ? y - height - 28 : y + 16) + 'px';
	},
	hide() {
		if (!tip.box)
			return;
		tip.box = null;
		if (tip.body.showPopover)
			tip.body.hidePopover();
		details.textContent = '';
	},
};
