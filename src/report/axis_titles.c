/* axis_titles.c - criteria as titles of axes, from the vocabulary. */
#include "report/picture.h"

#include <stdio.h>
#include <string.h>

/* How pictures write what tables write in plain letters. */
static const char *const letters[][2] = {{"d1", "d₁"}, {"d2", "d₂"}, {"^2", "²"}, {"^3", "³"}};

gdyn_words gdyn_picture_letters(const char *plain) {
    gdyn_words out = {""};
    size_t length = 0;
    /* Letter by letter; what has a better form takes two. */
    while (*plain && length + 4 < sizeof out.text) {
        const char *put = NULL;
        for (size_t i = 0; i < sizeof letters / sizeof *letters && !put; i++)
            put = strncmp(plain, letters[i][0], 2) == 0 ? letters[i][1] : NULL;
        length += (size_t)snprintf(out.text + length, sizeof out.text - length, "%.*s", put ? 4 : 1,
                                   put ? put : plain);
        plain += put ? 2 : 1;
    }
    return out;
}

gdyn_words gdyn_axis_title_of_p(const char *unit) {
    gdyn_words out;
    snprintf(out.text, sizeof out.text, *unit ? "p [%s]" : "p%s", unit);
    return out;
}

gdyn_words gdyn_picture_unit(gdyn_criterion criterion, const char *p_unit) {
    return gdyn_picture_letters(gdyn_criterion_unit(criterion, p_unit, "").text);
}

gdyn_words gdyn_axis_title(const char *words, gdyn_criterion criterion, const char *p_unit) {
    gdyn_words unit = gdyn_criterion_unit(criterion, p_unit, "");
    char title[120];
    /* "label [unit]", in the letters of pictures. */
    snprintf(title, sizeof title, "%s%s%s%s", words ? words : gdyn_criterion_table[criterion].label,
             *unit.text ? " [" : "", unit.text, *unit.text ? "]" : "");
    return gdyn_picture_letters(title);
}

const char *gdyn_figure_title(gdyn_figure *f, const char *words, gdyn_criterion criterion,
                              const char *p_unit) {
    return gdyn_figure_words(f, "%s", gdyn_axis_title(words, criterion, p_unit).text);
}

const char *gdyn_figure_title_of_p(gdyn_figure *f, const char *unit) {
    return gdyn_figure_words(f, "%s", gdyn_axis_title_of_p(unit).text);
}

gdyn_figure_panel *gdyn_region_panel(gdyn_figure *f, const gdyn_window *window, const char *unit,
                                     double ratio) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    panel->ratio = ratio;
    panel->x = (gdyn_figure_axis){.title = gdyn_figure_title(f, "d1", GDYN_CRITERION_D1_MAX, unit),
                                  .high = window->d1_high};
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_title(f, "d2", GDYN_CRITERION_D2_MAX, unit),
                                  .low = window->d2_low,
                                  .high = window->d2_high};
    return panel;
}
