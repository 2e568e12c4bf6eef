/* template.c - starting files for `globdyn new`: templates/NAME.yaml, which the build turns into
 * arrays. */
#include "casefile/casefile.h"

#include <stddef.h>
#include <string.h>

extern const char gdyn_planar_yaml[], gdyn_five_bar_yaml[], gdyn_spatial_yaml[], gdyn_cable_yaml[],
    gdyn_arm_yaml[], gdyn_cart_yaml[];

static const char *const names[] = {"planar", "five-bar", "spatial", "cable", "arm", "cart"};
static const char *const texts[] = {gdyn_planar_yaml, gdyn_five_bar_yaml, gdyn_spatial_yaml,
                                    gdyn_cable_yaml,  gdyn_arm_yaml,      gdyn_cart_yaml};

const char *gdyn_case_template(const char *name) {
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return texts[i];
    return NULL;
}

const char *const *gdyn_case_template_names(int *count) {
    *count = (int)(sizeof names / sizeof *names);
    return names;
}
