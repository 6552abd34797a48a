// Values as people read them.

const grouped = number => number.toLocaleString('en-US', { maximumFractionDigits: 9 });
const LARGER = { ns: [['s', 1e9], ['ms', 1e6], ['µs', 1e3]], us: [['s', 1e6], ['ms', 1e3]],
	bytes: [['TiB', 2 ** 40], ['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]] };

// "1.23 s (1,234,567,890 ns)"; brief: without what is in brackets.
function amount(value, brief) {
	const { unit, scale } = profiles[state.tab], real = value / scale;
	const exact = (value > Number.MAX_SAFE_INTEGER ? 'about ' : '') + grouped(real) + ' ' +
		(real === 1 ? unit.replace(/(..)s$/, '$1') : unit);
	for (const [word, size] of LARGER[unit] || [])
		if (real >= size) {
			const larger = grouped(+(real / size).toPrecision(3)) + ' ' + word;
			return brief ? larger : larger + ' (' + exact + ')';
		}
	return brief ? grouped(real) : exact;
}

// "new", "removed", "×2.00": what became of a value, in words.
function change(now, was) {
	if (was === now)
		return 'unchanged';
	return !was ? 'new' : !now ? 'removed' : '×' + (now / was).toPrecision(3);
}

// An element: make('button', { class: 'x', onclick }, 'words', child).
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {}))
		if (typeof value === 'function')
			element.addEventListener(key.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(key, value === true ? '' : value);
	element.append(...children.filter(child => child !== null && child !== undefined));
	return element;
}

const fit = fitEnd;
