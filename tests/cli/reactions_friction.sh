# Static friction among the unknowns of `globdyn reactions`; numbers are closed forms.
. "$SOURCE/tests/cli/lib.bash"

# A block of 2 kg on a level rail, drawn under 30 degrees. Along the rail f + F cos 30 = 2 d2 and across it
# N = 20 - F sin 30 (F > 0 draws): at rest f is anything up to 4 N, so N is known only with one of both.
write_sledge() { # FRICTION
    cat >sledge.yaml <<SLEDGE
format: 1
machine:
  space: planar
  gravity: [0, -10]
  ground: {points: {O: [0, 0], W: ["10*cos(pi/6)", "10*sin(pi/6)"]}}
  bodies:
    block: {mass: 2, inertia: 0.1, points: {O: [0, 0]}, pose: [0, 0, 0]}
  joints:
    rail: {type: prismatic, of: [block.O, ground.O], axis: [1, 0], friction: {$1}}
  drives:
    rope: {between: [ground.W, block.O], force: {limit: 100}}
trajectories:
  draw: {p: [0, 0.2], points: 3, joints: {rail: p}}
SLEDGE
}
write_sledge 'coulomb: 3, stiction: 4'
expect 0 reactions sledge.yaml -o rest --no-pictures
says out 'rail +drive-dependent +fy +drive-dependent +- +rope, friction of rail$'
says out 'rope \+ friction of rail = 0 N'
says out 'redundancy 0; drive redundancy 0'
says out 'friction of rail: not unique, so whether it stays within the limits is not checked'
says rest/reactions.json '"friction of rail": \{'
grep -q ',rail,fy,drive-dependent,,N,$' rest/reactions.csv || fail "a number stands where none is known"

# In motion the friction is 3 N against it, also where the motion begins: F cos 30 = 2 d2 + 3, so
# N = 20 - tan 30 (2 + 3) = 17.1132 N at d2 = 1. At rest without acceleration it is unknown again.
printf 'p,d1,d2\n0,0,1\n0,0.5,1\n0,0,0\n' >motion.csv
expect 0 reactions sledge.yaml -o moves --no-pictures --trajectory draw --motion motion.csv
says moves/reactions.csv '^draw,0,0,1,rail,fy,unique,17\.11324865405'
says moves/reactions.csv '^draw,0,0.5,1,rail,fy,unique,17\.11324865405'
says moves/reactions.csv '^draw,0,0,0,rail,fy,drive-dependent,,N,$'

# Without stiction friction at rest is none, and that is said; not where everything moves.
write_sledge 'coulomb: 3'
expect 0 reactions sledge.yaml -o rest --no-pictures
says err 'warning: at rest the dry friction of rail is neglected'
says rest/reactions.csv '^,,,,rail,fy,unique,20,N,$'
printf 'p,d1,d2\n0,0,1\n0,0.5,1\n' >motion.csv
expect 0 reactions sledge.yaml -o moves --no-pictures --trajectory draw --motion motion.csv
grep -q 'left out' err && fail "a warning about rest where nothing rests"

# An arm of 2 kg, centre 0.5 m off its hinge: 10 N m to hold. Friction that can holds it, weaker does not.
write_arm() { # STICTION
    cat >arm.yaml <<ARM
format: 1
machine:
  space: planar
  gravity: [0, -10]
  ground: {points: {O: [0, 0]}}
  bodies:
    arm: {mass: 2, inertia: 0.1, points: {O: [-0.5, 0]}, pose: [0.5, 0, 0]}
  joints:
    hinge: {type: revolute, of: [arm.O, ground.O], friction: {stiction: $1}}
ARM
}
write_arm 11
expect 0 reactions arm.yaml -o arm --no-pictures
says out 'hinge +unique +fx +unique +0 N'
says out ' +fy +unique +20 N'
grep -A1 '"friction of hinge"' arm/reactions.json | grep -Eq '"value": (10|9\.9999999)' || fail "friction is not 10 N m"
write_arm 9
expect 0 reactions arm.yaml -o arm --no-pictures
says out 'no values: friction of hinge would need 10 N m to hold the machine here, but can give at most 9'

# Two drives alike on one rail with static friction: their redundancy is counted without the friction.
write_sledge 'stiction: 4'
sed -i 's/^    rope: .*/&\n    pusher: {at: rail, force: {limit: 50}}/' sledge.yaml
expect 0 reactions sledge.yaml -o two --no-pictures
says out 'drive redundancy 1'
says out 'fy +drive-dependent +- +rope, pusher, friction of rail$'

# A study's verdicts count it, too.
write_sledge 'stiction: 4'
cat >>sledge.yaml <<EXPECT
expect:
  - {quantity: drive_redundancy, value: 0}
  - {quantity: drive_dependent, value: 1}
EXPECT
expect 0 verify sledge.yaml
expect 0 evaluate sledge.yaml
says out 'drive_dependent +1 *$'
says out 'drive-dependent: rail'

# Friction of a joint is no reason against replacing it: the proposals of the door are those without it.
for friction in '' ', friction: {coulomb: 1, stiction: 2}'; do
    sed "s/type: revolute, of:.*axis: \[0, 0, 1\]/&$friction/" "$SOURCE/cases/door2/case.yaml" >door.yaml
    expect 0 reactions door.yaml --json --no-pictures -o door
    [ -z "$friction" ] || says door.yaml 'stiction: 2'
    grep -c '"alike"' door/reactions.json >>proposals
done
[ "$(sort -u proposals | wc -l)" -eq 1 ] && [ "$(head -n 1 proposals)" -gt 0 ] ||
    fail "friction changes the number of proposals: $(paste -sd' ' proposals)"
finish
