#!/usr/bin/env python3
"""Random programs of G-code against a reading of our own: gcode.py GLOBDYN [--seed 1] [--programs 60].

Each program is made of words that mean the same in RS274/NGC and ISO 6983, written in odd ways. Our reading makes points of it; the
table of the path must run through all of them and nowhere else, but for the rounding of corners. Half of the programs get a line that must
be rejected, with its number. Nothing is shared with the importer.
"""
import argparse
import math
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLEND = 0.05  # mm
PLANES = {17: (0, 1, 2), 18: (2, 0, 1), 19: (1, 2, 0)}


def read(text):
    """Points of the path in mm, one list for each motion."""
    at, placed, motion, plane, unit, relative, absolute_centre = [0.0] * 3, False, None, 17, 1.0, False, False
    pieces = []
    for line in text.upper().splitlines():
        line = re.sub(r'\(.*?\)|;.*|\s', '', line)
        if line.startswith('/'):
            continue
        words = [(w, float(v)) for w, v in re.findall(r'([A-Z])([-+]?(?:\d+\.?\d*|\.\d+))', line)]
        if ('M', 30) in words:
            break
        codes, value = [v for w, v in words if w == 'G'], {w: v for w, v in words if w not in 'GM'}
        for code in codes:
            motion = int(code) if code in (0, 1, 2, 3) else motion
            plane = int(code) if code in PLANES else plane
            unit = {20: 25.4, 21: 1.0}.get(code, unit)
            relative = {90: False, 91: True}.get(code, relative)
            absolute_centre = {90.1: True, 91.1: False}.get(code, absolute_centre)
        if 4 in codes or 53 in codes:
            continue
        target = [(at[i] if relative else 0) + value[c] * unit if c in value else at[i] for i, c in enumerate('XYZ')]
        if not any(c in value for c in 'XYZ') and not (motion in (2, 3) and any(c in value for c in 'IJK')):
            continue
        if placed and motion in (0, 1):
            pieces.append([at, target])
        elif placed:
            pieces.append(arc(at, target, value, PLANES[plane], motion == 2, unit, absolute_centre))
        at, placed = target, True
    return [p for p in pieces if any(math.dist(a, p[0]) > 1e-9 for a in p)]


def arc(start, end, value, axes, clockwise, unit, absolute_centre):
    a, b, normal = axes
    s, e = complex(start[a], start[b]), complex(end[a], end[b])
    if 'R' in value:
        # of the two centres the one with the short way for a positive radius
        radius, chord = abs(value['R']) * unit, e - s
        offset = 1j * chord / abs(chord) * math.sqrt(max(radius ** 2 - abs(chord) ** 2 / 4, 0))
        centres = [(s + e) / 2 + offset, (s + e) / 2 - offset]
        centre = next(c for c in centres if (sweep(s, e, c, clockwise) <= math.pi) == (value['R'] > 0))
    else:
        given = [value.get('IJK'[i], None) for i in (a, b)]
        base = [0 if absolute_centre and g is not None else x for g, x in zip(given, (s.real, s.imag))]
        centre = complex(*[x + (g or 0) * unit for x, g in zip(base, given)])
    angle = sweep(s, e, centre, clockwise) + 2 * math.pi * (value.get('P', 1) - 1)
    points, count = [], max(8, int(angle / 0.04))
    for k in range(count + 1):
        share = k / count
        z = centre + (s - centre) * complex(math.cos(angle * share), math.sin(angle * share) * (-1 if clockwise else 1))
        point = [0.0] * 3
        point[a], point[b], point[normal] = z.real, z.imag, start[normal] + share * (end[normal] - start[normal])
        points.append(point)
    return points


