// The tree for those who hear it: its rows are the callers of the chosen box, its siblings, and its callees.

const ROWS_MOST = 100; // siblings, callees
const unique = 'gp' + Math.random().toString(36).slice(2);
const tree = html('div', { class: 'outline-tree', role: 'tree', tabindex: 0,
	'aria-label': 'Frames: arrow keys move, Enter zooms, question mark lists all keys' });

function rowOf(box, isOpen, at) {
	const siblings = box.caller ? box.caller.callees : [box], [name, ...lines] = wordsOf(box), id = unique + box.n;
	const item = html('div', { role: 'treeitem', id, 'aria-level': box.depth + 1, 'aria-setsize': siblings.length,
		'aria-posinset': siblings.indexOf(box) + 1, 'aria-selected': box === at }, [name, ...lines].join(', '));
	if (box.callees.length)
		item.setAttribute('aria-expanded', isOpen);
	return item;
}

function list(box) {
	const path = [], siblings = box.caller ? box.caller.callees : [box], at = siblings.indexOf(box);
	for (let caller = box.caller; caller; caller = caller.caller)
		path.unshift(caller);
	const near = siblings.slice(Math.max(0, at - ROWS_MOST / 2), at + ROWS_MOST / 2);
	tree.replaceChildren(...path.map(caller => rowOf(caller, true, box)), ...near.flatMap(one => one === box ?
		[rowOf(one, true, box), ...one.callees.slice(0, ROWS_MOST).map(callee => rowOf(callee, false, box))] : [rowOf(one, false, box)]));
	tree.setAttribute('aria-activedescendant', unique + box.n);
}

function choose(box) {
	outline('cursor', box);
	list(box);
	const area = outlines.cursor.getBoundingClientRect();
	if (isWhole && (area.top < 0 || area.bottom > innerHeight))
		scrollBy(0, area.top - innerHeight / 2);
	tip.show(box);
}

// Nearer to the leaves, to the root, or aside in the row, over what is in sight.
function move(key) {
	const box = chosen.cursor && isShown(chosen.cursor) ? chosen.cursor : null;
	if (!box)
		return choose(zoomed);
	const outwards = key === (upwards > 0 ? 'ArrowUp' : 'ArrowDown'), step = key === 'ArrowLeft' ? -1 : 1;
	let to;
	if (key === 'Home')
		to = zoomed;
	else if (key === 'ArrowLeft' || key === 'ArrowRight')
		for (let i = rows[box.depth].indexOf(box) + step; (to = rows[box.depth][i]) && !isShown(to);)
			i += step;
	else
		to = outwards ? box.callees.filter(isShown).sort((a, b) => b.total - a.total)[0] : box.caller;
	choose(to || box);
}
