# globdyn workspace: nodes that are reached, as text and as a document; what is refused.
. "$SOURCE/tests/cli/lib.bash"

cat >grid.yaml <<END
include: [$SOURCE/cases/rrr4/case.yaml]
format: 1
workspaces:
  w: {of: platform.tool, x: [-0.2, 0.2], y: [-0.2, 0.2], points: [9, 5], angle: 0.1}
  far: {of: platform.tool, x: [2 m, 3 m], y: 0, points: 3, angle: 0}
END
# Without angle 0.1 the tool reaches as far as crank and rod are long.
expect 1 workspace --no-pictures grid.yaml
says out '^w: [1-9][0-9]* of 45 nodes reached'
says out '^far: 0 of 3 nodes reached, 0 m'
says out 'no straight motion leads'
expect 1 workspace --no-pictures --json grid.yaml
says out '"dimensions": 2'
# A table of 2 m by 1 m in x and z: the grid's area, whole, and its map.
cat >table.yaml <<'END'
format: 1
machine:
  space: spatial
  gravity: [0, 0, 0]
  bodies:
    a: {mass: 1, inertia: [0, 0, 0]}
    b: {mass: 1, inertia: [0, 0, 0]}
  joints:
    x: {type: prismatic, of: [a, ground], axis: [1, 0, 0]}
    z: {type: prismatic, of: [b, a], axis: [0, 0, 1], range: {max: 0.5}}
  drives: {mx: {at: x, force: {limit: 10}}, mz: {at: z, force: {limit: 3}}}
workspaces:
  all: {of: b, x: [-1, 1], z: [-0.5, 0.5], points: [5, 3]}
  half: {of: b, x: [-1, 1], z: [0, 1], points: [5, 3]}
END
expect 0 workspace --no-pictures table.yaml
says out '^all: 15 of 15 nodes reached, 2 m.2'
says out '^half: 10 of 15 nodes reached, 1.5 m.2'
says out '^  \.\.\.\.\.'
says out 'accel +m.s.2 +3 '
expect 3 workspace "$SOURCE/cases/rrr4/case.yaml"
says err "has no workspaces"
says err '= help: add a grid of tool poses'
for change in 's/x: \[-0.2/x: [0.3/' 's/points: \[9, 5\]/points: [9, 1]/' 's/angle: 0.1/cardan: [0, 0, 0]/' 's/y: 0,/z: 0,/' \
    's/of: platform.tool, x: \[-/of: ground, x: [-/' 's/points: \[9, 5\]/points: 9000/' 's/x: \[2 m, 3 m\]/x: 2 m/'; do
    sed "$change" grid.yaml >wrong.yaml
    expect 3 check wrong.yaml
done

# What cannot be held is said in words; a pose has no value there, and no value stands twice under one name.
sed 's/gravity: \[0, 0, 0\]/gravity: [0, 0, -9.81]/; s/mz: {at: z, force: {limit: 3}}/mz: {at: x, force: {limit: 3}}/; s/, range: {max: 0.5}//' table.yaml >drop.yaml
expect 0 workspace --no-pictures drop.yaml -o drop.d
grep -Eqw 'inf|nan|-inf' out drop.d/workspace.csv drop.d/workspace.json && fail "infinite numbers are printed"
expect 0 workspace --no-pictures table.yaml -o table.d
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "held") c = i } NR > 1 && $5 == "reached" && $c != 1 { bad = 1 } END { exit bad || !c }' \
    table.d/workspace.csv || fail "the table does not say what is held"
grep -q '"reached_size": 2.0' table.d/workspace.json || fail "the document has no size of what is reached"

# Threads do not change a bit; pictures and tables are written; a refused thread count.
expect 0 workspace --no-pictures --json --threads 1 table.yaml
mv out one
PATH=/nowhere expect 0 workspace --json --threads 3 table.yaml -o folder
cmp -s one out || fail "three threads give another document than one"
[ -s folder/all_workspace.gp ] && [ -s folder/workspace.csv ] || fail "files are missing"

# A narrow map has only the marks that have room: 0.2 apart where its numbers would run into one another at 0.1.
cat >narrow.yaml <<'END'
format: 1
machine:
  space: planar
  gravity: [0, 0]
  bodies: {bridge: {mass: 1, inertia: 1}, cart: {mass: 1, inertia: 1}}
  joints:
    x: {type: prismatic, of: [bridge, ground], axis: [1, 0], range: {min: -0.5, max: 0.5}}
    y: {type: prismatic, of: [cart, bridge], axis: [0, 1]}
  drives: {mx: {at: x, force: {limit: 5}}, my: {at: y, force: {limit: 5}}}
