# What the overviews count and list is there, and all of it.
. "$SOURCE/tests/cli/lib.bash"
export LC_ALL=C # faster
((${GDYN_SANITIZED:-0})) && exit 77 # sources and documents are the same in every build

# README.md: so many cases with a machine and without. docs/cli.md: all commands. docs/README.md: all documents.
all=("$SOURCE"/cases/*/case.yaml)
with=$(grep -lE '^(machine|include):' "${all[@]}" | wc -l)
without=$((${#all[@]} - with))
grep -q "$with machines and $without analytic test problems" "$SOURCE/README.md" ||
    fail "README.md does not say: $with machines and $without analytic test problems"
grep '^|' "$SOURCE/docs/cli.md" >rows
"$GLOBDYN" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$' |
    while read -r command; do
        [[ $(<rows) =~ \`$command(\ |\`) ]] || echo "$command"
    done >missing
[ ! -s missing ] || fail "docs/cli.md has no row for: $(tr '\n' ' ' <missing)"
# A test that counts what fails tells it in its last line; what stood behind that would test nothing.
# shellcheck disable=SC2046  # a list
awk 'function judge() { if (ends && last != "finish") print name; ends = 0 }
     FNR == 1 { judge() } /^finish/ { ends = 1 } { last = $0; name = FILENAME } END { judge() }' \
    $(grep -l 'cli/lib.bash"' "$SOURCE"/tests/cli/*.sh) >missing
[ ! -s missing ] || fail "tests that go on behind 'finish': $(tr '\n' ' ' <missing)"
list=$(<"$SOURCE/docs/README.md")
for file in "$SOURCE"/docs/*.md; do
    name=${file##*/}
    [[ $list == *"]($name)"* || $name = README.md ]] || fail "docs/README.md does not list $name"
done

# The version, its day and its entry in the list of changes agree.
version=$(sed -n 's/#define GDYN_VERSION "\(.*\)"/\1/p' "$SOURCE/src/base/version.h")
released=$(sed -n 's/#define GDYN_RELEASED "\(.*\)"/\1/p' "$SOURCE/src/base/version.h")
[ "$(grep -m 1 -E '^## [0-9]' "$SOURCE/docs/CHANGELOG.md")" = "## $version ($released)" ] ||
    fail "docs/CHANGELOG.md does not begin with $version ($released)"
grep -qx "version: $version" "$SOURCE/docs/CITATION.cff" && grep -qx "date-released: $released" "$SOURCE/docs/CITATION.cff" ||
    fail "docs/CITATION.cff is not of $version ($released)"

# docs/criteria.md: the formulas are those of criteria.
"$GLOBDYN" help criteria | sed -n 's/^  \([a-z_0-9]*\) .*/\1/p' | sort -u >known
sed -n '/^## Formulas/,$s/^| `\([a-z_0-9]*\)`.*/\1/p' "$SOURCE/docs/criteria.md" | sort -u >got
[ "$(wc -l <got)" -ge 8 ] && [ -z "$(comm -13 known got)" ] || fail "docs/criteria.md: $(comm -13 known got | head -n 4)"

# The gallery has every case; its pictures are there, and none besides.
grep -o '(\.\./cases/[a-z0-9_]*/)' "$SOURCE/docs/gallery.md" | cut -d/ -f3 | sort -u >shown
(cd "$SOURCE/cases" && ls -d */) | tr -d / | sort | comm -23 - shown >missing
[ ! -s missing ] || fail "docs/gallery.md (scripts/gallery writes it) lacks: $(tr '\n' ' ' <missing)"
(cd "$SOURCE/docs/pictures/gallery" && ls -- *.png) | sort >there
grep -oE 'pictures/gallery/[a-z0-9_]+\.png' "$SOURCE/docs/gallery.md" | sed 's|.*/||' | sort | cmp -s - there ||
    fail "docs/gallery.md and docs/pictures/gallery differ"

# CONTRIBUTING.md: the files, functions and types that the steps name are there (NAME stands for any).
grep -rohE '[A-Za-z0-9_]+' "$SOURCE/src" | sort -u >words
grep -o '`[^`]*`' "$SOURCE/CONTRIBUTING.md" | tr -d '`' | sort -u | while read -r word; do
    case $word in
    *NAME* | *' '*) ;;
    */*) [ -e "$SOURCE/$word" ] || echo "$word" ;;
    *_*) echo "$word" >>named ;;
    esac
done >missing
sort -u named | comm -23 - words >>missing
[ ! -s missing ] || fail "CONTRIBUTING.md names what is not there: $(tr '\n' ' ' <missing)"

# Commands in the documents: `globdyn COMMAND` and its options are there, and so are the cases, programs and tests named.
grep -hoE 'globdyn [a-z]+[^`|]*' "$SOURCE"/docs/*.md "$SOURCE/README.md" >lines
awk '$2 ~ /^[a-z]+$/ { print $2 }' lines | sort -u | while read -r command; do
    # prose has none: globdyn computes ...
    "$GLOBDYN" help "$command" 2>/dev/null | grep -oE -- '(^|[ ,])--?[a-z-]+' | sed "s/^[ ,]*/$command /"
done >known
# --cflags, --nproc and the like belong to the other programs of a line
awk 'NR == FNR { known[$1, $2] = 1; has[$1] = 1; next }
     !has[$2] || /pkg-config/ { next }
     { line = $0
       while (match(line, /--[a-z-]+/)) {
           option = substr(line, RSTART, RLENGTH)
           line = substr(line, RSTART + RLENGTH)
           if (!(($2, option) in known)) print "globdyn " $2 " " option
       } }' known lines >missing
