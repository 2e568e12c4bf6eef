#!/usr/bin/env python3
"""What a lag gains: the time that a search would have taken with so many workers, from the recorded times of its designs.

    tests/bench/lag.py [--globdyn build/globdyn] [--case cases/star_wide/case.yaml] [--evaluations 480] [--workers 4,8,16] [-o FOLDER]

The case is searched by de and by surrogate with several lags, one design at a time. A schedule is then computed from the seconds of each
design: workers take designs in the order of their numbers as soon as they are asked for; a batch is asked for when the batch before the
`lag` last ones is complete. Printed: the time as a multiple of the sum of seconds over workers (1: no worker ever waits), and the
hypervolume of all designs, scaled by that of the search without a lag.
"""
import argparse
import heapq
import json
import pathlib
import sqlite3
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def search(options, method, lag):
    folder = pathlib.Path(options.output) / f'{method}_{lag}'
    folder.mkdir(parents=True, exist_ok=True)
    text = pathlib.Path(options.case).read_text().replace('[../', f'[{ROOT}/cases/')
    lines = [line for line in text.splitlines() if not line.startswith(('  algorithm:', '  stop:'))]
    lines.insert(lines.index('optimize:') + 1, f'  algorithm: {{name: {method}, seed: 1, lag: {lag}}}')
    (folder / 'case.yaml').write_text('\n'.join(lines) + '\n')
    subprocess.run([options.globdyn, 'optimize', folder / 'case.yaml', '--evaluations', str(options.evaluations), '--threads', '1',
                    '--no-pictures', '-q', '-o', folder], stdout=subprocess.DEVNULL)
    return folder


def schedule(seconds, ends, lag, workers):
    """When the last design is ready; ends: number of designs up to each batch."""
    free, finish, begin = [0.0] * workers, [], 0
    ready = [0.0] * len(ends)
    for k, end in enumerate(ends):
        # asked for when batch k - 1 - lag was complete, together with all before it; the first batch has no successor before its end
        since = k - 1 - lag if k > lag else 0
        asked = ready[since] if k > 0 else 0.0
        for i in range(begin, end):
            start = max(heapq.heappop(free), asked)
            heapq.heappush(free, start + seconds[i])
            finish.append(start + seconds[i])
        ready[k] = max(finish[begin:end] + [ready[k - 1] if k else 0.0])
        begin = end
    return max(finish)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--globdyn', default=str(ROOT / 'build' / 'globdyn'))
    parser.add_argument('--case', default=str(ROOT / 'cases' / 'star_wide' / 'case.yaml'))
    parser.add_argument('--evaluations', type=int, default=480)
    parser.add_argument('--workers', default='4,8,16')
    parser.add_argument('--methods', default='de,surrogate')
    parser.add_argument('-o', '--output', default=str(ROOT / 'results' / 'lag'))
    options = parser.parse_args()
    for method in options.methods.split(','):
        for lag in (0, 1, 3):
            folder = search(options, method, lag)
            base = sqlite3.connect(folder / 'study.db')
            seconds = [row[0] for row in base.execute('SELECT seconds FROM design ORDER BY id')]
            ends = [row[0] for row in base.execute('SELECT evaluations FROM generation ORDER BY 1')]
            volume = json.loads((folder / 'front.json').read_text())['hypervolume'] if (folder / 'front.json').exists() else float('nan')
            ratios = [schedule(seconds, ends, lag, w) / (sum(seconds) / w) for w in map(int, options.workers.split(','))]
            print(f'{method:10} lag {lag}  ' + '  '.join(f'{w} workers {r:.2f}' for w, r in zip(options.workers.split(','), ratios))
                  + f'   hypervolume {volume:.5g}', flush=True)


if __name__ == '__main__':
    main()
