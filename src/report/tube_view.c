/* tube_view.c - what the eye sees of the body: a raster of its cells with their depth, and the
 * room for letters in it. */
#include "report/tube.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* The box, at most 1.38 wide and 1.63 high as the eye sees it, in pixels of 0.0025. */
static const double PIXEL = 0.0025, LEFT = -0.01, BELOW = -0.26;
enum { WIDE = 560, HIGH = 656, NOTHING = -9 };

struct gdyn_tube_view {
    double right[3], up[3], eye[3]; /* of the page, in the box */
    float depth[HIGH][WIDE];
    short slot[HIGH][WIDE];
};

bool gdyn_tube_view_begin(gdyn_tube *tube) {
    double tilt = GDYN_TUBE_TILT * GDYN_PI / 180, turn = GDYN_TUBE_TURN * GDYN_PI / 180;
    gdyn_tube_view *view = gdyn_alloc(1, sizeof *view);
    tube->view = view;
    if (!view)
        return false;
    v3_set(view->right, cos(turn), sin(turn), 0);
    v3_set(view->up, -sin(turn) * cos(tilt), cos(turn) * cos(tilt), sin(tilt));
    gdyn_tube_eye(view->eye);
    for (int i = 0; i < HIGH; i++)
        for (int j = 0; j < WIDE; j++)
            view->depth[i][j] = -INFINITY, view->slot[i][j] = NOTHING;
    return true;
}

void gdyn_tube_view_end(gdyn_tube *tube) {
    gdyn_free(tube->view);
    tube->view = NULL;
}

/* Extent of the box along d1, p, d2, and its corner. */
static void box(const gdyn_tube *tube, double corner[3], double size[3]) {
    const gdyn_window *w = &tube->window;
    v3_set(corner, 0, tube->t->along.p[tube->scan[0]], w->d2_low);
    v3_set(size, w->d1_high, gdyn_tube_length(tube), (w->d2_high - w->d2_low) / GDYN_TUBE_HEIGHT);
}

/* Column, row and depth of a place. */
static void project(const gdyn_tube *tube, const double at[3], double out[3]) {
    double corner[3], size[3], x[3];
    box(tube, corner, size);
    for (int k = 0; k < 3; k++)
        x[k] = (at[k] - corner[k]) / size[k];
    out[0] = (v3_dot(x, tube->view->right) - LEFT) / PIXEL;
    out[1] = (v3_dot(x, tube->view->up) - BELOW) / PIXEL;
    out[2] = v3_dot(x, tube->view->eye);
}

/* Least and greatest whole number of a triangle's extent, within a limit. */
static void extent(double a, double b, double c, int limit, int *low, int *high) {
    *low = (int)fmax(ceil(fmin(a, fmin(b, c))), 0);
    *high = (int)fmin(floor(fmax(a, fmax(b, c))), limit - 1);
}

void gdyn_tube_view_add(gdyn_tube *tube, const double a[3], const double b[3], const double c[3],
                        int slot) {
    static const double EDGE = -1e-3; /* cells share their edges: none may be left between them */
    gdyn_tube_view *view = tube->view;
    double A[3], B[3], C[3];
    int left, right, low, high;
    project(tube, a, A), project(tube, b, B), project(tube, c, C);
    double area = (B[0] - A[0]) * (C[1] - A[1]) - (C[0] - A[0]) * (B[1] - A[1]);
    if (!(fabs(area) > 1e-9))
        return;
    extent(A[0], B[0], C[0], WIDE, &left, &right);
    extent(A[1], B[1], C[1], HIGH, &low, &high);
    for (int i = low; i <= high; i++)
        for (int j = left; j <= right; j++) {
            double x = j - A[0], y = i - A[1];
            double u = (x * (C[1] - A[1]) - (C[0] - A[0]) * y) / area;
            double v = ((B[0] - A[0]) * y - x * (B[1] - A[1])) / area;
            double depth = A[2] + u * (B[2] - A[2]) + v * (C[2] - A[2]);
            if (u < EDGE || v < EDGE || 1 - u - v < EDGE || depth <= (double)view->depth[i][j])
                continue;
            view->depth[i][j] = (float)depth;
            view->slot[i][j] = (short)slot;
        }
}

double gdyn_tube_view_place(const gdyn_tube *tube, int slot, double at[3]) {
    const gdyn_tube_view *view = tube->view;
    int last[WIDE] = {0}, most = 0, row = 0, column = 0;
    /* the largest square that ends at a pixel, from those that end beside it */
    for (int i = 0; i < HIGH; i++) {
        int corner = 0, left = 0;
        for (int j = 0; j < WIDE; j++) {
            int up = last[j], least = up < left ? up : left;
            least = corner < least ? corner : least;
            corner = up;
            left = last[j] = view->slot[i][j] == slot ? least + 1 : 0;
            if (left > most)
                most = left, row = i, column = j;
        }
    }
    if (most == 0)
        return 0;
    double corner[3], size[3];
    double right = LEFT + PIXEL * (column - 0.5 * (most - 1)),
           up = BELOW + PIXEL * (row - 0.5 * (most - 1)),
           depth = (double)view->depth[row - most / 2][column - most / 2];
    box(tube, corner, size);
    for (int k = 0; k < 3; k++)
        at[k] = corner[k] +
                size[k] * (right * view->right[k] + up * view->up[k] + depth * view->eye[k]);
    return PIXEL * most;
}