[ ! -s missing ] || fail "documents name options that are not there: $(sort -u missing | tr '\n' ';')"
grep -hoE '(cases/[a-z0-9_]+/case\.yaml|tests/reference/[a-z_]+\.(py|txt)|tests/cli/[a-z_]+\.sh|tests/unit/[a-z_0-9]+\.[ch]|src/[a-z_/0-9]+\.[ch])\b' \
    "$SOURCE"/docs/*.md "$SOURCE/README.md" | sort -u | while read -r file; do
    [ -e "$SOURCE/$file" ] || echo "$file"
done >missing
grep -hoE 'build/tests/[a-z_]+' "$SOURCE"/docs/*.md | sort -u | while read -r program; do
    name=${program##*/}
    [ -e "$SOURCE/tests/unit/$name.c" ] || [ -e "$SOURCE/tests/bench/$name.c" ] || echo "$program"
done >>missing
[ ! -s missing ] || fail "documents name files that are not there: $(tr '\n' ' ' <missing)"

# Sources and tests that theory.md, evidence.md and papers.md name: `folder/file.c` of src, `test_FILE/NAME` in the list of
# that test, tests of ctest; a row of theory.md's list has a check.
proofs=("$SOURCE"/docs/{theory,evidence,papers,comparison}.md)
grep -hoE '`[a-z]+/[a-z_0-9]+\.[ch]`' "${proofs[@]}" | tr -d '`' | sort -u | while read -r file; do
    [ -e "$SOURCE/src/$file" ] || echo "$file"
done >missing
grep -oE 'cmocka_unit_test[a-z_]*\([a-z_0-9]+[,)]' "$SOURCE"/tests/unit/*.c | sed 's|.*/||; s|\.c:.*(|/|; s|.$||' | sort -u >tests
grep -hoE '`test_[a-z_0-9]+/[a-z_0-9]+`' "${proofs[@]}" | tr -d '`' | sort -u | comm -23 - tests >>missing
grep -hoE '`[a-z_0-9]+`(, `[a-z_0-9]+`)* in `tests/unit/[a-z_0-9]+\.c`' "${proofs[@]}" | while read -r names; do
    IFS='`' read -r -a part <<<"$names" # a name, what stands between, a name, ..., the file
    text=$(<"$SOURCE/${part[-1]}")
    for ((i = 1; i < ${#part[@]} - 1; i += 2)); do
        [[ $text == *"${part[i]}"* ]] || echo "${part[i]}"
    done
done >>missing
grep -hoE '`cli_[a-z_]+`|ctest -R [a-z_]+' "${proofs[@]}" | tr -d '`' | sed 's/.* //' | sort -u | while read -r name; do
    [ -e "$SOURCE/tests/cli/${name#cli_}.sh" ] || [ -e "$SOURCE/tests/unit/$name.c" ] || echo "$name"
done >>missing
sed -n '/^## Formulas, sources and checks/,/^## /p' "$SOURCE/docs/theory.md" | grep '^| [^f-]' |
    grep -vE '`(test_|cli_|tests/)[a-z_/0-9.]*` \|$' >>missing
[ ! -s missing ] || fail "documents name sources or tests that are not there: $(tr '\n' ' ' <missing)"

# src/README.md: every folder. A .c file begins with its name and a phrase.
list=$(<"$SOURCE/src/README.md")
for folder in "$SOURCE"/src/*/; do
    module=${folder%/}
    [[ $list == *"| \`${module##*/}/\` |"* ]] || fail "src/README.md does not name ${module##*/}/"
done
awk 'FNR == 1 { n = split(FILENAME, part, "/")
                if (index($0, "/* " part[n] " - ") != 1 || length($0) < length(part[n]) + 7) print FILENAME }' \
    "$SOURCE"/src/*/*.c >missing
[ ! -s missing ] || fail "files that do not begin with their name and a phrase: $(tr '\n' ' ' <missing)"

# Nothing outside of model/ compares joint types.
types=$(sed -n '/^typedef enum gdyn_\(joint_type\|drive_kind\|force_kind\)/,/^}/s/^ *\(GDYN_[A-Z_]*\).*/\1/p' \
    "$SOURCE/src/model/model.h" | grep -v '^GDYN_[A-Z]*_\(TYPES\|KINDS\)$' | paste -sd'|')
grep -rEnw "$types" "$SOURCE/src" | grep -v "^$SOURCE/src/model/\(model\.h\|joint_kinds\.c\|kinds\.c\):" >compared
[ -n "$types" ] && [ ! -s compared ] ||
    fail "kinds of joints, drives or forces are compared outside of their tables: $(head -n 3 compared)"

# The same of kinds of paths.
kinds=$(sed -n '/^typedef enum gdyn_path_kind/,/^}/s/^ *\(GDYN_PATH_[A-Z]*\),.*/\1/p' "$SOURCE/src/path/path.h" | paste -sd'|')
grep -rEnw "$kinds" "$SOURCE/src" | grep -v "^$SOURCE/src/path/\(path\.h\|curve\.c\):" >compared
[ -n "$kinds" ] && [ ! -s compared ] ||
    fail "kinds of paths are compared outside of their table: $(head -n 3 compared)"
finish
