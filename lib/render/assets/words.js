// Values as people read them.

const grouped = number => number.toLocaleString('en-US', { maximumFractionDigits: 9 });
const LARGER = { ns: [['s', 1e9], ['ms', 1e6], ['µs', 1e3]], us: [['s', 1e6], ['ms', 1e3]],
	bytes: [['TiB', 2 ** 40], ['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]] };

// A whole number of any size by a power of ten.
function wholeDigits(value, scale) {
	const places = String(scale).length - 1, digits = String(value).padStart(places + 1, '0'), cut = digits.length - places;
	const rest = digits.slice(cut).replace(/0+$/, '');
	return digits.slice(0, cut).replace(/\B(?=(\d{3})+$)/g, ',') + (rest && '.' + rest);
}

// "1.23 s (1,234,567,890 ns)"; brief: without what is in brackets. A BigInt is exact, a number where it can be.
function amount(value, brief) {
	const { unit, scale } = profiles[state.tab], real = Number(value) / scale * settings.factor;
	const digits = typeof value === 'bigint' && settings.factor === 1 ? wholeDigits(value, scale) :
		(value > MOST ? 'about ' : '') + grouped(settings.factor === 1 ? real : +real.toFixed(2));
	const exact = digits + ' ' + (real === 1 ? unit.replace(/(..)s$/, '$1') : unit);
	for (const [word, size] of LARGER[unit] || [])
		if (real >= size) {
			const part = real / size, larger = (part >= 999.5 ? grouped(Math.round(part)) :
				part.toFixed(part < 9.995 ? 2 : part < 99.95 ? 1 : 0)) + ' ' + word;
			return brief ? larger : larger + ' (' + exact + ')';
		}
	return brief ? digits : exact;
}

// An element: make('button', { class: 'x', onclick }, 'words', child).
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);
	for (const [key, value] of Object.entries(attributes || {}))
		if (typeof value === 'function')
			element.addEventListener(key.slice(2), value);
		else if (key.startsWith('aria-') && typeof value === 'boolean')
			element.setAttribute(key, value); // here "false" says something
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(key, value === true ? '' : value);
	element.append(...children.filter(child => child !== null && child !== undefined));
	return element;
}

// The text of names at most so many columns wide, ".." where it is cut: at the end, or at the beginning.
const fit = (words, columns) => (settings.cutsLeft ? fitStart : fitEnd)(words, columns);
