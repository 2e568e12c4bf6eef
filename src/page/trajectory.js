/* trajectory.js - one trajectory: its place on the path, and all that follows it: the machine, the region, the cursors in the
 * charts. */
"use strict";

/* One trajectory's section. A place is the share s of the motion's time, or of the path where there is no motion. */
class Trajectory {
  constructor(section, data, trajectory) {
    this.section = section;
    this.trajectory = trajectory;
    this.range = numbers(trajectory.p);
    this.motion = trajectory.motion
      ? Object.fromEntries(Object.entries(trajectory.motion).map(([key, text]) => [key, numbers(text)])) : null;
    this.viewer = new Viewer(section.querySelector(".viewer"), data, trajectory);
    const region = section.querySelector(".region.live");
    this.region = region && trajectory.regions ? new Region(region, trajectory, data.colours) : null;
    this.charts = [...section.querySelectorAll("svg[data-axis]")].map((chart) => this.chart(chart));
    this.slider = section.querySelector(".slider");
    this.listen();
    this.move(0);
  }

  /* Seconds that the motion takes. */
  get time() { return this.motion ? this.motion.t[this.motion.t.length - 1] : NaN; }

  listen() {
    if (!this.slider) return;
    this.slider.addEventListener("input", () => { this.stop(); this.move(this.slider.value / 1000); });
    this.button = this.section.querySelector(".play");
    this.button.addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.speed = this.section.querySelector(".speed");
    this.chooseSpeed();
  }

  /* The greatest speed at which the motion takes three seconds or more. */
  chooseSpeed() {
    if (!this.motion) {
      this.speed.value = "1";
      return;
    }
    const values = [...this.speed.options].map((option) => option.value);
    const slow = values.filter((value) => this.time / Number(value) >= 3);
    this.speed.value = slow.length ? slow[slow.length - 1] : values[0];
  }

  /* A chart with a cursor; a click or drag in it moves the machine there. */
  chart(element) {
    const d = element.dataset, left = Number(d.left), width = Number(d.width);
    const chart = { axis: d.axis, x0: Number(d.x0), x1: Number(d.x1), left, width };
    const height = element.viewBox.baseVal.height;
    chart.cursor = svg(element, "line", { class: "cursor", x1: left, x2: left, y1: 18, y2: height - 40 });
    const go = (event) => {
      const box = element.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * element.viewBox.baseVal.width;
      const share = Math.max(0, Math.min(1, (x - left) / width));
      this.stop();
      this.move(this.share(chart.axis, chart.x0 + share * (chart.x1 - chart.x0)));
    };
    element.addEventListener("pointerdown", (event) => { if (event.isPrimary) go(event); });
    element.addEventListener("pointermove", (event) => { if (event.isPrimary && event.buttons) go(event); });
    return chart;
  }

  /* The place s at which p (or t) has that value. */
  share(axis, value) {
    if (axis === "t") return value / this.time;
    if (!this.motion) return (value - this.range[0]) / (this.range[this.range.length - 1] - this.range[0] || 1);
    const [i, s] = interval(this.motion.p, value), t = this.motion.t;
    return (t[i] + s * (t[i + 1] - t[i])) / this.time;
  }

  /* t, p, d1, d2 at s; without a motion p alone. */
  state(s) {
    if (!this.motion) return { p: this.range[0] + s * (this.range[this.range.length - 1] - this.range[0]) };
    const [i, part] = interval(this.motion.t, s * this.time);
    const at = (list) => list[i] + part * (list[i + 1] - list[i]);
    const { p, d1 } = this.motion;
    return { t: s * this.time, p: at(p), d1: at(d1), d2: part < 1 ? this.motion.d2[i] : at(this.motion.d2) };
  }

  /* Shows the machine at s. */
  move(s) {
    this.s = Math.max(0, Math.min(1, s));
    const now = this.state(this.s);
    if (this.slider) this.slider.value = Math.round(1000 * this.s);
    this.viewer.show(now.p);
    if (this.region) this.region.show(now.p, this.motion ? [now.d1, now.d2] : null);
    for (const chart of this.charts) {
      const x = chart.left + chart.width * ((chart.axis === "t" ? now.t : now.p) - chart.x0) / (chart.x1 - chart.x0);
      const shown = Number.isFinite(x);
      chart.cursor.setAttribute("visibility", shown ? "visible" : "hidden");
      if (shown) ["x1", "x2"].forEach((key) => chart.cursor.setAttribute(key, x.toFixed(1)));
    }
    this.section.querySelector(".state").textContent = this.words(now);
  }

  /* "t = 0.12 s, p = 0.5 m, d1 = 1.2 m/s" */
  words(now) {
    const amount = (value, unit, digits = 4) => `${+value.toPrecision(digits)}${unit ? " " + unit : ""}`;
    if (this.range.length < 2) return "";
    /* p to a thousandth of its range, however far from zero that is */
    const first = this.range[0], last = this.range[this.range.length - 1], unit = this.trajectory.unit;
    const more = Math.floor(Math.log10(Math.max(Math.abs(first), Math.abs(last)) / Math.abs(last - first)));
    const p = `p = ${amount(now.p, unit, Math.min(Math.max(4 + more, 4), 17))}`;
    return now.t === undefined ? p
      : `t = ${now.t.toFixed(3)} s, ${p}` +
        /* none at a rest of the path */
        (Number.isFinite(now.d1) ? `, d₁ = ${amount(now.d1, (unit || "1") + "/s")}` : "");
  }

  play() {
    const begin = this.s >= 1 ? 0 : this.s, seconds = (this.motion ? this.time : 5) / Number(this.speed.value);
    const start = performance.now();
    this.playing = true;
    this.button.textContent = "Pause";
    const step = (now) => {
      if (!this.playing) return;
      const s = begin + Math.max(0, now - start) / 1000 / seconds;
      this.move(s);
      if (s >= 1) this.stop();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  stop() {
    this.playing = false;
    if (this.button) this.button.textContent = "Play";
  }
}
