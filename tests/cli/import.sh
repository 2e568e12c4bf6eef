# Descriptions of robots become cases: a closed loop, merged links, names, limits; every error with its line; the public
# descriptions of Debian's package dart-doc where it is installed.
. "$SOURCE/tests/cli/lib.bash"
sample=$SOURCE/docs/samples/five_bar

expect 0 import "$sample.urdf" --loops "${sample}_loops.yaml" -o five.yaml
says err 'assumed: a joint without an effort above zero has no drive \(lines 40, 50\)'
expect 0 check --no-pictures five.yaml
says out '^  mobility +2 '
says out '^  redundant constraints +3 '
says out '^  sway +21 of 21 points'
says five.yaml '^        tool: \{at: \[0\.2934006' # the fixed link is a point of its body
expect 5 import "$sample.urdf" -o five.yaml
says err 'already exists'

# robot BODY: a URDF of that content.
robot() {
    printf '<robot name="r">\n<link name="a"/>\n%s\n</robot>\n' "$1" >r.urdf
}
arm='<link name="b"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
turn='<joint name="j" type="revolute"><parent link="a"/><child link="b"/>'
# refused LINE PATTERN: the file r.urdf is refused there.
refused() {
    expect 3 import r.urdf -o -
    says err "r\.urdf:$1:.*error: .*$2"
}

# Two masses of 1 kg at x = 0 and 2 m, each a cube of Ixx = 1: together 2 kg at 1 m, Iyy = 1 + 1 + 2 = 4; mid of a range.
robot "$arm
<link name='c'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
$turn<axis xyz='0 0 2'/><limit lower='1' upper='2' effort='3' velocity='4'/></joint>
<joint name='f' type='fixed'><parent link='b'/><child link='c'/><origin xyz='2 0 0'/></joint>"
expect 0 import r.urdf -o merged.yaml -q
says merged.yaml '^      mass: 4 kg'
says merged.yaml '^      inertia: \[2, 6, 6\]'
says merged.yaml '^      com: \[1, 0, 0\]'
says merged.yaml '^      pose: \{at: \[0, 0, 0\], cardan: \[0, 0, 1\.5\]\}'
says merged.yaml 'axis: \[0, 0, 1\], range: \{min: 1, max: 2\}'
says merged.yaml 'torque: \{limit: 3 N m\}, speed: \{max: 4 rad/s\}'
expect 0 check merged.yaml --no-pictures

# Moments 1, 1, 3: the nearest ones with I1 + I2 >= I3 are 4/3, 4/3, 8/3 (each takes a third of the violation); -1, 1, 1 becomes
# 0, 1, 1 (minimum of the sum of squares over the second moments, by hand). Rounding, 1e-20 kg m^2 of 2 kg at 1 m, is accepted.
for tensor in "1 1 3 1.33333333333333,.1.33333333333333,.2.66666666666667" "-1 1 1 0,.1,.1"; do
    read -r x y z balanced <<<"$tensor"
    robot "<link name='b'><inertial><mass value='2'/><inertia ixx='$x' iyy='$y' izz='$z'/></inertial></link>
$turn</joint>"
    expect 3 import r.urdf -o - -q
    expect 0 import r.urdf --balance -o -
    says out "inertia: \\[$balanced\\]"
    says err 'changed: inertia of link b violates the triangle inequality: changed by (0\.333|1) kg m2'
done
robot "<link name='b'><inertial><origin xyz='1 0 0'/><mass value='2'/><inertia ixx='-1e-20' iyy='0' izz='1e-20'/></inertial></link>
$turn</joint>"
expect 0 import r.urdf -o -
grep -q changed err && fail 'rounding is no change'

# Joints that a gear moves keep their range, too: k = -j has room for 0.4 rad, of which half is used.
robot "$arm
<link name='c'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
<link name='d'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
$turn<limit lower='0' upper='1' effort='1'/></joint>
<joint name='k' type='revolute'><parent link='a'/><child link='c'/><limit lower='-0.4' upper='1' effort='1'/>
<mimic joint='j' multiplier='-1'/></joint>
<joint name='l' type='continuous'><parent link='c'/><child link='d'/></joint>"
expect 0 import r.urdf -o sway.yaml -q
says sway.yaml '^      j: 0\.2\*p'
expect 0 check sway.yaml --no-pictures

