# Every template: it is checked, evaluated, verified and optimized as it is, and editors find the schema that it names.
. "$SOURCE/tests/cli/lib.bash"

"$GLOBDYN" new | awk '/^  / { print $1 }' >templates
[ "$(wc -l <templates)" -ge 6 ] || fail "only $(wc -l <templates) templates are listed"
while read -r name; do
    expect 0 new "$name" -q
    file=$name.yaml
    schema=$(sed -n '1s/^# yaml-language-server: \$schema=//p' "$file")
    [ -s "$schema" ] || fail "$file names no schema that is there: '$schema'"
    expect 0 check --no-pictures "$file"
    expect 0 verify "$file"
    expect 0 evaluate "$file"
    says out "^  status +ok"
    expect 0 optimize "$file" --evaluations 16 --population 8 --no-pictures -q -o "study_$name"
    "$GLOBDYN" study front "study_$name" --csv >front
    [ "$(wc -l <front)" -ge 2 ] || fail "$name: the study has no front"
done <templates
"$GLOBDYN" schema | cmp -s - "$schema" || fail "$schema is not what globdyn schema prints"
finish
