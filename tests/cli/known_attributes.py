"""Every attribute and element of a format is used, without effect, or reported: known_attributes.py GLOBDYN SCHEMA [EVERY].

Of attributes that are not without effect, only one in EVERY is examined, by the library if libglobdyn.so lies next to the program and is
built without sanitizers, else by a run of the program for each.

What is used changes the case, or is an error where it makes no sense. What is without effect is listed here. All else must be
among the remarks of the import.
"""
import copy
import ctypes
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

MJCF = """<mujoco>
<compiler settotalmass="7"/>
<option gravity="0 0 -9"><flag/></option>
<default><joint range="-50 50" actuatorfrcrange="-3 3"/><geom type="capsule" size="0.2 0.2"/><site pos="1 0 0"/><equality/><general ctrlrange="-2 0.5" forcerange="-1 1"/><default class="c"><joint armature="0.5"/><geom mass="3" contype="0" conaffinity="0"/>
<site pos="1 2 3"/><equality active="false"/><general forcerange="-0.5 0.5"/></default></default>
<worldbody>
<body name="a"><joint name="j" range="-10 90" stiffness="1" damping="1" frictionloss="1" actuatorfrcrange="-0.8 0.8"/>
<geom size="0.1 0.1"/><site name="s"/><body name="e"><joint/><geom mass="1"/></body></body>
<body name="b" pos="1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint name="k"/></body>
<body name="d" pos="2 0 0"><freejoint/><geom size="0.1 0.1"/></body>
</worldbody>
<equality><connect body1="a" body2="b"/><weld body1="a" body2="d"/><joint joint1="j" joint2="k"/></equality>
<actuator><general joint="j" ctrlrange="-0.7 0.9"/><motor joint="k"/></actuator>
</mujoco>"""
URDF = """<robot name="r">
<link name="b"><inertial><origin/><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><origin/><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="a"/><link name="c"/>
<joint name="j" type="prismatic"><origin/><parent link="a"/><child link="b"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics/><mimic joint="k"/></joint>
<joint name="k" type="revolute"><parent link="a"/><child link="c"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>"""
URDF_SCHEMA = """robot name version
link name type
link/inertial
link/inertial/origin xyz rpy quat_xyzw
link/inertial/mass value
link/inertial/inertia ixx iyy izz ixy ixz iyz
link/collision name group
link/collision/origin xyz rpy quat_xyzw
link/collision/geometry
link/collision/geometry/box size
joint name type
joint/origin xyz rpy quat_xyzw
joint/parent link
joint/child link
joint/axis xyz
joint/limit lower upper effort velocity acceleration deceleration jerk
joint/dynamics damping friction
joint/mimic joint multiplier offset
link/visual
link/contact
link/collision/verbose
joint/calibration
joint/safety_controller
transmission
gazebo
material"""

CYLINDER_SCHEMA = 'link/collision/geometry/cylinder radius length'

# without effect on a case
IDLE = {
    # solvers of contacts and of soft constraints, names of files, looks, groups for display, numbers of the user
    '*': 'user material rgba solref solimp solreflimit solimplimit solreffriction solimpfriction margin gap',
    'compiler': '''strippath fitaabb meshdir texturedir discardvisual usethread fusestatic saveinertial assetdir alignfree conflict
        convexhull exactmeshinertia''',
    'option': '''timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance magnetic o_margin o_solref
        o_solimp o_friction integrator cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations
        sdf_initpoints apirate mpr_tolerance collision mpr_iterations''',
    'flag': '''contact warmstart filterparent refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy
        fwdinv invdiscrete sleep diagexact sensornoise''',
    'body': 'sleep simple',
    'default': 'class',  # of the main one
    'joint': 'group',
    'freejoint': 'name align group',
    'geom': 'name condim priority friction solmix surfacevel adhesion hfield mesh fitscale fluidcoef',
    'site': 'type size group',
    'weld': 'torquescale',
    # what a servo makes of its command; actuators at other things than joints are reported as a whole
    'position': 'ctrlrange ctrllimited',
    'actuator': '''group name actlimited actrange actdim actearly dynprm biasprm lengthrange cranklength tendon slidersite cranksite site
        refsite body kp kv dampratio timeconst inheritrange''',
    'robot': 'version',
    'link': 'type',
    'collision': 'name group',
}
IDLE_ELEMENTS = {
    'mujoco': 'visual statistic size asset custom sensor',
    'compiler': 'lengthrange',
    'body': 'camera light',
    'default': 'camera light mesh material pair tendon muscle cylinder adhesion orientation pid dcmotor',
    'joint': 'calibration',
    'link': 'visual',
    'robot': 'material',
}
# read where something else is missing or has another value
ELSEWHERE = {'balanceinertia', 'jointinparent', 'site1', 'site2'}
HIDDEN = ('actuator/general', 'forcelimited')  # by the other limits of the model
ACTUATORS = {'general', 'position'}
VALUES = ['?', 'c', 'false', 'true', 'disable', 'global', 'radian', 'integrator', 'affine', '0.25']


def idle(path, attribute):
    element = path.split('/')[-1]
    words = IDLE['*'] + ' ' + IDLE.get(element, '') + ' ' + (IDLE['actuator'] if element in ACTUATORS else '')
    return attribute in words.split()


