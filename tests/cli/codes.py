"""Lists calls that emit a diagnostic whose format does not begin with the mark of a kind, and kinds that nothing emits."""
import pathlib
import re
import sys

# Functions that take a format or a text, and the place of it among their arguments (from 0).
FORMAT = {"gdyn_diag_emit": 4, "gdyn_log_node": 4, "gdyn_log_inside": 5, "gdyn_log_place": 6, "gdyn_read_error": 3,
          "gdyn_cli_error": 0, "gdyn_cli_fail": 2}
# A call hands on what already has its mark.
HANDED_ON = re.compile(r'"%s",? *(message|text|rules\[i\]\.text)\b|"%s%s|__VA_ARGS__|^(const )?char|^format$')


def arguments(text, at):
    """The arguments of the call whose parenthesis opens before `at`."""
    depth, quoted, part, parts = 1, False, "", []
    while depth:
        c = text[at]
        if quoted and c == "\\":
            part += c
            at += 1
            c = text[at]
        elif c == '"':
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        if c == "," and depth == 1 and not quoted:
            parts.append(part.strip())
            part = ""
        elif depth:
            part += c
        at += 1
    return parts + [part.strip()]


def main():
    source = pathlib.Path(sys.argv[1])
    used, bad = set(), 0
    for file in sorted(source.glob("*/*.c")):
        text = file.read_text()
        if file.name != "codes.c":
            used |= set(re.findall(r"GDYN_CODE_[A-Z]+", text))
        for call in re.finditer(r"\b(%s)\(" % "|".join(FORMAT), text):
            parts = arguments(text, call.end())
            place = FORMAT[call.group(1)]
            given = parts[place:place + 2]
            if not given or HANDED_ON.search(", ".join(given)) or "GDYN_CODE_" in given[0]:
                continue
            print(f"{file}:{text.count(chr(10), 0, call.start()) + 1}: {call.group(1)}(... {given[0]}", file=sys.stderr)
            bad += 1
        # A diagnostic made by hand states its code.
        for made in re.finditer(r"gdyn_diag (diag|copy) = \{", text):
            if ".code" not in text[made.start():made.start() + 500] and not re.search(r"\b(gdyn_diag_say|say)\(", text[made.start():made.start() + 1000]):
                print(f"{file}:{text.count(chr(10), 0, made.start()) + 1}: a diagnostic without a code", file=sys.stderr)
                bad += 1
    declared = set(re.findall(r"#define (GDYN_CODE_[A-Z]+)", (source / "base/codes.h").read_text()))
    for name in sorted(declared - used):
        print(f"{name} is emitted nowhere", file=sys.stderr)
        bad += 1
    sys.exit(bad > 0)


main()
