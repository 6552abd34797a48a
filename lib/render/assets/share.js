// What leaves the page by the reader's hand: text that is copied, files that are saved.

async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		// Pages of files and of other sites may not, but for a selection.
		const field = make('textarea', { 'aria-hidden': 'true' });
		field.value = text;
		document.body.append(field);
		field.select();
		document.execCommand('copy');
		field.remove();
	}
	say('Copied: ' + what);
}

function copyLink() {
	const { text, lost } = link();
	copy(location.href.replace(/#.*/, '') + '#' + text, 'link' + (lost ? ' (too long for all of it: ' + lost + ')' : ''));
}

const quoted = text => /^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
const fileName = () => decoded(location.pathname.split('/').pop() || 'page.html');

// A frame's subtree as folded text, its callers included: strings, and bytes where names are not UTF-8.
function foldedParts(tree, top) {
	const { name, caller, end, self, wasSelf } = tree, whole = (at, column) => {
		const value = exactSelf(tree, at, column);
		return ' ' + (typeof value === 'bigint' ? value : Math.round(value));
	}, parts = [], path = [];
	let text = '';
	const add = n => {
		const bytes = raw.get(n);
		if (!bytes) {
			text += names[n];
			return;
		}
		const out = [];
		for (const [, hex, plain] of bytes.matchAll(/\\(..)|([^\\]+)/g))
			out.push(...hex ? [parseInt(hex, 16)] : new TextEncoder().encode(plain));
		parts.push(text, Uint8Array.from(out));
		text = '';
	};
	for (let frame = caller[top]; frame > 0; frame = caller[frame])
		path.unshift(frame);
	for (let frame = Math.max(top, 0); frame < end[top]; frame++) {
		while (path.length && frame >= end[path[path.length - 1]])
			path.pop();
		if (frame)
			path.push(frame);
		if (!self[frame] && !(wasSelf && wasSelf[frame]))
			continue;
		text += path.length ? '' : '[unnamed]';
		path.forEach((at, i) => {
			text += i ? ';' : '';
			add(name[at]);
		});
		text += (wasSelf ? whole(frame, 1) : '') + whole(frame, 0) + '\n';
		if (text.length > 1 << 20) {
			parts.push(text);
			text = '';
		}
	}
	parts.push(text);
	return parts;
}

async function copyFolded(tree, frame) {
	copy(await new Blob(foldedParts(tree, frame)).text(), 'folded text');
}

function save(blob, extension) {
	const address = URL.createObjectURL(blob), name = fileName().replace(/\.html?$/, '') + extension;
	const anchor = make('a', { href: address, download: name });
	document.body.append(anchor);
	anchor.click();
	anchor.remove();
	setTimeout(() => URL.revokeObjectURL(address), 10000);
	say('Saved: ' + name);
}

function saveFolded() {
	const header = part('header', state.tab).textContent.replace(/\\u003c/g, '<');
	save(new Blob([header ? '#' + header + '\n' : '', ...foldedParts(current.tree, 0)], { type: 'text/plain' }), '.folded');
}

const escaped = text => text.replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd').replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);

// The graph in sight, all its height.
function saveSvg() {
	const graph = graphs.main, { tree, width, column } = graph, tall = (tree.deepest + 1) * ROW, boxes = [];
	graph.eachBox((frame, x, w, isAbove) => {
		const y = graph.inverted ? tree.depth[frame] * ROW : tall - (tree.depth[frame] + 1) * ROW, words = nameOf(tree, frame).slice(0, 4096);
		const found = search.matches && search.matches[tree.name[frame]], columns = Math.floor((w - 2 * INSET) / column);
		const [about, own] = wordsOf(graph, frame), fill = found ? theme.match : colourOf(tree, frame, search.matches || isAbove);
		boxes.push(`<g><title>${escaped(words)}\n${escaped(about)}\n${escaped(own)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(w - 0.5, 0.1).toFixed(1)}" height="${BOX}" rx="2" fill="${fill}"/>${columns >= 3 ? `<text x="${(x + INSET).toFixed(1)}" y="${y + 12.5}"${isPainted(tree) && !found ? ` fill="${inkOn(fill)}"` : ''}>${escaped(fit(words, columns))}</text>` : ''}</g>`);
	});
	save(new Blob([`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${tall + 40}" viewBox="0 0 ${width} ${tall + 40}" font-family="monospace" font-size="12" fill="${theme.ink}">
<title>${escaped(document.title)}</title><rect width="100%" height="100%" fill="${theme.page}"/><text x="4" y="20" font-size="15">${escaped(document.title)}</text>
<g transform="translate(0 36)">\n${boxes.join('\n')}\n</g></svg>\n`], { type: 'image/svg+xml' }), '.svg');
}

function savePng() {
	const graph = graphs.main, height = Math.min((graph.tree.deepest + 1) * ROW, 16000), ratio = devicePixelRatio || 1;
	const canvas = make('canvas', { width: Math.round(graph.width * ratio), height: Math.round(height * ratio) });
	const kept = [graph.paint, graph.height], paint = canvas.getContext('2d');
	paint.scale(ratio, ratio);
	paint.fillStyle = theme.page;
	paint.fillRect(0, 0, graph.width, height);
	paint.font = '12px ' + theme.mono;
	[graph.paint, graph.height] = [paint, height];
	graph.paintBoxes(graph.inverted ? 0 : (graph.tree.deepest + 1) * ROW - height);
	[graph.paint, graph.height] = kept;
	canvas.toBlob(blob => save(blob, '.png'));
}
