# docs/cli.md and the program say the same: every command and every option of a command's --help stands
# in the tables, and the tables name none that the program does not take.
. "$SOURCE/tests/cli/lib.bash"

"$GLOBDYN" help >help.txt
sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' help.txt | grep -v '^help$' >commands
while read -r command; do
    "$GLOBDYN" help "$command" >"help.$command"
done <commands

python3 - "$SOURCE/docs/cli.md" >out 2>err <<'END' || fail "docs/cli.md and the help differ"
import re
import sys
from pathlib import Path

WITH_CASE = "check modes workspace regions reactions traverse report feasible simulate verify evaluate sweep optimize".split()
doc = Path(sys.argv[1]).read_text()
commands = Path("commands").read_text().split()
help_of = {command: Path("help." + command).read_text() for command in commands}
wrong = []


def judge(what, found):
    if found:
        wrong.append(what + ": " + "; ".join(sorted(map(str, found))))


# --- commands
documented = re.findall(r"^\| `([a-z]*)", doc[doc.index("\n| command ") + 1:].split("\n\n")[0], re.M)
judge("commands in one of both only", set(commands) ^ set(documented))
assert len(commands) > 10, "the list of commands was not understood"

# --- options: (command, option) of every help
taken = {(c, option) for c in commands for option in re.findall(r"^ .*  *--([a-z-]*)[ =[]", help_of[c], re.M)}
taken = {(c, option) for c, option in taken if option not in ("quiet", "verbose", "help")}
assert len(taken) > 40, "the help was not understood"

# and of every row of the table: the options of its first cell for the commands of the second; -o stands for --output
section = re.split(r"^## ", doc[doc.index("\n## Options") + 1:], flags=re.M)[1]
rows = [line.replace("\\|", ",") for line in section.splitlines() if line.startswith("| `-")]
written = set()
for row in rows:
    options, where = row.split("|")[1:3]
    where = re.sub(r"study [a-z]*", "study", re.sub(r"\([^)]*\)", "", where))
    if "all with a CASE" in where:
        of = WITH_CASE
    elif " all " in where:
        continue
    else:
        of = where.replace(",", " ").split()
    for option in re.findall(r"`(-[^`]*)`", options):
        option = re.split(r"[=[]", option.split()[0])[0]
        written |= {(command, "output" if option == "-o" else option.removeprefix("--")) for command in of}
judge("in --help but not in docs/cli.md", taken - written)
judge("in docs/cli.md but not in --help", written - taken)

# --- a choice: the words that the help offers stand in a row of the table that has the option
choices = 0
for command in commands:
    for option, words in re.findall(r"^ .*  *--([a-z-]*)[ =[].*: (.* or [a-z-]*)(?: \(default\))?$", help_of[command], re.M):
        choices += 1
        text = " ".join(line for line in section.splitlines()
                        if "--" + option in line and re.search(r"\|.*\b" + command + r"\b", line))
        judge(f"{command} --{option}: not named in docs/cli.md", [
            word for word in words.replace("(default)", "").replace(",", " ").replace(" or ", " ").split()
            if not re.search(r"(?<!\w)" + re.escape(word) + r"(?!\w)", text)])
assert choices > 3, "the choices were not understood"
print("\n".join(wrong))
sys.exit(bool(wrong))
END
finish
