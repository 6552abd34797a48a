// A tree drawn on a canvas no larger than the window: boxes in sight, zoom, pan, what is under the mouse.

const ROW = 18, BOX = 17, INSET = 4, NARROWEST = 0.5; // pixels

class Graph {
	// view scrolls; follow is another graph that shows the same part of itself.
	constructor(view, inverted) {
		this.view = view;
		this.inverted = inverted;
		this.tall = view.querySelector('.tall');
		this.canvas = view.querySelector('canvas');
		this.hover = view.querySelector('.hover');
		this.cursorBox = view.querySelector('.cursor');
		this.paint = this.canvas.getContext('2d');
		this.tree = null;
		this.zoomed = 0; // the frame that was chosen, or what holds all that is in sight
		this.cursor = -1;
		this.before = [];
		this.after = [];
		this.width = this.height = 0;
		this.column = 7.25;
		this.linked = null;
		view.addEventListener('scroll', () => {
			tip.hide();
			this.hover.hidden = true;
			this.drawSoon();
		});
		new ResizeObserver(() => {
			if (!this.tree || !view.clientWidth)
				return;
			const wasBottom = !this.inverted && view.scrollTop + this.height >= this.contentHeight() - 1;
			this.measure();
			if (wasBottom)
				view.scrollTop = this.contentHeight();
			this.draw();
		}).observe(view);
		this.listen();
	}

	// Shows a tree from its root; a path of names is found in it as far as it goes.
	show(tree, path = []) {
		this.tree = tree;
		this.cursor = -1;
		this.before = [];
		this.after = [];
		this.hover.hidden = this.cursorBox.hidden = true; // they would still take room below
		this.place(this.follow(path));
		this.measure();
		this.view.scrollTop = this.inverted ? 0 : this.contentHeight();
		this.reveal(this.zoomed);
		this.draw();
	}

	follow(path) {
		const { name, end } = this.tree;
		let frame = 0;
		for (const n of path) {
			let callee = frame + 1;
			while (callee < end[frame] && name[callee] !== n)
				callee = end[callee];
			if (callee >= end[frame])
				break;
			frame = callee;
		}
		return frame;
	}

	pathTo(frame) {
		const path = [];
		for (; frame > 0; frame = this.tree.caller[frame])
			path.unshift(this.tree.name[frame]);
		return path;
	}

	place(frame) {
		this.zoomed = frame;
		this.from = this.tree.left[frame];
		this.span = this.tree.total[frame];
	}

	// ---- zoom with history

	zoom(frame) {
		if (frame === this.zoomed && this.span === this.tree.total[frame])
			return;
		this.remember();
		this.place(frame);
		this.reveal(frame);
		this.changed();
	}

	remember() {
		this.before.push([this.zoomed, this.from, this.span]);
		this.after = [];
	}

	step(from, to) {
		const last = from.pop();
		if (!last)
			return;
		to.push([this.zoomed, this.from, this.span]);
		[this.zoomed, this.from, this.span] = last;
		this.reveal(this.zoomed);
		this.changed();
	}

	back() {
		this.step(this.before, this.after);
	}

	forward() {
		this.step(this.after, this.before);
	}

	// Any part of the whole; the frame that holds it all counts as the zoomed one.
	look(from, span) {
		const { left, total, end } = this.tree;
		this.span = Math.min(Math.max(span, Math.min(total[0], total[0] / 1e9)), total[0]);
		this.from = Math.min(Math.max(from, 0), total[0] - this.span);
		let frame = 0;
		for (let callee = 1; callee < end[frame];)
			if (left[callee] <= this.from && left[callee] + total[callee] >= this.from + this.span) {
				frame = callee;
				callee++;
			} else if (left[callee] > this.from) {
				break;
			} else {
				callee = end[callee];
			}
		this.zoomed = frame;
		this.changed();
	}

	// Nearer (factor < 1) around a place of the canvas.
	scale(factor, x = this.width / 2) {
		const at = this.from + x / this.width * this.span, span = Math.min(this.span * factor, this.tree.total[0]);
		this.look(at - x / this.width * span, span);
	}

	pan(pixels) {
		this.look(this.from + pixels / this.width * this.span, this.span);
	}

	isWhole() {
		return this.span === this.tree.total[0];
	}

