// What a box is filled with: by kind as it was written, or by package, own share, change; safe for all eyes.

const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = {};
let palette = [], pale = [];

// Hues that also colour-blind eyes tell apart, a lightness each, by kind in the order of the legend.
const SAFE = [[41, 95], [202, 70], [18, 90], [164, 60], [56, 85], [327, 45], [211, 90], [164, 35], [202, 40],
	[18, 50], [327, 25], [41, 40], [211, 45], [0, 0], [0, 0]];
const MODES = [['kind', 'Kind of frame'], ['package', 'Module or package'], ['self', 'Share of its own'],
	['safe', 'Kind, colour-blind safe']];

function mixed(colour, other, part) {
	const parts = c => [1, 3, 5].map(at => parseInt(c.slice(at, at + 2), 16));
	const [a, b] = [parts(colour), parts(other)];
	return '#' + a.map((value, i) => Math.round(value * part + b[i] * (1 - part)).toString(16).padStart(2, '0')).join('');
}

// Light enough for dark text, dark enough for light text.
function hsl(hue, saturation, lightness) {
	const a = saturation / 100 * Math.min(lightness, 100 - lightness) / 100;
	const channel = n => {
		const k = (n + hue / 30) % 12;
		return Math.round(255 * (lightness / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)))).toString(16).padStart(2, '0');
	};
	return '#' + channel(0) + channel(8) + channel(4);
}

function readTheme() {
	const style = getComputedStyle(document.documentElement);
	for (const key of ['page', 'ink', 'match', 'small', 'mono', 'soft', 'line', 'accent'])
		theme[key] = style.getPropertyValue('--' + key).trim();
	const isDark = dark.matches;
	if (state.colour === 'safe')
		palette = settings.kinds.flatMap((_, kind) => Array.from({ length: settings.shades }, (_, shade) =>
			hsl(SAFE[kind][0], SAFE[kind][1] * (isDark ? 0.6 : 1), isDark ? 30 - shade : 82 - 1.5 * shade)));
	else
		palette = settings.kinds.flatMap(kind => kind[isDark ? 3 : 2]);
	pale = palette.map(colour => mixed(colour, theme.page, 0.38));
	packageLook.clear();
	ramp.length = 0;
	for (let i = 0; i <= 20; i++) {
		const part = Math.abs(i - 10) / 10, end = isDark ? i < 10 ? '#1d5a92' : '#8a4a00' : i < 10 ? '#6fb1ea' : '#f5a03c';
		ramp.push(mixed(end, isDark ? '#3a3d42' : '#e6e4df', part));
	}
}
const ramp = []; // from much less (blue) by the same to much more (orange)
const packageLook = new Map();

// "java.util" of java.util.List.add, "std" of std::vector::push_back, "db.py" of query (db.py:88).
function packageOf(n) {
	const name = shown(n), place = /\(([^()]*?)(:\d+)?\)$/.exec(name);
	if (place && place[1])
		return place[1];
	const bare = name.replace(/[<(].*$/, '');
	const cut = Math.max(bare.lastIndexOf('::'), bare.lastIndexOf('/'), bare.lastIndexOf('.'));
	const head = cut > 0 ? bare.slice(0, cut) : bare.includes('_') ? bare.slice(0, bare.indexOf('_', 1)) : '';
	return head.replace(/[.$][A-Z].*$/, '') || settings.kinds[kindOf(n)][0];
}

function packageColour(n) {
	let colour = packageLook.get(n);
	if (!colour) {
		let hash = 2166136261;
		for (const c of packageOf(n))
			hash = Math.imul(hash ^ c.codePointAt(0), 16777619);
		colour = hsl((hash >>> 8) % 360, dark.matches ? 30 : 62, dark.matches ? 27 : 82);
		packageLook.set(n, colour);
	}
	return colour;
}

// By how much a value changed: -1 (gone) to 1 (new); 0 where chance explains it.
function changeOf(now, was) {
	const samples = profiles[state.tab].header.unit === undefined || profiles[state.tab].unit === 'samples';
	if (samples && Math.abs(now - was) < 2 * Math.sqrt(now + was))
		return 0;
	return (now - was) / Math.max(now, was, 1e-9);
}

function colourOf(tree, frame, isPale) {
	const n = tree.name[frame];
	let colour;
	if (tree.was)
		colour = ramp[Math.round(10 + 10 * changeOf(tree.now[frame], tree.was[frame]))];
	else if (state.colour === 'package' && n !== root)
		colour = packageColour(n);
	else if (state.colour === 'self')
		colour = ramp[10 + Math.min(10, Math.ceil(10 * Math.sqrt(tree.self[frame] / (tree.total[frame] || 1))))];
	else
		return (isPale ? pale : palette)[colours[n]];
	return isPale ? mixed(colour, theme.page, 0.38) : colour;
}

// What the colours mean.
function legend(tree) {
	if (tree.was)
		return [['less', ramp[0]], ['the same, or within chance', ramp[10]], ['more', ramp[20]]];
	if (state.colour === 'self')
		return [['calls only', ramp[10]], ['own work', ramp[20]]];
	if (state.colour === 'package')
		return [['a hue for each module or package', hsl(210, dark.matches ? 30 : 62, dark.matches ? 27 : 82)]];
	const present = new Set();
	for (let i = 0; i < names.length; i++)
		if (i !== root && colours[i] !== undefined && !(kindOf(i) === LABEL && !state.what.group.length))
			present.add(kindOf(i));
	return [...present].sort((a, b) => a - b).map(kind => [settings.kinds[kind][0], palette[kind * settings.shades + 2]]);
}
