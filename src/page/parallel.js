/* parallel.js - designs in parallel coordinates on a canvas: a drag along an axis chooses a range. */
"use strict";

const LINES_MOST = 1500; /* lines of designs off the front, and of it */
const LINES_MOVING = 300; /* the same while something is dragged */

class Parallel {
  constructor(canvas, designs, page, note) {
    Object.assign(this, { canvas, designs, page, note });
    const kind = (name) => designs.columns.filter((column) => column.kind === name);
    this.columns = [...kind("variable"), ...kind("constraint"), ...kind("objective")]
      .filter((column) => { const r = designs.range(column); return r && r[0] < r[1]; });
    this.scales = this.columns.map((column) => (column.kind === "variable" && column.high > column.low
      ? [column.low, column.high] : this.scale(column)));
    this.listen();
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /* Of the feasible designs, else of all. */
  scale(column) {
    const [low, high] = column.kind === "objective" ? this.designs.window(column)
      : this.designs.range(column, FEASIBLE) || this.designs.range(column);
    return low < high ? [low, high] : this.designs.range(column);
  }

  x(k) { return this.area.left + (this.area.right - this.area.left) * (this.columns.length > 1 ? k / (this.columns.length - 1) : 0.5); }

  y(k, value) {
    const [low, high] = this.scales[k];
    return this.area.bottom - (this.area.bottom - this.area.top) * Math.max(-0.02, Math.min(1.02, (value - low) / (high - low)));
  }

  value(k, y) {
    const [low, high] = this.scales[k];
    return low + (this.area.bottom - y) / (this.area.bottom - this.area.top) * (high - low);
  }

  draw() {
    const { pen, ratio, width, height } = prepare(this.canvas);
    if (width === 0 || this.columns.length === 0) return;
    this.area = { left: 44, right: width - 44, top: 52, bottom: height - 24 };
    const most = this.page.dragging() ? LINES_MOVING : LINES_MOST;
    const key = `${this.canvas.width} ${this.canvas.height} ${this.designs.version} ${most}`;
    if (this.key !== key) this.makeLines(ratio, most);
    this.key = key;
    pen.drawImage(this.layer, 0, 0, width, height);
    for (const [i, colour] of [[this.page.start, COLOURS.start], [this.page.scatter.hovered, "#000000"], [this.page.chosen, COLOURS.chosen]])
      if (i >= 0) this.stroke(pen, [i], colour, 2.5);
    this.columns.forEach((column, k) => this.axis(pen, column, k));
  }

  stroke(pen, list, colour, width) {
    const xs = this.columns.map((_, k) => this.x(k));
    pen.beginPath();
    for (const i of list) {
      let down = false;
      for (let k = 0; k < xs.length; k++) {
        const value = this.columns[k].values[i];
        if (!Number.isFinite(value)) down = false;
        else if (down) pen.lineTo(xs[k], this.y(k, value));
        else { pen.moveTo(xs[k], this.y(k, value)); down = true; }
      }
    }
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }

  /* A layer with the designs that pass, evenly thinned where there are many; the front as far as it passes. */
  makeLines(ratio, most) {
    const { designs } = this, ranks = [[], [], []];
    const step = Math.max(1, Math.ceil(designs.passing / most));
    let place = 0;
    for (let i = 0; i < designs.count; i++)
      if (designs.passes[i] && (designs.rank[i] === FRONT || place++ % step === 0)) ranks[designs.rank[i]].push(i);
    const front = ranks[FRONT], thin = Math.max(1, Math.ceil(front.length / most));
    this.layer = this.layer || document.createElement("canvas");
    [this.layer.width, this.layer.height] = [this.canvas.width, this.canvas.height];
    const pen = this.layer.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    /* lines of one pixel of the canvas are drawn one by one; wider ones become one area, which takes longer */
    const hair = 1 / ratio;
    this.stroke(pen, ranks[0], "rgba(150,160,170,0.25)", hair);
    this.stroke(pen, ranks[1], "rgba(0,114,178,0.25)", hair);
    this.stroke(pen, front.filter((_, n) => n % thin === 0), "rgba(213,94,0,0.7)", hair);
    this.note.textContent = step > 1 || thin > 1
      ? `One in ${step} of ${designs.passing} designs is drawn, of the front ${thin > 1 ? `one in ${thin}` : "all"}. Drag along an axis to filter.`
      : "Drag along an axis to filter; click its name to clear it.";
  }

  axis(pen, column, k) {
    const x = this.x(k), { top, bottom } = this.area, room = (this.area.right - this.area.left) / Math.max(1, this.columns.length - 1) - 4;
    pen.fillStyle = "#333";
    pen.fillRect(x - 0.5, top, 1, bottom - top);
    const range = this.designs.ranges.get(column);
    if (range) {
      pen.fillStyle = "rgba(0,114,178,0.35)";
      const [low, high] = range.map((v) => this.y(k, v));
      pen.fillRect(x - 6, high, 12, Math.max(2, low - high));
    }
    pen.fillStyle = "#222";
    pen.textAlign = "center";
    pen.font = "12px system-ui, sans-serif";
    const wide = Math.min(84, Math.max(room, 40));
    pen.fillText(column.name, x, k % 2 && room < 60 ? top - 35 : top - 21, wide);
    pen.font = "11px system-ui, sans-serif";
    const [low, high] = this.scales[k], least = 5e-4 * (high - low); /* what three digits of the scale do not show is 0 */
    const words = [low, high].map((v) => (column.choices ? column.choices[Math.round(v)] || "" : digits(Math.abs(v) < least ? 0 : v, 3)));
    if (room < 34 && k % 2) return;
    pen.fillText(words[1], x, top - 9, wide); /* above lines that leave the scale */
    pen.fillText(words[0], x, bottom + 13, wide);
  }

  /* --- pointer --- */

  nearestAxis(x) {
    let best = -1, least = 22;
    this.columns.forEach((_, k) => { const d = Math.abs(this.x(k) - x); if (d < least) [best, least] = [k, d]; });
    return best;
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("pointerdown", (event) => {
      if (!event.isPrimary || event.button > 0) return;
      const [x, y] = spot(canvas, event), k = this.nearestAxis(x);
      if (k < 0) return;
      this.from = { k, y };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => { if (this.from && event.isPrimary) this.drag(spot(canvas, event)[1]); });
    canvas.addEventListener("pointerup", (event) => {
      const began = this.from;
      this.from = null;
      if (began && Math.abs(spot(canvas, event)[1] - began.y) < 5 && this.designs.ranges.delete(this.columns[began.k]))
        this.designs.filter();
      else if (began) this.page.follow();
    });
    canvas.addEventListener("pointercancel", () => { this.from = null; this.page.follow(); });
  }

  drag(y) {
    const { k, y: from } = this.from;
    if (Math.abs(y - from) < 5) return;
    const open = (v, at) => (at <= this.area.top ? Infinity : at >= this.area.bottom ? -Infinity : v);
    const ends = [open(this.value(k, from), from), open(this.value(k, y), y)].sort((a, b) => a - b);
    this.designs.ranges.set(this.columns[k], ends);
    this.page.later();
  }
}
