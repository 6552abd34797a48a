// What a box is filled with, and the text on it: the colours of the SVG (render/paint.c).

const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = {};
let palette = [], pale = []; // by what a name's colour is
let steps = []; // of change, from less by none to more

const MODES = [['kind', 'Kind of frame'], ['module', 'Module'], ['package', 'Package'], ['runtime', 'Runtime'],
	['self', 'Share of its own'], ['safe', 'Kind, colour-blind safe']];
if (settings.colours === 'palette')
	MODES.unshift(['palette', 'As asked for: ' + settings.palette]);
if (settings.colours === 'diffusion')
	MODES.unshift(['diffusion', 'Redder the wider']);

const parts = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
const hex = rgb => '#' + rgb.map(value => Math.round(value).toString(16).padStart(2, '0')).join('');

function mixed(colour, other, part) {
	const [a, b] = [parts(colour), parts(other)];
	return hex(a.map((value, i) => value * part + b[i] * (1 - part)));
}

// What can be read on a colour that is not ours: black or white.
const inks = new Map();
function inkOn(colour) {
	let ink = inks.get(colour);
	if (!ink) {
		const [r, g, b] = parts(colour).map(c => c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
		ink = 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.1791 ? '#000000' : '#ffffff';
		inks.set(colour, ink);
	}
	return ink;
}

// 'kind' and the like, of what is drawn: two columns have their own colours.
const colouring = tree => !tree.was || state.colour === 'diffusion' ? state.colour :
	state.colour === 'palette' ? 'references' : 'change';
// Colours that are the same on a light page and on a dark one; text on them is black or white.
const isPainted = tree => ['palette', 'diffusion', 'references'].includes(colouring(tree));

function readTheme() {
	const { style: own } = document.documentElement, style = getComputedStyle(document.documentElement), isDark = dark.matches;
	if (settings.ui)
		own.setProperty('--soft', settings.ui);
	if (settings.background)
		own.setProperty('--behind', `linear-gradient(${settings.background.join()})`);
	for (const key of ['page', 'ink', 'match', 'small', 'mono', 'soft', 'line', 'accent'])
		theme[key] = style.getPropertyValue('--' + key).trim();
	if (settings.sought)
		theme.match = settings.sought;
	theme.matchInk = settings.sought ? inkOn(settings.sought) : theme.ink;
	palette = settings.kinds.flatMap(kind => kind[(state.colour === 'safe' ? 4 : 2) + (isDark ? 1 : 0)]);
	pale = palette.map(colour => mixed(colour, theme.page, 0.38));
	steps = settings.change[isDark ? 1 : 0];
	groupLook.clear();
	pales.clear();
}
const groupLook = new Map(); // by name: its module's or package's colour
const pales = new Map();

// The same on every machine: FNV-1a of the bytes, mixed once more.
function stableHash(text) {
	let hash = 0xcbf29ce484222325n;
	for (const byte of new TextEncoder().encode(text))
		hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
	hash = ((hash ^ (hash >> 32n)) * 0x9e3779b97f4a7c15n) & 0xffffffffffffffffn;
	return Number(hash >> 32n);
}

// Where code is from, as far as its name says: before a backquote, in square brackets, the file at the end.
function moduleOf(n) {
	const name = shown(n), quote = name.indexOf('`');
	if (quote >= 0)
		return name.slice(0, quote);
	const inside = /^\[([^+]*?)(\+.*)?\]$/s.exec(name), file = /\(([^(:]*):\d[^(]*\)$/s.exec(name);
	return name.length > 2 && inside ? inside[1] : file ? file[1] : settings.kinds[kindOf(n)][0];
}

// The namespace: up to the last '/', "::" or '.' before the name itself.
function packageOf(n) {
	const name = shown(n), bare = name.slice(0, Math.max(0, name.search(/[(<[ ]|$/))), hasPath = bare.includes('/');
	let last = 0;
	for (let i = 1; i < bare.length; i++)
		if (bare[i] === '/' || (bare[i] === '.' && !hasPath) || (bare[i] === ':' && bare[i + 1] === ':'))
			last = i;
	return last ? name.slice(0, last) : moduleOf(n);
}

function groupColour(n) {
	const kind = kindOf(n), isMark = kind === settings.kinds.length - 1;
	if (kind >= settings.hues && !(isMark && n !== root))
		return palette[colours[n]];
	let colour = groupLook.get(n);
	if (!colour) {
		const group = state.colour === 'module' ? moduleOf(n) : packageOf(n);
		const hue = Math.floor(stableHash(group) * settings.hues / 2 ** 32);
		colour = palette[hue * settings.shades + colours[n] % settings.shades];
		groupLook.set(n, colour);
	}
	return colour;
}

// Red where it is more, blue where it is less, as the references have it.
function redOrBlue(change, isInferno) {
	const c = isInferno ? 100 + Math.trunc(150 * (1 - Math.abs(change))) : Math.trunc(210 * (1 - Math.abs(change)) + 1e-9);
	if (!change)
		return isInferno ? '#fafafa' : '#ffffff';
	return hex(change > 0 ? [255, c, c] : [c, c, 255]);
}

function fullColour(tree, frame, mode) {
	const n = tree.name[frame], { kinds, shades } = settings;
	switch (mode) {
	case 'change':
		return steps[changeStep(tree, frame) + STEPS_MOST];
	case 'references':
		return redOrBlue(frame ? changeOfSelf(tree, frame) : 0, settings.isInferno);
	case 'diffusion':
		return redOrBlue(Math.floor(Math.sqrt(tree.total[frame] / tree.total[0]) * 2000) / 2000, true);
	case 'palette':
		return paints[n];
	case 'module':
	case 'package':
		return groupColour(n);
	case 'runtime':
		return palette[kinds[kindOf(n)][6] * shades + colours[n] % shades];
	case 'self':
		return settings.self[dark.matches ? 1 : 0][Math.floor(tree.self[frame] / (tree.total[frame] || 1) * (shades - 1) + 0.5)];
	default:
		return palette[colours[n]];
	}
}

function colourOf(tree, frame, isPale) {
	const mode = colouring(tree);
	if (isPale && (mode === 'kind' || mode === 'safe'))
		return pale[colours[tree.name[frame]]];
	const colour = fullColour(tree, frame, mode);
	if (!isPale)
		return colour;
	if (!pales.has(colour))
		pales.set(colour, mixed(colour, theme.page, 0.38));
	return pales.get(colour);
}

// Of a name in a list.
const colourOfName = n => state.colour === 'palette' ? paints[n] : state.colour === 'module' || state.colour === 'package' ?
	groupColour(n) : palette[colours[n]];

// Groups of names by their weight, the largest first.
function legendOfGroups(tree) {
	const { present, selfOf } = functionsOf(tree), of = state.colour === 'module' ? moduleOf : packageOf, groups = new Map();
	for (const n of Array.from(present).sort((a, b) => selfOf[b] - selfOf[a]).slice(0, 2000)) {
		const group = kindOf(n) === LABEL ? settings.kinds[LABEL][0] : of(n);
		const entry = groups.get(group) || [group, groupColour(n), 0];
		entry[2] += selfOf[n];
		groups.set(group, entry);
	}
	return [...groups.values()].sort((a, b) => b[2] - a[2]).slice(0, 12);
}

const WORDS = { total: ['a quarter or less', 'less', 'unchanged, or by chance', 'more', 'four times or more'],
	ratio: ['a quarter of the whole’s', 'lower', 'as the whole, or too few samples', 'higher', 'four times the whole’s'],
	points: ['3 points less', 'less', 'unchanged, or by chance', 'more', '3 points more'] };
WORDS.self = WORDS.total;

// What the colours mean: words, colour, mark.
function legend(tree) {
	const mode = colouring(tree), { kinds, shades } = settings;
	if (mode === 'change') {
		const found = WORDS[isRatio() ? 'ratio' : settings.delta].map((words, i) => [words, steps[(settings.negate ? 4 - i : i) * 2]]);
		const [was, now] = state.sides || ['base', 'new'], ends = settings.negate ? [8, 0] : [0, 8];
		return isRatio() ? found : [...found, ['only in ' + was, steps[ends[0]], 'gone'], ['only in ' + now, steps[ends[1]], 'new']];
	}
	if (mode === 'references')
		return [['less', redOrBlue(-0.7, settings.isInferno)], ['more', redOrBlue(0.7, settings.isInferno)]];
	if (mode === 'diffusion')
		return [['narrow', redOrBlue(0.05, true)], ['wide', redOrBlue(1, true)]];
	if (mode === 'palette')
		return [];
	if (mode === 'self')
		return ['all in callees', 'half its own', 'all its own'].map((words, i) =>
			[words, settings.self[dark.matches ? 1 : 0][[0, shades / 2, shades - 1][i]]]);
	if (mode === 'module' || mode === 'package')
		return legendOfGroups(tree);
	const present = new Set();
	for (let i = 0; i < names.length; i++)
		if (i !== root && colours[i] !== undefined && !(kindOf(i) === LABEL && !state.what.group.length))
			present.add(mode === 'runtime' ? kinds[kindOf(i)][6] : kindOf(i));
	return [...present].sort((a, b) => a - b).map(kind => [kinds[kind][mode === 'runtime' ? 7 : 0], palette[kind * shades + 2]]);
}
