// A long list of which only the rows in sight are in the document; a key moves among all of them.

const LINE = 24;
const TALLEST = 8e6; // pixels that every browser lays out

class List {
	// row(i) makes a row's element; act(i, key) is told of Enter and of keys that the list does not know.
	constructor(role, label, row, act) {
		this.row = row;
		this.isGrid = role !== 'listbox';
		this.act = act;
		this.count = 0;
		this.chosen = 0;
		this.body = make('div', { class: 'body', role: 'presentation' });
		this.element = make('div', { class: 'rows', role, 'aria-label': label, tabindex: 0, onscroll: () => this.draw(),
			onkeydown: event => this.key(event) }, this.body);
		new ResizeObserver(() => this.draw()).observe(this.element);
	}

	show(count) {
		this.count = count;
		this.chosen = Math.max(0, Math.min(this.chosen, count - 1));
		if (this.isGrid)
			this.element.setAttribute('aria-rowcount', count);
		this.body.style.height = Math.min(count * LINE, TALLEST) + 'px';
		this.draw();
	}

	// Lists taller than a browser's limit are scrolled faster than they are drawn.
	scrollFactor() {
		const tall = this.count * LINE, height = this.element.clientHeight;
		return tall <= TALLEST ? 1 : (tall - height) / (TALLEST - height);
	}

	draw() {
		const height = this.element.clientHeight, scroll = this.element.scrollTop, factor = this.scrollFactor();
		const first = Math.max(0, Math.floor(scroll * factor / LINE));
		const last = Math.min(this.count, first + Math.ceil(height / LINE) + 1), rows = [];
		for (let i = first; i < last; i++) {
			const row = this.row(i);
			row.style.top = i * LINE - scroll * factor + scroll + 'px';
			row.id = 'row-' + i;
			row.setAttribute(this.isGrid ? 'aria-rowindex' : 'aria-posinset', i + 1);
			if (!this.isGrid)
				row.setAttribute('aria-setsize', this.count);
			row.classList.toggle('chosen', i === this.chosen);
			row.setAttribute('aria-selected', i === this.chosen);
			row.addEventListener('click', () => {
				this.choose(i);
				this.act(i, 'click');
			});
			row.addEventListener('dblclick', () => this.act(i, 'Enter'));
			rows.push(row);
		}
		this.body.replaceChildren(...rows);
		if (this.chosen >= first && this.chosen < last)
			this.element.setAttribute('aria-activedescendant', 'row-' + this.chosen);
		else
			this.element.removeAttribute('aria-activedescendant');
	}

	choose(i) {
		this.chosen = Math.max(0, Math.min(i, this.count - 1));
		const height = this.element.clientHeight, factor = this.scrollFactor(), y = this.chosen * LINE;
		const scroll = this.element.scrollTop * factor;
		if (y < scroll)
			this.element.scrollTop = y / factor;
		else if (y + LINE > scroll + height)
			this.element.scrollTop = (y + LINE - height) / factor;
		this.draw();
	}

	key(event) {
		const page = Math.max(1, Math.floor(this.element.clientHeight / LINE) - 1);
		const to = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page,
			PageUp: this.chosen - page, Home: 0, End: this.count - 1 }[event.key];
		if (event.ctrlKey || event.metaKey || event.altKey || !this.count)
			return;
		if (to !== undefined)
			this.choose(to);
		else if (!this.act(this.chosen, event.key))
			return;
		event.preventDefault();
		event.stopPropagation();
	}
}
