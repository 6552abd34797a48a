// What two columns say of a frame: how much it changed, or what its ratio is, as a step of colour and in words.
// The same as render/change.c.

const Z95 = 1.96, FEW = 20, STEPS_MOST = 4;

// "×2.0", "new", "removed", "unchanged"
function change(now, was) {
	if (was === now)
		return 'unchanged';
	if (!was || !now)
		return was ? 'removed' : 'new';
	const times = now / was;
	return '×' + times.toFixed(times < 0.095 ? 3 : times < 1.995 ? 2 : 1);
}

const sampleValue = () => settings.samples[state.tab];
const isFew = (now, was) => now / sampleValue() < FEW || was / sampleValue() < FEW;

// Could both be draws of one: counts of samples are Poisson's. A side that was scaled varies as much more.
function isChance(tree, now, was) {
	const sample = sampleValue();
	return Math.abs(now - was) / sample <= Z95 * Math.sqrt(now / sample + (tree.factor || 1) * was / sample);
}

function stepOfLog(log) {
	const size = Math.abs(log), step = size < 0.5 ? 1 : size < 1 ? 2 : size < 2 ? 3 : 4;
	return log === 0 ? 0 : log < 0 ? -step : step;
}

function stepOfPoints(points) {
	const size = Math.abs(points) + 1e-9, step = size < 0.25 ? 1 : size < 1 ? 2 : size < 3 ? 3 : 4;
	return points === 0 ? 0 : points < 0 ? -step : step;
}

// From -STEPS_MOST, less, to STEPS_MOST; 0 where there is no change, or none that chance could not have made.
function changeStep(tree, frame) {
	const isSelf = settings.delta === 'self', now = (isSelf ? tree.self : tree.now)[frame];
	const was = (isSelf ? tree.wasSelf : tree.was)[frame], whole = tree.now[0], wholeWas = tree.was[0];
	let step = 0;
	if (isRatio())
		step = isFew(now, was) ? 0 : stepOfLog(Math.log2(now / was / (whole / wholeWas)));
	else if (now === was || isChance(tree, now, was))
		step = 0;
	else if (settings.delta === 'points')
		step = stepOfPoints(100 * ((whole && now / whole) - (wholeWas && was / wholeWas)));
	else if (!was || !now)
		step = was ? -STEPS_MOST : STEPS_MOST;
	else
		step = stepOfLog(Math.log2(now / was));
	return settings.negate ? -step : step;
}

// Is a frame on one side only: 'new', 'gone', or ''.
function markOf(tree, frame) {
	if (isRatio() || !tree.was || !tree.was[0] || !tree.now[0])
		return '';
	return !tree.was[frame] ? 'new' : !tree.now[frame] ? 'gone' : '';
}

// The change of a frame itself, by the largest of a single stack: what the references colour by.
function changeOfSelf(tree, frame) {
	if (!tree.largest) {
		tree.largest = 1;
		for (let i = 0; i < tree.count; i++)
			tree.largest = Math.max(tree.largest, Math.abs(tree.self[i] - tree.wasSelf[i]));
	}
	const part = (tree.self[frame] - tree.wasSelf[frame]) / tree.largest;
	return settings.negate ? -part : part;
}

// Is this profile a ratio, drawn as one.
const isRatio = () => profiles[state.tab].header.kind === 'ratio' && state.compare !== 'diff';

const threeDigits = value => grouped(+value.toPrecision(3));

function ratioWords(tree, now, was, [a, b]) {
	if (isFew(now, was))
		return `fewer than ${FEW} samples on a side: no ratio`;
	const sample = sampleValue(), wide = Math.exp(Z95 * Math.sqrt(sample / was + sample / now)), ratio = now / was;
	return `${b} per ${a} ${threeDigits(ratio)}, with 95 % between ${threeDigits(ratio / wide)} and ` +
		`${threeDigits(ratio * wide)}; of the whole ${threeDigits(tree.now[0] / tree.was[0])}`;
}

function differenceWords(tree, now, was) {
	const points = 100 * ((tree.now[0] && now / tree.now[0]) - (tree.was[0] && was / tree.was[0])), sign = value =>
		value > 0 ? '+' : value < 0 ? '−' : '±';
	return sign(now - was) + amount(Math.abs(now - was), true) + ', ' + sign(+points.toFixed(2)) +
		Math.abs(points).toFixed(2) + ' points, ' + change(now, was) +
		(now !== was && isChance(tree, now, was) ? ', may be chance' : '');
}

// Both sides of a frame, or of what it does itself.
function changeWords(tree, frame, isSelf) {
	const sides = state.sides || ['base', 'new'], whole = [tree.was[0], tree.now[0]];
	const now = (isSelf ? tree.self : tree.now)[frame], was = (isSelf ? tree.wasSelf : tree.was)[frame];
	const exact = isSelf ? exactSelf : exactTotal, values = [exact(tree, frame, 1), exact(tree, frame)];
	const both = sides.map((side, i) => side + ' ' + amount(values[i], true) + ' (' + share([was, now][i], whole[i]) + ')').join(', ');
	return both + ': ' + (isRatio() ? ratioWords(tree, now, was, sides) : differenceWords(tree, now, was));
}
