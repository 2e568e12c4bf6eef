/* slider.c - two drives on a slider with viscous friction: |M d2 + b d1| <= 2 F, so at every point it
 * prints: steady up to 10 m/s (2 F / b; faster only while braking), d2 at rest from -50 to 50. */
#include <stdio.h>
#include "globdyn.h"

int main(void) {
    const double gravity[3] = {0, 0, 0};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, gravity);

    gdyn_body_def body = gdyn_body_default();
    body.name = "slider";
    body.mass = 4.0;
    body.inertia[2] = 0.1;
    int slider = gdyn_machine_add_body(machine, &body);

    gdyn_joint_def joint = gdyn_joint_default();
    joint.name = "rail";
    joint.type = GDYN_PRISMATIC;
    joint.a.body = slider; /* joint.b is the ground by default */
    joint.axis_a[0] = joint.axis_b[0] = 1.0;
    joint.viscous = 20.0;
    int rail = gdyn_machine_add_joint(machine, &joint);

    gdyn_drive_def drive = gdyn_drive_default();
    drive.joint = rail;
    drive.min = -100.0;
    drive.max = 100.0;
    drive.name = "left";
    gdyn_machine_add_drive(machine, &drive);
    drive.name = "right";
    gdyn_machine_add_drive(machine, &drive);

    gdyn_model *model;
    if (gdyn_model_create(machine, NULL, &model) != GDYN_OK)
        return 1;
    gdyn_machine_destroy(machine);

    const double through[2][3] = {{0, 0, 0}, {1, 0, 0}};
    gdyn_path_tool tool = {.of = {slider, {0, 0, 0}}};
    gdyn_path_def line = gdyn_path_default();
    line.name = "line";
    line.kind = GDYN_PATH_LINE; /* arc length is the path parameter */
    line.tools = 1;
    line.tool = &tool;
    line.count = 2;
    line.through = through;
    line.points = 3;
    gdyn_path *path;
    if (gdyn_path_create(model, &line, NULL, &path) != GDYN_OK)
        return 1;

    gdyn_evaluation *result = gdyn_evaluation_create(model, path);
    gdyn_evaluation_run(result, path, NULL);
    for (int i = 0; i < result->track->points; i++) {
        const gdyn_region *region = result->region[i];
        printf("p = %.2f m: steady up to %.3f m/s, at rest d2 from %.3f to %.3f m/s2\n",
               result->track->p[i], region->speed_max, region->rest_min, region->rest_max);
    }
    gdyn_evaluation_destroy(result);
    gdyn_path_destroy(path);
    gdyn_model_destroy(model);
    return 0;
}
