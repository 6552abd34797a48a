// The label time: load over time as a strip, and a heat map where slices are shorter than a second: seconds
// across, parts of a second up. A range of time is chosen in it.

const strip = {
	slices: [], // [start, value]
	width: 1, // of a slice, seconds
	isHeat: false,
	cursor: -1,

	// Slices of the profile, as wide as the nearest two are apart.
	read(profile) {
		const sums = new Map();
		for (const { values, own } of profile.contexts)
			if (values.time !== undefined && own > 0) {
				const time = parseFloat(values.time);
				sums.set(time, (sums.get(time) || 0) + own);
			}
		strip.slices = [...sums].filter(([time]) => Number.isFinite(time)).sort((a, b) => a[0] - b[0]);
		strip.width = Infinity;
		for (let i = 1; i < strip.slices.length; i++)
			strip.width = Math.min(strip.width, strip.slices[i][0] - strip.slices[i - 1][0]);
		if (!Number.isFinite(strip.width))
			strip.width = profile.header.duration_s || 1;
		strip.width = Math.max(+strip.width.toFixed(9), 1e-6);
		strip.isHeat = strip.width < 0.999;
		$('time').hidden = !strip.slices.length;
		if (strip.slices.length) {
			strip.from = Math.floor(strip.slices[0][0] / strip.step()) * strip.step();
			strip.to = strip.isHeat ? Math.floor(strip.slices.at(-1)[0]) + 1 : strip.slices.at(-1)[0] + strip.width;
		}
	},
	// What a column stands for.
	step() {
		return strip.isHeat ? 1 : strip.width;
	},
	draw() {
		const canvas = $('load'), { slices, from, to } = strip;
		if (!slices.length)
			return;
		const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
		canvas.width = Math.round(w * ratio);
		canvas.height = Math.round(h * ratio);
		const paint = canvas.getContext('2d'), most = slices.reduce((most, slice) => Math.max(most, slice[1]), 0);
		paint.scale(ratio, ratio);
		const scale = w / (to - from), { times } = state.what;
		const isIn = time => !times.length || times.some(([a, b]) => time >= a && time < b);
		const rows = Math.min(Math.max(1, Math.round(1 / strip.width)), 50);
		for (const [time, value] of slices) {
			paint.fillStyle = isIn(time) ? theme.accent : theme.soft;
			paint.globalAlpha = isIn(time) ? 1 : 0.35;
			if (strip.isHeat) {
				const second = Math.floor(time), row = Math.min(rows - 1, Math.floor((time - second) * rows + 1e-6));
				paint.globalAlpha *= 0.1 + 0.9 * value / most;
				paint.fillRect((second - from) * scale, h - (row + 1) * h / rows, Math.max(scale - 0.5, 0.7), Math.max(h / rows - 0.5, 0.7));
			} else {
				const tall = Math.max(1, value / most * (h - 2));
				paint.fillRect((time - from) * scale, h - tall, Math.max(strip.width * scale - 0.5, 0.7), tall);
			}
		}
		paint.globalAlpha = 1;
		paint.fillStyle = theme.ink;
		for (const [a, b] of times)
			for (const x of [a, b])
				paint.fillRect(Math.min((x - from) * scale, w - 1), 0, 1, h);
		$('range').textContent = (times.length ? times.map(([a, b]) => strip.words(a) + '–' + strip.words(b) + ' s').join(', ') :
			strip.words(from) + '–' + strip.words(to) + ' s') + ' · ' + (strip.isHeat ? 'columns are seconds, ' : '') +
			'slices of ' + grouped(strip.width) + ' s';
	},
	words: time => grouped(+time.toFixed(6)),
	// Ranges become the selection; one that touches nothing means all.
	choose(ranges) {
		state.what.times = ranges.filter(([a, b]) => b > a).map(([a, b]) => [+a.toFixed(6), +b.toFixed(6)]);
		apply();
	},
	// Slices are whole: [start, end) of what lies at x.
	at(x) {
		const canvas = $('load'), part = Math.min(Math.max(x / canvas.clientWidth, 0), 1 - 1e-9), step = strip.step();
		const start = strip.from + Math.floor(part * (strip.to - strip.from) / step + 1e-9) * step;
		return [start, start + step];
	},
	listen() {
		const canvas = $('load');
		let from = null, kept = [];
		const x = event => event.clientX - canvas.getBoundingClientRect().left;
		const range = (a, b) => [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
		canvas.addEventListener('pointerdown', event => {
			from = strip.at(x(event));
			kept = event.shiftKey ? state.what.times : [];
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', event => {
			if (!from)
				return;
			state.what.times = [...kept, range(from, strip.at(x(event)))];
			strip.draw();
		});
		canvas.addEventListener('pointerup', event => {
			if (from)
				strip.choose([...kept, range(from, strip.at(x(event)))]);
			from = null;
		});
		canvas.addEventListener('dblclick', () => strip.choose([]));
		canvas.addEventListener('keydown', event => {
			const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key], step = strip.step(), { times } = state.what;
			if (event.key === 'Escape' && times.length) {
				strip.choose([]);
			} else if (way) {
				const [a, b] = times.at(-1) || (way > 0 ? [strip.from - step, strip.from] : [strip.to, strip.to + step]);
				const moved = event.shiftKey ? [a, Math.max(b + way * step, a + step)] : [a + way * step, b + way * step];
				if (moved[0] < strip.from - 1e-9 || moved[1] > strip.to + 1e-9)
					return;
				strip.choose([...times.slice(0, -1), moved]);
			} else {
				return;
			}
			event.preventDefault();
			event.stopPropagation();
		});
		new ResizeObserver(() => strip.draw()).observe(canvas);
	},
};
