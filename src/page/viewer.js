/* viewer.js - the machine on a 2-D canvas: parts in the frames of their bodies are placed in the pose of the moment,
 * projected in parallel, sorted by depth and painted, the farthest first. Planar machines stay in their plane. */
"use strict";

const FINE = 1e4; /* poses are whole numbers: positions in length/FINE, rotations in 1/FINE */
const VERDICT_COLOURS = ["#0072B2", "#E69F00", "#CC3311"];
const LOOKS = {
  face: "#56B4E9", bar: "#5C8DB0", cable: "#009E73", shape: "#CC79A7", wheel: "#444444",
  joint: "#555555", driven: "#E69F00", base: "#222222",
  trace: "#D55E00", missed: "#000000", guide: "#C4C4C4",
};

/* "1 2.5 inf nan" as numbers. */
function numbers(text) {
  const word = { inf: Infinity, "-inf": -Infinity };
  return text === "" ? [] : text.split(" ").map((w) => (w in word ? word[w] : Number(w)));
}

/* Triples (or other groups) of a list. */
function groups(list, size) {
  const out = [];
  for (let i = 0; i + size <= list.length; i += size) out.push(list.slice(i, i + size));
  return out;
}

/* Anchors "body x y z ..." as {body, x}. */
function anchors(text) {
  return groups(numbers(text), 4).map((a) => ({ body: a[0], x: a.slice(1) }));
}

/* --- vectors and rotations --------------------------------------------------------------------- */

const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; };

/* v turned by the unit quaternion x, y, z, w. */
function turn(q, v) {
  const u = [q[0], q[1], q[2]], t = cross(u, v).map((c) => 2 * c);
  return add(add(v, t, q[3]), cross(u, t));
}

