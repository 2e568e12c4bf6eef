/* tree_text.c - see tree_text.h. */
#include "cli/cli.h"

static const char *body_name(const gdyn_model *model, int body) {
    return body < 0 ? "ground" : gdyn_model_body(model, body)->name;
}

/* "2 slides, 1 turn" */
static void print_freedoms(const gdyn_tree *tree, int body) {
    int count, first = gdyn_tree_first(tree, body, &count), turns = 0;
    for (int c = first; c < first + count; c++)
        turns += gdyn_tree_coordinate_turns(tree, c);
    int slides = count - turns;
    if (slides > 0)
        printf("%d slide%s%s", slides, slides == 1 ? "" : "s", turns > 0 ? ", " : "");
    if (turns > 0)
        printf("%d turn%s", turns, turns == 1 ? "" : "s");
    printf(count == 0 ? "fixed\n" : "\n");
}

static void print_body(const gdyn_model *model, const gdyn_tree *tree, int body) {
    int joint = gdyn_tree_joint(tree, body);
    printf("    %-20s ", body_name(model, body));
    if (joint >= 0) {
        printf("on %s by %s: ", body_name(model, gdyn_tree_inboard(tree, body)),
               gdyn_model_joint(model, joint)->name);
    } else {
        printf("%s: ", gdyn_tree_is_hub(tree, body) ? "floats, a hub" : "floats");
    }
    print_freedoms(tree, body);
}

static bool carries(const gdyn_model *model, const gdyn_tree *tree, int joint) {
    for (int i = 0; i < gdyn_model_bodies(model); i++)
        if (gdyn_tree_joint(tree, i) == joint)
            return true;
    return false;
}

static void print_cuts(const gdyn_model *model, const gdyn_tree *tree) {
    int cuts = 0;
    printf("    cut                  ");
    for (int j = 0; j < gdyn_model_joints(model); j++)
        if (!carries(model, tree, j))
            printf("%s%s", cuts++ > 0 ? ", " : "", gdyn_model_joint(model, j)->name);
    printf("%s\n", cuts > 0 ? "" : "none");
}

/* Those that the elimination leaves free, by the joints that carry them. */
static bool print_independent(const gdyn_model *model, const gdyn_tree *tree,
                              const gdyn_state *closed) {
    gdyn_tree_dynamics *dynamics = gdyn_tree_dynamics_create(tree);
    gdyn_tree_condition found;
    bool whole = dynamics && gdyn_tree_dynamics_set(dynamics, closed, &found) == GDYN_OK;
    for (int j = 0; whole && j < found.freedom; j++) {
        int c = gdyn_tree_independent(dynamics)[j], body = gdyn_tree_coordinate_body(tree, c);
        int joint = gdyn_tree_joint(tree, body);
        printf("%s%s (%s)", j == 0 ? "    independent          " : ", ",
               joint >= 0 ? gdyn_model_joint(model, joint)->name : body_name(model, body),
               gdyn_tree_coordinate_turns(tree, c) ? "turn" : "slide");
    }
    if (whole) {
        printf("%s    pivots               %.2g of the greatest kept, %.1e dropped\n",
               found.freedom > 0 ? "\n" : "", found.least, found.left);
    }
    gdyn_tree_dynamics_destroy(dynamics);
    return whole;
}

bool gdyn_print_tree(const gdyn_model *model, const gdyn_state *closed) {
    const gdyn_tree *tree = gdyn_model_tree(model);
    printf("  spanning tree          %4d joint coordinates, %d closing rows, %d leg%s\n",
           gdyn_tree_coordinates(tree), gdyn_tree_closing(tree), gdyn_tree_legs(tree),
           gdyn_tree_legs(tree) == 1 ? "" : "s");
    for (int i = 0; i < gdyn_model_bodies(model); i++)
        print_body(model, tree, i);
    print_cuts(model, tree);
    return !closed || print_independent(model, tree, closed);
}
