/* figure.c - a picture as data: its blocks of numbers, its texts, keys and panels; see figure.h. */
#include "figure/figure.h"

#include "base/pi.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- begin and end ---------------------------------------------------------------------------- */

void gdyn_figure_begin(gdyn_figure *f, const char *name, const char *kind, double width) {
    *f = (gdyn_figure){.width = width, .arena = gdyn_arena_create()};
    snprintf(f->stem, sizeof f->stem, "%.119s%s%s", name, *name ? "_" : "", kind);
    f->failed = !f->arena;
}

void gdyn_figure_end(gdyn_figure *f) {
    for (int i = 0; i < f->panels; i++)
        gdyn_free(f->panel[i]->layer);
    for (int i = 0; i < f->elements; i++)
        gdyn_free(f->element[i].layer);
    gdyn_free(f->block), gdyn_free(f->number), gdyn_free(f->label);
    gdyn_free(f->element), gdyn_free(f->panel), gdyn_free(f->bar);
    gdyn_arena_destroy(f->arena);
    *f = (gdyn_figure){.failed = true};
}

const char *gdyn_figure_words(gdyn_figure *f, const char *format, ...) {
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *kept = f->arena ? gdyn_arena_strdup(f->arena, text) : NULL;
    f->failed |= !kept;
    return kept ? kept : "";
}

/* --- data ------------------------------------------------------------------------------------- */

/* The block in the making, begun where there is none. */
static gdyn_figure_block *open_block(gdyn_figure *f) {
    if (f->failed ||
        !gdyn_reserve(&f->block, &f->block_capacity, f->blocks + 1, sizeof *f->block)) {
        f->failed = true;
        return NULL;
    }
    if (!f->open)
        f->block[f->blocks] = (gdyn_figure_block){.first = f->numbers, .labels = -1};
    f->open = true;
    return &f->block[f->blocks];
}

void gdyn_figure_row(gdyn_figure *f, int columns, const double *row) {
    gdyn_figure_block *block = open_block(f);
    if (!block)
        return;
    if (!gdyn_reserve(&f->number, &f->number_capacity, f->numbers + columns, sizeof *f->number)) {
        f->failed = true;
        return;
    }
    if (block->rows == 0)
        block->columns = columns;
    for (int k = 0; k < block->columns; k++)
        f->number[f->numbers++] = k < columns ? row[k] : NAN;
    block->rows++;
}

void gdyn_figure_name(gdyn_figure *f, const char *name, int columns, const double *row) {
    gdyn_figure_row(f, columns, row);
    if (f->failed ||
        !gdyn_reserve(&f->label, &f->label_capacity, f->labels + 1, sizeof *f->label)) {
        f->failed = true;
        return;
    }
    if (f->block[f->blocks].labels < 0)
        f->block[f->blocks].labels = f->labels;
    f->label[f->labels++] = gdyn_figure_words(f, "%s", name);
}

void gdyn_figure_gap(gdyn_figure *f) {
    gdyn_figure_block *block = open_block(f);
    double none[16];
    for (int k = 0; k < 16; k++)
        none[k] = NAN;
    /* neither two gaps nor one at the beginning */
    if (block && block->rows > 0 && !isnan(f->number[f->numbers - block->columns]))
        gdyn_figure_row(f, block->columns, none);
}

int gdyn_figure_block_end(gdyn_figure *f) {
    bool any = f->open && !f->failed;
    f->open = false;
    return any ? ++f->blocks : 0;
}

/* --- the page --------------------------------------------------------------------------------- */

static gdyn_figure_element *add_element(gdyn_figure *f, gdyn_figure_element_kind kind) {
    static gdyn_figure_element none; /* what is written here is lost with the figure */
    if (!gdyn_reserve(&f->element, &f->element_capacity, f->elements + 1, sizeof *f->element)) {
        f->failed = true;
        none = (gdyn_figure_element){.kind = kind};
        return &none;
    }
    f->element[f->elements] = (gdyn_figure_element){.kind = kind};
    return &f->element[f->elements++];
}

void gdyn_figure_text(gdyn_figure *f, gdyn_figure_rank rank, const char *format, ...) {
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!*text)
        return;
    gdyn_figure_element *own = add_element(f, GDYN_TEXT);
    own->rank = rank;
    own->text = gdyn_figure_words(f, "%s", text);
}

static void add_layer(gdyn_figure *f, gdyn_figure_layer **list, int *count, int *capacity,
                      gdyn_figure_layer layer) {
    if (!gdyn_reserve(list, capacity, *count + 1, sizeof **list)) {
        f->failed = true;
        return;
    }
    layer.title = layer.title && *layer.title ? gdyn_figure_words(f, "%s", layer.title) : NULL;
    layer.dash = layer.dash ? gdyn_figure_words(f, "%s", layer.dash) : NULL;
    (*list)[(*count)++] = layer;
}

