"""Free texts with every metacharacter: in names of cases, trajectories, drives, choices, tables. They are refused with
a place or come out unharmed in JSON, CSV, YAML, HTML and pictures, and nothing of them is ever run."""
import csv
import io
import json
import os
import re
import xml.etree.ElementTree as xml

from common import Attack, Finding, judge, judge_files, parse_json
from pages import judge_page

PIECES = ("`touch pwned`", "$(touch pwned)", "\"; system('touch pwned'); \"", "' . system('touch pwned') . '",
          "\n!touch pwned\n", "%s%n%5$d", "@x^2_{y}", "{/Symbol a}", "\\n\\", "\\\"", "a,b", "a;b", "=cmd|' /C calc'!A0",
          "<script>alert(1)</script>", "</script><x-evil>", "\"><img src=x onerror=alert(1)>", "' onclick='alert(1)' '",
          "<!--", "-->", "<!-- <script>", "</title></style></text></svg>", "&lt;x&gt;", "javascript:alert(1)", "&amp;&", "]]>", "#", ": - [x", "{a: b}", "*a", "&a", "!t", "|", ">", "%YAML",
          "$five", "${five}", "$i", "~", "null", "1e9", "\t", "ä€𝄞", "\u202e", "\u2028", "'", '"', "\\", "/../x", "-x",
          "--help", "x" * 80, " ", "·", "^", "_", "@", "%", "$", "`", "{", "}")
CASE = """format: 1
name: {name}
about: {about}
parameters: {{m: 1 kg, l: 1 m}}
machine:
  space: planar
  gravity: [0, 0]
  bodies: {{b: {{mass: m, inertia: 1, pose: [0, 0, 0]}}}}
  joints: {{j: {{type: prismatic, of: [b, ground], axis: [1, 0]}}}}
  drives: {{{drive}: {{at: j, force: {{limit: 1 N}}}}, e: {{at: j, force: {{limit: 2 N}}}}}}
trajectories: {{{path}: {{of: b, p: [0, 1], path: {{x: p*l}}, points: 5}}}}
design: {{m: {{min: 1 kg, max: 2 kg}}, pick: {{choices: {{{choice}: {{l: 1 m}}, other: {{l: 2 m}}}}}}}}
optimize: {{objectives: {{a: {{minimize: m}}, b: {{maximize: l}}}}, algorithm: {{name: nsga2, population: 4}},
  stop: {{evaluations: 8}}}}
"""
PLACES = ("name", "about", "drive", "path", "choice")
COMMANDS = (
    ("regions", "case.yaml", "--json", "-o", "kept"),
    ("traverse", "case.yaml", "--json", "-o", "kept"),
    ("reactions", "case.yaml", "--json", "-o", "kept"),
    ("optimize", "case.yaml", "--json", "-o", "kept"),
    ("report", "case.yaml", "-o", "kept"),
    ("report", "case.yaml", "-o", "kept"),
    ("regions", "--coefficients", "table.csv", "--json", "-o", "kept"),
    ("traverse", "--coefficients", "table.csv", "--json", "-o", "kept"),
)


def text_of(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.choice([1, 1, 2, 3])))


def quoted(text):
    """As YAML's double quotes want it; a JSON text is one."""
    return json.dumps(text)


def well_formed(name, text):
    try:
        xml.parse(name)
    except xml.ParseError as error:
        raise Finding(f"{os.path.basename(name)}: {error} with {text!r}") from None


class Names(Attack):
    name = "names"

    def prepare(self):
        self.commands = [command for command in COMMANDS if self.has(command[0])]

    def one(self, rng, folder):
        command = rng.choice(self.commands)
        texts = {place: "plain" + place for place in PLACES}
        chosen = rng.choice(PLACES)
        texts[chosen] = text_of(rng)
        drive = text_of(rng)
        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(CASE.format(**{place: quoted(text) for place, text in texts.items()}))
        self.write_table(folder, drive)
        run = self.run(command, folder)
        told = judge(run, is_json="--json" in command)
        if os.path.exists(os.path.join(folder, "pwned")) or os.path.exists(os.path.join(folder, "kept", "pwned")):
            raise Finding(f"a text was run as a command: {texts[chosen]!r} {drive!r}")
        if re.search(r"gnuplot|warning: .*picture", run.err):
            raise Finding(f"gnuplot: {run.err}")
        if run.code in (0, 1):
            judge_files(folder)
            if command[0] == "report":
                self.look_at_page(folder, texts[chosen], chosen)
                return f"{chosen} taken in HTML"
            table = "--coefficients" in command
            self.look(folder, command, run, drive if table else texts[chosen], "drive" if table else chosen)
            return f"{'drive of a table' if table else chosen} taken"
        return f"refused ({told})"

    @staticmethod
    def write_table(folder, drive):
        with open(os.path.join(folder, "table.csv"), "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["p", "drive", "A", "B", "C", "D", "min", "max"])
            for p in (0, 0.5, 1):
                writer.writerow([p, drive, 1 + p, 0.1, 0.2, 0, -1, 1])
                writer.writerow([p, "other", 2, 0.1, 0.2, 0, -2, 2])

    @staticmethod
    def look_at_page(folder, text, place):
        """The page shows the text as it is (runs of blanks are one in HTML)."""
        with open(os.path.join(folder, "kept", "report.html"), encoding="utf-8") as file:
            shown = judge_page(file.read()).text()
        wanted = " ".join(text.split())
        if place in ("name", "path") and text.isprintable() and wanted not in shown:
            raise Finding(f"{text!r} is not in the page")

    @staticmethod
    def look(folder, command, run, text, place):
        """The text is somewhere in the document, tables have as many fields as heads, pictures are whole."""
        found = []

        def walk(value):
            if isinstance(value, dict):
                for key, inner in value.items():
                    found.append(key)
                    walk(inner)
            elif isinstance(value, list):
                for inner in value:
                    walk(inner)
            elif isinstance(value, str):
                found.append(value)

        walk(parse_json(run.out, "standard output"))
        if command[0] == "traverse" and place in ("drive", "path") and not any(text.strip() in entry for entry in found):
            raise Finding(f"{text!r} is not in the document")
        for path, _, names in os.walk(folder):
            for name in names:
                full = os.path.join(path, name)
                if name.endswith(".csv") and "kept" in path:
                    with open(full, encoding="utf-8", newline="") as file:
                        rows = list(csv.reader(io.StringIO(file.read())))
                    if any(len(row) != len(rows[0]) for row in rows):
                        raise Finding(f"{name} has rows of different lengths with {text!r}")
                elif name.endswith(".svg"):
                    well_formed(full, text)
                elif name.endswith(".png") and os.path.getsize(full) < 100:
                    raise Finding(f"{name} is empty")