workspaces:
  tall: {of: cart, x: [-0.3, 0.3], y: [-0.7, 0.3], points: [5, 5]}
END
PATH=/nowhere expect 0 workspace narrow.yaml -o narrow
says narrow/tall_workspace.gp '^set xrange \[-0\.375:0\.375\]; set xtics tics\(0\.75,R\[i\]-L\[i\],[0-9]+\)$'

# A prescribed box: its ends are nodes; what is not covered is named.
sed 's/points: \[5, 3\]}$/points: [5, 3], box: {x: [-0.6, 0.7], z: [-0.1, 0.3]}, require: {accel: 2.5}}/; /half:/d' table.yaml >box.yaml
expect 0 workspace --no-pictures box.yaml
says out 'prescribed box: 15 of 15 nodes covered'
sed -i 's/z: \[-0.1, 0.3\]/z: [-0.1, 0.5]/; s/max: 0.5/max: 0.4/' box.yaml
expect 1 workspace --no-pictures box.yaml
says out 'prescribed box: 10 of 15 nodes covered; .-0.6, 0, 0.5. not reached'
for change in 's/z: \[-0.1/z: [-9/' 's/accel: 2.5/accel: 2.5 m/' 's/-0.1, 0.5/0.5, -0.1/' 's/box:/counts: some, box:/' 's/box:/cone: {angle: 1}, box:/'; do
    sed "$change" box.yaml >wrong.yaml
    expect 3 check wrong.yaml
done

# Formulas: sizes and worst values, their units; what has no value says where.
cat >goal.yaml <<END
include: [box.yaml]
parameters: {top: 400 mm}
design: {top: {min: 300 mm, max: 500 mm}}
machine: {joints: {z: {range: {max: top}}}}
optimize:
  objectives: {size: {maximize: all.size}, strong: {maximize: all.accel}}
  constraints: {enough: all.held >= 1 m^2}
END
expect 1 evaluate goal.yaml
says out 'all: 33.3 % of the box are not reached, such as .-0.6, 0, 0.5.'
expect 0 evaluate goal.yaml --set 'top=500 mm'
says out 'strong .* 3 '
sed 's/1 m^2/1 m/' goal.yaml >wrong.yaml
expect 3 check wrong.yaml
sed 's/all.accel/all.acel/' goal.yaml >wrong.yaml
expect 3 check wrong.yaml
says err "did you mean 'all.accel'"

# A search with criteria of a workspace, killed and continued: the same designs as in one go.
cat >search.yaml <<END
include: [table.yaml]
parameters: {top: 400 mm, push: 10 N}
design: {top: {min: 100 mm, max: 500 mm}, push: {min: 5 N, max: 20 N}}
machine: {joints: {z: {range: {max: top}}}, drives: {mx: {force: {limit: push}}}}
workspaces: {all: {points: [21, 11]}}
optimize:
  objectives: {size: {maximize: all.size}, strong: {maximize: all.accel}, weak: {minimize: push}}
  constraints: {enough: all.held >= 1 m^2}
  algorithm: {name: hybrid}
END
search=(optimize search.yaml --no-pictures --population 8 --seed 2)
"$GLOBDYN" "${search[@]}" --evaluations 1000000 -o killed --threads 2 >out 2>err &
child=$!
wait_for $child holds killed 12 || fail "the search ended by itself"
kill -9 $child
wait $child 2>/dev/null
budget=$(($(designs killed) / 8 * 8 + 16))
expect 0 "${search[@]}" --evaluations $budget -o killed --threads 2
says err 'continuing '
expect 0 "${search[@]}" --evaluations $budget -o whole --threads 1
for file in front.json front.csv designs.csv; do
    cmp -s killed/$file whole/$file || fail "killed and continued: $file differs"
done
awk -F, 'NR > 1 { sizes[$0] } END { exit NR < 20 }' whole/designs.csv || fail "too few designs"

