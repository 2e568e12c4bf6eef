/* designs.js - the designs of a study in typed arrays: columns, which designs pass the filters, in which order. */
"use strict";

const COLOURS = { front: "#D55E00", ok: "#0072B2", not: "#B8C0C8", start: "#000000", chosen: "#CC79A7" };
const FRONT = 2, FEASIBLE = 1; /* classes of designs; 0: the others */

/* Bytes of a text in base 64. */
function bytes(text) {
  const letters = atob(text), out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}

/* Six digits, fewer for what is wide; words for what is no number. */
function digits(value, count = 6) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "unbounded" : "−unbounded";
  return String(+value.toPrecision(count)).replace("-", "−");
}

/* One quantity of all designs. */
class Column {
  constructor(data) {
    Object.assign(this, data);
    const raw = bytes(data.data).buffer;
    this.values = data.wide ? new Float64Array(raw) : new Float32Array(raw);
    this.data = null;
    this.title = this.unit ? `${this.name} [${this.unit}]` : this.name;
    if (this.sense) this.title += this.sense > 0 ? ", maximized" : ", minimized";
  }

  /* The value of design i as a word. */
  word(i, count) {
    const value = this.values[i];
    return this.choices && !Number.isNaN(value) ? this.choices[Math.round(value)] ?? "–" : digits(value, count);
  }

  /* The constraint holds (equality within 1e-3, as the search takes it). */
  kept(i) {
    const value = this.values[i];
    if (this.relation === 0) return Math.abs(value - this.right) <= 1e-3 * Math.max(1, Math.abs(this.right));
    return this.relation > 0 ? value >= this.right : value <= this.right;
  }
}

/* The number of each design as a column like others. */
function numberColumn(serial) {
  return { kind: "number", name: "design", unit: "", title: "number of the design", values: serial, word: (i) => String(serial[i]) };
}

class Designs {
  constructor(data) {
    this.count = data.count;
    this.serial = new Uint32Array(bytes(data.serial).buffer);
    this.status = bytes(data.status);
    this.reason = bytes(data.reason);
    this.reasons = data.reasons;
    this.statuses = data.statuses;
    const front = bytes(data.front);
    this.rank = Uint8Array.from(this.status, (s, i) => (front[i] ? FRONT : s === 0 ? FEASIBLE : 0));
    this.number = numberColumn(this.serial);
    this.columns = data.columns.map((column) => new Column(column));
    this.ranges = new Map(); /* column -> [low, high] */
    this.hidden = new Set(); /* statuses */
    this.conditions = [];
    this.frontOnly = false;
    this.sorted = { column: this.number, down: false };
    this.passes = new Uint8Array(this.count).fill(1);
    this.version = 0; /* of what passes */
    this.room = Uint32Array.from(this.serial, (_, i) => i);
    this.order = this.room;
    this.passing = this.count;
    this.watchers = [];
  }

  named(name) { return name === "design" ? this.number : this.columns.find((column) => column.name === name); }

  /* Least and greatest value among designs of that rank or better. */
  range(column, rank = 0) {
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < this.count; i++) {
      const value = column.values[i];
      if (this.rank[i] < rank || !Number.isFinite(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    return low <= high ? [low, high] : null;
  }

  /* What is worth seeing of a column: the front and the better four fifths of the feasible designs; a variable as a whole. */
  window(column) {
    const whole = this.range(column) || [0, 1];
    if (column.kind !== "objective") return whole;
    const front = this.range(column, FRONT);
    const feasible = column.values.filter((v, i) => this.rank[i] >= FEASIBLE && Number.isFinite(v)).sort();
    if (!front || feasible.length < 10) return this.range(column, FEASIBLE) || whole;
    const at = (share) => feasible[Math.round(share * (feasible.length - 1))];
    return column.sense > 0 ? [Math.min(front[0], at(0.2)), front[1]] : [front[0], Math.max(front[1], at(0.8))];
  }

  /* --- filters --- */

  /* "mass <= 36, leg > 0.6" as conditions; throws what it does not understand. */
  parse(text) {
    return text.split(/,|\band\b/).map((part) => part.trim()).filter((part) => part).map((part) => {
      const match = /^(.*?)\s*(<=|>=|<|>|=)\s*(\S+)$/.exec(part);
      if (!match) throw new Error(`'${part}' is not NAME <= NUMBER`);
      const column = this.named(match[1].trim());
      if (!column) throw new Error(`there is no column '${match[1].trim()}'`);
      const choice = column.choices ? column.choices.indexOf(match[3]) : -1;
      const value = choice >= 0 ? choice : Number(match[3].replace("−", "-"));
      if (Number.isNaN(value)) throw new Error(`'${match[3]}' is not a number`);
      return { column, sign: match[2], value };
    });
  }

  clear() {
    this.ranges.clear();
    this.hidden.clear();
    this.conditions = [];
    this.frontOnly = false;
  }

  /* Which designs pass; then all that shows them. */
  filter() {
    const { passes, count, status, rank, frontOnly } = this;
    const shown = Uint8Array.from(this.statuses, (_, s) => (this.hidden.has(s) ? 0 : 1));
    for (let i = 0; i < count; i++) passes[i] = frontOnly && rank[i] !== FRONT ? 0 : shown[status[i]];
    for (const [column, [low, high]] of this.ranges) {
      const values = column.values;
      for (let i = 0; i < count; i++) if (!(values[i] >= low && values[i] <= high)) passes[i] = 0;
    }
    for (const condition of this.conditions) this.keep(condition);
    this.version++;
    this.arrange();
    this.tell();
  }

  keep({ column, sign, value }) {
    const holds = { "<=": (v) => v <= value, ">=": (v) => v >= value, "<": (v) => v < value, ">": (v) => v > value,
      "=": (v) => Math.abs(v - value) <= 1e-5 * Math.abs(value) }[sign];
    for (let i = 0; i < this.count; i++) if (!holds(column.values[i])) this.passes[i] = 0;
  }

  sort(column, down) {
    this.sorted = { column, down };
    this.ranking = null;
    this.arrange();
    this.tell();
  }

  /* All designs in the order of the chosen column, what is not known last. */
  rankAll() {
    const { column: { values }, down } = this.sorted, sign = down ? -1 : 1;
    const all = Uint32Array.from(this.serial, (_, i) => i);
    return all.sort((a, b) => {
      const x = values[a], y = values[b];
      if (x === y) return a - b;
      return Number.isNaN(x) ? (Number.isNaN(y) ? a - b : 1) : Number.isNaN(y) ? -1 : sign * (x < y ? -1 : 1);
    });
  }

  /* The designs that pass, in order. */
  arrange() {
    this.ranking = this.ranking || this.rankAll();
    const { ranking, passes, room } = this;
    let passing = 0;
    for (let n = 0; n < ranking.length; n++) {
      room[passing] = ranking[n];
      passing += passes[ranking[n]];
    }
    this.passing = passing;
    this.order = room.subarray(0, passing);
  }

  tell() { this.watchers.forEach((watcher) => watcher()); }
}
