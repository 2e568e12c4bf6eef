#!/usr/bin/env python3
"""Forward dynamics by every method with every integrator: do all arrive at the same pose?

    tests/reference/matrix.py [--globdyn build/globdyn] [CASE ...]

A table per case: the greatest difference of a coordinate of a body at the end from null_space with bulirsch_stoer and the tolerance
1e-11 [m, rad], or the exit code and the reason. Steps are those that the error allows (1e-9; semi-implicit Euler: 1 ms).
"""
import argparse
import csv
import pathlib
import subprocess
import tempfile

METHODS = ['null_space', 'minimum_norm', 'elimination', 'partition', 'augmented_lagrangian', 'projection', 'compliance', 'minimal']
INTEGRATORS = ['rkf45', 'rk8pd', 'rk4', 'rk2', 'implicit_gauss', 'bulirsch_stoer', 'semi_implicit_euler']
CASES = ['four_bar_parallel', 'mobile_robot', 'andrews']


def last_pose(table):
    """Places and angles of bodies in the last row."""
    rows = list(csv.reader(open(table)))
    head = [name.split(' ')[0] for name in rows[0]]
    places = [i for i, name in enumerate(head) if name.split('.')[-1] in ('x', 'y', 'z', 'angle')]
    return float(rows[-1][0]), [float(rows[-1][i]) for i in places if rows[-1][i]]


def run(program, case, folder, method, integrator, tolerance, patience):
    """The last pose, or why there is none."""
    command = [program, 'simulate', case, '-q', '--no-pictures', '-o', folder, '--method', method, '--integrator', integrator]
    command += ['--step', '0.001'] if integrator == 'semi_implicit_euler' else ['--tolerance', tolerance]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None, f'over {patience} s'
    if done.returncode:
        reason = done.stderr.strip().splitlines() or ['']
        return None, f"{done.returncode}: {reason[0].split(': ')[-1][:60]}"
    return last_pose(pathlib.Path(folder) / 'simulate.csv'), ''


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--globdyn', default='build/globdyn')
    parser.add_argument('--patience', type=float, default=60, help='seconds per run')
    parser.add_argument('case', nargs='*', default=CASES)
    options = parser.parse_args()
    for name in options.case:
        case = name if name.endswith('.yaml') else f'cases/{name}/case.yaml'
        print(f'{name}')
        with tempfile.TemporaryDirectory() as folder:
            wanted, reason = run(options.globdyn, case, folder, 'null_space', 'bulirsch_stoer', '1e-11', 10 * options.patience)
            if not wanted:
                raise SystemExit(f'{name}: no reference: {reason}')
            for method in METHODS:
                for integrator in INTEGRATORS:
                    found, reason = run(options.globdyn, case, folder, method, integrator, '1e-9', options.patience)
                    if found:
                        reason = f'{max(abs(a - b) for a, b in zip(found[1], wanted[1])):.1e}'
                    print(f'  {method:21} {integrator:20} {reason}', flush=True)


if __name__ == '__main__':
    main()