	changed() {
		this.hover.hidden = true;
		tip.hide();
		this.drawSoon();
		this.view.dispatchEvent(new CustomEvent('zoomed', { bubbles: true }));
		const other = this.linked;
		if (other && other.tree) {
			const frame = other.follow(this.pathTo(this.zoomed));
			if (frame !== other.zoomed) {
				other.place(frame);
				other.reveal(frame);
				other.drawSoon();
			}
		}
	}

	// ---- geometry

	contentHeight() {
		return Math.max((this.tree.deepest + 1) * ROW, this.height);
	}

	// Where a row of frames lies in the whole height, which may be far more than the canvas.
	top(depth) {
		return this.inverted ? depth * ROW : this.contentHeight() - (depth + 1) * ROW;
	}

	reveal(frame) {
		const y = this.top(this.tree.depth[frame]);
		if (y < this.view.scrollTop || y + ROW > this.view.scrollTop + this.height)
			this.view.scrollTop = this.inverted ? y - ROW * 3 : y - this.height + ROW * 4;
	}

	measure() {
		const ratio = devicePixelRatio || 1, { view, canvas, paint } = this;
		this.height = view.clientHeight;
		this.tall.style.height = this.contentHeight() + 'px';
		this.width = view.clientWidth;
		canvas.width = Math.round(this.width * ratio);
		canvas.height = Math.round(this.height * ratio);
		canvas.style.width = this.width + 'px';
		canvas.style.height = this.height + 'px';
		paint.setTransform(ratio, 0, 0, ratio, 0, 0);
		paint.font = '12px ' + theme.mono;
		this.column = Math.max(paint.measureText('mmmmmmmmmm').width / 10, 1);
	}

	// The frame at a point of the canvas, or -1.
	frameAt(x, y) {
		const { left, total, end } = this.tree, place = y + this.view.scrollTop;
		const depth = Math.floor((this.inverted ? place : this.contentHeight() - place) / ROW);
		if (depth < 0 || depth > this.tree.deepest || x < 0 || x >= this.width || !total[0])
			return -1;
		const value = this.from + x / this.width * this.span;
		let frame = 0;
		for (let here = 0; here < depth; here++) {
			let callee = frame + 1;
			while (callee < end[frame] && value >= left[callee] + total[callee])
				callee = end[callee];
			if (callee >= end[frame] || value < left[callee])
				return -1;
			frame = callee;
		}
		return frame;
	}

	// Left, width and top on the whole height, clipped to what is in sight.
	boxOf(frame) {
		const scale = this.width / this.span, { left, total, depth } = this.tree;
		const x = Math.max((left[frame] - this.from) * scale, 0);
		const right = Math.min((left[frame] + total[frame] - this.from) * scale, this.width);
		return { x, w: Math.max(right - x, 1), y: this.top(depth[frame]) };
	}

	outline(element, frame) {
		element.hidden = frame < 0;
		if (frame < 0)
			return;
		const { x, w, y } = this.boxOf(frame);
		element.style.left = x + 'px';
		element.style.width = w + 'px';
		element.style.top = y + 'px';
		element.style.height = BOX + 'px';
	}

	// ---- drawing

	drawSoon() {
		if (!this.waiting)
			requestAnimationFrame(() => this.draw());
		this.waiting = true;
	}

	drawBox(frame, x, w, y, isAbove) {
		const { paint, tree } = this, n = tree.name[frame], found = search.matches && search.matches[n];
		const fill = found ? theme.match : colourOf(tree, frame, search.matches || isAbove);
		paint.fillStyle = fill;
		if (w < 8) {
			paint.fillRect(x, y, w, BOX);
			this.stroke(x, y, w);
			return;
		}
		paint.beginPath();
		(paint.roundRect || paint.rect).call(paint, x, y, w - 0.5, BOX, 2);
		paint.fill();
		this.stroke(x, y, w);
		if (tree.was && frame && w > 4 && markOf(tree, frame) && colouring(tree) === 'change')
			this.hatch(x, y, w, markOf(tree, frame) === 'new');
		const columns = Math.floor((w - 2 * INSET) / this.column);
		if (columns >= 3) {
			paint.fillStyle = found ? theme.matchInk : isPainted(tree) ? inkOn(fill) : theme.ink;
			paint.fillText(fit(n === root ? rootName(tree) : shown(n), columns), x + INSET, y + 12.5);
		}
	}

