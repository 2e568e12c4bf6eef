#!/usr/bin/python3
"""Fronts of machines: the default search after 200 designs against every other method after 600.

    tests/bench/machine_fronts.py [--globdyn build/globdyn] [--seeds 5] [--cases A,B] [--methods A,B] [-o results/machine_fronts]

Each run is a study in the folder, with population and method as `optimize` chooses them where a case leaves them open, and without a
stall rule; runs that are finished are not repeated, so that the script may be ended and started again at any time. The hypervolume is
that of all feasible designs: objectives scaled by the front of all runs of the case together, reference point 1.1, as a share of the
volume of that front. Per case and method: median (lower to upper quartile) over the seeds, those of the default after 100 and 200.
The exit code is 1 where the default's median is below that of the best other method.
"""
import argparse
import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys

import numpy as np

CASES = ['five_bar3', 'four_slider_star', 'rrr4', 'ipanema_anchors']
OTHERS = ['nsga2', 'de', 'hybrid', 'nsga3', 'chebyshev', 'epsilon_constraint', 'nbi']
BUDGET, OTHERS_BUDGET = 200, 600
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(options, case, method, seed):
    """The study of one run; it is made or continued where it is not finished."""
    folder = pathlib.Path(options.output) / case / f'{method}_{seed}'
    folder.mkdir(parents=True, exist_ok=True)
    budget = BUDGET if method == 'auto' else OTHERS_BUDGET
    # An own case: the algorithm of the original with its population is replaced, and no window is ever full.
    text = (ROOT / 'cases' / case / 'case.yaml').read_text().replace('[../', f'[{ROOT}/cases/')
    lines = [line for line in text.splitlines() if not line.startswith(('  algorithm:', '  stop:'))]
    at = lines.index('optimize:') + 1
    lines.insert(at, f'  algorithm: {{name: {method}, seed: {seed}}}')
    (folder / 'case.yaml').write_text('\n'.join(lines) + '\n')
    done = folder / 'done'
    if not done.exists():
        subprocess.run([options.globdyn, 'optimize', folder / 'case.yaml', '--evaluations', str(budget), '--no-pictures', '-q', '-o', folder],
                       stdout=subprocess.DEVNULL, check=True)
        done.write_text(f'{budget}\n')
    return folder / 'study.db'


def designs(study, most=None):
    """Objectives of the feasible designs, all to be minimized, among the first `most`."""
    base = sqlite3.connect(f'file:{study}?mode=ro', uri=True)
    goals = base.execute('SELECT name, goal FROM objective').fetchall()
    columns = ', '.join(f'"objective.{name}"' for name, _ in goals)
    signs = [-1 if sense == 'maximize' else 1 for _, sense in goals]
    rows = base.execute(f'SELECT {columns} FROM design WHERE status = "ok" AND id < ?', (most or 10**9,)).fetchall()
    base.close()
    return [tuple(s * v for s, v in zip(signs, row)) for row in rows]


def front(points):
    """The points that no other dominates, each once, in the order of the first coordinate."""
    kept = np.empty((0, len(points[0]))) if len(points) else np.empty((0, 0))
    for p in np.unique(np.asarray(points, float), axis=0) if len(points) else []:
        if not (kept <= p).all(axis=1).any():
            kept = np.vstack([kept, p])
    return kept


def volume(points, reference):
    """Hypervolume by slices along the last coordinate; in a plane by a sweep."""
    inside = points[(points < reference).all(axis=1)] if len(points) else points
    if not len(inside):
        return 0.0
    if len(reference) == 1:
        return reference[0] - inside.min()
    if len(reference) == 2:
        steps = front(inside)
        right = np.append(steps[1:, 0], reference[0])
        return float(((right - steps[:, 0]) * (reference[1] - steps[:, 1])).sum())
    total, kept = 0.0, inside[:0, :-1]
    inside = inside[np.argsort(inside[:, -1], kind='stable')]
    for i, p in enumerate(inside):
        kept = front(np.vstack([kept, p[:-1]]))
        top = inside[i + 1, -1] if i + 1 < len(inside) else reference[-1]
        if top > p[-1]:
            total += (top - p[-1]) * volume(kept, reference[:-1])
    return total


def quartiles(values):
    ordered = sorted(values)
    if len(ordered) < 3:
        return ordered[0], statistics.median(ordered), ordered[-1]
    return tuple(statistics.quantiles(ordered, n=4, method='inclusive'))


def measure(case, studies):
    """Shares of the volume of all runs together: {row: [one per seed]}."""
    sets = {}
    for (method, seed), study in studies.items():
        for most in ((100, BUDGET) if method == 'auto' else (OTHERS_BUDGET,)):
            sets[method, most, seed] = front(designs(study, most))
    whole = front(np.vstack([points for points in sets.values() if len(points)]))
    least, greatest = whole.min(axis=0), whole.max(axis=0)
    scale = lambda points: (points - least) / (greatest - least) if len(points) else points
    reference = np.full(len(least), 1.1)
    all_together = volume(scale(whole), reference)
    rows = {}
    for (method, most, seed), points in sorted(sets.items()):
        rows.setdefault((method, most), []).append(volume(scale(points), reference) / all_together)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--globdyn', default=str(ROOT / 'build' / 'globdyn'))
    parser.add_argument('--seeds', type=int, default=5)
    parser.add_argument('--cases', default=','.join(CASES))
    parser.add_argument('--methods', default=','.join(OTHERS))
    parser.add_argument('--json', help='file for the numbers')
    parser.add_argument('-o', '--output', default=str(ROOT / 'results' / 'machine_fronts'))
    options = parser.parse_args()
    worse, numbers = 0, []
    for case in options.cases.split(','):
        studies = {(method, seed): run(options, case, method, seed)
                   for method in ['auto', *options.methods.split(',')] for seed in range(1, options.seeds + 1)}
        rows = measure(case, studies)
        medians = {}
        for (method, most), shares in rows.items():
            low, middle, high = quartiles(shares)
            medians[method, most] = middle
            numbers.append({'case': case, 'method': method, 'designs': most, 'shares': shares})
            print(f'{case:18} {method:18} {most:4}  {middle:.3f} ({low:.3f} to {high:.3f})')
        best = max(value for (method, _), value in medians.items() if method != 'auto')
        verdict = 'at least' if medians['auto', BUDGET] >= best else 'BELOW'
        worse += verdict == 'BELOW'
        print(f'{case:18} auto after {BUDGET}: {medians["auto", BUDGET]:.4f}, {verdict} the best other after {OTHERS_BUDGET}: {best:.4f}\n', flush=True)
    if options.json:
        pathlib.Path(options.json).write_text('[\n' + ',\n'.join('  ' + json.dumps(row) for row in numbers) + '\n]\n')
    return worse > 0


if __name__ == '__main__':
    sys.exit(main())
