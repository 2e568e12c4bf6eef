/* region.js - the accessible region of path speed d1 and path acceleration d2 at the chosen p, from its exact arcs
 * d2 = a d1^2 + b d1 + c; each arc has the colour of the limits that are reached on it. */
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const PLOT = { width: 460, height: 320, left: 62, top: 26, right: 448, bottom: 272 };

/* An SVG element with attributes, in a parent. */
function svg(parent, name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  parent.appendChild(element);
  return element;
}

/* A step of 1, 2 or 5 times a power of ten that divides the length into about so many parts. */
function roundStep(length, parts) {
  const power = 10 ** Math.floor(Math.log10(length / parts)), lead = length / parts / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/* Islands of a region from its text (data.c): {from, to, left, right, upper, lower}, left and right slots, arcs {from, to, a, b, c, slot}. */
function readRegion(text) {
  const n = numbers(text), islands = [];
  let at = 1;
  const arcs = (count) => {
    const out = [];
    for (let i = 0; i < count; i++, at += 6) {
      const [from, to, a, b, c, slot] = n.slice(at, at + 6);
      out.push({ from, to, a, b, c, slot });
    }
    return out;
  };
  for (let i = 0; i < n[0]; i++) {
    const [from, to, left, right, uppers, lowers] = n.slice(at, at + 6);
    at += 6;
    islands.push({ from, to, left, right, upper: arcs(uppers), lower: arcs(lowers) });
  }
  return islands;
}

class Region {
  constructor(element, trajectory, colours) {
    const regions = trajectory.regions;
    this.unit = trajectory.unit;
    this.colours = colours;
    this.titles = [regions.d1, regions.d2];
    this.p = numbers(regions.p);
    this.common = numbers(regions.window);
    this.windows = groups(numbers(regions.windows), 3);
    this.regions = regions.region.map(readRegion);
    this.svg = svg(element, "svg", { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, class: "chart", role: "img" });
    const label = document.createElement("label");
    this.own = document.createElement("input");
    this.own.type = "checkbox";
    label.className = "note";
    this.own.checked = this.differ();
    label.append(this.own, " scale of this p alone");
    element.append(label);
    this.own.addEventListener("change", () => this.show(this.at, this.point));
  }

  /* Half of the regions would be less than a quarter as high or wide as the common window. */
  differ() {
    const [d1, low, high] = this.common;
    const shares = this.windows.map((own) => Math.min(own[0] / d1, (own[2] - own[1]) / (high - low)));
    return shares.sort((a, b) => a - b)[shares.length >> 1] < 0.25;
  }

  /* The region nearest to p, and the motion's point [d1, d2] there, or null. */
  show(p, point) {
    const [i, s] = interval(this.p, p), nearest = s > 0.5 ? Math.min(i + 1, this.p.length - 1) : i;
    [this.at, this.point] = [p, point];
    const [d1, low, high] = this.own.checked ? this.windows[nearest] : this.common;
    this.window = { d1, low, high };
    this.svg.replaceChildren();
    this.axes(this.p[nearest]);
    const islands = this.regions[nearest];
    islands.forEach((island) => this.island(island));
    if (islands.length === 0)
      svg(this.svg, "text", { x: 255, y: 150, "text-anchor": "middle", class: "nothing" }, "nothing accessible");
    if (point && point[0] <= d1 && point[1] >= low && point[1] <= high)
      svg(this.svg, "circle", { cx: this.x(point[0]), cy: this.y(point[1]), r: 4.5, class: "now" });
  }

  x(d1) { return PLOT.left + (PLOT.right - PLOT.left) * d1 / this.window.d1; }

  y(d2) {
    const { low, high } = this.window, share = (Math.min(Math.max(d2, low), high) - low) / (high - low);
    return PLOT.bottom - (PLOT.bottom - PLOT.top) * share;
  }

  axes(p) {
    const { d1, low, high } = this.window, box = this.svg;
    const label = (value) => String(+value.toPrecision(6));
    for (let step = roundStep(high - low, 5), v = Math.ceil(low / step) * step; v <= high; v += step) {
      const value = Math.abs(v) < 1e-9 * step ? 0 : v;
      svg(box, "path", { class: "grid", d: `M${PLOT.left} ${this.y(value)}H${PLOT.right}` });
      svg(box, "text", { class: "tic", x: PLOT.left - 5, y: this.y(value) + 4, "text-anchor": "end" }, label(value));
    }
    for (let step = roundStep(d1, 5), v = 0; v <= d1 * (1 + 1e-9); v += step)
      svg(box, "text", { class: "tic", x: this.x(v), y: PLOT.bottom + 17, "text-anchor": "middle" }, label(v));
    svg(box, "rect", { class: "frame", x: PLOT.left, y: PLOT.top, width: PLOT.right - PLOT.left, height: PLOT.bottom - PLOT.top });
    svg(box, "text", { class: "title", x: PLOT.left, y: 18 }, this.titles[1]);
    svg(box, "text", { class: "title", x: PLOT.right, y: 18, "text-anchor": "end" },
      `at p = ${label(p)}${this.unit ? " " + this.unit : ""}`);
    svg(box, "text", { class: "title", x: 255, y: PLOT.bottom + 36, "text-anchor": "middle" }, this.titles[0]);
  }

  /* Points of an envelope between two d1; without arcs it is unbounded: the edge of the window. */
  envelope(arcs, from, to, edge) {
    if (arcs.length === 0) return [[from, edge], [to, edge]];
    return arcs.flatMap((arc) => this.samples(arc));
  }

  samples(arc) {
    const to = Math.min(arc.to, this.window.d1), out = [];
    for (let k = 0; k <= 16 && to >= arc.from; k++) {
      const d1 = arc.from + (to - arc.from) * k / 16;
      out.push([d1, (arc.a * d1 + arc.b) * d1 + arc.c]);
    }
    return out;
  }

  path(points) {
    return points.map(([d1, d2], i) => `${i ? "L" : "M"}${this.x(d1).toFixed(1)} ${this.y(d2).toFixed(1)}`).join("");
  }

  island(island) {
    const to = Math.min(island.to, this.window.d1);
    const lower = this.envelope(island.lower, island.from, to, this.window.low);
    const upper = this.envelope(island.upper, island.from, to, this.window.high);
    svg(this.svg, "path", { class: "region", d: this.path([...lower, ...upper.slice().reverse()]) + "Z" });
    for (const arc of [...island.upper, ...island.lower]) this.line(arc.slot, this.samples(arc));
    /* where a limit of the speed closes the island, its end is a line */
    const last = (list) => list[list.length - 1];
    if (island.left > -2) this.line(island.left, [lower[0], upper[0]]);
    if (island.right > -2 && island.to <= this.window.d1) this.line(island.right, [last(lower), last(upper)]);
  }

  /* A line in the colour of a set. */
  line(slot, points) {
    const colour = slot >= 0 ? this.colours[slot] : "#999999";
    svg(this.svg, "path", { class: "arc", style: `stroke:${colour}`, d: this.path(points) });
  }
}
