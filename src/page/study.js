/* study.js - brings the page of a study to life: scatter, parallel coordinates, table and the chosen design, linked. */
"use strict";

/* An element with a text, appended. */
function element(parent, name, text = "", look = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (look) made.className = look;
  parent.append(made);
  return made;
}

class Study {
  constructor(data) {
    this.data = data;
    this.designs = new Designs(data);
    this.start = this.designs.serial.indexOf(0);
    this.chosen = -1;
    this.drawings = new Map([...document.querySelectorAll("script.drawing")].map((e) => [Number(e.dataset.design), e]));
    const by = (id) => document.getElementById(id);
    this.scatter = new Scatter(by("scatter"), this.designs, this);
    this.parallel = new Parallel(by("parallel"), this.designs, this, by("lines"));
    this.table = new Table(by("table"), this.designs, this);
    this.panel = by("design");
    this.designs.watchers.push(() => this.draw());
    this.makeStatuses();
    this.makeAxes();
    this.makeFilter();
    this.restore();
    this.designs.filter();
  }

  /* --- controls --- */

  /* A box for each status that occurs, and one for the front. */
  makeStatuses() {
    const { designs } = this, place = document.getElementById("statuses");
    const counts = designs.statuses.map(() => 0);
    designs.status.forEach((s) => { counts[s]++; });
    const box = (text, checked, change) => {
      const label = element(place, "label"), input = document.createElement("input");
      input.type = "checkbox";
      input.checked = checked;
      label.append(input, ` ${text}`);
      input.addEventListener("change", () => { change(input.checked); designs.filter(); });
      return input;
    };
    this.boxes = designs.statuses.flatMap((name, s) => (counts[s] === 0 ? [] : [[s, box(`${name} ${counts[s]}`, true,
      (on) => (on ? designs.hidden.delete(s) : designs.hidden.add(s)))]]));
    /* A design that a search has asked for twice is one of the front. */
    const variables = designs.columns.filter((column) => column.kind === "variable"), front = new Set();
    designs.rank.forEach((rank, i) => { if (rank === FRONT) front.add(variables.map((column) => column.values[i]).join()); });
    this.frontBox = front.size ? box(`front only (${front.size})`, false, (on) => { designs.frontOnly = on; }) : null;
  }

  makeAxes() {
    const all = [...this.designs.columns, this.designs.number];
    for (const axis of ["x", "y"]) {
      const select = document.getElementById(axis);
      for (const column of all) element(select, "option", column.name).value = column.name;
      select.value = this.scatter[axis].name;
      select.addEventListener("change", () => {
        this.scatter.choose(this.designs.named(document.getElementById("x").value), this.designs.named(document.getElementById("y").value));
        this.later(false);
      });
    }
    document.getElementById("whole").addEventListener("change", (event) => {
      this.scatter.whole = event.target.checked;
      this.scatter.frame = null;
      this.later(false);
    });
  }

  makeFilter() {
    const input = document.getElementById("filter"), goal = this.designs.columns[0];
    input.placeholder = goal ? `${goal.name} <= ${digits(goal.values[Math.max(0, this.start)], 3)}` : "";
    input.addEventListener("input", () => {
      input.setCustomValidity("");
      try {
        this.designs.conditions = this.designs.parse(input.value);
      } catch (error) {
        input.setCustomValidity(error.message);
      }
      this.designs.filter();
    });
    document.getElementById("clear").addEventListener("click", () => {
      input.value = "";
      input.setCustomValidity("");
      this.boxes.forEach(([, box]) => { box.checked = true; });
      if (this.frontBox) this.frontBox.checked = false;
      this.designs.clear();
      this.designs.filter();
    });
  }

  /* --- drawing --- */

