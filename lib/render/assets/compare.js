// Two selections: A was kept, B is what is looked at.

const copyOf = what => ({ steps: what.steps.map(step => ({ ...step })), off: new Set(what.off), group: [...what.group],
	times: what.times.map(range => [...range]),
	labels: Object.fromEntries(Object.entries(what.labels).map(([key, values]) => [key, new Set(values)])) });

function nameOfSide({ tab, what }) {
	const words = profiles.length > 1 ? [profiles[tab].title] : [];
	for (const key of Object.keys(what.labels))
		words.push(key + ' ' + [...what.labels[key]].map(value => value || '(none)').join(', '));
	for (const [from, to] of what.times)
		words.push('time ' + strip.words(from) + '–' + strip.words(to) + ' s');
	for (const { kind, text } of what.steps)
		words.push(STEPS[kind].toLowerCase() + ' ' + text);
	if (what.off.size)
		words.push('without ' + [...what.off].map(kind => settings.kinds[kind][0]).join(', '));
	return words.join(', ') || 'everything';
}

// What makes two profiles hard to compare.
function differences(a, b) {
	const words = [];
	for (const [key, what] of [['unit', 'units'], ['event', 'events'], ['period_ns', 'sampling periods'], ['period', 'sampling periods'],
		['host', 'hosts'], ['version', 'versions of the profiler']])
		if (String(a.header[key]) !== String(b.header[key]))
			words.push(`A and B have different ${what}: ${a.header[key] ?? 'unknown'} and ${b.header[key] ?? 'unknown'}.`);
	return words;
}

// The tree of both, A scaled to B's total if that is asked for.
function diffTree() {
	const b = { tab: state.tab, what: state.what }, { a } = state;
	const whole = side => filtered(profiles[side.tab], side.what).total[0];
	const factor = state.fair ? whole(b) / (whole(a) || 1) : 1;
	state.sides = ['A', 'B'];
	return compared(profiles[a.tab], a.what, profiles[b.tab], b.what, factor);
}