def read_schema(text):
    rows = [line.split() for line in text.splitlines() if line and line[0] != '#']
    return {row[0]: row[1:] for row in rows}


class Text(ctypes.Structure):
    """gdyn_text"""
    _fields_ = [('data', ctypes.c_char_p), ('length', ctypes.c_size_t), ('capacity', ctypes.c_size_t), ('failed', ctypes.c_bool),
                ('take', ctypes.c_void_p), ('taker', ctypes.c_void_p)]


class Options(ctypes.Structure):
    """gdyn_import_options"""
    _fields_ = [('free_base', ctypes.c_bool), ('loops', ctypes.c_char_p)]


class Format:
    def __init__(self, program, base):
        self.program, self.base, self.results, self.library = program, ET.fromstring(base), {}, None
        library = os.path.join(os.path.dirname(os.path.abspath(program)), 'libglobdyn.so')
        if os.path.exists(library) and os.environ.get('GDYN_SANITIZED', '0') in ('0', 'OFF'):
            self.library = ctypes.CDLL(library)

    def find(self, root, path):
        """The element in the model, made where it is missing."""
        if path == root.tag:
            return root
        parts = path.split('/')
        if parts[0] == 'body':
            parts = ['worldbody', 'body'] + parts[1:]
        at = root
        for i, part in enumerate(parts):
            found = at.find(part)
            if found is None and parts[:i] == ['worldbody', 'body']:
                found = next((body.find(part) for body in at.iter('body') if body.find(part) is not None), None)
                found = next((b.find(part) for b in root.find('worldbody') if b.find(part) is not None), found)
            if found is None:
                found = ET.SubElement(at, part)
                if parts[0] == 'actuator':
                    found.set('joint', 'k')
            at = found
        return at

    def before(self, path):
        """The model with that element, and its result."""
        if path not in self.results:
            base = copy.deepcopy(self.base)
            self.find(base, path)
            self.results[path] = base, self.run(base)
        return self.results[path]

    def run(self, root):
        text = ET.tostring(root, encoding='unicode')
        if self.library:
            data, case, remarks, quiet = text.encode(), Text(), Text(), (ctypes.c_void_p * 2)()
            status = self.library.gdyn_import_text(data, ctypes.c_size_t(len(data)), b'-', ctypes.byref(Options()), quiet,
                                                   ctypes.byref(case), ctypes.byref(remarks))
            result = status, (case.data or b'').decode(), (remarks.data or b'').decode()
            self.library.gdyn_text_free(ctypes.byref(case))
            self.library.gdyn_text_free(ctypes.byref(remarks))
            return result
        done = subprocess.run([self.program, 'import', '/dev/stdin', '-o', '-'], input=text, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def is_used_or_reported(self, path, attribute):
        """Reported; or some value, or none at all, changes the result."""
        base, before = self.before(path)
        base = copy.deepcopy(base)
        old = self.find(base, path).get(attribute)
        for value in VALUES + ([None] if old else []):
            at = self.find(base, path)
            at.attrib.pop(attribute, None)
            if value:
                at.set(attribute, value)
            result = self.run(base)
            if f'dropped: {attribute} of <{at.tag}>' in result[2]:
                return True
            if attribute != 'unheard_of' and result[:2] != before[:2]:
                return True
        return False


def check(program, base, schema, every):
    fmt, failures = Format(program, base), []
    if fmt.run(fmt.base)[0] != 0:
        return 0, ['the model is not imported: ' + fmt.run(fmt.base)[2]]
    # all attributes that need not make sense, in one model
    model, wanted, silent = copy.deepcopy(fmt.base), [], []
    used = []
    for path, attributes in schema.items():
        element = path.split('/')[-1]
        at, at_parent = fmt.find(model, path), path.split('/')[-2] if '/' in path else fmt.base.tag
        if not attributes and element in IDLE_ELEMENTS.get(at_parent, '').split():
            silent.append(f'<{element}> of <{at_parent}>')
        for attribute in attributes + ['unheard_of']:
            if idle(path, attribute):
                at.set(attribute, '?')
                silent.append(f' {attribute} of <{element}>')
        used.append((path, [a for a in attributes if not idle(path, a) and a not in ELSEWHERE and (path, a) != HIDDEN]))
    _, _, remarks = fmt.run(model)
    failures += [f'reported, and without effect:{text}' for text in silent if text in remarks]
    # one by one: used or reported
    count = 0
    for path, attributes in used:
        for attribute in attributes + (['unheard_of'] if attributes else []):
            count += 1
            if count % every == 0 and not fmt.is_used_or_reported(path, attribute):
                failures.append(f'neither used nor reported: {attribute} of {path}')
    return count, failures


def main():
    program, schema = sys.argv[1:3]
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    with open(schema, encoding='utf-8') as file:
        mjcf = read_schema(file.read())
    total = 0
    cylinder = URDF.replace('box size="1 1 1"', 'cylinder radius="1" length="1"')
    for base, rows in ((MJCF, mjcf), (URDF, read_schema(URDF_SCHEMA)), (cylinder, read_schema(CYLINDER_SCHEMA))):
        count, failures = check(program, base, rows, every)
        total += count
        for failure in failures:
            print(failure)
        if failures:
            sys.exit(1)
    print(f'{total} attributes are used or reported')


main()