def sweep(s, e, centre, clockwise):
    """In (0, 2 pi]."""
    turn = (s - centre) / (e - centre) if clockwise else (e - centre) / (s - centre)
    angle = math.atan2(turn.imag, turn.real) % (2 * math.pi)
    return angle if angle > 1e-6 else angle + 2 * math.pi


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.at = rng, [], [0.0] * 3
        self.unit, self.relative, self.centre, self.plane = 1.0, False, False, 17
        self.direction = None
        self.offset = rng.choice([None, None, 'G54', 'G56', 'G59.1'])
        self.say((self.offset or '') + rng.choice(['G21 G90 G17 G40 G49 G80 G94', 'g21g90', 'G91.1 G54' if not self.offset else 'G64']))
        self.first = len(self.lines)
        start = [round(rng.uniform(-30, 30), 3) for _ in range(3)]
        self.say('G0' + self.words('XYZ', start))
        self.at = start
        for _ in range(rng.randint(3, 12)):
            self.noise()
            (self.line if rng.random() < 0.5 else self.arc)()

    def number(self, x):
        text = f'{x:.6f}'.rstrip('0')
        text = text.rstrip('.') if self.rng.random() < 0.7 else text
        if '.' in text and re.match(r'-?0\.\d', text) and self.rng.random() < 0.5:
            text = text.replace('0.', '.', 1)
        if self.rng.random() < 0.1 and text[0] != '-':
            text = '+' + text
        return text[0] + ' ' + text[1:] if self.rng.random() < 0.05 and len(text) > 1 else text

    def words(self, letters, values):
        pairs = [c + self.number(v) for c, v in zip(letters, values)]
        self.rng.shuffle(pairs)
        return ' '.join(pairs)

    def say(self, text):
        rng = self.rng
        if rng.random() < 0.2 and text[:1] != '/':
            text = f'N{10 * len(self.lines)} ' + text
        if rng.random() < 0.15:
            text += rng.choice([' F300', ' (X99 Y99)', ' E2', ' E-0.5 F1', ' S100', '; G1 X5', ' E 12', ' M8'])
        self.lines.append(text.lower() if rng.random() < 0.2 else text)

    def noise(self):
        rng = self.rng
        if rng.random() < 0.4:
            return
        kind = rng.randrange(8)
        if kind == 0:
            self.unit = rng.choice([1.0, 25.4])
            self.say('G21' if self.unit == 1.0 else 'G20')
        elif kind == 1:
            self.relative = not self.relative
            self.say('G91' if self.relative else 'G90')
        elif kind == 2:
            self.centre = not self.centre
            self.say('G90.1' if self.centre else 'G91.1')
        elif kind == 3:
            self.plane = rng.choice(list(PLANES))
            self.say(f'G{self.plane}')
        else:
            self.say(rng.choice(['G92 E0', 'G4 P2.5', 'G4 X3', 'G50 S2000', 'G50', 'T1 M6', '/G1 X77', '(note)', 'E1 F20', 'G43 H1',
                                 'G61', 'M3 S1000', self.offset or 'G54', 'E5 G92']))

    def target(self, to):
        """The words of the axes, and where they lead once they are rounded."""
        values = [(t - a if self.relative else t) / self.unit for t, a in zip(to, self.at)]
        values = [round(v, 6) for v in values]
        return values, [v * self.unit + (a if self.relative else 0) for v, a in zip(values, self.at)]

    def goes_back(self, direction):
        if self.direction is None:
            return False
        cosine = sum(a * b for a, b in zip(self.direction, direction))
        return cosine < -0.7

    def line(self):
        while True:
            to = [a + self.rng.choice([0, self.rng.uniform(-20, 20)]) for a in self.at]
            values, to = self.target(to)
            length = math.dist(to, self.at)
            direction = [(t - a) / length for t, a in zip(to, self.at)] if length > 2 else None
            if direction and not self.goes_back(direction):
                break
        keep = [i for i in range(3) if abs(to[i] - self.at[i]) > 1e-12 or self.rng.random() < 0.3]
        self.say(self.rng.choice(['G0', 'G1', 'G01', 'g1']) + self.words([' XYZ'[i + 1] for i in keep], [values[i] for i in keep]))
        self.at, self.direction = to, direction

    def arc(self):
        rng = self.rng
        a, b, normal = PLANES[self.plane]
        while True:
            clockwise, radius, angle = rng.random() < 0.5, rng.uniform(2, 20), math.radians(rng.uniform(15, 345))
            start, way = complex(self.at[a], self.at[b]), rng.uniform(0, 2 * math.pi)
            centre = start + radius * complex(math.cos(way), math.sin(way))
            sign = -1 if clockwise else 1
            end = centre + (start - centre) * complex(math.cos(angle), sign * math.sin(angle))
            rise = rng.choice([0, 0, rng.uniform(-10, 10)])
            turns = rng.choice([1, 1, 2, 3])
            tangents = [1j * sign * (x - centre) / radius * radius * (angle + 2 * math.pi * (turns - 1)) for x in (start, end)]
            tangents = [[t.real, t.imag, rise] for t in tangents]
            tangents = [[x / math.hypot(*t) for x in t] for t in tangents]
            vectors = []
            for t in tangents:
                v = [0.0] * 3
                v[a], v[b], v[normal] = t
                vectors.append(v)
            if not self.goes_back(vectors[0]) and abs(angle - math.pi) > 0.2:
                break
        to = list(self.at)
        to[a], to[b], to[normal] = end.real, end.imag, self.at[normal] + rise
        values, to = self.target(to)
        letters = 'XYZ' if rise else 'XYZ'[a] + 'XYZ'[b]
        text = ('G2' if clockwise else 'G03') + self.words(letters, [values['XYZ'.index(c)] for c in letters])
        if rng.random() < 0.4:
            text += ' R' + self.number(round(radius / self.unit * (1 if angle < math.pi else -1), 6))
        else:
            centre -= 0 if self.centre else start
            text += ' ' + self.words('IJK'[a] + 'IJK'[b], [round(centre.real / self.unit, 6), round(centre.imag / self.unit, 6)])
        if turns > 1 or rng.random() < 0.1:
            text += f' P{turns}'
        self.say(text)
        self.at, self.direction = to, vectors[1]

    def spoil(self):
        """A line that must be rejected, after the first motion; its number."""
        rng = self.rng
        other = rng.choice([o for o in ('G54', 'G55', 'G57', 'G59.2') if o != (self.offset or 'G54')])
        bad = rng.choice([
            'G50 X1', 'X1 G50', 'G50 W2', 'G92 X0', 'G92', 'G92 E0 Z1', 'G52 X1', 'G10 L2 P1 X3', 'G92.1', 'G54.1 P2', 'G68 X0 Y0 R45',
            'G51 X2 P2', other, other + 'G0 X5', 'G2 X1 Y1 I5 P0', 'G3 I5 P-1', 'G17 G2 I5 P2.7', 'G17 G2 I5 P1002', 'G0 G1 X5', 'G17 G18',
            'G20 G21', 'G91 X3 G90', 'G28 G1 X5', 'G1 X5 R1', 'G1 X5 I1', 'G17 G2 X1 R90 I3', 'G1.5 X1', 'G1.04 X1', 'G4 P1 G1 X2',
            'G1 X1E', 'G80 X7', 'G81 X1 Z1 R1', 'G1 X--1', 'G1 X1 X2', 'G1 X[1+2]', 'G5 X1', 'G43.1 X1', 'G1 X1.2.3', 'G17 G91.1 G2 X1 I1 K1',
            'G-1 X5', 'G1 X1,5', 'M98 P7', 'G53 G28 X1'])
        where = rng.randint(self.first + 1, len(self.lines))
        self.lines.insert(where, bad)
        return where + 1


