// What a click, a search and a key do in the picture. Without it the picture is whole, only still.
'use strict';
(() => {
const script = document.currentScript || document.querySelector('script');
const svg = script.closest('svg');
const find = name => svg.querySelector('.' + name);
const frames = find('frames'), details = find('details'), matched = find('matched');
const origin = +frames.dataset.x, width = +frames.dataset.width, total = +frames.dataset.total;
const column = +frames.dataset.column, inset = +frames.dataset.inset, drop = +frames.dataset.drop;
const narrowest = 0.1; // pixels: what is narrower shows nothing
const make = name => document.createElementNS(svg.namespaceURI, name);

// Boxes come children first; the last one is the root.
const boxes = [];
for (const node of frames.querySelectorAll('rect, text')) {
	if (node.localName === 'text') {
		boxes[boxes.length - 1].text = node;
		continue;
	}
	boxes.push({ rect: node, text: null, left: +node.dataset.l, total: +node.dataset.t,
		y: +node.getAttribute('y'), hidden: false, above: false,
		name: node.firstElementChild.textContent.split('\n', 1)[0] });
}
const boxOf = new Map(boxes.map(box => [box.rect, box]));
const root = boxes[boxes.length - 1];
const upwards = boxes.length > 1 && boxes[0].y < root.y ? -1 : 1;
const depth = box => (box.y - root.y) * upwards;
let zoomed = root;

const room = text => { let used = 0; for (const c of text) used += c.codePointAt(0) < 0x1100 ? 1 : 2; return used; };

// As the picture was written: what does not fit loses its end, or its beginning.
function fit(name, columns, cutsLeft) {
	let used = 0, cut = 0, at = 0;
	if (cutsLeft && (used = room(name)) > columns) {
		const rest = [...name];
		while (used > columns - 2)
			used -= room(rest.shift());
		return '..' + rest.join('');
	}
	used = 0;
	for (const character of name) {
		used += character.codePointAt(0) < 0x1100 ? 1 : 2;
		at += character.length;
		if (used > columns)
			return name.slice(0, cut) + '..';
		if (used + 2 <= columns)
			cut = at;
	}
	return name;
}

function label(box, x, w) {
	const columns = Math.floor((w - 2 * inset) / column);
	if (columns < 3) {
		if (box.text)
			box.text.style.display = 'none';
		return;
	}
	if (!box.text) {
		box.text = make('text');
		box.text.setAttribute('y', box.y + drop);
		box.rect.after(box.text);
	}
	box.text.style.display = '';
	box.text.setAttribute('x', x + inset);
	const words = fit(box.name, columns, frames.dataset.cut === 'left');
	if (box.text.textContent !== words)
		box.text.textContent = words;
}

// No width instead of no display: coming back costs a browser half as much.
function hide(box) {
	if (box.hidden)
		return;
	box.hidden = true;
	box.rect.setAttribute('width', 0);
	if (box.text)
		box.text.style.display = 'none';
}

function zoom(to) {
	const scale = width / to.total, end = to.left + to.total;
	zoomed = to;
	for (const box of boxes) {
		const above = box !== to && depth(box) < depth(to);
		const outside = above ? box.left > to.left || box.left + box.total < end :
			box.left < to.left || box.left + box.total > end;
		let x = origin + (box.left - to.left) * scale, w = box.total * scale;
		if (outside || (w < narrowest && to !== root)) {
			hide(box);
			continue;
		}
		if (above) {
			x = origin;
			w = width;
		}
		box.hidden = false;
		box.rect.setAttribute('x', x);
		box.rect.setAttribute('width', w);
		if (above !== box.above)
			box.rect.classList.toggle('above', box.above = above);
		label(box, x, w);
	}
	reset.style.display = to === root ? 'none' : '';
}

// The widest matches count, what lies above them is in them.
function search(term) {
	let test = null, sum = 0, end = -1;
	field.setCustomValidity('');
	if (term) {
		try {
			const pattern = new RegExp(term);
			test = name => pattern.test(name);
		} catch (error) {
			field.setCustomValidity(error.message);
			test = name => name.includes(term);
		}
	}
	frames.classList.toggle('sought', !!test);
	const hits = [];
	for (const box of boxes) {
		const hit = !!test && box !== root && test(box.name);
		if (hit !== !!box.hit)
			box.rect.classList.toggle('match', box.hit = hit);
		if (hit)
			hits.push(box);
	}
	hits.sort((a, b) => a.left - b.left || b.total - a.total);
	for (const box of hits)
		if (box.left >= end) {
			sum += box.total;
			end = box.left + box.total;
		}
	matched.textContent = test ? 'Matched ' + (100 * sum / total).toFixed(2) + ' %' : '';
}

// The controls exist only where they work.
const controls = find('controls'), right = +controls.dataset.right;
const fieldWidth = Math.min(180, width);
const holder = make('foreignObject');
const field = document.createElementNS('http://www.w3.org/1999/xhtml', 'input');
for (const [name, value] of [['x', right - fieldWidth], ['y', 16], ['width', fieldWidth], ['height', 26]])
	holder.setAttribute(name, value);
field.placeholder = 'Search (regex)';
field.setAttribute('aria-label', 'Search frames by regular expression');
field.spellcheck = false;
holder.append(field);
const reset = make('text');
reset.textContent = 'Reset zoom';
reset.setAttribute('class', 'reset');
reset.setAttribute('x', right - fieldWidth - 12);
reset.setAttribute('y', 32);
reset.setAttribute('text-anchor', 'end');
reset.style.display = 'none';
controls.append(reset, holder);

field.addEventListener('input', () => search(field.value));
reset.addEventListener('click', () => zoom(root));
frames.addEventListener('click', event => {
	const box = boxOf.get(event.target.closest('rect'));
	if (box)
		zoom(box);
});
frames.addEventListener('mouseover', event => {
	const box = boxOf.get(event.target.closest('rect'));
	if (box)
		details.textContent = fit((frames.dataset.type ? frames.dataset.type + ' ' : '') + box.rect.firstElementChild.textContent.replace(/\n/g, ' \u00b7 '),
			(width - 130) / 6.6);
});
frames.addEventListener('mouseout', () => { details.textContent = ''; });
addEventListener('keydown', event => {
	if (event.key === 'F3' || (event.key === 'f' && (event.ctrlKey || event.metaKey)) ||
	    (event.key === '/' && event.target !== field)) {
		event.preventDefault();
		field.focus();
		field.select();
	} else if (event.key === 'Escape') {
		if (field.value) {
			field.value = '';
			search('');
		} else {
			zoom(root);
		}
		field.blur();
	}
});
if (frames.dataset.search) {
	field.value = frames.dataset.search;
	search(field.value);
}
})();