/* Two unit vectors across e. */
function across(e) {
  const help = Math.abs(e[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const m = unit(cross(help, e));
  return [m, cross(e, m)];
}

/* --- poses --------------------------------------------------------------------------------------- */

/* A list of poses: of each body its origin and its quaternion. */
function readPoses(text, data) {
  const size = data.planar ? 3 : 7, scale = data.length / FINE;
  const bodies = groups(numbers(text), size).map((n) => data.planar
    ? { x: [n[0] * scale, n[1] * scale, 0], q: [0, 0, Math.sin(n[2] / FINE / 2), Math.cos(n[2] / FINE / 2)] }
    : { x: [n[0] * scale, n[1] * scale, n[2] * scale], q: normal(n.slice(3)) });
  return data.bodies.length ? groups(bodies, data.bodies.length) : [];
}

function normal(q) {
  const n = Math.hypot(...q) || 1;
  return q.map((c) => c / n);
}

/* The pose between two: positions linear, rotations along the shorter way. */
function between(a, b, s) {
  return a.map((from, i) => {
    const to = b[i], sign = from.q.reduce((sum, c, k) => sum + c * to.q[k], 0) < 0 ? -1 : 1;
    return {
      x: add(from.x, add(to.x, from.x, -1), s),
      q: normal(from.q.map((c, k) => c + s * (sign * to.q[k] - c))),
    };
  });
}

/* Where `value` stands in the ascending list: index of the interval and share of it. */
function interval(list, value) {
  let low = 0, high = list.length - 1;
  if (high < 1 || value <= list[0]) return [0, 0];
  if (value >= list[high]) return [high - 1, 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle; else high = middle;
  }
  return [low, (value - list[low]) / (list[high] - list[low] || 1)];
}

/* --- the viewer ---------------------------------------------------------------------------------- */

class Viewer {
  /* element: the div of class viewer; data: the page's; shown: one of its trajectories, or its first guess. */
  constructor(element, data, shown) {
    this.element = element;
    this.canvas = element.querySelector("canvas");
    this.data = data;
    this.parts = data.parts.map((part) => ({ ...part, at: anchors(part.at) }));
    this.wheels = data.wheels.map((w) => ({ ...w, at: anchors(w.at)[0], axis: numbers(w.axis) }));
    this.shapes = data.shapes.map((s) => ({ ...s, at: anchors(s.at) }));
    this.joints = data.joints.map((j) => ({
      ...j, at: j.at ? anchors(j.at) : null, axis: j.axis ? numbers(j.axis) : null }));
    this.drives = data.drives.map((d) => ({ ...d, at: d.at ? anchors(d.at)[0] : null }));
    this.lines = shown.lines.map((line) => ({ look: line.look, at: groups(numbers(line.at), 3) }));
    this.poses = readPoses(shown.pose, data);
    this.p = numbers(shown.p || "0");
    this.gaps = new Set(numbers(shown.gap || ""));
    this.pose = this.poses[0] || [];
    this.fit();
    this.home();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /* Option `name` of the check boxes. */
  shows(name) {
    const box = this.element.querySelector("." + name);
    return box !== null && box.checked;
  }

  /* The pose at p; over a gap the nearer end. */
  show(p) {
    if (this.poses.length === 0) return;
    const [i, s] = interval(this.p, p);
    const next = Math.min(i + 1, this.poses.length - 1);
    const share = this.gaps.has(i) ? Math.round(s) : s;
    this.pose = between(this.poses[i], this.poses[next], share);
    this.draw();
  }

  /* A point of a body (or of the ground, -1) in the present pose. */
  place(anchor) {
    const body = this.pose[anchor.body];
    return body ? add(body.x, turn(body.q, anchor.x)) : anchor.x;
  }

  /* A direction fixed in a body. */
  direct(body, v) {
    return this.pose[body] ? turn(this.pose[body].q, v) : v;
  }

  /* --- view --- */

  /* Centre and radius of all that is ever shown. */
  fit() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const widen = (x) => x.forEach((c, i) => { low[i] = Math.min(low[i], c); high[i] = Math.max(high[i], c); });
    const step = Math.max(1, Math.floor(this.poses.length / 24));
    for (let i = 0; i < this.poses.length; i += step) {
      this.pose = this.poses[i];
      for (const part of this.parts) part.at.forEach((a) => widen(this.place(a)));
      for (const shape of this.shapes) shape.at.forEach((a) => widen(this.place(a)));
      for (const wheel of this.wheels) widen(this.place(wheel.at));
    }
    for (const line of this.lines) line.at.forEach(widen);
    this.pose = this.poses[0] || [];
    const found = low[0] <= high[0];
    this.centre = found ? low.map((c, i) => (c + high[i]) / 2) : [0, 0, 0];
    this.size = found ? high.map((c, i) => Math.max(c - low[i], 1e-9 * this.data.length)) : [1, 1, 1];
  }

  home() {
    this.turned = Math.PI / 6;
    this.tilted = 22 * Math.PI / 180;
    this.zoom = 1;
    this.pan = [0, 0];
  }

  /* Axes of the view in space: right, up, towards the eye. */
  axes() {
    if (this.data.planar) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const c = Math.cos(this.turned), s = Math.sin(this.turned);
    const ct = Math.cos(this.tilted), st = Math.sin(this.tilted);
    return [[c, s, 0], [-s * st, c * st, ct], [s * ct, -c * ct, st]];
  }

  /* Pixels per length: planar machines fill the canvas, others the ball around them. */
  factor(width, height) {
    const room = 0.9 * this.zoom;
    if (this.data.planar) return room * Math.min(width / this.size[0], height / this.size[1]);
    const [right, up] = this.axes();
    const extent = (e) => e.reduce((sum, c, i) => sum + Math.abs(c) * this.size[i], 0);
    return room * Math.min(width / extent(right), height / Math.max(extent(up), 0.6 * extent(right)));
  }

  /* --- painting --- */

  draw() {
    const canvas = this.canvas, ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = this.pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.scale = this.factor(width, height);
    this.view = this.axes();
    this.middle = [width / 2 + this.pan[0], height / 2 + this.pan[1]];
    this.paint(this.collect());
    if (this.shows("names")) this.write();
  }

  /* Place on the canvas and depth. */
  project(x) {
    const d = add(x, this.centre, -1), [right, up, eye] = this.view;
    return [this.middle[0] + this.scale * dot(d, right), this.middle[1] - this.scale * dot(d, up), dot(d, eye)];
  }

  /* What is to be painted: {paint, depth, layer}. */
  collect() {
    const items = [];
    const put = (layer, points, paint) => {
      const at = points.map((x) => this.project(x));
      items.push({ layer, depth: at.reduce((sum, a) => sum + a[2], 0) / at.length, paint: () => paint(at) });
    };
    for (const line of this.lines) this.collectLine(line, put);
    for (const part of this.parts) this.collectPart(part, put);
    for (const shape of this.shapes) this.collectShape(shape, put);
    for (const wheel of this.wheels) this.collectWheel(wheel, put);
    for (const drive of this.drives) this.collectWrench(drive, put);
    if (this.shows("axes")) for (const joint of this.joints) this.collectAxis(joint, put);
    return items;
  }

  /* Depth first in space, layer first in the plane. */
  paint(items) {
    const depth = (a, b) => a.depth - b.depth, layer = (a, b) => a.layer - b.layer;
    items.sort(this.data.planar ? (a, b) => layer(a, b) || depth(a, b) : (a, b) => depth(a, b) || layer(a, b));
    items.forEach((item) => item.paint());
  }

  collectLine(line, put) {
    const width = { guide: 5, trace: 2, missed: 2 }[line.look];
    for (let i = 0; i + 1 < line.at.length; i++) {
      put(line.look === "guide" ? 0 : 5, [line.at[i], line.at[i + 1]], (at) =>
        this.stroke(at, LOOKS[line.look], width, line.look === "missed" ? [4, 4] : []));
    }
  }

  /* Colour of a joint's mark. */
  colour(joint, otherwise) {
    const verdict = joint >= 0 && this.shows("verdicts") ? this.joints[joint].verdict : -1;
    return verdict >= 0 ? VERDICT_COLOURS[verdict] : otherwise;
  }

  collectPart(part, put) {
    const points = part.at.map((a) => this.place(a));
    if (part.kind === "face") {
      put(2, points, (at) => this.face(points, at, LOOKS.face));
    } else if (part.kind === "bar") {
      this.collectBar(points, 0.012 * this.data.length, LOOKS.bar, put);
    } else if (part.kind === "cable") {
      put(4, points, (at) => this.stroke(at, LOOKS.cable, 1.8));
    } else {
      const x = points.length > 1 ? points[0].map((c, i) => (c + points[1][i]) / 2) : points[0];
      const size = { joint: 3.5, driven: 5.5, base: 5 }[part.kind];
      /* marks stand a little before what they hold */
      put(6, [add(x, this.view[2], 0.03 * this.data.length)], (at) =>
        this.mark(at[0], size, this.colour(part.joint, LOOKS[part.kind]), part.kind === "base"));
    }
  }

  /* A round bar, in pieces so that crossing bars cover each other as they should; behind them its round ends. */
  collectBar(points, radius, colour, put) {
    const pieces = this.data.planar ? 1 : 6, [a, b] = points, d = add(b, a, -1);
    for (const end of points)
      put(1, [add(end, this.view[2], -radius)], (at) => this.ball(at[0], radius, colour));
    for (let i = 0; i < pieces; i++) {
      /* a piece reaches a little into the next one, so that no seam is seen */
      const to = i === pieces - 1 ? 1 : (i + 1.06) / pieces;
      put(2, [add(a, d, i / pieces), add(a, d, to)], (at) => this.round(at, radius, colour));
    }
  }

  collectShape(shape, put) {
    const points = shape.at.map((a) => this.place(a));
    if (points.length === 8) {
      const faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
      for (const face of this.data.planar ? faces.slice(0, 1) : faces) {
        const corners = face.map((i) => points[i]);
        put(3, corners, (at) => this.face(corners, at, LOOKS.shape));
      }
    } else {
      this.collectBar(points, shape.radius, LOOKS.shape, put);
    }
  }

  collectWheel(wheel, put) {
    const centre = this.place(wheel.at), [m, k] = across(this.direct(wheel.at.body, wheel.axis));
    const rim = [];
    for (let i = 0; i < 28; i++) {
      const angle = 2 * Math.PI * i / 28;
      rim.push(add(add(centre, m, wheel.radius * Math.cos(angle)), k, wheel.radius * Math.sin(angle)));
    }
    put(5, rim, (at) => {
      this.polygon(at);
      this.pen.fillStyle = "#55555599";
      this.pen.fill();
      this.stroke([...at, at[0]], this.colour(wheel.joint, LOOKS.wheel), 3);
    });
  }

  /* A drive that acts on a body: an arrow along its force. */
  collectWrench(drive, put) {
    if (!drive.at) return;
    const x = this.place(drive.at), along = numbers(drive.force);
    const e = unit(drive.inBody ? this.direct(drive.at.body, along) : along);
    put(6, [x, add(x, e, 0.12 * this.data.length)], (at) => {
      this.stroke(at, LOOKS.driven, 3);
      this.mark(Math.hypot(...along) > 0 ? at[1] : at[0], 4.5, LOOKS.driven, false);
    });
  }

  /* The axis of a joint, through its point. */
  collectAxis(joint, put) {
    if (!joint.at || !joint.axis) return;
    const x = this.place(joint.at[0]), e = unit(this.direct(joint.at[1].body, joint.axis));
    const half = 0.12 * this.data.length;
    put(7, [add(x, e, -half), add(x, e, half)], (at) => this.stroke(at, "#9A3DBA", 1.2, [7, 3, 2, 3]));
  }

  /* --- strokes --- */

  polygon(at) {
    const pen = this.pen;
    pen.beginPath();
    at.forEach((a, i) => (i ? pen.lineTo(a[0], a[1]) : pen.moveTo(a[0], a[1])));
    pen.closePath();
  }

  stroke(at, colour, width, dash = [], cap = "round") {
    const pen = this.pen;
    pen.beginPath();
    at.forEach((a, i) => (i ? pen.lineTo(a[0], a[1]) : pen.moveTo(a[0], a[1])));
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.lineCap = dash.length ? "butt" : cap;
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }

  /* A face, lighter where it looks up and to the eye. */
  face(points, at, colour) {
    const normal = unit(cross(add(points[1], points[0], -1), add(points[2], points[0], -1)));
    const light = unit(add(this.view[2], [0.2, -0.3, 0.9]));
    const bright = this.data.planar ? 0.9 : 0.55 + 0.45 * Math.abs(dot(normal, light));
    this.polygon(at);
    this.pen.fillStyle = shade(colour, bright) + "D8";
    this.pen.fill();
    this.stroke([...at, at[0]], "#0072B2", 1.2);
  }

  /* Pixels of a bar of that radius. */
  width(radius) { return Math.max(2 * radius * this.scale, 3); }

  /* A round bar: a dark edge, its colour, a lighter line along its middle. */
  round(at, radius, colour) {
    const width = this.width(radius);
    this.stroke(at, shade(colour, 0.62), width, [], "butt");
    this.stroke(at, colour, 0.72 * width, [], "butt");
    this.stroke(at, shade(colour, 1.35), 0.22 * width, [], "butt");
  }

  /* The end of a round bar. */
  ball(at, radius, colour) {
    const pen = this.pen, size = this.width(radius) / 2;
    for (const [share, tone] of [[1, shade(colour, 0.62)], [0.72, colour]]) {
      pen.beginPath();
      pen.arc(at[0], at[1], share * size, 0, 2 * Math.PI);
      pen.fillStyle = tone;
      pen.fill();
    }
  }

  /* A dot; on the ground a triangle below it. */
  mark(at, size, colour, grounded) {
    const pen = this.pen;
    pen.beginPath();
    if (grounded) {
      pen.moveTo(at[0], at[1] - size);
      pen.lineTo(at[0] + size, at[1] + size);
      pen.lineTo(at[0] - size, at[1] + size);
      pen.closePath();
    } else {
      pen.arc(at[0], at[1], size, 0, 2 * Math.PI);
    }
    pen.fillStyle = colour;
    pen.fill();
    pen.strokeStyle = "#FFFFFF";
    pen.lineWidth = 1;
    pen.stroke();
  }

  /* Names of joints and of drives between points; one that would cover another is left out. */
  write() {
    const pen = this.pen, taken = [];
    pen.font = "12px sans-serif";
    const put = (x, name) => {
      const [left, top] = this.project(x), wide = pen.measureText(name).width;
      const box = [left + 7, top - 14, left + 7 + wide, top];
      if (taken.some((b) => b[0] < box[2] && box[0] < b[2] && b[1] < box[3] && box[1] < b[3])) return;
      taken.push(box);
      pen.lineWidth = 3;
      pen.strokeStyle = "#FFFFFFD0";
      pen.strokeText(name, box[0], top - 3);
      pen.fillStyle = "#111111";
      pen.fillText(name, box[0], top - 3);
    };
    for (const part of this.parts) {
      const points = part.at.map((a) => this.place(a));
      const x = points.length === 2 ? points[0].map((c, i) => (c + points[1][i]) / 2) : points[0];
      if (part.joint >= 0 && part.kind !== "bar") put(x, this.joints[part.joint].name);
      else if (part.kind === "cable") put(x, this.drives[part.drive].name);
    }
    for (const wheel of this.wheels) put(this.place(wheel.at), this.joints[wheel.joint].name);
    for (const drive of this.drives) if (drive.at) put(this.place(drive.at), drive.name);
    this.data.bodies.forEach((name, i) => this.pose[i] && put(this.pose[i].x, name));
  }

  /* --- mouse, touch, keys --- */

  listen() {
    const fingers = new Map();
    const spread = () => {
      const [a, b] = [...fingers.values()];
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const before = fingers.size === 2 ? spread() : 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2) this.zoomBy(spread() / (before || 1));
      else this.drag(event.clientX - last[0], event.clientY - last[1], event.shiftKey);
    });
    for (const end of ["pointerup", "pointercancel"])
      this.canvas.addEventListener(end, (event) => fingers.delete(event.pointerId));
    /* the wheel scrolls the page until the canvas has been clicked */
    this.canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== this.canvas) return;
      event.preventDefault();
      this.zoomBy(Math.exp(-event.deltaY / 500));
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.element.querySelector(".home").addEventListener("click", () => { this.home(); this.draw(); });
    this.element.querySelectorAll("input[type=checkbox]")
      .forEach((box) => box.addEventListener("change", () => this.draw()));
  }

  /* Turns a spatial machine, moves a planar one. */
  drag(dx, dy, shift) {
    if (this.data.planar || shift) {
      this.pan = [this.pan[0] + dx, this.pan[1] + dy];
    } else {
      this.turned -= 0.008 * dx;
      this.tilted = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.tilted + 0.008 * dy));
    }
    this.draw();
  }

  zoomBy(factor) {
    this.zoom = Math.max(0.2, Math.min(20, this.zoom * factor));
    this.draw();
  }

  key(event) {
    const move = { ArrowLeft: [-12, 0], ArrowRight: [12, 0], ArrowUp: [0, -12], ArrowDown: [0, 12] }[event.key];
    const zoom = { "+": 1.15, "-": 1 / 1.15 }[event.key];
    if (move) this.drag(...move, false);
    else if (zoom) this.zoomBy(zoom);
    else return;
    event.preventDefault();
  }
}

/* A colour #RRGGBB made darker (below 1) or lighter. */
function shade(colour, share) {
  const channel = (i) => {
    const value = parseInt(colour.slice(i, i + 2), 16);
    const out = share <= 1 ? value * share : value + (255 - value) * Math.min(share - 1, 1);
    return Math.round(out).toString(16).padStart(2, "0");
  };
  return "#" + channel(1) + channel(3) + channel(5);
}
