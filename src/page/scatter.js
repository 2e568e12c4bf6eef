/* scatter.js - designs in the plane of two columns on a canvas: points as pixels, a rectangle that is drawn chooses ranges,
 * a click the nearest design. */
"use strict";

/* Width and height of a canvas in its own pixels, its pen in those of the page. */
function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, ratio, width, height };
}

/* The place of an event in a canvas. */
function spot(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/* "#RRGGBB" as a pixel. */
function pixel(colour, alpha = 255) {
  const n = parseInt(colour.slice(1), 16);
  return (alpha << 24 | (n & 255) << 16 | (n >> 8 & 255) << 8 | n >> 16) >>> 0;
}

class Scatter {
  constructor(canvas, designs, page) {
    Object.assign(this, { canvas, designs, page, whole: false, hovered: -1 });
    this.px = new Float32Array(designs.count);
    this.py = new Float32Array(designs.count);
    this.slot = new Int32Array(designs.count); /* of its square among those of its rank, -1: outside */
    const goals = designs.columns.filter((column) => column.kind === "objective");
    const variables = designs.columns.filter((column) => column.kind === "variable");
    this.choose(goals.length > 1 ? goals[0] : goals.length ? designs.number : variables[0] || designs.number,
      goals[1] || goals[0] || variables[1] || variables[0] || designs.number);
    this.listen();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  choose(x, y) {
    [this.x, this.y] = [x, y];
    this.frame = null;
  }

  /* Ranges of the axes, with a margin. */
  windows() {
    const one = (column) => {
      const [low, high] = this.whole ? this.designs.range(column) || [0, 1] : this.designs.window(column);
      const margin = high > low ? 0.04 * (high - low) : 0.1 * Math.abs(high) || 1;
      return [low - margin, high + margin];
    };
    return { x: one(this.x), y: one(this.y) };
  }

  /* Where the plot is. */
  layout(width, height) {
    this.frame = this.frame || this.windows();
    this.area = { left: 64, top: 14, right: width - 12, bottom: height - 44 };
  }

  /* --- places --- */

  toX(value) {
    const [low, high] = this.frame.x, a = this.area;
    return a.left + (a.right - a.left) * (value - low) / (high - low);
  }

  toY(value) {
    const [low, high] = this.frame.y, a = this.area;
    return a.bottom - (a.bottom - a.top) * (value - low) / (high - low);
  }

  fromX(x) { return this.frame.x[0] + (x - this.area.left) / (this.area.right - this.area.left) * (this.frame.x[1] - this.frame.x[0]); }

  fromY(y) { return this.frame.y[0] + (this.area.bottom - y) / (this.area.bottom - this.area.top) * (this.frame.y[1] - this.frame.y[0]); }

  /* Places of all designs; NaN outside of the frame. */
  place() {
    const { px, py, area: a, x: { values: xs }, y: { values: ys } } = this;
    const kx = (a.right - a.left) / (this.frame.x[1] - this.frame.x[0]), ky = (a.bottom - a.top) / (this.frame.y[1] - this.frame.y[0]);
    let outside = 0;
    for (let i = 0; i < px.length; i++) {
      const x = a.left + kx * (xs[i] - this.frame.x[0]), y = a.bottom - ky * (ys[i] - this.frame.y[0]);
      const inside = x >= a.left && x <= a.right && y >= a.top && y <= a.bottom;
      px[i] = inside ? x : NaN;
      py[i] = y;
      if (!inside && x === x && y === y) outside++;
    }
    this.outside = outside;
  }

  /* --- painting --- */

  draw() {
    const { pen, ratio, width, height } = prepare(this.canvas);
    if (width === 0) return;
    this.layout(width, height);
    const key = this.canvas.width + " " + this.canvas.height + " " + ratio;
    if (this.placed !== this.frame || this.size !== key) {
      [this.placed, this.size] = [this.frame, key];
      this.place();
      this.makeSquares(ratio);
    }
    this.points(pen);
    this.axes(pen);
    this.marks(pen);
    this.rectangle(pen);
  }

  /* A square for each pixel where designs of a rank are, so that those that cover each other are painted once; and all of
   * them pale, above which those that pass are painted. */
  makeSquares(ratio) {
    const { px, py, slot, designs } = this, { width, height } = this.canvas, many = designs.count > 20000;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.squares = [many ? 2 : 3, many ? 2 : 4, 5].map((side) => ({ side: Math.round(side * ratio), at: [] }));
    const known = this.squares.map(() => new Map());
    for (let i = 0; i < px.length; i++) {
      const rank = designs.rank[i], { side, at } = this.squares[rank];
      slot[i] = -1;
      if (px[i] !== px[i]) continue;
      const from = Math.max(0, Math.round(px[i] * ratio - side / 2)) + Math.max(0, Math.round(py[i] * ratio - side / 2)) * width;
      slot[i] = known[rank].get(from) ?? -1;
      if (slot[i] >= 0) continue;
      known[rank].set(from, slot[i] = at.length);
      at.push(from);
    }
    this.squares.forEach((squares) => {
      squares.at = Int32Array.from(squares.at);
      squares.seen = new Uint8Array(squares.at.length).fill(1);
      this.paint(squares, pixel("#E4E8EC"));
    });
    this.pale = this.pixels.slice();
    this.version = -1;
  }

  /* The squares that are seen. */
  paint({ side, at, seen }, colour) {
    const { pixels } = this, { width } = this.canvas;
    for (let n = 0; n < at.length; n++) {
      if (!seen[n]) continue;
      for (let k = 0, row = at[n]; k < side; k++, row += width)
        for (let x = row; x < row + side; x++) pixels[x] = colour;
    }
  }

  /* Points by class, the front last; what does not pass is pale. */
  points(pen) {
    const { designs, slot, squares } = this;
    if (this.version !== designs.version) {
      this.version = designs.version;
      this.pixels.set(this.pale);
      squares.forEach(({ seen }) => seen.fill(0));
      const seen = squares.map((one) => one.seen), { passes, rank } = designs;
      for (let i = 0; i < slot.length; i++) if (passes[i] && slot[i] >= 0) seen[rank[i]][slot[i]] = 1;
      [COLOURS.not, COLOURS.ok, COLOURS.front].forEach((colour, k) => this.paint(squares[k], pixel(colour)));
    }
    pen.putImageData(this.image, 0, 0);
  }

  axes(pen) {
    const a = this.area;
    pen.strokeStyle = "#8c959f";
    pen.lineWidth = 1;
    pen.strokeRect(a.left, a.top, a.right - a.left, a.bottom - a.top);
    pen.fillStyle = "#444";
    pen.font = "12px system-ui, sans-serif";
    const tics = ([low, high], parts, each) => {
      const step = roundStep(high - low, parts);
      for (let v = Math.ceil(low / step); v * step <= high; v++) each(v * step, digits(+(v * step).toPrecision(12), 5));
    };
    pen.textAlign = "center";
    tics(this.frame.x, a.right - a.left > 350 ? 5 : 3, (v, word) => {
      pen.fillRect(this.toX(v), a.bottom, 1, 4);
      pen.fillText(word, this.toX(v), a.bottom + 17);
    });
    pen.fillText(this.x.title, (a.left + a.right) / 2, a.bottom + 36, a.right - a.left);
    pen.textAlign = "right";
    tics(this.frame.y, 5, (v, word) => {
      pen.fillRect(a.left - 4, this.toY(v), 4, 1);
      pen.fillText(word, a.left - 6, this.toY(v) + 4, a.left - 22);
    });
    pen.save();
    pen.translate(11, (a.top + a.bottom) / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(this.y.title, 0, 0, a.bottom - a.top);
    pen.restore();
  }

  ring(pen, i, colour, radius, filled) {
    if (i < 0 || Number.isNaN(this.px[i])) return;
    pen.beginPath();
    pen.arc(this.px[i], this.py[i], radius, 0, 2 * Math.PI);
    pen.lineWidth = 2.5;
    pen.strokeStyle = pen.fillStyle = colour;
    if (filled) pen.fill();
    else pen.stroke();
  }

  /* Start, chosen and hovered design, and the values of this. */
  marks(pen) {
    this.ring(pen, this.page.start, COLOURS.start, 5, true);
    this.ring(pen, this.page.chosen, COLOURS.chosen, 8);
    this.ring(pen, this.hovered, "#000000", 6);
    if (this.hovered < 0 || Number.isNaN(this.px[this.hovered])) return;
    const i = this.hovered, words = `${this.designs.serial[i]}: ${this.x.name} ${this.x.word(i, 5)}, ${this.y.name} ${this.y.word(i, 5)}`;
    pen.textAlign = "left";
    const wide = Math.min(pen.measureText(words).width, this.area.right - this.area.left - 12);
    const x = Math.max(this.area.left + 4, Math.min(this.px[i] + 10, this.area.right - wide - 8)), y = Math.max(this.py[i] - 12, this.area.top + 18);
    pen.fillStyle = "rgba(255,255,255,0.92)";
    pen.fillRect(x - 4, y - 14, wide + 8, 20);
    pen.fillStyle = "#111";
    pen.fillText(words, x, y, wide);
  }

  /* The ranges that are chosen, or the rectangle in the making. */
  rectangle(pen) {
    const a = this.area, xs = this.designs.ranges.get(this.x), ys = this.designs.ranges.get(this.y);
    if (!xs && !ys) return;
    const clamp = (v, low, high) => Math.max(low, Math.min(high, v));
    const left = xs ? clamp(this.toX(xs[0]), a.left, a.right) : a.left, right = xs ? clamp(this.toX(xs[1]), a.left, a.right) : a.right;
    const top = ys ? clamp(this.toY(ys[1]), a.top, a.bottom) : a.top, bottom = ys ? clamp(this.toY(ys[0]), a.top, a.bottom) : a.bottom;
    pen.fillStyle = "rgba(0,114,178,0.10)";
    pen.strokeStyle = "#0072B2";
    pen.lineWidth = 1;
    pen.fillRect(left, top, right - left, bottom - top);
    pen.strokeRect(left, top, right - left, bottom - top);
  }

  /* --- pointer --- */

  /* The nearest design within so many pixels, those that pass first; -1: none. */
  nearest(x, y, within) {
    let best = -1, least = within * within;
    for (let i = 0; i < this.px.length; i++) {
      if (!this.designs.passes[i]) continue;
      const d = (this.px[i] - x) ** 2 + (this.py[i] - y) ** 2 - (this.designs.rank[i] === FRONT ? 4 : 0);
      if (d < least) [best, least] = [i, d];
    }
    return best;
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button > 0) return;
      this.from = spot(canvas, event);
      this.dragged = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!event.isPrimary) return;
      const at = spot(canvas, event);
      if (this.from) this.drag(at);
      else this.hover(at);
    });
    canvas.addEventListener("pointerup", (event) => {
      const at = spot(canvas, event);
      const began = this.from;
      this.from = null;
      if (began && !this.dragged) this.click(at, event.pointerType === "mouse" ? 12 : 24);
      else if (began) this.page.follow();
    });
    canvas.addEventListener("pointercancel", () => { this.from = null; this.page.follow(); });
    canvas.addEventListener("pointerleave", () => { if (this.hovered >= 0) { this.hovered = -1; this.draw(); } });
  }

  drag(at) {
    if (!this.dragged && Math.hypot(at[0] - this.from[0], at[1] - this.from[1]) < 6) return;
    this.dragged = true;
    const sorted = (a, b) => (a < b ? [a, b] : [b, a]);
    this.designs.ranges.set(this.x, sorted(this.fromX(this.from[0]), this.fromX(at[0])));
    this.designs.ranges.set(this.y, sorted(this.fromY(this.from[1]), this.fromY(at[1])));
    this.page.later();
  }

  hover(at) {
    const i = this.nearest(at[0], at[1], 12);
    if (i === this.hovered) return;
    this.hovered = i;
    this.page.later(false);
  }

  /* A click beside all designs takes the rectangle away. */
  click(at, within) {
    const i = this.nearest(at[0], at[1], within);
    if (i >= 0) this.page.show(i);
    else if (this.designs.ranges.delete(this.x) | this.designs.ranges.delete(this.y)) this.designs.filter();
  }
}
