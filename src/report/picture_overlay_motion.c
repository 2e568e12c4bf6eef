/* picture_overlay_motion.c - fastest motions of several designs over each other: phase plane,
 * drive forces. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a key says of a motion. */
static const char *describe(const gdyn_overlay_motion *of, char out[80]) {
    if (of->points == 0)
        snprintf(out, 80, "no motion: %s", of->status);
    else if (isfinite(of->time))
        snprintf(out, 80, "T = %.4g s", of->time);
    else
        *out = '\0';
    return out;
}

/* --- phase plane ------------------------------------------------------------------------------ */

/* Between two points d2 is as good as constant: d1^2 is linear in p, and d1 steep where it is
 * small: more places lie there. */
static int phase_data(gdyn_figure *f, const gdyn_overlay_motion *of) {
    enum { PIECES = 8 };
    for (int i = 0; i < of->points; i++) {
        gdyn_figure_put(f, of->p[i], of->d1[i]);
        bool joined = i + 1 < of->points && of->p[i + 1] != of->p[i];
        for (int k = 1; k < PIECES && joined; k++) {
            double a = of->d1[i], b = of->d1[i + 1], part = (double)k / PIECES;
            double s = a <= b ? part * part : 1 - (1 - part) * (1 - part);
            gdyn_figure_put(f, (1 - s) * of->p[i] + s * of->p[i + 1],
                            sqrt((1 - s) * a * a + s * b * b));
        }
    }
    return gdyn_figure_block_end(f);
}

gdyn_status gdyn_picture_overlay_phase(const gdyn_overlay *o, const char *name,
                                       const gdyn_overlay_motion *of) {
    gdyn_figure f;
    char heading[200], more[80];
    double most = 0;
    gdyn_figure_begin(&f, name, "overlay_phase", 1000);
    gdyn_figure_text(&f, GDYN_HEADING, "Fastest motions along '%s'",
                     gdyn_picture_name(name, heading));
    gdyn_figure_panel *panel = gdyn_figure_add(&f);
    panel->height = 420;
    for (int k = 0; k < o->count; k++) {
        int block = phase_data(&f, &of[k]);
        for (int i = 0; i < of[k].points; i++)
            most = fmax(most, of[k].d1[i]);
        gdyn_figure_draw(&f, panel, gdyn_overlay_line(o, &f, k, block, 1, describe(&of[k], more)));
    }
    panel->x.title = gdyn_figure_title_of_p(&f, of[0].unit);
    panel->y =
        (gdyn_figure_axis){.title = gdyn_figure_title(&f, "d1", GDYN_CRITERION_D1_MAX, of[0].unit),
                           .high = most > 0 ? 1.05 * most : 1};
    return gdyn_picture_write(&f, o->folder, o->sink);
}

/* --- forces ----------------------------------------------------------------------------------- */

/* Place of a drive in a motion, -1: it has none of that name. */
static int find_drive(const gdyn_overlay_motion *of, const char *name) {
    for (int k = 0; k < of->drives; k++)
        if (strcmp(of->drive[k], name) == 0)
            return k;
    return -1;
}

/* Force over time. */
static int force_data(gdyn_figure *f, const gdyn_overlay_motion *of, const char *drive) {
    int column = find_drive(of, drive);
    for (int i = 0; i < of->points && column >= 0; i++) {
        double force = of->force[i * of->drives + column];
        if (isfinite(force) && isfinite(of->t[i]))
            gdyn_figure_put(f, of->t[i], force);
        else
            gdyn_figure_gap(f);
    }
    return gdyn_figure_block_end(f);
}

gdyn_status gdyn_picture_overlay_forces(const gdyn_overlay *o, const char *name,
                                        const gdyn_overlay_motion *of, int drives,
                                        const char *const *drive) {
    gdyn_figure f;
    char heading[200], more[80];
    double last = 0;
    for (int k = 0; k < o->count; k++)
        last = fmax(last, of[k].points ? of[k].t[of[k].points - 1] : 0);
    gdyn_figure_begin(&f, name, "overlay_forces", 1000);
    gdyn_figure_text(&f, GDYN_HEADING, "Drive forces of the fastest motions along '%s'",
                     gdyn_picture_name(name, heading));
    for (int i = 0; i < drives; i++) {
        const char *newton = of[0].newton[find_drive(&of[0], drive[i])];
        gdyn_figure_panel *panel = gdyn_figure_add(&f);
        panel->height = 155;
        panel->x = (gdyn_figure_axis){.title = i == drives - 1 ? "t [s]" : NULL,
                                      .high = last > 0 ? last : 1,
                                      .unlabelled = i < drives - 1};
        panel->y.title = gdyn_figure_words(&f, "%s%s%s%s", drive[i], *newton ? " [" : "", newton,
                                           *newton ? "]" : "");
        for (int k = 0; k < o->count; k++)
            gdyn_figure_draw(&f, panel,
                             gdyn_overlay_line(o, &f, k, force_data(&f, &of[k], drive[i]), 0.8,
                                               i ? NULL : describe(&of[k], more)));
        gdyn_figure_level(&f, panel, 0);
    }
    return gdyn_picture_write(&f, o->folder, o->sink);
}
