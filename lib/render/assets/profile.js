// What the page carries: profiles (a tab each), the names of all their frames, what a name looks like.

const $ = id => document.getElementById(id);
const settings = JSON.parse($('settings').textContent);
const LABEL = settings.label; // the kind of label frames
const names = []; // as written; the root's comes last
const colours = []; // by name: kind * shades + shade
const paints = []; // by name, where a palette was asked for: "#rrggbb"
const raw = new Map(); // of names that are not wholly UTF-8: the packed text
const numberOf = new Map(); // by name, once it is asked for
let root = 0;

const kindOf = n => Math.floor(colours[n] / settings.shades);

// A name without the suffix that tells its kind.
function shown(n) {
	const name = names[n], suffix = settings.kinds[kindOf(n)][1];
	const short = suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
	return short || '(empty)';
}

// The number of a name, -1 if no frame is called so.
function nameNumber(name) {
	if (!numberOf.size)
		for (let i = 0; i < names.length; i++)
			if (i !== root)
				numberOf.set(names[i], i);
	return numberOf.has(name) ? numberOf.get(name) : -1;
}

// A name that no frame has: "host=" for what has none.
function addName(name, kind) {
	let n = nameNumber(name);
	if (n < 0) {
		n = names.push(name) - 1;
		colours.push(kind * settings.shades);
		if (paints.length)
			paints.push('#d3d1cc');
		numberOf.set(name, n);
	}
	return n;
}

// --total: what the whole is worth, if that is more than there is.
function widen(tree, asked) {
	if (tree.count > 1)
		tree.total[0] = Math.max(tree.total[0], asked);
	return tree;
}

const part = (what, tab) => document.querySelector(`script.${what}[data-tab="${tab}"]`);

// Several profiles have names of their own: they get common numbers, in the order of the names.
function readProfiles() {
	const packed = settings.tabs.map((_, tab) => {
		const found = unpackNames(part('names', tab).textContent), next = part('paints', tab) && numbers(part('paints', tab).textContent);
		found.paints = next ? found.written.map(() => '#' + next().toString(16).padStart(6, '0')) : [];
		return found;
	});
	let numbering = null;
	if (packed.length === 1) {
		for (const name of packed[0].written)
			names.push(name);
		for (const colour of packed[0].colours)
			colours.push(colour);
		for (const paint of packed[0].paints)
			paints.push(paint);
		packed[0].raw.forEach((text, n) => raw.set(n, text));
	} else {
		const all = new Map();
		for (const { written, colours: own, raw: bytes, paints: painted } of packed)
			written.forEach((name, n) => all.set(bytes.get(n) || name, [name, own[n], bytes.get(n), painted[n]]));
		const order = [...all.keys()].sort((a, b) => a < b ? -1 : 1), place = new Map();
		for (const key of order) {
			const [name, colour, bytes, paint] = all.get(key);
			place.set(key, names.length);
			if (bytes)
				raw.set(names.length, bytes);
			names.push(name);
			colours.push(colour);
			if (paint)
				paints.push(paint);
		}
		numbering = packed.map(({ written, raw: bytes }) => written.map((name, n) => place.get(bytes.get(n) || name)));
	}
	root = names.push('all') - 1;
	colours.push(settings.root);
	if (paints.length)
		paints.push(settings.rootPaint);
	return settings.tabs.map((title, tab) => {
		const header = JSON.parse(part('header', tab).textContent || '{}');
		const tree = unpackRows(part('rows', tab).textContent, packed[tab].written.length, settings.columns[tab],
			settings.layouts[tab], settings.order === 'time');
		if (numbering) {
			const own = numbering[tab];
			own.push(root);
			for (let i = 0; i < tree.count; i++)
				tree.name[i] = own[tree.name[i]];
		}
		const labels = readLabels(tree), asked = settings.totals[tab] > tree.total[0] * (1 + 1e-9) ? settings.totals[tab] : 0;
		widen(tree, asked);
		return { title, header, tree, asked, ...labels, scale: settings.scales[tab], unit: settings.units[tab] };
	});
}