# Gears of mimic; other joints; odd names.
robot "$arm
<link name='/c d'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
$turn</joint>
<joint name='k' type='prismatic'><parent link='b'/><child link='/c d'/><mimic joint='j' multiplier='0.5'/></joint>"
expect 0 import r.urdf -o gear.yaml
says err 'renamed: link /c d is c_d \(line 4\)'
says gear.yaml 'k_mimic: \{type: gear, of: \[k, j\], ratio: 0\.5\}'
expect 0 check gear.yaml --no-pictures
says out '^  mobility +1 '

robot "$arm$turn" && refused 4 'not valid XML'
robot "$arm
<joint name='j' type='revolute'><parent link='a'/><child link='q'/></joint>" && refused 4 "there is no link 'q'"
robot "$arm" && refused 3 "two roots: no joint holds link 'b', nor link 'a' in line 2"
robot "$arm
<link name='b'/>" && refused 4 "another link 'b', in line 3"
robot "$arm
$turn</joint>
<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint>" && refused 5 "child of two joints, 'j' and 'k'"
robot "$arm
<link name='c'/>
<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>
<joint name='l' type='fixed'><parent link='c'/><child link='b'/></joint>" && refused 3 'circle'
robot "$arm
<joint name='j' type='turning'><parent link='a'/><child link='b'/></joint>" && refused 4 'unknown type: turning'
robot "<link name='b'><inertial><mass value='nan'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>" &&
    refused 3 "value of <mass> is 'nan'"
robot "$arm
$turn<axis xyz='0 0 0'/></joint>" && refused 4 'no direction'
# Stops that exclude each other are none; those at one value lock the joint there, at 0 (the default of both) they are none.
for limit in "2 1 lower.above.upper" "0 0 lower.=.upper.=.0"; do
    read -r lower upper pattern <<<"$limit"
    robot "$arm
$turn<limit lower='$lower' upper='$upper' effort='1'/></joint>"
    expect 0 import r.urdf -o -
    says err "assumed: a joint with $pattern has no stops \\(line 4\\)"
    says out 'j: \{type: revolute, of: \[b, ground\], axis: \[1, 0, 0\]\}'
done
robot "$arm
<link name='c'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
$turn<limit lower='1' upper='1' effort='1'/></joint>
<joint name='k' type='continuous'><parent link='b'/><child link='c'/><axis xyz='0 0 1'/></joint>"
expect 0 import r.urdf -o -
says err 'assumed: a joint with lower = upper is locked there \(line 5\)'
says out 'axis: \[0, -0\.841470984807897, 0\.54030230586814\]' # z turned by 1 rad about x: (0, -sin 1, cos 1)

# The ground as a link that nobody declares; macros that nobody has expanded.
robot "$arm
<joint name='j' type='continuous'><parent link='world'/><child link='a'/></joint>
<joint name='k' type='continuous'><parent link='a'/><child link='b'/></joint>"
expect 0 import r.urdf -o -
says err "assumed: the link 'world' is the ground \\(line 4\\)"
robot "$arm
<xacro:arm prefix='left'/>$turn</joint>" && sed -i 's/<robot/& xmlns:xacro="x"/' r.urdf && refused 4 'xacro file: <xacro:arm> is not expanded'
says err 'help: expand it first: xacro r.urdf -o robot.urdf'
robot "$arm
<joint name='\${side}_j' type='fixed'/>" && refused 4 'xacro file'
robot '' && refused 2 'nothing moves'
printf '<world/>' >r.urdf && refused 1 'belongs to no format'
printf '<!DOCTYPE r [<!ENTITY a "b">]>\n<robot name="&a;"/>' >r.urdf && refused 1 'entities'
expect 5 import missing.urdf -o -
printf 'loops:\n  tip: {type: revolut, of: [left_rod, nobody]}\n' >loops.yaml
expect 3 import "$sample.urdf" --loops loops.yaml -o -
says err 'loops.yaml:2:15: error: the type of a loop'

printf 'loops:\n  tip: {type: rod, of: [left_rod, right_rod], length: 0}\n' >loops.yaml
expect 3 import "$sample.urdf" --loops loops.yaml -o -
says err 'loops.yaml:2:.*error: the length of a rod must be positive'
printf 'loops:\n  tip: {type: spherical, of: [left_rod, left_rod]}\n' >loops.yaml
expect 0 import "$sample.urdf" --loops loops.yaml -o -
says err 'dropped: loop tip: it joins links that are one body'
expect 5 import "$sample.urdf" --loops missing.yaml -o -
says err "'missing.yaml': cannot open"

