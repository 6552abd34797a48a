// The panel at the side: filters and kinds of frames, labels, comparison, sharing, what the header says.

const STEPS = { focus: 'Only stacks with', ignore: 'Without stacks with', hide: 'Hidden', 'show-from': 'From',
	collapse: 'Runs as one', 'merge-recursion': 'Recursion merged' };

// What is done to the profile before it is drawn, each to be taken back.
function addStep(kind, text) {
	state.what.steps.push({ kind, text });
	apply();
}

function showSteps() {
	const { what } = state, chips = [], chip = (words, undo) => chips.push(make('li', {}, words,
		make('button', { 'aria-label': 'Take back: ' + words, title: 'Take back', onclick() {
			undo();
			apply();
		} }, '×')));
	what.steps.forEach((step, i) => chip(STEPS[step.kind] + (step.text ? ' ' + step.text : ''), () => what.steps.splice(i, 1)));
	for (const kind of what.off)
		chip('No frames: ' + settings.kinds[kind][0], () => what.off.delete(kind));
	for (const key of Object.keys(what.labels))
		chip(key + ': ' + [...what.labels[key]].map(value => value || '(none)').join(', '), () => delete what.labels[key]);
	if (what.times.length)
		chip('time: ' + what.times.map(range => range.map(strip.words).join('–')).join(', ') + ' s', () => {
			what.times = [];
		});
	what.group.forEach((key, i) => chip('by ' + key, () => what.group.splice(i, 1)));
	if (state.mode === 'around')
		chip('Callers and callees of ' + shown(state.of), () => {
			state.mode = 'graph';
		});
	if (state.compare)
		chip('Compared with A: ' + nameOfSide(state.a), () => {
			state.compare = '';
		});
	$('steps').replaceChildren(...chips);
	$('steps').hidden = !chips.length;
}

