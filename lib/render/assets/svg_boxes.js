// The boxes as they were written: callees before their callers, the root last.

const script = document.currentScript || document.querySelector('script');
const svg = script.closest('svg'), isWhole = svg === document.documentElement; // else it is a part of somebody's page
// A part of the picture; nobody's box, whatever class --nameattr gave it.
const find = name => svg.querySelector(`.${name}:not(.frames *)`);
const base = find('frames'), given = base.dataset;
const origin = +given.x, written = +given.width, total = +given.total, row = +given.row, top0 = +given.top;
const column = +given.column, inset = +given.inset, drop = +given.drop;

// An element: shape('rect', { x: 1, onclick }, child).
const maker = space => (tag, attributes, ...children) => {
	const element = document.createElementNS(space, tag);
	for (const [key, value] of Object.entries(attributes || {}))
		if (typeof value === 'function')
			element.addEventListener(key.slice(2), value);
		else
			element.setAttribute(key, value);
	element.append(...children);
	return element;
};
const shape = maker(svg.namespaceURI), html = maker('http://www.w3.org/1999/xhtml');

const boxes = [], boxOf = new WeakMap(), rows = [];
for (const node of base.querySelectorAll('rect, text'))
	if (node.localName === 'text') {
		boxes.at(-1).text = node;
	} else {
		const data = node.dataset, box = { rect: node, text: null, left: +data.l, total: +data.t,
			self: +(data.s || data.t), y: +node.getAttribute('y'), n: boxes.length, callees: [], caller: null, hit: false };
		boxes.push(box);
		boxOf.set(node, box);
	}
const root = boxes.at(-1), tall = +root.rect.getAttribute('height');
const upwards = boxes.length > 1 && boxes[0].y > root.y ? -1 : 1; // where callees are: 1 is up

// Those of a row whose caller is still to come are its callees.
for (const box of boxes) {
	const depth = box.depth = Math.round(Math.abs(box.y - root.y) / row);
	(rows[depth] ||= []).push(box);
	const above = rows[depth + 1] || [];
	let from = above.length;
	while (from && !above[from - 1].caller)
		above[--from].caller = box;
	box.callees = above.slice(from);
	box.first = box.callees.length ? box.callees[0].first : box.n; // what is upon it: first to n
}

// Lines of the title: name, numbers. It is emptied, since the browser would show it beside the tip.
function linesOf(box) {
	if (!box.lines) {
		const title = box.rect.querySelector('title');
		box.lines = title.textContent.split('\n');
		box.name = box.rect.dataset.n || box.lines[0];
	}
	return box.lines;
}
const nameOf = box => box.name || (linesOf(box), box.name);
const isSmall = box => nameOf(box) === '[small]' && /^[\d,]+ small frame/.test(linesOf(box)[1]);
const isIn = (box, outer) => box.n <= outer.n && box.n >= outer.first;