robot "${arm//value=\"2\"/value=\"1e300\"}
<link name='c'><inertial><mass value='1e300'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>
$turn<origin rpy='1e300 0 0'/></joint><joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>" &&
    refused 3 "link 'b': position, mass or shapes are too large"

# Frames keep their orientation: tool0 is turned by 90 deg about x in its link, and that by 0.3 rad about z with the joint. A path of
# tool0 prescribes that frame; the set-points show it. By hand: Rz(0.3) Rx(pi/2) = Rx(pi/2) Ry(0.3).
robot "$arm
<link name='tool0'/><link name='world'/>
$turn<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='90' velocity='2'/></joint>
<joint name='f' type='fixed'><parent link='b'/><child link='tool0'/><origin xyz='1 0 0' rpy='1.5707963267948966 0 0'/></joint>" &&
    sed -i "/<link name='tool0'/s|<link name='world'/>||" r.urdf
expect 0 import r.urdf -o tool.yaml -q
says tool.yaml 'tool0: \{at: \[1, 0, 0\], cardan: \[1\.5707963267949, 0, 0\]\}'
cat >>tool.yaml <<'END'
  turn: {of: b.tool0, kind: arc, centre: [0, 0, 0], radius: 1, start: 0, end: 0.3, cardan: [pi/2, p, 0]}
END
expect 0 traverse tool.yaml --trajectory turn --step '20 ms' --no-pictures
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i }
    function off(x, y) { return x - y > 1e-9 || y - x > 1e-9 }
    NR > 1 { q = $n["j.position [rad]"]; bad += off($n["tool.a [rad]"], 1.5707963267948966) || off($n["tool.b [rad]"], q) || off($n["tool.c [rad]"], 0) }
    END { exit bad || NR < 5 || off(q, 0.3) }' results/tool/motion.csv || fail 'the frame of the tool is not followed'

# --- SDF --------------------------------------------------------------------------------------------
expect 0 import "$SOURCE/docs/samples/four_bar.sdf" -o bar.yaml
says err 'assumed: a joint closes a loop \(line 36\)'
says bar.yaml 'pen: \{at: \[0\.2, 0, 0\.2\], cardan: \[1\.5707963267949, 0, 0\]\}'
says bar.yaml 'elbow: .*friction: \{viscous: 0\.01 N m s/rad\}'
expect 0 check bar.yaml --no-pictures
says out '^  mobility +1 '
says out '^  sway +21 of 21 points'

# sdf VERSION BODY: SDF of that content; solid NAME POSE: a link of 2 kg there.
sdf() {
    printf '<sdf version="%s"><model name="m">\n%s\n</model></sdf>\n' "$1" "$2" >r.urdf
}
solid() {
    echo "<link name='$1'><pose>$2</pose><inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link>"
}
ends='<parent>world</parent><child>a</child>'
quarter=1.5707963267948966
# A link turned by 90 deg about z: the axis x of the joint's frame is y of the model, that of version 1.4 is x of the model.
for version in '1.6 0,.1' '1.4 1,.0'; do
    read -r number axis <<<"$version"
    sdf "$number" "$(solid a "0 0 0 0 0 $quarter")<joint name='j' type='revolute'>$ends<axis><xyz>1 0 0</xyz></axis></joint>"
    expect 0 import r.urdf -o - -q
    says out "axis: \\[$axis, 0\\]"
done
# A universal joint; a screw of 20 mm per turn: 0.02 / (2 pi); a ball; a link that floats.
sdf 1.9 "$(solid a '0 0 0 0 0 0')$(solid b '1 0 0 0 0 0')$(solid c '2 0 0 0 0 0')$(solid d '3 0 0 0 0 0')
<joint name='u' type='universal'>$ends<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>
<joint name='s' type='screw'><parent>a</parent><child>b</child><screw_thread_pitch>0.02</screw_thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>
<joint name='k' type='ball'><parent>b</parent><child>c</child></joint>"
expect 0 import r.urdf -o kinds.yaml
says err 'assumed: link d floats: no joint holds it to the world'
says kinds.yaml 'ratio: 0\.00318309886183791'
expect 0 check kinds.yaml --no-pictures
says out '^  mobility +12 ' # 2 + 1 + 3 + 6
sdf 1.9 "$(solid a '0 0 0 0 0')" && refused 2 'pose of <link> has 5 numbers, not 6'
sdf 1.9 "<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>" && refused 2 'in a circle'
sdf 1.9 "$(solid a '0 0 0 0 0 0')<joint name='j' type='gearbox'>$ends</joint>" && refused 2 'unknown type: gearbox'
sdf 1.9 "<include><uri>model://none</uri></include>" && refused 2 "'model://none': cannot open"

