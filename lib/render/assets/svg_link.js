// Where one is, in the address: by names of frames, so that it survives new data, order and width. And the way back.

const kindOf = box => (linesOf(box)[1] || '').split(',')[0];
// Frames of one caller with the same name differ in kind.
const fullOf = box => nameOf(box) + '_[' + kindOf(box) + ']';
const wordOf = box => (box.caller.callees.some(other => other !== box && nameOf(other) === nameOf(box)) ? fullOf : nameOf)(box);
const isCalled = (box, word) => [nameOf(box), fullOf(box)].some(name => name === word || (word[0] === '~' && hashOf(name) === word));

function address() {
	const parts = [], path = [];
	for (let box = zoomed; box.caller; box = box.caller)
		path.unshift(wordOf(box));
	if (search.text)
		parts.push((search.matchCase ? 'S=' : 's=') + encoded(search.text));
	const zoom = how => [...parts, ...path.length ? ['zoom=' + path.map(how).map(encoded).join(';')] : []].join('&');
	let text = zoom(word => word);
	if (text.length > LINK_MOST)
		text = zoom(shortened);
	return '#' + (text.length > LINK_MOST ? parts.join('&') : text);
}

// As far as the names lead. The page's have suffixes, which are not shown here.
function follow(words) {
	let box = root;
	for (const word of words) {
		const next = box.callees.find(callee => isCalled(callee, word)) ||
			box.callees.find(callee => nameOf(callee) === word.replace(/_\[\w+\]$/, ''));
		if (!next)
			break;
		box = next;
	}
	return box;
}

// x and y of flamegraph.pl's links are pixels of its picture, of inferno's a value and pixels: rows of 16 below a head of 36,
// 60 with a subtitle.
function oldPlace(x, y) {
	const fromTop = Math.round((+y - ((+y - 37) % 16 ? 61 : 37)) / 16);
	const depth = upwards < 0 ? fromTop : rows.length - 1 - fromTop;
	const left = /\./.test(x) ? (x - 10) / (inner + 2 * origin - 20) * total : +x;
	return (rows[depth] || []).reduce((best, box) => Math.abs(box.left - left) < Math.abs(best.left - left) ? box : best,
		(rows[depth] || [root])[0]);
}

// What the address tells: [box, text, matchCase].
function told() {
	const found = new Map();
	for (const pair of (location.search.slice(1) + '&' + location.hash.slice(1)).split('&')) {
		const cut = pair.indexOf('=');
		if (cut > 0)
			found.set(pair.slice(0, cut), pair.slice(cut + 1).split(';').map(decoded));
	}
	const one = key => found.has(key) ? found.get(key).join(';') : '';
	return [found.has('zoom') ? follow(found.get('zoom')) : one('y') ? oldPlace(one('x'), one('y')) : root,
		one('S') || one('s'), found.has('S')];
}

// Zooms one after the other. The browser's own history, unless the picture is a part of a page or has no address.
const trail = { list: [root], at: 0, isOwn: !isWhole };

function remember(isNew) {
	if (isNew) {
		trail.list.splice(++trail.at, Infinity, zoomed);
		if (!isWhole)
			return;
	}
	try {
		if (isWhole)
			history[isNew ? 'pushState' : 'replaceState']({ at: trail.at }, '', location.pathname + location.search + address());
	} catch {
		trail.isOwn = true;
	}
}

function travel(step) {
	const to = trail.at + step;
	if (to < 0 || (trail.isOwn && to >= trail.list.length))
		return;
	if (!trail.isOwn)
		return history.go(step);
	trail.at = to;
	show(trail.list[to]);
}

function arrive() {
	const [box, text, matchCase] = told();
	trail.at = history.state?.at || 0;
	trail.list[trail.at] = box;
	if (text !== search.text || matchCase !== search.matchCase)
		search.run(text, matchCase);
	show(box);
}

function show(box) {
	zoomed = box;
	draw();
	controls.reset.hidden = box === root;
	list(box);
	tip.hide();
}

function zoom(to) {
	if (to === zoomed)
		return;
	show(to);
	remember(true);
}
