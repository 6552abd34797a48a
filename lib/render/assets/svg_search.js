// Names that match, what they are worth together, and the way from one to the next.

const search = {
	text: '',
	matchCase: false,

	run(text, matchCase) {
		const test = text ? expression(text, matchCase) : null;
		search.text = text;
		search.matchCase = matchCase;
		isSought = Boolean(text);
		for (const box of boxes)
			box.hit = isSought && box !== root && test(nameOf(box));
		draw();
		controls.search(search.count());
	},
	// Callers before callees: what is in a match that was counted is not counted again.
	count() {
		let all = 0, self = 0, inside = Infinity;
		for (let n = boxes.length - 1; n >= 0; n--)
			if (boxes[n].hit) {
				self += boxes[n].self;
				if (n < inside) {
					all += boxes[n].total;
					inside = boxes[n].first;
				}
			}
		return isSought ? 'Matched ' + share(all, total) + ', self ' + share(self, total) : '';
	},
	// From left to right, callers first; zooms out to where it can be seen.
	go(step) {
		const found = boxes.filter(box => box.hit).sort((a, b) => a.left - b.left || a.depth - b.depth);
		if (!found.length)
			return;
		const from = found.indexOf(chosen.cursor), to = from < 0 && step < 0 ? found.length - 1 : (from + step + found.length) % found.length;
		reveal(found[to]);
	},
};

// Zooms so far out or in that the box is wide enough to be seen, and chooses it.
function reveal(box) {
	let to = zoomed;
	while (!isIn(box, to))
		to = to.caller;
	if (box.total * inner / to.total < 4)
		for (to = box; to.caller && box.total * inner / to.caller.total >= 40;)
			to = to.caller;
	if (to !== zoomed)
		zoom(to);
	choose(box);
}