# --- MuJoCo -----------------------------------------------------------------------------------------
expect 0 import "$SOURCE/docs/samples/four_bar.xml" -o four.yaml
expect 0 check four.yaml --no-pictures
says out '^  mobility +1 '
says out '^  sway +21 of 21 points'
says four.yaml 'base: \{at: base, torque: \{limit: 10 N m\}, rotor_inertia: 0\.002\}'
says four.yaml 'hinge: \{type: spherical, of: \[coupler.hinge, rocker.hinge\], cut: true\}'
expect 0 import "$SOURCE/tests/mujoco/joints.xml" -o joints.yaml
says err 'renamed: link flying saucer is flying_saucer'
says err 'assumed: the armature of a joint without actuator is a drive without force \(lines'
says joints.yaml 'torque: \{min: -6 N m, max: 3 N m\}, rotor_inertia: 0\.01\}' # a negative gear turns the limits round
says joints.yaml 'slide: \{type: spring, at: slide, stiffness: 3, rest: 0\.2\}'   # springref less ref
expect 0 check joints.yaml --no-pictures
says out '^  mobility +15 '

# model BODY: MuJoCo's XML of that content.
model() {
    printf '<mujoco>\n%s\n</mujoco>\n' "$1" >r.urdf
}
model '<worldbody><body name="a"><joint type="hing"/></body></worldbody>' && refused 2 'unknown type of joint: hing'
model '<worldbody><body name="a"><body name="b"><freejoint/></body></body></worldbody>' && refused 2 'children of the world'
model '<worldbody><body name="a"><joint/><geom size="0"/></body></worldbody>' && refused 2 'is not positive'
# Sizes that a type does not need; a shape fitted to a mesh; a range that is none.
model '<worldbody><body name="a"><joint range="0 0"/><geom size="0.5 7 7" mass="1"/>
<geom type="box" mesh="m"/></body></worldbody>'
expect 0 import r.urdf -o -
says out '^      inertia: \[0\.1, 0\.1, 0\.1\]'
says err 'dropped: <geom> of type box fitted to a mesh \(line 3\)'
says err 'assumed: range="0 0" of a joint is no limit \(line 2\)'
model '<worldbody><body name="a"><joint axis="0 0 x"/></body></worldbody>' && refused 2 "axis of <joint> is '0 0 x'"
model '<worldbody><body name="a"><freejoint/></body></worldbody>' && refused 2 'floats and has no mass'
model '<worldbody/><equality><connect body1="q"/></equality>' && refused 2 "there is no body 'q'"
model '<worldbody/><actuator><motor joint="q"/></actuator>' && refused 2 "there is no joint 'q'"
model '<include file="none.xml"/>' && refused 2 'none.xml'
model '<include file="r.urdf"/>' && refused 2 'too deeply'

# Limits of an actuator, of its force and of the joint: the tightest ones hold.
model '<worldbody><body name="b"><joint name="j" actuatorfrcrange="-5 40"/><geom size="1"/></body></worldbody>
<actuator><motor joint="j" gear="10" ctrlrange="-1 3" forcerange="-2 2"/></actuator>'
expect 0 import r.urdf -o - -q
says out 'j: \{at: j, torque: \{min: -5 N m, max: 20 N m\}\}'

# A scaled mass; geoms of a class; a file within a file.
printf '<mujoco><worldbody><body name="b"><joint/><geom class="ball"/></body></worldbody></mujoco>' >part.xml
model '<compiler settotalmass="3"/><default><default class="ball"><geom type="sphere" size="0.5"/></default></default>
<include file="part.xml"/>'
expect 0 import r.urdf -o - -q
says out '^      mass: 3 kg'
says out '^      inertia: \[0\.3, 0\.3, 0\.3\]'

# balanceinertia: the mean of moments that no body has.
model '<compiler balanceinertia="true"/><worldbody><body name="b"><joint/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 4"/></body></worldbody>'
expect 0 import r.urdf -o -
says out '^      inertia: \[2, 2, 2\]'
says err 'changed: principal moments .* \(line 2\)'

