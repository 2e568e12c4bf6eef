"""Runs tutorials: ```yaml blocks are appended to pick.yaml, `$ globdyn ...` lines are run, and the lines below each must be
what it prints, in that order ('...' stands for more, also at the end of a line). Numbers may differ by a thousandth; those of searches, which depend on
the last bits of the machine, are not compared. tutorial.py PROGRAM DOCUMENT..."""
import re
import shlex
import subprocess
import sys

NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
SEARCHES = ("optimize", "study")


def alike(shown, printed, search):
    """Same words; numbers within a thousandth, or any where a search found them. A line shown up to ' ...' may go on."""
    if shown.endswith(" ..."):
        shown = shown.removesuffix(" ...")
        printed = " ".join(printed.split())[:len(" ".join(shown.split()))]
    if NUMBER.sub("#", " ".join(shown.split())) != NUMBER.sub("#", " ".join(printed.split())):
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(printed))
    return search or all(abs(float(a) - float(b)) <= 1e-3 * abs(float(b)) or abs(float(b)) < 1e-12 for a, b in pairs)


def run(words, program):
    done = subprocess.run([program, *words[1:]], capture_output=True, text=True, check=False)
    return done.stdout.splitlines() + done.stderr.splitlines()


def main():
    program = sys.argv[1]
    failures = commands = 0
    fence = None
    printed, search = [], False
    for line in [line for document in sys.argv[2:] for line in open(document, encoding="utf-8")]:
        line = line.rstrip("\n")
        if line.startswith("```"):
            fence = None if fence is not None else line[3:]
            printed = []
        elif fence == "yaml":
            with open("pick.yaml", "a", encoding="utf-8") as case:
                case.write(line + "\n")
        elif line.startswith("    $ "):
            words = shlex.split(line[6:], comments=True)
            printed = run(words, program) if words[0] == "globdyn" else []
            if words[0] == "sed":
                subprocess.run(line[6:], shell=True, check=True)
            search = len(words) > 1 and words[1] in SEARCHES
            commands += 1
        elif line.startswith("    ") and fence is None and line.strip() != "...":
            found = next((i for i, text in enumerate(printed) if alike(line, text, search)), None)
            if found is None:
                print(f"not printed: {line}")
                failures += 1
            else:
                printed = printed[found + 1:]
    print(f"{commands} commands")
    sys.exit(failures > 0 or commands < 10)


main()