  /* Once before the next frame: filter (unless false) and draw. */
  later(filter = true) {
    this.filters = this.filters || filter;
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      const began = performance.now();
      this.waits = false;
      if (this.filters) this.designs.filter();
      else { this.scatter.draw(); this.parallel.draw(); }
      this.filters = false;
      this.took = performance.now() - began;
    });
  }

  /* Something is drawn with the pointer: the frame belongs to it. */
  dragging() { return Boolean(this.scatter.from || this.parallel && this.parallel.from); }

  /* What follows the scatter: at once, while something is dragged ten times a second, and with fewer lines. */
  follow() {
    clearTimeout(this.behind && !this.dragging() ? this.behind : 0);
    if (this.dragging() && this.behind) return;
    const draw = () => {
      this.behind = 0;
      this.parallel.draw();
      this.table.draw();
    };
    if (this.dragging()) this.behind = setTimeout(draw, 100);
    else draw();
  }

  draw() {
    const { designs, scatter } = this, problem = document.getElementById("filter").validationMessage;
    scatter.draw();
    if (this.parallel.from) this.parallel.draw();
    this.follow();
    const some = designs.passing < designs.count ? `${designs.passing} of ${designs.count} designs pass.` : `${designs.count} designs.`;
    document.getElementById("count").textContent = `${problem ? problem + ". " : ""}${some}` +
      (scatter.outside ? ` ${scatter.outside} ${scatter.outside === 1 ? "lies" : "lie"} outside of the scatter's frame.` : "") +
      (this.data.leftOut ? ` ${this.data.leftOut} criteria are left out for lack of space; globdyn study export has them.` : "");
  }

  /* --- a design --- */

  show(i) {
    this.chosen = i;
    this.panel.hidden = false;
    this.panel.replaceChildren();
    this.write(i);
    this.scatter.draw();
    this.parallel.draw();
    this.table.reveal();
  }

  write(i) {
    const { designs, panel } = this, serial = designs.serial[i], reason = designs.reasons[designs.reason[i]];
    element(panel, "h3", `Design ${serial}: ${designs.rank[i] === FRONT ? "on the front" : designs.statuses[designs.status[i]]}`);
    if (reason) element(panel, "p", reason);
    this.commands(serial);
    /* What was chosen and what is gained; the machine; then the many criteria. */
    const { columns } = designs, criteria = columns.filter((column) => column.kind === "criterion");
    this.changes(i, columns.filter((column) => column.kind !== "criterion"));
    this.drawing(serial);
    if (criteria.length === 0) return;
    element(panel, "h4", "Criteria");
    this.changes(i, criteria);
  }

  /* How to get its case file and its own report. */
  commands(serial) {
    const list = element(this.panel, "dl"), file = `design-${serial}.yaml`;
    for (const [what, command] of [["its case file", `globdyn study case ${this.data.study} ${serial} -o ${file}`],
      ["then its report", `globdyn report ${file}`]]) {
      element(list, "dt", what);
      element(list, "dd", command, "code");
    }
  }

  /* Its values beside those of the start. */
  changes(i, columns) {
    const { start, designs } = this, table = element(element(this.panel, "div", "", "scroll"), "table");
    const head = element(element(table, "thead"), "tr"), body = element(table, "tbody");
    for (const word of ["", "start", `design ${designs.serial[i]}`, "change", "unit", ""]) element(head, "th", word);
    for (const column of columns) {
      const row = element(body, "tr"), value = column.values[i], from = start >= 0 ? column.values[start] : NaN;
      element(row, "td", column.name);
      element(row, "td", start >= 0 ? column.word(start) : "–", "n");
      element(row, "td", column.word(i), "n");
      const share = column.choices ? NaN : 100 * (value - from) / Math.abs(from);
      element(row, "td", Number.isFinite(share) ? `${share > 0 ? "+" : ""}${digits(share, 3)} %` : "", "n");
      element(row, "td", column.unit);
      this.remark(row, column, i, value - from);
    }
  }

  /* Whether an objective is better than that of the start, a constraint is kept. */
  remark(row, column, i, change) {
    const better = column.sense && Math.sign(change) === column.sense;
    if (column.sense && change) element(row, "td", better ? "better" : "worse", better ? "better" : "worse");
    else if (column.kind === "constraint" && Number.isFinite(column.values[i]))
      element(row, "td", `${["≤", "=", "≥"][column.relation + 1]} ${digits(column.right)}${column.kept(i) ? "" : ", broken"}`, column.kept(i) ? "" : "worse");
    else element(row, "td");
  }

  /* The machine of the design where the page has it. */
  drawing(serial) {
    const script = this.drawings.get(serial), { panel } = this;
    this.lives = [];
    if (!script) {
      if (this.drawings.size)
        element(panel, "p", `This page has the machines of ${this.drawings.size} designs: the start, the best and others of the front (` +
          [...this.drawings.keys()].sort((a, b) => a - b).join(", ") + "). The commands above make the others.", "note");
      return;
    }
    const data = JSON.parse(script.textContent);
    const copy = (id) => { panel.append(document.getElementById(id).content.cloneNode(true)); return panel.lastElementChild; };
    if (data.trajectories.length === 0) new Viewer(copy("guess"), data, data.guess).draw();
    for (const trajectory of data.trajectories) {
      const section = copy("trajectory");
      section.querySelector("h4").textContent = trajectory.name;
      if (!trajectory.regions) section.querySelector(".of-region").remove();
      this.lives.push(new Trajectory(section, data, trajectory));
    }
  }

  /* --- loading anew while the study runs --- */

  /* What is chosen outlives loading anew. */
  keep() {
    const { designs, scatter } = this;
    const kept = { chosen: this.chosen < 0 ? -1 : designs.serial[this.chosen], x: scatter.x.name, y: scatter.y.name,
      whole: scatter.whole, filter: document.getElementById("filter").value, hidden: [...designs.hidden], front: designs.frontOnly,
      ranges: [...designs.ranges].map(([column, range]) => [column.name, range.map(String)]),
      sorted: [designs.sorted.column.name, designs.sorted.down], scroll: [window.scrollY, this.table.element.scrollTop] };
    try { sessionStorage.setItem("globdyn " + location.pathname, JSON.stringify(kept)); } catch { /* not allowed: begin anew */ }
  }

  restore() {
    let kept = null;
    try { kept = this.data.live ? JSON.parse(sessionStorage.getItem("globdyn " + location.pathname)) : null; } catch { /* likewise */ }
    if (!kept || !this.designs.named(kept.x) || !this.designs.named(kept.y)) return;
    const { designs } = this, by = (id) => document.getElementById(id);
    [by("x").value, by("y").value, by("whole").checked, by("filter").value] = [kept.x, kept.y, kept.whole, kept.filter];
    this.scatter.whole = kept.whole;
    this.scatter.choose(designs.named(kept.x), designs.named(kept.y));
    try { designs.conditions = designs.parse(kept.filter); } catch { /* a filter in the making */ }
    designs.hidden = new Set(kept.hidden);
    this.boxes.forEach(([s, box]) => { box.checked = !designs.hidden.has(s); });
    designs.frontOnly = kept.front && this.frontBox !== null;
    if (this.frontBox) this.frontBox.checked = designs.frontOnly;
    for (const [name, range] of kept.ranges) if (designs.named(name)) designs.ranges.set(designs.named(name), range.map(Number));
    if (designs.named(kept.sorted[0])) designs.sorted = { column: designs.named(kept.sorted[0]), down: kept.sorted[1] };
    this.restored = kept;
  }

  /* The design that was shown, and where the page was scrolled to. */
  resume() {
    if (!this.restored) return;
    const i = this.designs.serial.indexOf(this.restored.chosen);
    if (i >= 0) this.show(i);
    window.scrollTo(0, this.restored.scroll[0]);
    this.table.element.scrollTop = this.restored.scroll[1];
  }

  /* Not while something is dragged, moved or typed. */
  reload() {
    const busy = this.scatter.from || this.parallel.from || (this.lives || []).some((life) => life.playing) ||
      document.activeElement === document.getElementById("filter");
    if (!document.getElementById("reload").checked || busy) return;
    this.keep();
    location.reload();
  }
}

function begin() {
  const text = document.getElementById("data").textContent, data = JSON.parse(text);
  document.documentElement.classList.add("js");
  if (data.count > 0) {
    const study = window.study = new Study(data);
    study.resume();
    if (data.live) setInterval(() => study.reload(), 3000);
  } else if (data.live) {
    setInterval(() => { if (document.getElementById("reload").checked) location.reload(); }, 3000);
  }
  document.documentElement.dataset.ready = "yes";
}

begin();