const panel = {
	open: '',
	lists: new Map(), // of labels, by key

	toggle(which) {
		panel.open = panel.open === which ? '' : which;
		for (const button of document.querySelectorAll('[data-panel]'))
			button.setAttribute('aria-expanded', button.dataset.panel === panel.open);
		$('panel').hidden = !panel.open;
		if (panel.open) {
			$('panel').replaceChildren();
			panel.show();
			const first = $('panel').querySelector('button, input, select, [tabindex]');
			if (first)
				first.focus();
		}
	},
	close() {
		const which = panel.open;
		if (!which)
			return false;
		panel.toggle(which);
		document.querySelector(`[data-panel="${which}"]`).focus();
		return true;
	},
	// Anew, with the focus where it was.
	show() {
		if (!panel.open)
			return;
		const focus = $('panel').contains(document.activeElement) ? document.activeElement.dataset.focus : '';
		const content = panel[panel.open]();
		if (content)
			$('panel').replaceChildren(...content);
		const element = focus && [...$('panel').querySelectorAll('[data-focus]')].find(one => one.dataset.focus === focus);
		if (element)
			element.focus();
	},
	check(words, isOn, act, more = {}) {
		const box = make('input', { type: 'checkbox', 'data-focus': words, onchange: () => act(box.checked), ...more });
		box.checked = isOn;
		return make('label', { class: 'check' }, box, words);
	},
	button: (words, act, more = {}) => make('button', { onclick: act, 'data-focus': words, ...more }, words),

	filter() {
		const { what } = state, kind = make('select', { 'aria-label': 'What to do', 'data-focus': 'kind' },
			...Object.entries(STEPS).filter(([key]) => key !== 'merge-recursion').map(([key, words]) =>
				make('option', { value: key }, words)));
		const text = make('input', { 'aria-label': 'Regular expression', placeholder: 'regex', spellcheck: 'false', 'data-focus': 'step' });
		const form = make('form', { class: 'row', onsubmit(event) {
			event.preventDefault();
			if (text.value)
				addStep(kind.value, text.value);
		} }, kind, text, make('button', { 'data-focus': 'add' }, 'Add'));
		const present = new Set();
		for (let n = 0; n < names.length; n++)
			if (n !== root)
				present.add(kindOf(n));
		present.delete(LABEL);
		const merge = what.steps.findIndex(step => step.kind === 'merge-recursion');
		const colour = make('select', { 'aria-label': 'Colours', 'data-focus': 'colour', onchange() {
			state.colour = colour.value;
			readTheme();
			redraw();
		} }, ...MODES.map(([key, words]) => make('option', { value: key, selected: key === state.colour }, words)));
		return [make('h2', {}, 'Filter'), form,
			panel.check('Merge recursion', merge >= 0, isOn => {
				if (isOn)
					addStep('merge-recursion', '');
				else {
					what.steps.splice(merge, 1);
					apply();
				}
			}),
			make('h3', {}, 'Frames'), ...[...present].sort((a, b) => a - b).map(one =>
				panel.check(settings.kinds[one][0], !what.off.has(one), isOn => {
					what.off[isOn ? 'delete' : 'add'](one);
					apply();
				})),
			make('h3', {}, 'Colours'), colour];
	},

	// Lists stay as they are while their numbers change.
	labels() {
		const profile = profiles[state.tab], { what } = state, isNew = !$('panel').querySelector('.values');
		const keys = profile.keys.filter(key => key !== 'time');
		if (isNew)
			panel.lists.clear();
		const sections = keys.map(key => {
			const known = panel.lists.get(key), all = labelShares(profile, what, key);
			const whole = all.reduce((sum, [, value]) => sum + value, 0);
			const entry = known || { search: '' };
			const update = () => {
				entry.rows = entry.all.filter(([value]) => value.toLowerCase().includes(entry.search.toLowerCase()));
				entry.list.show(entry.rows.length);
			};
			entry.all = all;
			entry.whole = whole;
			if (known) {
				entry.group.textContent = panel.groupWords(key);
				update();
				return null;
			}
			const toggle = i => {
				const [value] = entry.rows[i], chosen = state.what.labels[key] || new Set();
				chosen[chosen.has(value) ? 'delete' : 'add'](value);
				if (chosen.size)
					state.what.labels[key] = chosen;
				else
					delete state.what.labels[key];
				apply();
			};
			entry.list = new List('listbox', key, i => {
				const [value, sum] = entry.rows[i], isOn = Boolean(state.what.labels[key] && state.what.labels[key].has(value));
				return make('div', { class: isOn ? 'line on' : 'line', role: 'option', 'aria-checked': isOn }, make('span', { class: 'name' },
					(isOn ? '☑ ' : '☐ ') + (value || '(none)')), make('small', {}, share(sum, entry.whole)));
			}, (i, act) => act === 'click' || act === 'Enter' || act === ' ' ? (toggle(i), true) : false);
			entry.list.element.setAttribute('aria-multiselectable', 'true');
			entry.list.element.style.height = Math.min(all.length, 8) * LINE + 'px';
			entry.group = make('button', { onclick() {
				const { group } = state.what, at = group.indexOf(key);
				if (at < 0)
					group.push(key);
				else
					group.splice(at, 1);
				apply();
			} }, panel.groupWords(key));
			panel.lists.set(key, entry);
			const field = make('input', { type: 'search', placeholder: 'Search ' + key, 'aria-label': 'Search ' + key,
				oninput() {
					entry.search = field.value;
					update();
				} });
			const section = make('section', { class: 'values' }, make('h3', {}, key + ' ', make('small', {}, grouped(all.length)), entry.group),
				all.length > 8 ? field : null, entry.list.element);
			update();
			return section;
		});
		return isNew ? [make('h2', {}, 'Labels'), ...sections] : null;
	},
	groupWords(key) {
		const at = state.what.group.indexOf(key);
		return at < 0 ? 'Group by' : 'Grouped: ' + (at + 1);
	},

	compare() {
		const choose = (words, mode) => panel.button(words, () => {
			state.compare = state.compare === mode ? '' : mode;
			apply();
		}, { 'aria-pressed': state.compare === mode, disabled: !state.a });
		const warnings = state.a ? differences(profiles[state.a.tab], profiles[state.tab]) : [];
		return [make('h2', {}, 'Compare'),
			make('p', {}, 'A is a selection that you keep; B is what you look at: another profile, label, range or filter.'),
			panel.button('Keep this as A', () => {
				state.a = { tab: state.tab, what: copyOf(state.what) };
				panel.show();
				say('Kept as A: ' + nameOfSide(state.a));
			}), make('p', {}, state.a ? 'A: ' + nameOfSide(state.a) : 'No A yet.'), make('p', {}, 'B: ' +
				nameOfSide({ tab: state.tab, what: state.what })),
			make('div', { class: 'row' }, choose('Side by side', 'side'), choose('One diff graph', 'diff')),
			panel.check('Scale A to the total of B', state.fair, isOn => {
				state.fair = isOn;
				apply();
			}), ...warnings.map(words => make('p', { class: 'warning', role: 'note' }, words))];
	},

	share() {
		return [make('h2', {}, 'Share'), make('h3', {}, 'Copy'),
			panel.button('Link to this view', copyLink), panel.button('Command for this view', copyCommand),
			panel.button('Folded text of what is in sight', () => copyFolded(graphs.main.tree, graphs.main.zoomed)),
			make('h3', {}, 'Save'), panel.button('SVG', saveSvg), panel.button('PNG', savePng), panel.button('Folded text', saveFolded),
			make('p', {}, 'The page holds the whole profile: ', make('code', {}, 'gp-fold ' + quoted(fileName())), ' gives it back.')];
	},

	about() {
		const { header, tree } = profiles[state.tab], list = make('dl', {});
		const words = { duration_s: 'duration, s', period_ns: 'period, ns', freq_hz: 'frequency, Hz', cpu_s: 'CPU time, s',
			self_cpu_s: 'profiler’s CPU time, s', self_rss_kb: 'profiler’s memory, KB', sampled_s: 'sampled, s' };
		for (const [key, value] of Object.entries(header))
			if (key !== 'gp')
				list.append(make('dt', {}, words[key] || key), make('dd', {}, typeof value === 'number' ? grouped(value) :
					Array.isArray(value) ? value.join('; ') : typeof value === 'object' ? JSON.stringify(value) : String(value)));
		list.append(make('dt', {}, 'frames'), make('dd', {}, grouped(tree.count - 1)), make('dt', {}, 'functions'),
			make('dd', {}, grouped(table.functions().present.length)), make('dt', {}, 'deepest stack'), make('dd', {}, grouped(tree.deepest)));
		return [make('h2', {}, 'About this profile'), list];
	},
};
