#!/usr/bin/env python3
"""Forward dynamics by every method with every integrator: do all arrive at the same pose?

    tests/reference/matrix.py [--globdyn build/globdyn] [--methods A,B] [--integrators A,B] [--patience S] [CASE[:DURATION] ...]

A table per case: the greatest difference of a coordinate of a body at the end [m, rad] from null_space with bulirsch_stoer and the
tolerance 1e-11, or the exit code and the reason; `!` where it exceeds what is allowed, which makes the exit code 1. Steps are those that
the error allows (1e-9). Semi-implicit Euler has the order 1: of its steps h and h/2 the extrapolated pose is compared. What is allowed
follows from how methods differ: 1e-5 of what errors grow to in the stated duration, 1e-2 with compliance (another machine, whose
constraints open) and of extrapolated first order. --patience is processor time per run [s]; a run that needs more is told as such.
"""
import argparse
import csv
import pathlib
import re
import resource
import subprocess
import tempfile

METHODS = ['null_space', 'minimum_norm', 'elimination', 'partition', 'augmented_lagrangian', 'projection', 'compliance', 'minimal']
INTEGRATORS = ['rkf45', 'rk8pd', 'rk4', 'rk2', 'implicit_gauss', 'bulirsch_stoer', 'semi_implicit_euler']
# As long as first order and stiff equations are followed in a minute; duration in seconds.
CASES = {'pendulum': 2, 'n_four_bar': 1, 'andrews': 0.005, 'bricard': 1, 'flyball': 0.05, 'mobile_robot': 2, 'four_bar_parallel': 1,
         'pendulum_redundant': 1, 'agile_eye': 0.5, 'agile_eye_table': 0.5, 'five_point_suspension': 0.1, 'four_bar': 0.1,
         'crank_slider': 0.1}


def last_pose(table):
    """Places and angles of bodies in the last row."""
    rows = list(csv.reader(open(table)))
    head = [name.split(' ')[0] for name in rows[0]]
    places = [i for i, name in enumerate(head) if name.split('.')[-1] in ('x', 'y', 'z', 'a', 'b', 'c', 'angle')]
    return [float(rows[-1][i]) for i in places if rows[-1][i]]


def run(options, case, folder, method, integrator, how):
    """The last pose, or why there is none."""
    command = [options.globdyn, 'simulate', case, '-q', '--no-pictures', '-o', folder, '--method', method, '--integrator', integrator, *how]
    limit = int(options.patience)
    done = subprocess.run(command, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    if done.returncode < 0:
        return None, f'over {limit} s' + (', told to be stiff' if 'stiff' in done.stderr else '')
    if done.returncode:
        reason = [line for line in done.stderr.splitlines() if 'error' in line] or ['']
        return None, f"{done.returncode}: {reason[-1].split(': ')[-1][:60]}"
    return last_pose(pathlib.Path(folder) / 'simulate.csv'), ''


def shortened(name, duration, folder):
    """A case that includes this one, with this duration and one output, and the choices of the user left out."""
    source = pathlib.Path(name if name.endswith('.yaml') else f'cases/{name}/case.yaml').resolve()
    lines = ['format: 1', f'include: {source}', 'simulate:']
    if duration:
        lines += [f'  duration: {duration} s', f'  every: {duration} s']
    left_out = [f'{key}: ~' for key in ('drop', 'independent') if re.search(f'{key}: \[', source.read_text())]
    if left_out:
        lines.append(f"  method: {{{', '.join(left_out)}}}")
    copy = pathlib.Path(folder) / 'case.yaml'
    copy.write_text('\n'.join(lines) + '\n')
    return str(copy)


def compare(options, case, folder, wanted, method, integrator, duration):
    """The difference from the reference, or why there is none; whether that is allowed."""
    if integrator != 'semi_implicit_euler':
        found, reason = run(options, case, folder, method, integrator, ['--tolerance', '1e-9'])
        allowed = 1e-2 if method == 'compliance' else 1e-5
    else:
        pose = []
        for k in (1, 2):
            found, reason = run(options, case, folder, method, integrator, ['--step', f'{duration / (4000 * k)}'])
            pose.append(found)
        found = [2 * b - a for a, b in zip(*pose)] if all(pose) else None
        allowed = 1e-2
    if not found:
        # explicit steps break down on stiff constraints
        explicit = integrator in ('rkf45', 'rk8pd', 'rk4', 'rk2')
        return reason, 'mass' in reason or 'stiff' in reason or (method == 'compliance' and explicit)
    far = max(abs(a - b) for a, b in zip(found, wanted))
    return f'{far:.1e}', far < allowed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--globdyn', default='build/globdyn')
    parser.add_argument('--methods', default=','.join(METHODS))
    parser.add_argument('--integrators', default=','.join(INTEGRATORS))
    parser.add_argument('--patience', type=float, default=60, help='seconds of processor time per run')
    parser.add_argument('case', nargs='*', default=list(CASES))
    options = parser.parse_args()
    wrong = total = 0
    for name in options.case:
        name, _, stated = name.partition(':')
        duration = float(stated) if stated else CASES.get(name, 1)
        print(f'{name}, {duration:g} s', flush=True)
        with tempfile.TemporaryDirectory() as folder:
            case = shortened(name, duration, folder)
            patience, options.patience = options.patience, 10 * options.patience
            wanted, reason = run(options, case, folder, 'null_space', 'bulirsch_stoer', ['--tolerance', '1e-11'])
            options.patience = patience
            if not wanted:
                raise SystemExit(f'{name}: no reference: {reason}')
            for method in options.methods.split(','):
                for integrator in options.integrators.split(','):
                    text, good = compare(options, case, folder, wanted, method, integrator, duration)
                    total += 1
                    wrong += not good
                    print(f"  {method:21} {integrator:20} {text}{'' if good else ' !'}", flush=True)
    print(f'{total} runs, {wrong} of them not as the reference')
    raise SystemExit(wrong > 0)


if __name__ == '__main__':
    main()