void gdyn_figure_entry(gdyn_figure *f, gdyn_figure_layer sample) {
    bool more = f->elements > 0 && f->element[f->elements - 1].kind == GDYN_KEY;
    gdyn_figure_element *key = more ? &f->element[f->elements - 1] : add_element(f, GDYN_KEY);
    add_layer(f, &key->layer, &key->layers, &key->capacity, sample);
}

gdyn_figure_grid *gdyn_figure_side_by_side(gdyn_figure *f, int most, double least, bool share) {
    gdyn_figure_element *own = add_element(f, GDYN_PANELS);
    own->grid = (gdyn_figure_grid){f->panels, 0, most > 1 ? most : 1, least, share, false};
    return &own->grid;
}

gdyn_figure_panel *gdyn_figure_add(gdyn_figure *f) {
    static gdyn_figure_panel none;
    gdyn_figure_element *last = f->elements > 0 ? &f->element[f->elements - 1] : NULL;
    bool beside = last && last->kind == GDYN_PANELS && last->grid.most > 1;
    gdyn_figure_panel *own = f->arena ? gdyn_arena_alloc(f->arena, 1, sizeof *own) : NULL;
    if (!own || !gdyn_reserve(&f->panel, &f->panel_capacity, f->panels + 1, sizeof *f->panel)) {
        f->failed = true;
        none = (gdyn_figure_panel){.height = 1};
        return &none;
    }
    if (!beside) {
        last = add_element(f, GDYN_PANELS);
        last->grid = (gdyn_figure_grid){.first = f->panels, .most = 1};
    }
    last->grid.panels++;
    *own = (gdyn_figure_panel){.height = 260, .zoom = 1, .upright = 1};
    f->panel[f->panels++] = own;
    return own;
}

void gdyn_figure_draw(gdyn_figure *f, gdyn_figure_panel *panel, gdyn_figure_layer layer) {
    if (layer.kind != GDYN_SAMPLE && layer.block == 0)
        layer.block = gdyn_figure_block_end(f);
    if (!f->failed && (layer.kind == GDYN_SAMPLE || layer.block > 0))
        add_layer(f, &panel->layer, &panel->layers, &panel->capacity, layer);
}

void gdyn_figure_tic_at(gdyn_figure *f, gdyn_figure_axis *axis, double at, const char *name) {
    enum { STEP = 16 };
    if (f->failed)
        return;
    if (axis->tics % STEP == 0) { /* the list grows by moving on */
        gdyn_figure_tic *more = gdyn_arena_alloc(f->arena, (size_t)axis->tics + STEP, sizeof *more);
        if (!more) {
            f->failed = true;
            return;
        }
        if (axis->tics > 0)
            memcpy(more, axis->tic, (size_t)axis->tics * sizeof *more);
        axis->tic = more;
    }
    axis->tic[axis->tics++] = (gdyn_figure_tic){at, gdyn_figure_words(f, "%s", name)};
}

void gdyn_figure_parallel(gdyn_figure *f, const gdyn_figure_bar *bar) {
    if (f->failed || !gdyn_reserve(&f->bar, &f->bar_capacity, f->bars + 1, sizeof *f->bar)) {
        f->failed = true;
        return;
    }
    f->bar[f->bars++] = (gdyn_figure_bar){
        gdyn_figure_words(f, "%s", bar->name),  gdyn_figure_words(f, "%s", bar->low),
        gdyn_figure_words(f, "%s", bar->high),  gdyn_figure_words(f, "%s", bar->unit),
        gdyn_figure_words(f, "%s", bar->sense), bar->limit};
}

void gdyn_figure_level(gdyn_figure *f, gdyn_figure_panel *panel, double y) {
    gdyn_figure_put(f, panel->x.low, y), gdyn_figure_put(f, panel->x.high, y);
    gdyn_draw(f, panel, GDYN_LINE, .width = 1, .dash = "2", .colour = 0x666666);
}

/* --- ranges ----------------------------------------------------------------------------------- */

/* Columns of a layer that lie along an axis; their number. */
static int columns_along(const gdyn_figure_layer *layer, int axis, int column[2]) {
    int own = layer->column[axis] ? layer->column[axis] : axis + 1;
    column[0] = own - 1;
    if (layer->kind == GDYN_BOXES || (layer->kind == GDYN_BANDS && axis == 0)) {
        column[0] = 2 * axis, column[1] = 2 * axis + 1;
        return 2;
    }
    if (layer->kind == GDYN_AREA && axis == 1) {
        column[1] = (layer->column[2] ? layer->column[2] : 3) - 1;
        return 2;
    }
    bool lies = layer->kind != GDYN_SAMPLE && layer->kind != GDYN_BANDS &&
                !(layer->kind == GDYN_RULES && axis == 1);
    return lies ? 1 : 0;
}