# A frame turns and shifts geoms; where their body states its <inertial>, they weigh nothing, there too. 1 kg at (1, 0, 0)
# behind a quarter turn about z is at (0, 1, 0).
model '<worldbody><body name="b"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><joint/>
<frame pos="1 0 0"><geom size="0.1"/></frame></body>
<body name="c"><joint/><frame euler="0 0 90"><geom size="0.1" pos="1 0 0" mass="1" shellinertia="true"/></frame></body></worldbody>'
expect 0 import r.urdf -o -
says out '^      mass: 2 kg'
says out '^      inertia: \[1, 1, 1\]'
says out '^      com: \[0, 1, 0\]'
says err 'shellinertia is solid \(line 4\)'
model '<worldbody><body name="b"><geom size="1"/><frame>
<joint/></frame></body></worldbody>' && refused 3 '<joint> in a <frame>'

# Flags, compensated weights, springs by time constant and damping ratio. The pendulum's inertia about its joint is
# 0.01 + 1 * 0.1^2 = 0.02: k = 0.02 / (0.2 * 1)^2 = 0.5, d = 2 * 0.02 / 0.2 = 0.2; of twice the mass, 1 and 0.4. The part that is fixed to it
# holds half of its 2 * 9.81 N.
pendulum='<worldbody><body name="a" gravcomp="1"><inertial pos="0 0 0.1" mass="1" diaginertia="1e-2 1e-2 1e-2"/>
<joint name="j" axis="1 0 0" springdamper="0.2 1" frictionloss="3" range="-9 9"/></body></worldbody>'
model "<option gravity='0 0 -9.81'/>$pendulum"
expect 0 import r.urdf -o -
says out 'friction: \{viscous: 0\.2 N m s/rad, coulomb: 3 N m\}'
says out 'j: \{type: spring, at: j, stiffness: 0\.5\}'
says out 'a_gravcomp: \{type: constant, of: a\.a_gravcomp, force: \[0, 0, 9\.81\]\}'
says out '^        a_gravcomp: \[0, 0, 0\.1\]'
model "<compiler settotalmass='2'/><option><flag gravity='disable' frictionloss='disable' limit='disable'/></option>$pendulum"
expect 0 import r.urdf -o - -q
says out '^  gravity: \[0, 0, 0\]'
says out 'axis: \[1, 0, 0\], friction: \{viscous: 0\.4 N m s/rad\}\}'
says out 'stiffness: 1\}'
! grep -q gravcomp out || fail 'without gravity there is no weight to compensate'
model "<option><flag passive='disable'/></option>$pendulum"
expect 0 import r.urdf -o - -q
! grep -Eq 'gravcomp|type: spring|viscous' out || fail 'passive forces that are off are imported'
model "${pendulum/<\/body>/<body gravcomp=\"0.5\" name=\"tip\" pos=\"0 0 1\"><inertial pos=\"0 0.2 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body></body>}"
expect 0 import r.urdf -o - -q
says out 'tip_gravcomp: \{type: constant, of: a\.tip_gravcomp, force: \[0, 0, 9\.81\]\}'
says out '^        tip_gravcomp: \[0, 0\.2, 1\]'
# Without autolimits a range holds where it is said to; equalities have defaults of their own; a site may lie on a line; an integral of
# a command within -1 and 1 has no bounds.
model '<compiler autolimits="false"/><default><equality active="false"/></default><worldbody><body name="a"><joint name="j" range="-9 9"/>
<geom size="1"/><site name="s" fromto="0 0 0 1 2 4"/></body></worldbody><equality><connect body1="a" anchor="1 0 0"/></equality>
<actuator><general joint="j" dyntype="integrator" ctrllimited="true" ctrlrange="-1 1"/></actuator>'
expect 0 import r.urdf -o -
says out 'j: \{type: revolute, of: \[a, ground\], axis: \[0, 0, 1\]\}'
says out 's: \{at: \[0\.5, 1, 2\]'
says out 'torque: \{min: -inf, max: inf\}'
says err 'dropped: <connect> of <equality>, not active \(line 3\)'
# What is not known is listed, with its lines; in joints of URDF that neither turn nor slide, too.
python3 "$SOURCE/tests/cli/known_attributes.py" "$GLOBDYN" "$SOURCE/tests/mujoco/schema.txt" $((${GDYN_SANITIZED:-0} ? 24 : 1)) >out 2>err || fail 'attributes'
robot "$arm
<joint name='j' type='floating'><parent link='a'/><child link='b'/><limit effort='1' velocity='1'/></joint>"
expect 0 import r.urdf -o -
says err 'dropped: <limit> of a joint of type floating \(line 4\)'
model '<size nconmax="5"/><worldbody><body name="b" flavour="x"><joint/><joint flavour="x"/><geom size="1" rgba="1 0 0 1"/></body>
<replicate count="3"/></worldbody><option density="0.0" viscosity="1e-5"/>'
expect 0 import r.urdf -o -
says err '^dropped: flavour of <body> \(line 2\)$'
says err '^dropped: <replicate> of <worldbody> \(line 3\)$'
says err '^dropped: viscosity of <option> \(line 3\)$'
! grep -Eq 'nconmax|size|rgba|density' err || fail 'what has no effect is reported'

