// Label frames as columns of the data: every combination of them is a context, with its own value.

// Contexts, the first being that of stacks without labels: their frame, values by key, and value.
function readLabels(tree) {
	const contexts = [], open = [0], keys = [];
	while (open.length) {
		const frame = open.pop(), values = { ...frame ? contexts.at(-1) && valuesAt.get(tree.caller[frame]) : {} };
		if (frame) {
			const text = names[tree.name[frame]], cut = text.indexOf('=');
			const key = text.slice(0, cut);
			if (!keys.includes(key))
				keys.push(key);
			values[key] = text.slice(cut + 1);
		}
		valuesAt.set(frame, values);
		let own = tree.total[frame];
		for (let callee = frame + 1; callee < tree.end[frame]; callee = tree.end[callee])
			if (kindOf(tree.name[callee]) === LABEL) {
				open.push(callee);
				own -= tree.total[callee];
			}
		contexts.push({ frame, values, own });
	}
	valuesAt.clear();
	contexts.sort((a, b) => a.frame - b.frame);
	return { contexts, keys: keys.sort((a, b) => (b === 'time') - (a === 'time')) };
}
const valuesAt = new Map();

// Is a context in a selection, leaving one key aside?
function isSelected(context, what, except) {
	for (const key in what.labels)
		if (key !== except && !what.labels[key].has(context.values[key] || ''))
			return false;
	if (what.times.length && except !== 'time') {
		const time = parseFloat(context.values.time);
		return what.times.some(([from, to]) => time >= from && time < to);
	}
	return true;
}

// Values of a key with what they are worth in the selection of the others, the largest first.
function labelShares(profile, what, key) {
	const sums = new Map();
	for (const context of profile.contexts) {
		const value = context.values[key] || '';
		if (context.own || value)
			sums.set(value, (sums.get(value) || 0) + (isSelected(context, what, key) ? context.own : 0));
	}
	return [...sums].filter(([value, sum]) => value || sum).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
