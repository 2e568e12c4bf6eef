# The tutorial, and the failures of its machine: every command is run in its order, and prints what the documents show.
. "$SOURCE/tests/cli/lib.bash"

PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$SOURCE/tests/cli/tutorial.py" "$GLOBDYN" "$SOURCE/docs/tutorial.md" \
    "$SOURCE/docs/troubleshooting.md" >out 2>err || fail "docs/tutorial.md, docs/troubleshooting.md"
for file in results/pick/report.html results/front/study.html best.yaml; do
    [ -s "$file" ] || fail "$file is not written"
done
finish
