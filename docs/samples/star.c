/* star.c - the four-slider star through the API: a platform on four legs whose feet slide on rails, four drives for
 * three freedoms. Prints what the drives reach at some points of a circle.
 *
 *     cc star.c $(pkg-config --cflags --libs globdyn) -lm */
#include <globdyn.h>
#include <math.h>
#include <stdio.h>

static const double RAIL = 0.5, LEG = 0.65, HALF = 0.06, LEG_MASS = 2.5; /* [m], [kg] */

static int add_body(gdyn_machine *machine, const char *name, double mass, double inertia, double x,
                    double y, double angle) {
    gdyn_body_def body = gdyn_body_default();
    body.name = name;
    body.mass = mass;
    body.inertia[2] = inertia;
    body.position[0] = x; /* a first guess is enough: the library closes the loops */
    body.position[1] = y;
    body.cardan[2] = angle;
    return gdyn_machine_add_body(machine, &body);
}

static void add_hinge(gdyn_machine *machine, const char *name, gdyn_anchor a, gdyn_anchor b,
                      double viscous) {
    gdyn_joint_def hinge = gdyn_joint_default();
    hinge.name = name;
    hinge.type = GDYN_REVOLUTE;
    hinge.a = a;
    hinge.b = b;
    hinge.viscous = viscous;
    gdyn_machine_add_joint(machine, &hinge);
}

/* Slider, leg, their joints and the drive of arm 1..4; names are copied by the machine. */
static void add_arm(gdyn_machine *machine, int arm, int platform, double turn) {
    static const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double c = cos(turn), s = sin(turn), qx = HALF * corner[arm - 1][0],
                 qy = HALF * corner[arm - 1][1];
    const double lead = sqrt(LEG * LEG - (RAIL - HALF) * (RAIL - HALF));
    const double px = RAIL * c - lead * s, py = RAIL * s + lead * c;
    char name[16];
    snprintf(name, sizeof name, "slider%d", arm);
    int slider = add_body(machine, name, 4.0, 0.01, px, py, turn);
    snprintf(name, sizeof name, "leg%d", arm);
    int leg = add_body(machine, name, LEG_MASS, LEG_MASS * LEG * LEG / 12, (px + qx) / 2,
                       (py + qy) / 2, atan2(qy - py, qx - px));

    gdyn_joint_def rail = gdyn_joint_default();
    snprintf(name, sizeof name, "rail%d", arm);
    rail.name = name;
    rail.type = GDYN_PRISMATIC;
    rail.a.body = slider;
    rail.b = (gdyn_anchor){GDYN_GROUND, {RAIL * c, RAIL * s, 0}};
    rail.axis_a[0] = 0.0; /* the slider's y runs along the rail */
    rail.axis_a[1] = 1.0;
    rail.axis_a[2] = 0.0;
    rail.axis_b[0] = -s;
    rail.axis_b[1] = c;
    rail.axis_b[2] = 0.0;

    gdyn_drive_def drive = gdyn_drive_default();
    drive.joint = gdyn_machine_add_joint(machine, &rail);
    snprintf(name, sizeof name, "low%d", arm);
    add_hinge(machine, name, (gdyn_anchor){leg, {-LEG / 2, 0, 0}}, (gdyn_anchor){slider, {0, 0, 0}},
              0.0);
    snprintf(name, sizeof name, "top%d", arm);
    add_hinge(machine, name, (gdyn_anchor){leg, {LEG / 2, 0, 0}},
              (gdyn_anchor){platform, {qx, qy, 0}}, 0.02);
    snprintf(name, sizeof name, "m%d", arm);
    drive.name = name;
    drive.min = -900.0;
    drive.max = 900.0;
    gdyn_machine_add_drive(machine, &drive);
}

static void print_problem(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s: %s\n", diag->path, diag->message);
}

static gdyn_model *star_model(const gdyn_sink *sink, int *platform) {
    const double gravity[3] = {0, -9.81, 0};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, gravity);
    *platform = add_body(machine, "platform", 12.0, 0.08, 0, 0, 0);
    for (int arm = 1; arm <= 4; arm++)
        add_arm(machine, arm, *platform, arm * acos(-1.0) / 2);
    gdyn_model *model = NULL;
    gdyn_model_create(machine, sink, &model);
    gdyn_machine_destroy(machine);
    return model;
}

static gdyn_expr *of_p(const char *text) {
    static const char *const p[] = {"p"};
    gdyn_scope scope = {.variables = p, .variable_count = 1};
    gdyn_expr_error error;
    return gdyn_expr_compile(text, &scope, &error);
}

int main(void) {
    const gdyn_sink sink = {print_problem, NULL};
    int platform;
    gdyn_model *model = star_model(&sink, &platform);
    if (!model)
        return 1;

    /* The circle of 120 mm radius, without turning: 11 points of p = 0 .. 5. */
    gdyn_expr *x = of_p("0.12*cos(p)"), *y = of_p("0.12*sin(p)"), *angle = of_p("0");
    gdyn_path_tool tool = {.of = {platform, {0, 0, 0}}};
    tool.coordinate[GDYN_PATH_X] = x;
    tool.coordinate[GDYN_PATH_Y] = y;
    tool.coordinate[GDYN_PATH_C] = angle;
    gdyn_path_def circle = gdyn_path_default();
    circle.name = "circle";
    circle.kind = GDYN_PATH_FORMULA;
    circle.tools = 1;
    circle.tool = &tool;
    circle.p_end = 5.0;
    circle.p_given = true;
    circle.points = 11;
    gdyn_path *path;
    if (gdyn_path_create(model, &circle, &sink, &path) != GDYN_OK)
        return 1;

    gdyn_evaluation *result = gdyn_evaluation_create(model, path);
    if (!result || gdyn_evaluation_run(result, path, NULL) != GDYN_OK)
        return 1;
    for (int i = 0; i < result->track->points; i++) {
        const gdyn_region *region = result->region[i];
        printf("p = %.1f: d2 at rest %.6f .. %.6f, d1 up to %.6f\n", result->track->p[i],
               region->rest_min, region->rest_max, region->d1_max);
    }
    gdyn_evaluation_destroy(result);
    gdyn_path_destroy(path);
    gdyn_model_destroy(model);
    gdyn_expr_destroy(x);
    gdyn_expr_destroy(y);
    gdyn_expr_destroy(angle);
    return 0;
}