# --- MoveIt's limits --------------------------------------------------------------------------------
# A turn of 1 rad under 1.5 rad/s (3 rad/s, scaled by 0.5) and 8 rad/s^2: 1/1.5 s + 1.5/8 s. What is wrong is told in that file.
cp "$SOURCE/docs/samples/joint_limits.yaml" limits.yaml
expect 0 import "$SOURCE/docs/samples/arm.urdf" --joint-limits limits.yaml -q -o - && sed '/^trajectories/,$d' out >limited.yaml
echo 'trajectories: {t: {p: [0, 1], joints: {pan: p, lift: 0, elbow: 0}}}' >>limited.yaml
expect 0 traverse limited.yaml --no-pictures -q -o limited
says out 'T = 0\.85416667 s'
sed 's/^  lift:/&\n    max_position: 0.1/' limits.yaml >more.yaml
expect 0 import "$SOURCE/docs/samples/arm.urdf" --joint-limits more.yaml -q -o -
says err "more.yaml:[0-9]*:5: warning: 'max_position' is ignored"
sed 's/velocity_scaling_factor: .*/velocity_scaling_factor: 3/' limits.yaml >more.yaml
expect 3 import "$SOURCE/docs/samples/arm.urdf" --joint-limits more.yaml -q -o -
says err 'default_velocity_scaling_factor lies above 0, up to 1'
for edit in 's/^  lift:/  lfit:/|limits.yaml:9:3: error: unknown joint .lfit' '/max_acceleration: 12.0/d|limits.yaml:17:30: error: .*without a number max_acceleration' \
    's/^  pan:/  pan: 3\n  x:/|limits.yaml:4:3: error: expected limits of joint .pan' 'd|limited.yaml:9:18: error: .limits.yaml. has no joint_limits'; do
    sed "${edit%|*}" "$SOURCE/docs/samples/joint_limits.yaml" >limits.yaml
    expect 3 check limited.yaml --no-pictures
    says err "^${edit#*|}"
done
sed 's/^/  /; 1i robot_description_planning:' "$SOURCE/docs/samples/joint_limits.yaml" >limits.yaml
expect 0 check limited.yaml --no-pictures

# --- public robots ----------------------------------------------------------------------------------
# All that are trees of links become cases that can be checked.
dart=/usr/share/doc/dart/data
if [ -d "$dart" ]; then
    for robot in urdf/wam/wam sdf/atlas/atlas_v3_no_head urdf/drchubo/drchubo 'urdf/KR5/KR5 sixx R650' \
        urdf/test/joint_properties urdf/test/issue838; do
        name=$(basename "$robot" | tr ' ' _)
        expect 0 import "$dart/$robot.urdf" -q -o "$name.yaml"
        expect 0 check "$name.yaml" --no-pictures
        says out '^  sway +21 of 21 points'
    done
    expect 3 import "$dart/sdf/atlas/atlas_v3.urdf" -o -
    says err "atlas_v3.urdf:719:9: error: there is no link 'head'"
    expect 3 import "$dart/urdf/test/invalid.urdf" -o -
    for robot in urdf/KR5/ground sdf/atlas/ground urdf/test/primitive_geometry urdf/test/missing_mesh \
        urdf/test/missing_package urdf/test/invalid_mesh urdf/test/testWorld; do
        expect 3 import "$dart/$robot.urdf" -o -
    done
else
    echo "without public robots: no package dart-doc (scripts/setup robots)"
fi
finish
