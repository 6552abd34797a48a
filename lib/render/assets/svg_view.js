// What is in sight: the picture as it was written, or a part of it, drawn anew: boxes too narrow for a name as a path for
// each colour, so that the browser has few elements to lay out.

const AWAY = 'translate(-1000000 0)'; // costs less than hiding what is in it, and above all than showing it again
const NARROWEST = 0.1; // pixels: what is narrower shows nothing
const view = shape('g', { class: 'frames' });
const outlines = { pointed: shape('rect', { class: 'outline' }), cursor: shape('rect', { class: 'outline cursor' }) };
const chosen = { pointed: null, cursor: null };
let zoomed = root, inner = written, fall = 0; // fall: how much lower than written the boxes are
let isSought = false;
base.after(view, outlines.pointed, outlines.cursor);

const isAbove = box => box !== zoomed && isIn(zoomed, box);
const placeOf = box => isAbove(box) ? [origin, inner] :
	[origin + (box.left - zoomed.left) * inner / zoomed.total, box.total * inner / zoomed.total];
const isShown = box => isAbove(box) || (isIn(box, zoomed) && placeOf(box)[1] >= NARROWEST);
const looks = (box, more) => (box.looks ||= box.rect.getAttribute('class')) + (box.hit ? ' match' : '') + more;
const round = number => Math.round(number * 100) / 100;

function outlineOf(box, x, w) {
	return w < 4 ? `M${round(x)} ${box.y}h${round(w)}v${tall}h${-round(w)}z` :
		`M${round(x + 2)} ${box.y}h${round(w - 4)}q2 0 2 2v${tall - 4}q0 2-2 2h${round(4 - w)}q-2 0-2-2v${4 - tall}q0-2 2-2z`;
}

function wide(box, x, w, more) {
	const rect = box.rect.cloneNode(false), columns = Math.floor((w - 2 * inset) / column);
	rect.removeAttribute('id');
	rect.setAttribute('class', looks(box, more));
	rect.setAttribute('x', x);
	rect.setAttribute('width', w);
	boxOf.set(rect, box);
	const parts = [rect];
	if (columns >= 3)
		parts.push(shape('text', { x: x + inset, y: box.y + drop }, (given.cut === 'left' ? fitStart : fitEnd)(nameOf(box), columns)));
	if (box.rect.parentNode === base)
		return parts;
	const link = box.rect.parentNode.cloneNode(false);
	link.append(...parts);
	return [link];
}

function drawn() {
	const paths = new Map(), parts = [], all = document.createDocumentFragment(), stack = [zoomed], least = 3 * column + 2 * inset;
	for (let box; (box = stack.pop());) {
		const [x, w] = placeOf(box);
		if (w < NARROWEST)
			continue;
		for (const callee of box.callees)
			stack.push(callee);
		if (w >= least || box.rect.parentNode !== base) {
			parts.push(...wide(box, x, w, ''));
			continue;
		}
		const key = looks(box, '') + '|' + (box.fill ??= box.rect.getAttribute('fill') || '');
		if (!paths.has(key))
			paths.set(key, []);
		paths.get(key).push(outlineOf(box, x, w));
	}
	for (let box = zoomed.caller; box; box = box.caller)
		parts.push(...wide(box, origin, inner, ' above'));
	// An empty title: none of what is around.
	all.append(shape('title'));
	for (const [key, lines] of paths) {
		const [looks, fill] = key.split('|'), path = shape('path', { class: looks, d: lines.join('') });
		if (fill)
			path.setAttribute('fill', fill);
		all.append(path);
	}
	for (const part of parts)
		all.append(part);
	return all;
}

function draw() {
	const isWritten = zoomed === root && inner === written;
	if (isWritten) {
		for (const box of boxes)
			if (box.hit !== Boolean(box.isMarked))
				box.rect.classList.toggle('match', box.isMarked = box.hit);
		base.classList.toggle('sought', isSought);
	}
	base.setAttribute('transform', isWritten ? `translate(0 ${fall})` : AWAY);
	view.setAttribute('transform', `translate(0 ${fall})`);
	view.classList.toggle('sought', isSought);
	view.replaceChildren();
	if (!isWritten)
		view.append(drawn());
	for (const which of Object.keys(outlines))
		outline(which, chosen[which]);
}

// A line round the box under the pointer, or where the keys are.
function outline(which, box) {
	const rect = outlines[which], isHere = box && isShown(box), [x, w] = isHere ? placeOf(box) : [0, 0];
	chosen[which] = box;
	rect.style.display = isHere ? '' : 'none';
	if (isHere)
		for (const [key, value] of Object.entries({ x, y: box.y + fall, width: Math.max(w, 1), height: tall }))
			rect.setAttribute(key, value);
}

// The box of an event: narrow ones are no elements.
function boxAt(event) {
	const element = event.target, known = boxOf.get(element);
	if (known || !view.contains(element))
		return known || null;
	const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(view.getScreenCTM().inverse());
	const all = rows[Math.floor((root.y + tall - y) * upwards / row + (upwards < 0 ? 1 : 0))] || [];
	return all.find(box => {
		const [left, w] = isShown(box) ? placeOf(box) : [0, -1];
		return x >= left && x < left + w;
	}) || null;
}