	stroke(x, y, w) {
		if (!settings.stroke || w < 2)
			return;
		this.paint.strokeStyle = settings.stroke;
		this.paint.lineWidth = 0.5;
		this.paint.strokeRect(x + 0.25, y + 0.25, w - 1, BOX - 0.5);
	}

	// Stripes rise on what is new, and fall on what is gone.
	hatch(x, y, w, isNew) {
		const { paint } = this;
		paint.save();
		paint.beginPath();
		paint.rect(x, y, w - 0.5, BOX);
		paint.clip();
		paint.strokeStyle = theme.ink;
		paint.globalAlpha = 0.22;
		paint.lineWidth = 1.5;
		paint.beginPath();
		for (let at = x - BOX; at < x + w; at += 7) {
			paint.moveTo(at, isNew ? y + BOX : y);
			paint.lineTo(at + BOX, isNew ? y : y + BOX);
		}
		paint.stroke();
		paint.restore();
	}

	draw() {
		this.waiting = false;
		if (!this.tree)
			return;
		this.paint.clearRect(0, 0, this.width, this.height);
		this.paintBoxes(this.view.scrollTop);
		this.outline(this.cursorBox, this.cursor);
	}

	paintBoxes(scroll) {
		const { tree, height, paint } = this;
		const small = (x, w, y) => {
			if (y > -ROW && y < height) {
				paint.fillStyle = theme.small;
				paint.fillRect(x, y, w, BOX);
			}
		};
		this.eachBox((frame, x, w, isAbove) => {
			const y = this.top(tree.depth[frame]) - scroll;
			if (y > -ROW && y < height)
				this.drawBox(frame, x, w, y, isAbove);
			return this.inverted ? y < height : y > -ROW;
		}, (depth, x, w) => small(x, w, this.top(depth) - scroll));
	}

	// Frames in sight, callers first, till draw() says that it has no use for callees; those of what is too
	// narrow are passed over, a run of them as one.
	eachBox(draw, gather) {
		const { width, tree, zoomed, from } = this, { left, total, end, depth } = tree;
		const scale = width / this.span, to = from + this.span, last = end[zoomed];
		let runLeft = 0, runRight = -1, runDepth = -1;
		if (!total[0])
			return;
		for (let frame = 0; frame < tree.count;) {
			const start = left[frame], after = end[frame];
			if (start >= to || start + total[frame] <= from) {
				frame = after;
				continue;
			}
			const x = (start - from) * scale, w = total[frame] * scale;
			if (w < NARROWEST) {
				if (runDepth !== depth[frame] || x - runRight > 0.01) {
					if (gather && runRight > runLeft)
						gather(runDepth, runLeft, runRight - runLeft);
					runLeft = x;
					runDepth = depth[frame];
				}
				runRight = x + w;
				frame = after;
				continue;
			}
			const at = Math.max(x, 0), isWanted = draw(frame, at, Math.min(x + w, width) - at, frame < zoomed && after >= last);
			frame = isWanted === false ? after : frame + 1;
		}
		if (gather && runRight > runLeft)
			gather(runDepth, runLeft, runRight - runLeft);
	}

	// ---- the cursor, moved by keys

	select(frame, reveal = true) {
		this.cursor = frame;
		if (frame >= 0 && reveal) {
			const { left, total, caller } = this.tree, start = left[frame], stop = start + total[frame];
			let within = this.zoomed;
			if (start >= this.from + this.span || stop <= this.from || total[frame] * this.width / this.span < 1) {
				// Out of sight, or too narrow: the nearest caller in which it is wide enough.
				for (within = frame; within > 0 && total[frame] / total[within] > 0.02;)
					within = caller[within];
				this.zoom(within);
			}
			this.reveal(frame);
		}
		this.outline(this.cursorBox, frame);
		describe(this, frame);
	}

