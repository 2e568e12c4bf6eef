#!/usr/bin/env python3
"""Statistics of a two-link arm within its tolerances, from the cosine law alone (cases/arm_tolerances).

tolerances.py            the numbers of `expect`: corners of the tolerances in two scenarios
tolerances.py MACHINES   statistics of the machines in a table machines.csv (sweep --tolerances), each worked out
                         here from its deviations: the columns' names and the greatest differences
"""
import csv
import itertools
import math
import sys

L1, L2, PAYLOAD = 0.5, 0.4, 2.0
RANGE = math.radians(-150), math.radians(-20)
ENDS = 0.4, 0.8


def elbow(l1, l2, x):
    """Angle of the elbow, bent upwards, with the tool at (x, 0)."""
    return -math.acos((x * x - l1 * l1 - l2 * l2) / (2 * l1 * l2))


def margin(l1, l2):
    """Least distance of the elbow to an end of its range; the angle is monotone along the line."""
    return min(min(elbow(l1, l2, x) - RANGE[0], RANGE[1] - elbow(l1, l2, x)) for x in ENDS)


def travel(l1, l2):
    return abs(elbow(l1, l2, ENDS[1]) - elbow(l1, l2, ENDS[0]))


def load(l1, l2, push):
    """Share of 30 N m that holds a force along the line at rest: it acts on the elbow's height. That is greatest
    where the triangle is nearest to a right angle at the elbow's foot: here at one of 11 points."""
    def height(x):
        foot = (l1 * l1 - l2 * l2 + x * x) / (2 * x)
        return math.sqrt(l1 * l1 - foot * foot)
    return max(push * height(0.4 + 0.04 * i) for i in range(11)) / 30


def quantile(values, share):
    values = sorted(values)
    place = (len(values) - 1) * share
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def deviation(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))


def corners():
    machines = [(l1, l2, m, push) for push in (0, 20)
                for l1, l2, m in itertools.product((0.499, 0.501), (0.3995, 0.401), (0, 5))]
    masses = [4 + m for _, _, m, _ in machines]
    print('room     %.16g' % min(margin(a, b) for a, b, _, _ in machines))
    print('heaviest %.16g' % max(masses))
    print('typical  %.16g' % (sum(masses) / len(masses)))
    print('scatter  %.16g' % deviation(masses))
    print('turn     %.16g' % quantile([travel(a, b) for a, b, _, _ in machines], 0.99))
    print('held     %.16g' % max(load(a, b, f) for a, b, _, f in machines))


def table(name):
    """Every machine of the sample again, from the deviations that the table states."""
    worst = 0
    with open(name, newline='') as file:
        rows = [line for line in csv.reader(file)]
    head = [h.split(' [')[0] for h in rows[0]]
    at = {h: i for i, h in enumerate(head)}
    for row in rows[1:]:
        l1, l2 = L1 + float(row[at['design.l1']]), L2 + float(row[at['design.l2']])
        worst = max(worst, abs(float(row[at['out.margin.elbow']]) - margin(l1, l2)),
                    abs(float(row[at['out.travel.elbow']]) - travel(l1, l2)))
    print('%d machines, greatest difference %.2g' % (len(rows) - 1, worst))
    return 0 if worst < 1e-9 else 1


if __name__ == '__main__':
    sys.exit(table(sys.argv[1]) if len(sys.argv) > 1 else corners())