static void range_of(const gdyn_figure *f, const gdyn_figure_panel *panel, int axis, double *low,
                     double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < panel->layers; i++) {
        const gdyn_figure_layer *layer = &panel->layer[i];
        int column[2], count = columns_along(layer, axis, column);
        int last = layer->last > layer->block ? layer->last : layer->block;
        for (int b = layer->block; b > 0 && b <= last; b++) {
            const gdyn_figure_block *block = &f->block[b - 1];
            for (int r = 0; r < block->rows * count; r++) {
                double v = f->number[block->first + r / count * block->columns + column[r % count]];
                *low = isfinite(v) ? fmin(*low, v) : *low;
                *high = isfinite(v) ? fmax(*high, v) : *high;
            }
        }
    }
}

void gdyn_axis_around(gdyn_figure_axis *axis, double low, double high, double margin) {
    static const double LEVEL = 1e-9; /* what differs by less is level */
    if (!(low <= high))
        low = 0, high = 1;
    double size = fmax(fabs(low), fabs(high));
    bool level = !(high - low > LEVEL * size);
    double spare = level ? (size > 0 ? 0.1 * size : 1) : margin * (high - low);
    axis->low = low - spare, axis->high = high + spare;
}

void gdyn_figure_settle(gdyn_figure *f) {
    static const double MARGIN = 0.06;
    for (int i = 0; i < f->panels; i++) {
        gdyn_figure_panel *p = f->panel[i];
        gdyn_figure_axis *const axis[] = {&p->x, &p->y};
        for (int k = 0; k < 2; k++) {
            double low, high;
            if (axis[k]->low != axis[k]->high)
                continue;
            range_of(f, p, k, &low, &high);
            if (axis[k]->logarithmic && low > 0 && low < high)
                axis[k]->low = pow(10, floor(log10(low))),
                axis[k]->high = pow(10, ceil(log10(high)));
            else
                gdyn_axis_around(axis[k], low, high, k == 0 ? 0 : MARGIN);
        }
    }
}

void gdyn_figure_view(double tilt, double turn, double right[3], double up[3], double eye[3]) {
    double c = cos(turn * GDYN_PI / 180), s = sin(turn * GDYN_PI / 180);
    double flat = cos(tilt * GDYN_PI / 180), steep = sin(tilt * GDYN_PI / 180);
    const double axes[3][3] = {
        {c, s, 0}, {-s * flat, c * flat, steep}, {s * steep, -c * steep, flat}};
    memcpy(right, axes[0], sizeof axes[0]), memcpy(up, axes[1], sizeof axes[1]);
    memcpy(eye, axes[2], sizeof axes[2]);
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Advance of the letters from ' ' to '~' in DejaVu Sans, hundredths of their size. */
static const unsigned char advance[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

double gdyn_letters_width(const char *text) {
    double sum = 0, width;
    for (; *text; sum += width) {
        /* Bytes of the letter at c, and its width. */
        static const double SIZE = 13, OTHER = 75;
        int bytes = 1;
        unsigned char code = (unsigned char)*text;
        bool plain = code >= ' ' && code <= '~';
        while (!plain && ((unsigned char)text[bytes] & 0xC0) == 0x80)
            bytes++;
        width = SIZE / 100 * (plain ? advance[code - ' '] : OTHER);
        text += bytes;
    }
    return sum;
}

gdyn_shortened gdyn_shorten(const char *text, int most) {
    gdyn_shortened out;
    size_t at = 0, last = 0;
    int characters = 0;
    for (; text[at] && at + 4 < sizeof out.text; at++) {
        bool begins = ((unsigned char)text[at] & 0xC0) != 0x80;
        if (begins && ++characters == most)
            last = at;
        if (characters > most)
            break;
        out.text[at] = text[at];
    }
    out.text[at] = '\0';
    if (text[at])
        memcpy(out.text + (characters > most ? last : at), "…", sizeof "…");
    return out;
}

double gdyn_round_step(double length, int parts) {
    double power = pow(10, floor(log10(length / parts))), lead = length / parts / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/* --- colours ---------------------------------------------------------------------------------- */

unsigned gdyn_page_colour(int i) {
    assert(i >= 0);
    /* Shares for which the least distance of any two of the first 26 in RGB is greatest. */
    static const struct { double to, share; } shade[] = {{0, 0}, {255, 0.45}, {0, 0.5}, {255, 0.8}};
    int round = i / GDYN_COLOURS % (int)(sizeof shade / sizeof *shade);
    static const unsigned okabe_ito[GDYN_COLOURS] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                     0xE69F00, 0x56B4E9, 0x000000, 0x8B6D00};
    unsigned colour = okabe_ito[i % GDYN_COLOURS];
    if (round == 2 && colour == 0) /* black has no darker one */
        return 0x404040;
    /* moved towards a grey level by a share */
    unsigned out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double part = (double)(colour >> shift & 255u);
        out = out << 8 | (unsigned)lround(part + (shade[round].to - part) * shade[round].share);
    }
    return out;
}

const char *gdyn_page_dash(int i) {
    static const char *const dash[] = {NULL, "2", "3", "4"};
    return dash[i % 4];
}
