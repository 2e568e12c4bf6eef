"""Structure-aware mutation: any case of cases/, changed as a tree, through any command.

Half of all changes are mild (a number times 0.5 to 2, a name, a kind), so that many mutants still are machines; the
others put the worst numbers, foreign subtrees and odd texts anywhere.
"""
import copy
import glob
import os
import re
import shutil

try:
    import yaml
except ImportError:  # the other attacks do without
    yaml = None

from common import Attack, Finding, judge, judge_files
from pages import judge_page

UGLY = ("0", "-0", "1e308", "-1e308", "1e-308", "1e-320", "inf", "-inf", "nan", ".nan", "1/0", "0/0", "1e60", "1e18",
        "1e-12", "-1", "2^31", "4294967296", "9223372036854775808", "1e999", "", "~", "true", "p", "1e5", "pi", "x",
        "1 kg", "1 m/s^2", "[", "1..1e9", "$i", "sqrt(-1)", "1e-160", "1e154", "0.1 + 0.2", "1_000", "0x10")
TEXTS = ("", "a b", "`id`", "$(id)", "$five", "@x^2_{y}", "\"'\\", "%s%n%d", "<b>&amp;", "=1+1", "a,b;c", "ä\u202e𝄞",
         "line\nbreak", "#", "null", "x" * 500, "../../etc", "-", "0", "\u2028")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def load(text):
    """A tree whose scalars are all texts."""
    return yaml.load(text, Loader=yaml.loader.BaseLoader)


def dump(tree):
    """Texts stand without quotation marks where YAML allows it."""

    class Dumper(yaml.emitter.Emitter, yaml.serializer.Serializer, yaml.representer.SafeRepresenter,
                 yaml.resolver.BaseResolver):
        def __init__(self, stream, **_):
            yaml.emitter.Emitter.__init__(self, stream, width=100000, allow_unicode=True)
            yaml.serializer.Serializer.__init__(self)
            yaml.representer.SafeRepresenter.__init__(self, sort_keys=False)
            yaml.resolver.BaseResolver.__init__(self)

        def ignore_aliases(self, data):
            return True

    return yaml.dump(tree, Dumper=Dumper)


def places(tree, under="", found=None):
    """All (container, key, name of the nearest mapping key) of a tree."""
    found = [] if found is None else found
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in list(items):
        name = key if isinstance(tree, dict) else under
        found.append((tree, key, name))
        places(value, name, found)
    return found


class Mutator:
    def __init__(self, trees):
        self.trees = trees
        self.by_key = {}  # values of all cases by the key above them
        self.items = {}  # key, value pairs by the key above their mapping
        for tree in trees:
            for box, key, name in places(tree):
                if not isinstance(key, str):
                    continue
                self.by_key.setdefault(re.sub(r"\d+$", "", name), []).append(box[key])
                if isinstance(box[key], dict):
                    for inner, value in box[key].items():
                        self.items.setdefault(name, []).append((inner, value))

    def change(self, rng, tree, mild):
        """Changes one place of the tree; mildly: a number, a little."""
        if mild:
            return self.number(rng, tree, None, None, None, 0.05)
        box, key, name = rng.choice(places(tree))
        if key not in (box if isinstance(box, dict) else range(len(box))):
            return
        ways = (self.number, self.number, self.number, self.scalar, self.foreign, self.graft, self.drop, self.double,
                self.rename, self.text, self.swap)
        rng.choice(ways)(rng, tree, box, key, name)

    def number(self, rng, tree, box, key, name, wild=0.5):
        scalars = [(b, k) for b, k, _ in places(tree) if isinstance(b[k], str) and NUMBER.search(b[k])]
        if not scalars:
            return
        box, key = rng.choice(scalars)
        match = rng.choice(list(NUMBER.finditer(box[key])))
        if rng.random() >= wild:
            new = repr(float(match.group()) * rng.choice([0.5, 2, 0.9, 1.1, 1.0000001, 0.999, 3]))
        elif rng.random() < 0.5:
            new = repr(float(match.group()) * 10.0 ** rng.randint(-12, 12))
        else:
            new = rng.choice(UGLY)
        box[key] = box[key][: match.start()] + new + box[key][match.end() :]

    def scalar(self, rng, tree, box, key, name):
        box[key] = rng.choice(UGLY)

    def foreign(self, rng, tree, box, key, name):
        """What stands below the same key in some case."""
        choices = self.by_key.get(re.sub(r"\d+$", "", str(name)))
        if choices:
            box[key] = copy.deepcopy(rng.choice(choices))

    def graft(self, rng, tree, box, key, name):
        """One more key as another case has it there."""
        mappings = [(b[k], n) for b, k, n in places(tree) if isinstance(b[k], dict) and n in self.items]
        if mappings:
            target, name = rng.choice(mappings)
            inner, value = rng.choice(self.items[name])
            target[inner] = copy.deepcopy(value)

    def drop(self, rng, tree, box, key, name):
        del box[key]

    def double(self, rng, tree, box, key, name):
        value = copy.deepcopy(box[key])
        if isinstance(box, list):
            box.insert(key, value)
        else:
            box[f"{key}{rng.choice(['2', 'x', '_', ''])}"] = value

    def rename(self, rng, tree, box, key, name):
        """A word becomes another word of this case: references break or lead elsewhere."""
        words = [str(k) for _, k, _ in places(tree) if isinstance(k, str)]
        if isinstance(box[key], str):
            box[key] = re.sub(r"[A-Za-z_]\w*", lambda m: rng.choice(words) if rng.random() < 0.4 else m.group(), box[key])
        elif isinstance(box, dict):
            box[rng.choice(words)] = box.pop(key)

    def text(self, rng, tree, box, key, name):
        text = rng.choice(TEXTS)
        if isinstance(box, dict) and rng.random() < 0.3:
            box[f"{key}{text}"] = box.pop(key)
        elif name in ("name", "about", "source", "of", "at", "like", "file"):
            box[key] = text
        else:
            tree[rng.choice(["name", "about"])] = text

    def swap(self, rng, tree, box, key, name):
        other, there, _ = rng.choice(places(tree))
        try:
            box[key], other[there] = copy.deepcopy(other[there]), copy.deepcopy(box[key])
        except (KeyError, IndexError):
            pass


