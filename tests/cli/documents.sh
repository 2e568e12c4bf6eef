# What the overviews count and list is there, and all of it.
. "$SOURCE/tests/cli/lib.bash"

# README.md: so many cases with a machine and without. docs/cli.md: all commands. docs/README.md: all documents.
with=0 without=0
for file in "$SOURCE"/cases/*/case.yaml; do
    if grep -qE '^(machine|include):' "$file"; then with=$((with + 1)); else without=$((without + 1)); fi
done
grep -q "$with machines and $without analytic test problems" "$SOURCE/README.md" ||
    fail "README.md does not say: $with machines and $without analytic test problems"
"$GLOBDYN" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$' |
    while read -r command; do
        grep -Eq "^\|.*\`$command( |\`)" "$SOURCE/docs/cli.md" || echo "$command"
    done >missing
[ ! -s missing ] || fail "docs/cli.md has no row for: $(tr '\n' ' ' <missing)"
for file in "$SOURCE"/docs/*.md; do
    grep -q "]($(basename "$file"))" "$SOURCE/docs/README.md" || [ "$(basename "$file")" = README.md ] ||
        fail "docs/README.md does not list $(basename "$file")"
done

# docs/adding-*.md: the files, functions and types that the steps name are there (NAME stands for any).
for file in "$SOURCE"/docs/adding-*.md; do
    grep -o '`[^`]*`' "$file" | tr -d '`' | sort -u | while read -r word; do
        case $word in
        *NAME* | *' '*) ;;
        */*) [ -e "$SOURCE/$word" ] || echo "$word" ;;
        *_*) grep -rqw -- "$word" "$SOURCE/src" || echo "$word" ;;
        esac
    done >missing
    [ ! -s missing ] || fail "$(basename "$file") names what is not there: $(tr '\n' ' ' <missing)"
done

# src/README.md: every folder, and of those whose files it lists every file and no other.
for folder in "$SOURCE"/src/*/; do
    grep -q "| \`$(basename "$folder")/\` |" "$SOURCE/src/README.md" ||
        fail "src/README.md does not name $(basename "$folder")/"
done
for module in criteria search casefile study report cli; do
    awk -v module="$module" '/^`[a-z]*\// { now = index($0, "`" module "/`") == 1 } now' \
        "$SOURCE/src/README.md" | grep -o '`[a-z_0-9]*\.c`' | tr -d '`' | sort >named
    # a section names the commands together, as cmd_NAME.c
    (cd "$SOURCE/src/$module" && ls ./*.c) | sed 's|^\./||' | grep -v '^cmd_' | sort >there
    cmp -s named there || fail "src/README.md and $module/ differ: $(comm -3 named there | tr '\n\t' ' *')"
done

# docs/adding-a-joint.md: its files are there, and nothing outside of model/ compares joint types.
grep -o '`[a-z_/-]*\.[a-z]*`' "$SOURCE/docs/adding-a-joint.md" | tr -d '`' | sort -u | while read -r file; do
    [ -f "$SOURCE/$file" ] || echo "$file"
done >missing
[ ! -s missing ] || fail "docs/adding-a-joint.md names what is not there: $(tr '\n' ' ' <missing)"
types=$(sed -n '/^typedef enum gdyn_\(joint_type\|drive_kind\|force_kind\)/,/^}/s/^ *\(GDYN_[A-Z_]*\).*/\1/p' \
    "$SOURCE/src/model/model.h" | grep -v '^GDYN_[A-Z]*_\(TYPES\|KINDS\)$' | paste -sd'|')
grep -rEnw "$types" "$SOURCE/src" | grep -v "^$SOURCE/src/model/\(model\.h\|joint_kinds\.c\|kinds\.c\):" >compared
[ -n "$types" ] && [ ! -s compared ] ||
    fail "kinds of joints, drives or forces are compared outside of their tables: $(head -n 3 compared)"
finish
