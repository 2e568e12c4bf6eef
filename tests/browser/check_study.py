"""Pages of studies in a real browser: load without errors or requests; brushes, hover, click, filter, sort and touch work and
agree with each other; nothing is wider than the window; in print and without scripts pictures and a table stand in.

    check_study.py [--speed] STUDY.html...        (exit code 1: something is wrong, 77: no browser)"""
import re
import sys

import browser

wrong = []
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def expect(condition, what):
    if not condition:
        wrong.append(what)
        print("FAILED:", what)


class Check:
    def __init__(self, page, name):
        self.page, self.name = page, name

    def expect(self, condition, what):
        expect(condition, f"{self.name}: {what}")

    def run(self, script):
        return self.page.run(script)

    def settle(self):
        self.run(FRAMES)

    def box(self, selector):
        self.run(f"document.querySelector('{selector}').scrollIntoView({{block: 'center'}})")
        self.settle()
        return self.run(f"(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();"
                        "return [b.left, b.top]; })()")

    def passing(self):
        return self.run("study.designs.passing")

    def clear(self):
        self.run("document.getElementById('clear').click()")
        self.settle()
        self.expect(self.passing() == self.run("study.designs.count"), "Clear does not bring all designs back")

    def loaded(self):
        self.page.wait("document.documentElement.dataset.ready == 'yes'")
        self.expect(not self.page.troubles(), f"{self.page.troubles()[:3]}")

    def layout(self, width):
        self.page.size(width, touch=width < 500)
        self.settle()
        self.expect(self.run("document.documentElement.scrollWidth") <= width, f"wider than {width} pixels")
        overlap = self.run("""(() => { const found = [];
            const boxes = [...document.querySelectorAll('.controls > *, h1, h2, h3, #count, #lines, canvas, #table, .verdict')]
                .map(e => [e.getBoundingClientRect(), e.id || e.textContent]).filter(b => b[0].width > 0);
            boxes.forEach(([a, s], i) => boxes.slice(i + 1).forEach(([b, t]) => {
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (wide > 1 && high > 3) found.push(s + ' | ' + t); }));
            return found.slice(0, 5); })()""")
        self.expect(not overlap, f"at {width} pixels these cover each other: {overlap}")

    def brush(self, touch):
        """A rectangle in the scatter chooses what is in it, and nothing else."""
        left, top = self.box("#scatter")
        x0, y0, x1, y1 = self.run("(() => { const a = study.scatter.area; return [a.left, a.top, a.right, a.bottom]; })()")
        ends = left + x0 + 2, top + y0 + 2, left + (x0 + x1) / 2, top + (y0 + y1) / 2
        (self.page.swipe if touch else self.page.drag)(*ends)
        self.settle()
        expected = self.run("""(() => { const s = study.scatter, d = study.designs, x = d.ranges.get(s.x), y = d.ranges.get(s.y);
            let n = 0; for (let i = 0; i < d.count; i++) { const a = s.x.values[i], b = s.y.values[i];
            n += a >= x[0] && a <= x[1] && b >= y[0] && b <= y[1]; } return n; })()""")
        self.expect(self.passing() == expected < self.run("study.designs.count"), f"brush: {self.passing()} pass, {expected} are in it")
        self.expect(self.run("study.designs.order.length") == expected, "the table has other designs than the brush")
        self.clear()

    def axis(self):
        """A drag along an axis of the parallel coordinates."""
        left, top = self.box("#parallel")
        if not self.run("study.parallel.columns.length"):
            return
        x, y0, y1 = self.run("[study.parallel.x(0), study.parallel.area.top, study.parallel.area.bottom]")
        self.page.drag(left + x, top + y0 + 0.3 * (y1 - y0), left + x, top + y0 + 0.7 * (y1 - y0))
        self.settle()
        self.expect(self.run("study.designs.ranges.has(study.parallel.columns[0])"), "no range of the axis")
        low, high = self.run("study.designs.ranges.get(study.parallel.columns[0])")
        within = self.run(f"[...study.designs.order].every(i => study.parallel.columns[0].values[i] >= {low!r} && "
                          f"study.parallel.columns[0].values[i] <= {high!r})")
        self.expect(within, "a design is out of the axis' range")
        self.clear()

    def pick(self):
        """Hover names a design, a click shows it, in the table too."""
        left, top = self.box("#scatter")
        i, x, y = self.run("(() => { const s = study.scatter; for (let i = study.designs.count - 1; i >= 0; i--)"
                           "if (s.px[i] === s.px[i] && (study.designs.rank[i] == 2 || i == 0)) return [i, s.px[i], s.py[i]];"
                           "const k = s.px.findIndex(v => v === v); return [k, s.px[k], s.py[k]]; })()")
        self.page.mouse("mouseMoved", left + x, top + y, 0)
        self.settle()
        hovered = self.run("study.scatter.hovered")
        near = self.run(f"Math.hypot(study.scatter.px[{hovered}] - {x}, study.scatter.py[{hovered}] - {y})") if hovered >= 0 else 99
        self.expect(near < 3, f"the pointer at design {i} finds {hovered}")
        self.page.mouse("mousePressed", left + x, top + y)
        self.page.mouse("mouseReleased", left + x, top + y, 0)
        self.settle()
        chosen = self.run("study.chosen")
        self.expect(chosen >= 0 and not self.run("document.getElementById('design').hidden"), "a click shows no design")
        self.expect(self.run("!!document.querySelector('#table tr.chosen')"), "the chosen design is not in sight in the table")
        serial = self.run(f"study.designs.serial[{chosen}]")
        self.expect(f" {serial} -o design-{serial}.yaml" in self.run("document.getElementById('design').textContent"),
                    "the command for its case file is missing")

    def row(self):
        """A click on a row shows its design; drawn ones with machine and region."""
        self.box("#table")
        left, top = self.run("(() => { const b = document.getElementById('table').getBoundingClientRect();"
                             "return [b.left + 20, b.top + 90]; })()")
        wanted = self.run(f"Number(document.elementFromPoint({left}, {top}).closest('tr').dataset.i)")
        self.page.mouse("mousePressed", left, top)
        self.page.mouse("mouseReleased", left, top, 0)
        self.settle()
        self.expect(self.run("study.chosen") == wanted, "a click on a row does not show its design")
        if self.run("study.drawings.size"):
            self.run("study.show(study.start)")
            self.settle()
            painted = self.run("(() => { const c = document.querySelector('#design canvas');"
                               "return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0); })()")
            self.expect(painted, "the start has no drawing")
            if self.run("study.lives.some(life => life.region)"):
                self.expect(self.run("!!document.querySelector('#design .region path.region')"), "the start has no region")
            lengths = self.run("[...document.querySelectorAll('#design table')].map(t => t.tBodies[0].rows.length)")
            kinds = self.run("study.designs.columns.map(c => c.kind === 'criterion').reduce((n, c) => (n[+c]++, n), [0, 0])")
            self.expect(lengths == [n for n in kinds if n], f"tables of {lengths} rows, not {kinds}: goals, then criteria")
            self.expect(self.run("document.querySelector('#design canvas').compareDocumentPosition("
                                 "document.querySelector('#design table')) & 2"), "the goals do not stand before the machine")

    def front(self):
        """The box for the front counts what the verdict does, also where a search has asked for a design twice."""
        told = re.search(r"(\d+) on the front", self.run("document.querySelector('.verdict').textContent"))
        box = re.search(r"front only \((\d+)\)", self.run("document.getElementById('statuses').textContent"))
        self.expect(not told or not box or told[1] == box[1], f"{told and told[1]} on the front, {box and box[1]} in the box")

    def filter(self):
        """A condition, a wrong one, statuses."""
        column = self.run("study.designs.columns[0].name")
        middle = self.run("(() => { const v = study.designs.columns[0].values.filter(x => x === x).sort(); return v[v.length >> 1]; })()")
        type_in = "(() => { const f = document.getElementById('filter'); f.value = %r; f.dispatchEvent(new Event('input')); })()"
        self.run(type_in % f"{column} <= {middle!r}")
        least = self.run(f"study.designs.columns[0].values.reduce((n, v) => n + (v <= {middle!r}), 0)")
        self.expect(self.passing() == least, f"filter: {self.passing()} pass, {least} ought to")
        self.run(type_in % "nothing <= 1")
        self.expect("there is no column 'nothing'" in self.run("document.getElementById('count').textContent"), "no word on a wrong filter")
        self.clear()
        box = "document.querySelector('#statuses input')"
        self.run(f"{box}.click()")
        self.expect(self.passing() == self.run("study.designs.status.reduce((n, s) => n + (s != study.boxes[0][0]), 0)"), "a status is not hidden")
        self.clear()

    def sort(self):
        """The first click on an objective puts its best first, the second its worst; the table shows that."""
        self.run("document.querySelectorAll('#table th button')[1].click()")
        for _ in range(2):
            fine = self.run("""(() => { const d = study.designs, { column, down } = d.sorted, v = column.values;
                for (let k = 1; k < d.order.length; k++) { const a = v[d.order[k - 1]], b = v[d.order[k]];
                    if (Number.isNaN(a) ? !Number.isNaN(b) : down ? a < b : a > b) return false; } return true; })()""")
            self.expect(fine, "the order is wrong")
            shown = self.run("document.querySelector('#table').scrollTop = 0, study.table.rows(), document.querySelector('#table tr[data-i]').dataset.i")
            self.expect(int(shown) == self.run("study.designs.order[0]"), "the table does not begin with the first")
            self.run("document.querySelectorAll('#table th button')[1].click()")
        last = self.run("(() => { const t = document.querySelector('#table'); t.scrollTop = t.scrollHeight; study.table.rows();"
                        "const rows = t.querySelectorAll('tr[data-i]'); return [rows.length, Number(rows[rows.length - 1].dataset.i)]; })()")
        self.expect(last[0] < 60 and last[1] == self.run("study.designs.order[study.designs.order.length - 1]"), f"the end of the table: {last}")

    def static(self):
        self.page.call("Emulation.setEmulatedMedia", media="print")
        self.expect(self.run("[...document.querySelectorAll('canvas')].every(c => c.offsetHeight == 0)"), "a canvas in print")
        self.expect(self.run("document.querySelector('.static table').offsetHeight") > 20, "no table in print")
        self.page.call("Emulation.setEmulatedMedia", media="")

    def speed(self):
        """Milliseconds of processor time of the page while a rectangle is drawn with 40 moves."""
        left, top = self.box("#scatter")
        self.page.call("Performance.enable", timeDomain="threadTicks")
        metric = lambda: {m["name"]: m["value"] for m in self.page.call("Performance.getMetrics")["metrics"]}["ScriptDuration"]
        before = metric()
        self.page.mouse("mousePressed", left + 100, top + 50)
        for k in range(40):
            self.page.mouse("mouseMoved", left + 110 + 8 * k, top + 60 + 6 * k)
            self.settle()
        self.page.mouse("mouseReleased", left + 430, top + 300, 0)
        print(f"{self.name}: {self.run('study.designs.count')} designs, {25 * (metric() - before):.1f} ms of a brush's move")
        self.clear()

    def all(self):
        self.page.size(1280)
        self.page.open(self.name)
        self.loaded()
        for width in (390, 1280):
            self.layout(width)
        self.brush(False)
        self.axis()
        self.pick()
        self.front()
        self.row()
        self.filter()
        self.sort()
        for width in (1280, 390):
            self.layout(width)
        self.brush(True)
        self.page.size(1280)
        if "--speed" in sys.argv:
            self.speed()
        self.static()
        self.expect(not self.run("window.stolen"), "a text was run as a script")
        self.loaded()
        for width in (1280, 390):
            self.page.size(width)
            missing = self.page.stands_in(self.name, "section:not([hidden]), .static")
            self.expect(not missing, f"without scripts at {width} pixels {missing[:4]}")


if __name__ == "__main__":
    sys.exit(browser.check_all([n for n in sys.argv[1:] if n != "--speed"], lambda page, name: Check(page, name).all()) or bool(wrong))