def lighten(tree, rng):
    """Few points, so that a run takes milliseconds; no expectations, which mutants cannot meet."""
    tree.pop("expect", None)
    trajectories = tree.get("trajectories")
    for trajectory in trajectories.values() if isinstance(trajectories, dict) else ():
        if isinstance(trajectory, dict) and rng.random() < 0.95:
            trajectory["points"] = "5"


class Mutations(Attack):
    name = "cases"
    commands = ("check", "check", "check", "verify", "regions", "traverse", "reactions", "evaluate", "feasible", "simulate", "modes",
                "workspace", "sweep", "optimize", "report")

    def prepare(self):
        if not yaml:
            raise RuntimeError("there is no Python module yaml")
        self.files, trees = [], []
        for name in sorted(glob.glob(os.path.join(self.setting.source, "cases", "*", "case.yaml"))):
            with open(name, encoding="utf-8") as file:
                trees.append(load(file))
            self.files.append(os.path.dirname(name))
        self.trees, self.mutator = trees, Mutator(trees)

    def one(self, rng, folder):
        which = rng.randrange(len(self.trees))
        tree = copy.deepcopy(self.trees[which])
        lighten(tree, rng)
        mild = rng.random() < 0.5
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            if places(tree):
                self.mutator.change(rng, tree, mild)
        self.write(tree, self.files[which], folder)
        command = rng.choice(self.commands)
        arguments = self.arguments(command, rng)
        run = self.run(arguments, folder, seconds=8)
        outcome = judge(run, is_json="--json" in arguments)
        if run.code in (0, 1):
            judge_files(folder)
            if command == "report":
                with open(os.path.join(folder, "kept", "report.html"), encoding="utf-8") as file:
                    judge_page(file.read())
        if run.code == 0 and command in ("regions", "traverse", "reactions", "evaluate"):
            self.confirm(folder, command)
        return outcome

    def confirm(self, folder, command):
        """A machine that got an answer: the independent methods must give the same."""
        run = self.run(["verify", "case.yaml"], folder, seconds=20)
        judge(run)
        if run.code == 1 and "differ" in run.out.lower():
            raise Finding(f"{command} answers with exit code 0, verify says: {run.out[-1500:]}")

    @staticmethod
    def write(tree, source, folder):
        for name in os.listdir(source):
            if name.endswith((".csv", ".yaml")) and name != "case.yaml":
                shutil.copy(os.path.join(source, name), folder)
        with open(os.path.join(folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(dump(tree).replace("../", os.path.dirname(source) + "/"))
        with open(os.path.join(folder, "motion.csv"), "w", encoding="utf-8") as file:
            file.write("t,p\n" + "".join(f"{i / 10},{i / 10}\n" for i in range(11)))

    @staticmethod
    def arguments(command, rng):
        arguments = [command, "case.yaml"] + ([] if command == "verify" else ["--json"])
        if command in ("regions", "traverse", "reactions", "simulate", "feasible", "workspace"):
            arguments += ["--no-pictures", "-o", "kept"]
        if command == "check":
            arguments += ["--no-pictures"]
        if command == "feasible":
            arguments += ["--motion", "motion.csv"]
        if command == "optimize":
            arguments = [command, "case.yaml", "--no-pictures", "-o", "kept", "-q", "--population", "4",
                         "--evaluations", "8"]
        if command == "report":
            arguments = [command, "case.yaml", "-o", "kept"]
        if command == "sweep":
            arguments = [command, "case.yaml", "--no-pictures", "-o", "kept", "-q", "--samples", "4"]
        return arguments
