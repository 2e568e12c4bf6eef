"""Reports in a real browser: load without errors or requests; play, slider, orbit by mouse and touch, charts, tabs work;
nothing is wider than the window; without scripts and in print pictures stand in.

    check_report.py REPORT.html...        (exit code 1: something is wrong, 77: no browser)"""
import sys

import browser

wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)
        print("FAILED:", what)


# What the first canvas shows, as a number; whether it shows anything.
PIXELS = """(() => { const c = document.querySelector('section:not(.hidden) canvas, main > figure canvas');
    const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
    let sum = 0, painted = 0;
    for (let i = 0; i < d.length; i++) { sum = (sum * 31 + d[i]) % 1000000007; painted += i % 4 == 3 && d[i] > 0; }
    return [sum, painted]; })()"""
BOX = """(() => { const b = document.querySelector('%s').getBoundingClientRect();
    return [b.left, b.top, b.width, b.height]; })()"""
# Texts of charts and controls that cover each other.
OVERLAP = """(() => { const found = [];
    const sets = [...document.querySelectorAll('section:not(.hidden) svg.chart')].map(s => [...s.querySelectorAll('text')]);
    sets.push([...document.querySelectorAll('section:not(.hidden) .controls > *, h1, h2, section:not(.hidden) h3, .verdict, .tabs a')]);
    for (const set of sets) {
        const boxes = set.map(e => [e.getBoundingClientRect(), e.textContent]).filter(b => b[0].width > 0);
        boxes.forEach(([a, s], i) => boxes.slice(i + 1).forEach(([b, t]) => {
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 0.25 * Math.min(a.height, b.height)) found.push(s + ' | ' + t); })); }
    return found.slice(0, 5); })()"""


def ready(page, name):
    page.wait("document.documentElement.dataset.ready == 'yes'")
    expect(not page.troubles(), f"{name}: {page.troubles()[:3]}")


def check_layout(page, name, width):
    page.size(width, touch=width < 500)
    page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(page.run("document.documentElement.scrollWidth") <= width, f"{name}: wider than {width} pixels")
    overlaps = page.run(OVERLAP)
    expect(not overlaps, f"{name} at {width} pixels: texts cover each other: {overlaps}")


def centre(page, selector):
    page.run(f"document.querySelector('{selector}').scrollIntoView({{block: 'center'}})")
    left, top, width, height = page.run(BOX % selector)
    return left + width / 2, top + height / 2, width


def check_turning(page, name, touch):
    """Drags across the canvas change what it shows."""
    x, y, _ = centre(page, "section:not(.hidden) canvas, main > figure canvas")
    before = page.run(PIXELS)
    expect(before[1] > 100, f"{name}: the canvas is empty")
    (page.swipe if touch else page.drag)(x, y, x + 60, y + 30)
    expect(page.run(PIXELS)[0] != before[0], f"{name}: {'touch' if touch else 'the mouse'} does not move the machine")


def check_motion(page, name):
    """Slider, chart and play move the machine."""
    if not page.run("!!document.querySelector('section:not(.hidden) .slider')"):
        return
    # A machine that stands still looks the same: only where poses differ.
    moves = page.run("(() => { const t = JSON.parse(document.getElementById('data').textContent).trajectories[0];"
                     "return new Set(t.pose.split(' ')).size > 8; })()")
    slider = "document.querySelector('section:not(.hidden) .slider')"
    words = "document.querySelector('section:not(.hidden) .state').textContent"
    before, said = page.run(PIXELS)[0], page.run(words)
    page.run(f"{slider}.value = 370, {slider}.dispatchEvent(new Event('input'))")
    expect(page.run(words) != said, f"{name}: the slider does not move p")
    expect(not moves or page.run(PIXELS)[0] != before, f"{name}: the slider does not move the machine")
    if page.run("!!document.querySelector('section:not(.hidden) svg[data-axis]')"):
        x, y, width = centre(page, "section:not(.hidden) svg[data-axis]")
        page.mouse("mousePressed", x + 0.3 * width, y)
        page.mouse("mouseReleased", x + 0.3 * width, y, 0)
        expect(int(page.run(slider + ".value")) not in (0, 370), f"{name}: a click on a chart does not move p")
    page.run(f"{slider}.value = 0, {slider}.dispatchEvent(new Event('input'))")
    page.run("document.querySelector('section:not(.hidden) .play').click()")
    page.wait(f"Number({slider}.value) > 100")
    page.run("document.querySelector('section:not(.hidden) .play').click()")
    expect(page.run("document.querySelector('section:not(.hidden) .play').textContent") == "Play",
           f"{name}: play does not stop")


def check_tabs(page, name):
    for i in range(page.run("document.querySelectorAll('.tabs a').length")):
        page.run(f"document.querySelectorAll('.tabs a')[{i}].click()")
        shown = page.run("[...document.querySelectorAll('section.trajectory')].map(s => s.offsetHeight > 0)")
        expect(shown.count(True) == 1 and shown[i], f"{name}: tab {i} shows {shown}")
        page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(page.run(PIXELS)[1] > 100, f"{name}: tab {i} has an empty canvas")


def check_static(page, name):
    """What print and readers without scripts get."""
    visible = "[...document.querySelectorAll('.static svg')].filter(s => s.getBoundingClientRect().height > 50).length"
    page.call("Emulation.setEmulatedMedia", media="print")
    expect(page.run(visible) > 0, f"{name}: nothing stands in for the canvas in print")
    expect(page.run("[...document.querySelectorAll('canvas')].every(c => c.offsetHeight == 0)"), f"{name}: canvas in print")
    page.call("Emulation.setEmulatedMedia", media="")


def check(page, name):
    page.size(1280)
    page.open(name)
    ready(page, name)
    for width in (1280, 390):
        check_layout(page, name, width)
    check_turning(page, name, True)
    check_motion(page, name)
    page.size(1280)
    check_turning(page, name, False)
    check_tabs(page, name)
    check_static(page, name)
    ready(page, name)
    expect(not page.run("window.stolen"), f"{name}: a text was run as a script")
    for width in (1280, 390):
        page.size(width)
        missing = page.stands_in(name, "section:not([hidden]), .static")
        expect(not missing, f"{name}: without scripts at {width} pixels {missing[:4]}")


if __name__ == "__main__":
    sys.exit(browser.check_all(sys.argv[1:], check) or bool(wrong))