# Ctrl-C keeps what was reached, marked as incomplete.
sed 's/^  all: .*/  all: {of: b, x: [-1, 1], z: [-0.5, 0.5], points: [250, 250]}/; /half:/d' table.yaml >long.yaml
"$GLOBDYN" workspace --no-pictures long.yaml --threads 1 --progress -o stopped >out 2>err </dev/null &
child=$!
wait_for $child grep -q 'poses reached' err || fail "the workspace ended by itself"
kill -INT $child
code=0
wait $child || code=$?
[ $code -eq 130 ] || fail "exit code $code after SIGINT"
says err 'interrupted: what was reached is kept'
says out 'all: [1-9][0-9]* of 62500 nodes reached so far'
grep -q '"complete": false' stopped/workspace.json && grep -q ',unknown,' stopped/workspace.csv ||
    fail "the files do not say that they are incomplete"

# Every node of the six-legged platform with strokes by inverse kinematics.
find_python
expect 0 workspace --no-pictures --json --threads 3 "$SOURCE/cases/ups6_strokes/case.yaml"
"$python" "$SOURCE/tests/reference/strokes.py" out >differ 2>&1 || fail "strokes.py: $(cat differ)"

# An arm whose last link may point anywhere: 33 nodes, of which the minimum motion along the way alone leads to 19.
cat >wrist.yaml <<'END'
format: 1
name: arm with a wrist
machine:
  space: planar
  gravity: [0, 0]
  bodies:
    a: {mass: 1, inertia: 0.1, points: {A: [0, 0], B: [0.5, 0]}, pose: [0, 0, 0.3]}
    b: {mass: 1, inertia: 0.1, points: {A: [0, 0], B: [0.4, 0]}, pose: {A: a.B, B: ground.G}}
    c: {mass: 1, inertia: 0.1, points: {A: [0, 0], T: [0.2, 0]}, pose: {A: b.B, T: ground.H}}
  ground: {points: {O: [0, 0], G: [0.6, 0.5], H: [0.5, 0.8]}}
  joints:
    s: {type: revolute, of: [a.A, ground.O], range: {min: -60 deg, max: 100 deg}}
    e: {type: revolute, of: [b.A, a.B], range: {min: -140 deg, max: 140 deg}}
    w: {type: revolute, of: [c.A, b.B], range: {min: -100 deg, max: 100 deg}}
  drives:
    ms: {at: s, torque: {limit: 10 N m}}
    me: {at: e, torque: {limit: 10 N m}}
    mw: {at: w, torque: {limit: 10 N m}}
workspaces:
  w: {of: c.T, x: [-1.2, 1.2], y: [-1.2, 1.2], points: [9, 9]}
END
expect 0 workspace --no-pictures --json --threads 2 wrist.yaml
"$python" "$SOURCE/tests/reference/free_arm.py" out >differ 2>&1 || fail "free_arm.py: $(cat differ)"

# Where the cables of IPAnema 1 hold its platform, against a linear program at every node.
for limits in "0 720 9.81" "1 10 0"; do
    read -r taut most fall <<<"$limits"
    cat >held.yaml <<END
include: [$SOURCE/cases/ipanema1/case.yaml]
workspaces: {frame: {points: [6, 5, 4]}}
END
    expect 0 workspace --no-pictures --json held.yaml --set "taut=$taut N" --set "most=$most N" --set "fall=$fall m/s^2"
    "$python" "$SOURCE/tests/reference/held.py" out "$taut" "$most" "$fall" >differ 2>&1 || fail "held.py: $(cat differ)"
done

# A bar on two cables, one of its three freedoms without a drive: every node in static equilibrium, against poses, tensions and
# accelerations found from the equations of Newton and Euler; where none is stable there is no node.
cat >bar.yaml <<'END'
format: 1
machine:
  space: planar
  gravity: [0, -9.81]
  ground: {points: {L: [-1.5, 0], R: [2, 0.2]}}
  bodies:
    bar: {mass: 5 kg, inertia: 0.4, com: [0.1, -0.05], points: {C: [0, 0], L: [-0.4, 0.1], R: [0.4, 0.1]}, pose: [0.3, -0.9, 0]}
  drives:
    left: {cable: [ground.L, bar.L], tension: {min: 0 N, max: 60 N}}
    right: {cable: [ground.R, bar.R], tension: {min: 0 N, max: 60 N}}
workspaces:
  w: {of: bar.C, x: [-1.3, 1.8], y: [-2, -0.2], points: [12, 8], undriven: equilibrium}
END
expect 0 workspace --no-pictures --json --threads 2 bar.yaml
"$python" "$SOURCE/tests/reference/bar_on_cables.py" out >differ 2>&1 || fail "bar_on_cables.py: $(cat differ)"
sed -i 's/undriven: equilibrium/undriven: balance/' bar.yaml
expect 3 check bar.yaml
finish