	// Up and down are directions on the screen.
	moveCursor(direction) {
		const { caller, end, total } = this.tree, frame = this.cursor;
		if (frame < 0)
			return this.select(this.zoomed);
		const up = this.inverted ? 'caller' : 'callee', towards = { up, down: up === 'caller' ? 'callee' : 'caller' };
		const way = towards[direction] || direction;
		let to = -1;
		if (way === 'caller') {
			to = caller[frame];
		} else if (way === 'callee') {
			for (let callee = frame + 1, most = 0; callee < end[frame]; callee = end[callee])
				if (total[callee] > most) {
					most = total[callee];
					to = callee;
				}
		} else if (frame > 0) {
			if (way === 'right' && end[frame] < end[caller[frame]])
				to = end[frame];
			if (way === 'left')
				for (let callee = caller[frame] + 1; callee < frame; callee = end[callee])
					to = callee;
		}
		if (to >= 0)
			this.select(to);
	}

	// ---- mouse and touch

	listen() {
		const { canvas } = this, at = event => {
			const box = canvas.getBoundingClientRect();
			return [event.clientX - box.left, event.clientY - box.top];
		};
		const fingers = new Map();
		let drag = null, longPress = 0;
		canvas.addEventListener('click', event => {
			if (drag && drag.moved)
				return;
			const frame = this.frameAt(...at(event));
			if (frame >= 0)
				this.zoom(frame);
			else
				tip.hide();
		});
		canvas.addEventListener('mousemove', event => {
			if (drag && drag.moved)
				return;
			const frame = this.frameAt(...at(event));
			this.outline(this.hover, frame);
			describe(this, frame);
			tip.show(this, frame, event.clientX, event.clientY);
		});
		canvas.addEventListener('mouseleave', () => {
			this.hover.hidden = true;
			tip.hide();
			describe(this, this.cursor);
		});
		canvas.addEventListener('contextmenu', event => {
			event.preventDefault();
			const frame = this.frameAt(...at(event));
			if (frame >= 0)
				menu.open(this, frame, event.clientX, event.clientY);
		});
		canvas.addEventListener('wheel', event => {
			if (event.ctrlKey || event.metaKey) {
				event.preventDefault();
				this.scale(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) / 200), at(event)[0]);
			} else if (event.deltaX || event.shiftKey) {
				event.preventDefault();
				this.pan(event.deltaX || event.deltaY);
			}
		}, { passive: false });
		canvas.addEventListener('pointerdown', event => {
			if (event.button > 0)
				return;
			fingers.set(event.pointerId, event);
			drag = { x: event.clientX, y: event.clientY, from: this.from, scroll: this.view.scrollTop, moved: fingers.size > 1 };
			clearTimeout(longPress);
			if (event.pointerType === 'touch')
				longPress = setTimeout(() => {
					const frame = this.frameAt(...at(event));
					if (frame >= 0 && drag && !drag.moved) {
						drag.moved = true;
						menu.open(this, frame, event.clientX, event.clientY);
					}
				}, 550);
		});
		canvas.addEventListener('pointermove', event => {
			if (!fingers.has(event.pointerId) || !drag)
				return;
			const other = [...fingers.values()].find(finger => finger.pointerId !== event.pointerId);
			const last = fingers.get(event.pointerId);
			fingers.set(event.pointerId, event);
			if (other) {
				// Two fingers: the distance between them is the scale.
				const wide = Math.max(20, Math.abs(event.clientX - other.clientX));
				const was = Math.max(20, Math.abs(last.clientX - other.clientX));
				this.scale(was / wide, (at(event)[0] + at(other)[0]) / 2);
				return;
			}
			const x = event.clientX - drag.x, y = event.clientY - drag.y;
			if (!drag.moved && Math.hypot(x, y) > 5) {
				drag.moved = true;
				this.remember();
				canvas.setPointerCapture(event.pointerId);
			}
			if (drag.moved) {
				this.view.scrollTop = drag.scroll - y;
				this.look(drag.from - x / this.width * this.span, this.span);
			}
		});
		const release = event => {
			clearTimeout(longPress);
			fingers.delete(event.pointerId);
			// The click that follows belongs to the drag.
			setTimeout(() => {
				if (!fingers.size)
					drag = null;
			});
		};
		canvas.addEventListener('pointerup', release);
		canvas.addEventListener('pointercancel', release);
	}
}

const rootName = tree => tree.title || (state.compare === 'side' ? 'B: ' + nameOfSide({ tab: state.tab, what: state.what }) : 'all');