def distance(point, line):
    """From the point to a line of points."""
    best = math.inf
    for p, q in zip(line, line[1:]):
        d = [y - x for x, y in zip(p, q)]
        square = sum(x * x for x in d)
        t = 0 if square == 0 else min(max(sum((w - x) * y for w, x, y in zip(point, p, d)) / square, 0), 1)
        best = min(best, math.dist(point, [x + t * y for x, y in zip(p, d)]))
    return best


def compare(rows, pieces):
    """The greatest distance between the table and the pieces, and the difference of their lengths."""
    length = sum(math.dist(p, q) for piece in pieces for p, q in zip(piece, piece[1:]))
    whole = [p for piece in pieces for p in piece[:-1]] + [pieces[-1][-1]]
    points = [r[1:] for r in rows[:-1:max(1, len(rows) // 1000)]] + [rows[-1][1:]]
    worst = 0.0
    for point in points[::25]:
        worst = max(worst, distance(point, whole))
    for piece in pieces:
        worst = max([worst] + [distance(piece[int(share * (len(piece) - 1))], points) for share in (0, 0.4, 1)])
    spacing = rows[-1][0] / len(points)  # what lies between is cut
    return worst - spacing, abs(length - rows[-1][0]) / len(pieces)


def check(program, rng, folder):
    made = Program(rng)
    spoilt = made.spoil() if rng.random() < 0.5 else None
    text = '\n'.join(made.lines) + rng.choice(['\n', '\nM30\nG1 X99 Y99\n'])
    file, table = folder / 'p.nc', folder / 'p.csv'
    file.write_text(text, encoding='ascii')
    table.unlink(missing_ok=True)
    done = subprocess.run([program, 'import', file, '-o', table, '--blend', f'{BLEND} mm'], capture_output=True, text=True)
    if spoilt:
        good = done.returncode == 3 and f'p.nc:{spoilt}:' in done.stderr
        return None if good else f'line {spoilt} is not rejected: {made.lines[spoilt - 1]}', text
    if done.returncode != 0:
        return done.stderr, text
    rows = [[float(x) for x in line.split(',')] for line in table.read_text().splitlines() if line[0].isdigit()]
    off, shorter = compare(rows, read(text))
    return None if off < 2 * BLEND and shorter < 4 * BLEND else f'{off} mm off, length {shorter} mm', text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--programs', type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.seed, args.seed + args.programs):
            why, text = check(args.program, random.Random(seed), Path(folder))
            if why:
                print(f'seed {seed}: {why}\n{text}')
                sys.exit(1)
    print(f'{args.programs} programs agree')


main()
