"""Measures the texts of SVG pictures: columns.py WIDTH POINTS FILE... (page width in mm, least size of letters in pt).

Every text lies within the page, no two texts cover each other, and no letter is smaller than asked for. Letters have the
widths of DejaVu Sans. Letters on edges and faces of regions, which stand where these are, may come near each other."""
import re
import sys

# Advance in hundredths of the size, as the font's file states it; all else 65.
ADVANCE = {28: "ijl'", 32: " ,.", 34: ":;/\\|-", 39: "()[]t", 41: "r₁₂²³⁻", 35: "f", 52: "sz", 55: "c", 59: "kvxy", 61: "aeYZTgo",
           63: "bdhnpquEηρ", 64: "0123456789", 69: "ABCKPRSVX", 77: "DGHNOQUw", 84: "+=<>−", 97: "mMW%…"}
WIDTH = {c: w for w, letters in ADVANCE.items() for c in letters}
GROUP = re.compile(r'<g transform="translate\(([-\d.]+),([-\d.]+)\)(?: rotate\(([-\d.]+)\))?"[^>]*?font-size="([\d.]+)"\s+'
                   r'text-anchor="(\w+)">(.*?)</g>', re.S)


def texts(svg):
    for x, y, turned, size, anchor, inside in GROUP.findall(svg):
        x, y, size = float(x), float(y), float(size)
        for line in re.findall(r"<text[^>]*>(.*?)</text>", inside, re.S):
            line = re.sub(r"<[^>]*>", "", line).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").strip()
            if not line:
                continue
            long = size / 100 * sum(WIDTH.get(c, 65) for c in line)
            start = {"start": 0, "middle": -0.5, "end": -1}[anchor] * long
            along, up = (start, start + long), (-0.74 * size, 0.1 * size)
            if turned and abs(float(turned) % 90) > 1:  # names at a slant stand side by side
                continue
            if turned and abs(float(turned) % 180 - 90) < 1:
                yield line, size, (x + up[0], y - along[1], x + up[1], y - along[0])
            else:
                yield line, size, (x + along[0], y + up[0], x + along[1], y + up[1])


def judge(name, width, points):
    svg = open(name, encoding="utf-8").read()
    page = [float(n) for n in re.search(r'width="([\d.]+)" height="([\d.]+)"', svg).groups()]
    found, bad = list({t[:2] + tuple(round(n, 1) for n in t[2]): t for t in texts(svg)}.values()), []
    if abs(page[0] - width * 96 / 25.4) > 1.5:
        bad.append(f"the page is {page[0]} wide")
    for text, size, (left, top, right, bottom) in found:
        if size < points / 0.75 - 0.01:
            bad.append(f"'{text}' has {0.75 * size:.2f} pt")
        if min(left, top, page[0] - right, page[1] - bottom) < -0.5:
            bad.append(f"'{text}' is cut: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f} on {page[0]:.0f} x {page[1]:.0f}")
    words = [t for t in found if not re.fullmatch("[a-z▲▼▶]", t[0])]
    for i, (text, _, a) in enumerate(words):
        for other, _, b in words[:i]:
            if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1:
                bad.append(f"'{text}' and '{other}' cover each other")
    if not words:
        bad.append("no text")
    for line in bad:
        print(f"{name}: {line}")
    return len(bad)


if sum(judge(name, float(sys.argv[1]), float(sys.argv[2])) for name in sys.argv[3:]):
    sys.exit(1)
