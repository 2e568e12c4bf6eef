/* gnuplot.c - a figure as a gnuplot script: its head, the layout of the page, texts and keys.
 *
 * The layout is arithmetic in the script itself, so that one script serves any width: pixels of
 * a page that is `room` wide, counted from above, on which letters are 13 high. Texts fall into
 * lines, keys into columns and panels into rows as there is room; then the page is as high as
 * that takes. gnuplot_panel.c writes the panels. */
#include "figure/gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- texts ------------------------------------------------------------------------------------ */

void gdyn_gnuplot_quote(gdyn_text *out, const char *text, bool format) {
    /* a macro of gnuplot is not seen behind an apostrophe without a second one, even in a string */
    int apostrophes = 0;
    for (const char *c = text; *c; c++)
        apostrophes += *c == '\'';
    gdyn_text_append(out, "\"", 1);
    for (const char *c = text; *c; c++) {
        bool closes = *c == '>' && c - text >= 2 && c[-1] == ']' && c[-2] == ']';
        if (*c == '"' || *c == '\\')
            gdyn_text_printf(out, "\\%c", *c);
        else if (*c == '\'' && apostrophes % 2)
            gdyn_text_printf(out, "\\047");
        else if (*c == '`') /* what stands between grave accents would be run by a shell */
            gdyn_text_append(out, "'", 1);
        else if (*c == '%' && format)
            gdyn_text_append(out, "%%", 2);
        else if (closes) /* "]]>" may not stand in an XML text, and gnuplot does not see to that */
            gdyn_text_append(out, " >", 2);
        else
            gdyn_text_append(out, (unsigned char)*c < ' ' ? " " : c, 1);
    }
    gdyn_text_append(out, "\"", 1);
}

double gdyn_gnuplot_letter(const char *text) {
    static const double SPARE = 1.06, LEAST = 6;
    int letters = 0;
    for (const char *c = text; *c; c++)
        letters += ((unsigned char)*c & 0xC0) != 0x80;
    return letters > 0 ? fmax(SPARE * gdyn_letters_width(text) / letters, LEAST) : LEAST;
}

/* --- the head --------------------------------------------------------------------------------- */

static void write_head(gdyn_text *out, const gdyn_figure *f) {
    bool turns = f->panels > 0 && f->panel[0]->space && !f->panel[0]->fixed;
    gdyn_text_printf(
        out,
        "# Made by globdyn; run it again with: gnuplot %s.gp\n"
        "# Layout: %g wide%s%s\n"
        "# Variables that may be set before: formats, into (a folder, with a slash), wide and "
        "high (of the\n# page, in 1/96 inch), letters (their size in points), dots "
        "(of a PNG for 1/96 inch)%s.\n",
        f->stem, f->width, f->frames ? ", moves" : "", turns ? ", turns" : "",
        turns ? ",\n# tilt and turn (of the view, in degrees)" : "");
    gdyn_text_printf(out,
                     "set encoding utf8\n"
                     "data = '%s.dat'\n"
                     "if (!exists('partial')) partial = ''\n"
                     "if (!exists('into')) into = ''\n"
                     "if (!exists('formats')) formats = 'png svg%s'\n"
                     "if (!exists('dots')) dots = 1\n",
                     f->stem, f->frames ? " gif" : "");
    gdyn_text_printf(out,
                     "upright = exists('high') && !exists('wide') # the width follows\n"
                     "if (!exists('wide')) wide = upright && exists('letters') ? 1.3*high : %g\n"
                     "if (!exists('letters')) letters = wide < %g ? %g : %g*wide/%g\n"
                     "text = letters/%g\nroom = wide/text\n",
                     f->width, GDYN_LETTERS_READ / GDYN_LETTERS * f->width, GDYN_LETTERS_READ,
                     GDYN_LETTERS, f->width, GDYN_LETTERS);
}

/* Functions and commands of the layout, and the arrays that it fills. */
static void write_functions(gdyn_text *out, const gdyn_figure *f, int texts, int entries) {
    gdyn_text_printf(
        out, "\n# Texts fall into lines of at most n letters, at blanks where there are any.\n"
             "blank(s,n) = n < 2 ? 0 : s[n:n] eq ' ' ? n : blank(s,n-1)\n"
             "fold(s,n) = strlen(s) <= n ? s : blank(s,n+1) ? s[1:blank(s,n+1)-1].\"\\n\".\\\n"
             "    fold(s[blank(s,n+1)+1:strlen(s)],n) : s[1:n].\"\\n\".fold(s[n+1:strlen(s)],n)\n"
             "lines(s) = strstrt(s,\"\\n\") ? 1 + lines(s[strstrt(s,\"\\n\")+1:strlen(s)]) : 1\n"
             "line(s,k) = k > 1 ? line(s[strstrt(s,\"\\n\")+1:strlen(s)],k-1) : \\\n"
             "    strstrt(s,\"\\n\") ? s[1:strstrt(s,\"\\n\")-1] : s\n"
             "min(a,b) = a < b ? a : b\n"
             "max(a,b) = a > b ? a : b\n"
             "letters_of(w,each) = int(max(w/each,4))\n"
             "clip(s,n) = strlen(s) <= n ? s : s[1:n/2].\"…\".s[strlen(s)-(n-1)/2+1:strlen(s)]\n");
    gdyn_text_printf(
        out,
        "# Tics: steps of 1, 2 or 5, each as wide as its numbers need; numbers where their axis "
        "has them.\n"
        "round(a,p) = a < 1.15*p ? p : a < 2.3*p ? 2*p : a < 5.75*p ? 5*p : 10*p\n"
        "tics(span,w,each) = round(span/max(w/each,1), 10**floor(log10(span/max(w/each,1))))\n"
        "decades(span,w,each) = 10**ceil(max(span/max(w/each,1),1))\n"
        "# Pixels from the left and from above as shares of the page.\n"
        "X(x) = x/room\nY(y) = 1 - y/tall\n"
        "array S[%d]; array V[%d]\n"
        "array T[%d]; array A[%d]; array B[%d]\n"
        "panels_all = %d\n"
        "array L[panels_all]; array R[panels_all]; array U[panels_all]; array D[panels_all]\n"
        "array E[panels_all]; array F[panels_all]; array C[panels_all]; array W[panels_all]\n"
        "array O[panels_all]; array Z[panels_all]\n",
        texts + 1, texts + 1, entries + 1, entries + 1, entries + 1, f->panels + 1);
    static const char put[] = "do for [k=1:lines(t)] { tag = tag+1; \\\n"
                              "    set label tag line(t,k) at screen X(x),Y(v+17*k-9)";
    gdyn_text_printf(out,
                     "# Text t at x below v, line by line; the same around x.\n"
                     "put = \"%s tc rgb tint font size }\"\n"
                     "middle = \"%s center tc rgb tint }\"\n"
                     "tag = 0; tint = '#000000'; size = ',13'\n",
                     put, put);
    if (entries > 0)
        gdyn_text_printf(
            out, "# Entries a to b of a key, the longest w wide, below each other in columns.\n"
                 "key = \"k = int(max(min((room-16)/w, b-a+1), 1)); h = 0; do for [i=a:b] { \\\n"
                 "    if ((i-a)%%k == 0) { y = y + 17*h; h = 1 }; \\\n"
                 "    T[i] = fold(T[i], letters_of((room-16)/k - 46, each)); \\\n"
                 "    A[i] = 8 + (i-a)%%k*min(w,(room-16)/k); B[i] = y; h = max(h, lines(T[i])) "
                 "}; \\\n"
                 "    y = y + 17*h + 5\"\n");
}

/* For panel i: L, R, U, D its sides; W, O where its texts begin; Z where all that belongs to it
 * ends; E, F whether its numbers of x, of y are shown; C how many stand side by side. */
static void write_panel_functions(gdyn_text *out) {
    gdyn_text_printf(
        out,
        "# Panels a to b, as many side by side as leave each the width thin, at most many; texts "
        "of "
        "so many\n"
        "# lines above and below them; share: numbers and titles at the left and below alone.\n"
        "panels = \"y = y + 4; c = int(max(min((room+gap-22-(share ? left : "
        "0))/(thin+gap+(share ? 0 : left)), \\\n"
        "    many), 1)); do for [k=1:3] { c = full && (b-a+1)%%c ? c-1 : c }; \\\n"
        "    w = (room+gap-22-(share ? left : 0))/c; in = w-gap-(share ? 0 : left); \\\n"
        "    room1 = c == 1 ? in+left-8 : in; \\\n"
        "    over = 17*(cap(room1)+second(room1)) + 6 + above; \\\n"
        "    h = ratio > 0 ? ratio*in : deep > 0 ? \\\n"
        "        max(60, min(deep*sqrt(min(room,1000)/1000.), 0.62*room)) : -deep; \\\n"
        "    under = below + 17*xtitle(in); \\\n"
        "    if (share) { y = y + 17*ytitle(left+in-8) } else { over = over + 17*ytitle(room1) }; "
        "\\\n"
        "    pitch = over + h + (share ? 12 : under); do for [i=a:b] { q = (i-a)%%c; C[i] = c; \\\n"
        "    L[i] = left + q*w; R[i] = L[i] + in; W[i] = c == 1 ? 8 : L[i]; \\\n"
        "    O[i] = y + (i-a)/c*pitch; U[i] = O[i] + over; D[i] = U[i] + h; Z[i] = D[i] + under; "
        "\\\n"
        "    E[i] = !share || i+c > b; F[i] = !share || q == 0 }; \\\n"
        "    y = y + (b-a+c)/c*pitch + (share ? under-12 : 0) + 4\"\n"
        "place(i) = sprintf(\"unset label; unset object; tag = 0; x = W[i]; v = U[i]-6; \". \\\n"
        "    \"set size noratio; \". \\\n"
        "    \"set lmargin at screen %%g; set rmargin at screen %%g; \". \\\n"
        "    \"set tmargin at screen %%g; set bmargin at screen %%g; \". \\\n"
        "    \"set format x '%%s'; set format y '%%s'\", X(L[i]), X(R[i]), Y(U[i]), Y(D[i]), \\\n"
        "    E[i] ? '%%g' : '', F[i] ? '%%g' : '')\n");
}

/* --- the layout ------------------------------------------------------------------------------- */

static const double HEADING = 15.0 / 13, REMARK = 1;

static double scale_of(const gdyn_figure_element *e) {
    return e->rank == GDYN_HEADING ? HEADING : REMARK;
}

/* The titled layers of a list as entries from `first` on; their number. */
static int place_key(gdyn_text *out, int layers, const gdyn_figure_layer *layer, int first) {
    enum { SAMPLE = 46, LINE = 80 };
    double widest = 0, each = 0;
    int count = 0;
    size_t line = out->length;
    for (int i = 0; i < layers; i++) {
        if (!layer[i].title)
            continue;
        gdyn_text_printf(out, "%sT[%d] = ",
                         count == 0                  ? ""
                         : out->length - line < LINE ? "; "
                                                     : "\n",
                         first + count);
        if (out->length - line >= LINE)
            line = out->length;
        count++;
        gdyn_gnuplot_quote(out, layer[i].title, false);
        double wide = 1.1 * gdyn_letters_width(layer[i].title) + SAMPLE;
        each = wide > widest ? gdyn_gnuplot_letter(layer[i].title) : each;
        widest = fmax(widest, wide);
    }
    if (count > 0)
        gdyn_text_printf(out, "\na = %d; b = %d; w = %.0f.; each = %.2f; eval key\n", first,
                         first + count - 1, widest, each);
    return count;
}

/* The most lines that a kind of text of the panels takes at width w, as functions of the script. */
static void write_line_counts(gdyn_text *out, const gdyn_figure *f, const gdyn_figure_grid *g) {
    static const char *const kinds[] = {"cap", "second", "xtitle", "ytitle"};
    for (int kind = 0; kind < 4; kind++) {
        const char *last = NULL;
        int texts = 0;
        gdyn_text_printf(out, "%s(w) = ", kinds[kind]);
        for (int i = g->first; i < g->first + g->panels; i++) {
            const gdyn_figure_panel *p = f->panel[i];
            const char *all[] = {p->caption[0], p->caption[1], p->space ? NULL : p->x.title,
                                 p->space ? p->z.title : p->y.title};
            const char *text = all[kind];
            if (!text || !*text || (last && strcmp(text, last) == 0))
                continue;
            gdyn_text_printf(out, "max(lines(fold(");
            gdyn_gnuplot_quote(out, text, false);
            gdyn_text_printf(out, ",letters_of(w,%.2f))),", gdyn_gnuplot_letter(text));
            last = text;
            texts++;
        }
        gdyn_text_printf(out, "0");
        while (texts-- > 0)
            gdyn_text_printf(out, ")");
        gdyn_text_printf(out, "\n");
    }
}

/* What all panels of a grid need. */
static void place_grid(gdyn_text *out, const gdyn_figure *f, const gdyn_figure_grid *g) {
    /* pixels below a panel for its numbers, for names at a slant, for a scale of colours */
    enum { NOTHING = 8, BARE = 29, SLANT = 50, SCALE = 52, VIEW = 40 };
    double below = 0, above = 0, gap = 14;
    write_line_counts(out, f, g);
    for (int i = g->first; i < g->first + g->panels; i++) {
        const gdyn_figure_panel *p = f->panel[i];
        double own = p->x.bare || p->x.unlabelled ? NOTHING : BARE;
        own += p->x.tics > 0 && !p->x.lanes ? SLANT : 0;
        own += p->colour.high > p->colour.low && !p->unscaled ? SCALE : 0;
        below = fmax(below, p->space ? VIEW : own);
        gap = g->share && !p->space ? fmax(gap, gdyn_gnuplot_number(&p->x) + 4) : gap;
        above = p->top.tics > 0 || p->top.title ? 46 : above;
    }
    const gdyn_figure_panel *p = f->panel[g->first];
    double lanes = fmax(fabs(p->y.high - p->y.low), 2);
    double height = p->y.lanes ? -lanes * fmin(fmax(160 / lanes, 19), 30) : p->height;
    gdyn_text_printf(out,
                     "a = %d; b = %d; many = %d; thin = %g.; gap = %.0f.; share = %d; full = %d; "
                     "above = %g; below = %g; deep = %g; ratio = %g%s; eval panels\n",
                     g->first + 1, g->first + g->panels, g->most, floor(g->least), gap, g->share,
                     g->full, above, below, fabs(height) > 0 ? height : 1, p->ratio,
                     p->space && g->panels == 1 ? "*(room-16)/(room-left-22)" : "");
}

/* Room before all panels for numbers and names. */
static void place_margin(gdyn_text *out, const gdyn_figure *f) {
    static const double NUMBERS = 58, BESIDE = 30;
    static const double SPARE = 1.1; /* lines are seldom full */
    double names = 0, numbers = NUMBERS;
    for (int i = 0; i < f->panels; i++) {
        const gdyn_figure_axis *y = &f->panel[i]->y;
        for (int k = 0; k < y->tics; k++)
            if (y->tic[k].name)
                names = fmax(names, SPARE * gdyn_letters_width(y->tic[k].name));
        if (y->tics == 0 && !f->panel[i]->space && !y->bare)
            numbers = fmax(numbers, gdyn_gnuplot_number(y) + 24);
        if (y->bare && f->panels == 1)
            numbers = 14;
    }
    gdyn_text_printf(out, "left = max(%.0f., min(%.0f., 0.4*room))\n", numbers,
                     names > 0 ? names + BESIDE : 0);
}

/* Everything from above; the number of texts and of entries. */
static void write_layout(gdyn_text *out, const gdyn_figure *f) {
    int texts = 0, entries = 0;
    gdyn_text_printf(out, "\n# Layout: from above\ny = 8.\n");
    place_margin(out, f);
    for (int i = 0; i < f->elements; i++) {
        const gdyn_figure_element *e = &f->element[i];
        if (e->kind == GDYN_TEXT) {
            /* behind: it follows panels. */
            int number = ++texts;
            bool behind = i > 0 && e[-1].kind == GDYN_PANELS;
            gdyn_text_printf(out, "S[%d] = fold(", number);
            gdyn_gnuplot_quote(out, e->text, false);
            gdyn_text_printf(
                out, ", letters_of(room-16,%.2f)); V[%d] = y%s; y = V[%d] + %g*lines(S[%d])%s\n",
                scale_of(e) * gdyn_gnuplot_letter(e->text), number, behind ? " + 6" : "", number,
                17 * scale_of(e), number, e->rank == GDYN_HEADING ? " + 4" : "");
        }
        if (e->kind == GDYN_KEY)
            entries += place_key(out, e->layers, e->layer, entries + 1);
        for (int k = e->grid.first; k < e->grid.first + e->grid.panels; k++)
            entries += place_key(out, f->panel[k]->layers, f->panel[k]->layer, entries + 1);
        if (e->kind == GDYN_PANELS && e->grid.panels > 0 && f->bars == 0)
            place_grid(out, f, &e->grid);
    }
    if (f->bars > 0)
        gdyn_gnuplot_bars(out, f);
    gdyn_text_printf(out, "tall = y + 4\n"
                          "if (upright) { wide = high*room/tall; text = wide/room }\n"
                          "if (!exists('high')) high = wide*tall/room\n");
}

/* --- texts and keys --------------------------------------------------------------------------- */

static void write_sample(gdyn_text *out, const gdyn_figure_layer *layer, int i) {
    bool box = layer->kind == GDYN_BOXES || layer->kind == GDYN_BANDS ||
               layer->kind == GDYN_SHAPE || layer->kind == GDYN_AREA;
    bool line = layer->kind == GDYN_LINE || layer->kind == GDYN_TRAIL ||
                layer->kind == GDYN_RULES || layer->kind == GDYN_EDGES ||
                (layer->kind == GDYN_SAMPLE && layer->point == 0);
    if (box) {
        gdyn_text_printf(out,
                         "set object %d rectangle from screen X(A[%d]),Y(B[%d]+13) to screen "
                         "X(A[%d]+30),Y(B[%d]+3)",
                         i, i, i, i, i);
        gdyn_gnuplot_fill(out, layer);
        gdyn_text_append(out, "\n", 1);
    }
    if (line) {
        gdyn_text_printf(out,
                         "set arrow %d from screen X(A[%d]),Y(B[%d]+8) to screen "
                         "X(A[%d]+30),Y(B[%d]+8) nohead",
                         i, i, i, i, i);
        gdyn_gnuplot_line(out, layer);
        gdyn_text_append(out, "\n", 1);
    }
    if (layer->point > 0) {
        gdyn_text_printf(out, "set label %d '' at screen X(A[%d]+15),Y(B[%d]+8) point", 500 + i, i,
                         i);
        gdyn_gnuplot_point(out, layer);
        gdyn_text_append(out, "\n", 1);
    }
}

static int write_samples(gdyn_text *out, int layers, const gdyn_figure_layer *layer, int first) {
    int count = 0;
    for (int i = 0; i < layers; i++)
        if (layer[i].title)
            write_sample(out, &layer[i], first + count++);
    return count;
}

/* Texts and keys belong to an empty plot as large as the page. */
static void write_page(gdyn_text *out, const gdyn_figure *f) {
    static const char *const looks[] = {"size = ',15'", "size = ',13'", "tint = '#555555'",
                                        "tint = '#B00020'"};
    static const char usual[] = "tint = '#000000'; size = ',13'";
    int texts = 0, entries = 0;
    gdyn_text_printf(out, "# Texts and keys\nset multiplot\nunset key; unset border; unset tics\n"
                          "set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0\n");
    for (int i = 0; i < f->elements; i++) {
        const gdyn_figure_element *e = &f->element[i];
        if (e->kind == GDYN_TEXT) {
            texts++;
            gdyn_text_printf(out, "t = S[%d]; x = 8; v = V[%d]; %s; eval put; %s\n", texts, texts,
                             looks[e->rank], usual);
        }
        if (e->kind == GDYN_KEY)
            entries += write_samples(out, e->layers, e->layer, entries + 1);
        for (int k = e->grid.first; k < e->grid.first + e->grid.panels; k++)
            entries += write_samples(out, f->panel[k]->layers, f->panel[k]->layer, entries + 1);
    }
    if (entries > 0)
        gdyn_text_printf(out, "do for [i=1:%d] { t = T[i]; x = A[i]+36; v = B[i]; eval put }\n",
                         entries);
    gdyn_text_printf(out, "plot [0:1][0:1] 2\n"
                          "unset label; unset arrow; unset object\n"
                          "set border 31 lc rgb '#444444'\n"
                          "set xtics nomirror out scale 0.6 offset screen 0,near/tall\n"
                          "set ytics nomirror out scale 0.6 offset screen near/room,0\n"
                          "set ztics nomirror out scale 0.6 offset screen near/room,0\n"
                          "set cbtics nomirror out scale 0.6 offset screen 0,near/tall\n"
                          "set grid lc rgb '#E4E4E4' lt 1 lw 0.6 back\n");
}

/* --- the script ------------------------------------------------------------------------------- */

/* Lengths are in 1/96 inch, text in points of 1/72 inch; the terminals take pixels, or inches.
 * Letters of pngcairo's 13 points are three quarters of them too large, and pdfcairo's are as
 * the layout has them with 0.5625. */
static void write_terminals(gdyn_text *out, const gdyn_figure *f) {
    static const char look[] = "font 'DejaVu Sans,13' noenhanced linewidth text";
    gdyn_text_printf(
        out,
        "\ndo for [format in formats] {\nreset\n"
        "if (format eq 'png') {\n"
        "set terminal pngcairo size wide*dots,high*dots fontscale 0.75*text*dots "
        "pointscale text*dots %s*dots\n}\n"
        "if (format eq 'svg') {\n"
        "set terminal svg size wide,high fontscale text background rgb 'white' %s\n}\n"
        "if (format eq 'pdf') {\n"
        "set terminal pdfcairo size wide/96.,high/96. fontscale 0.5625*text "
        "pointscale text %s\n}\n"
        "# Points of an SVG keep their size; its numbers, and those of a PDF, stand far away.\n"
        "marks = format eq 'svg' ? 0.7*text : 1\n"
        "near = format eq 'svg' ? 9. : format eq 'pdf' ? 4. : 0\n",
        look, look, look);
    gdyn_text_printf(out, "if (format ne 'gif') {\nset output into.'%s.'.format.partial\n}\n",
                     f->stem);
}

static void count(const gdyn_figure *f, int *texts, int *entries) {
    *texts = *entries = 0;
    for (int i = 0; i < f->elements; i++) {
        *texts += f->element[i].kind == GDYN_TEXT;
        for (int k = 0; k < f->element[i].layers; k++)
            *entries += f->element[i].layer[k].title != NULL;
    }
    for (int i = 0; i < f->panels; i++)
        for (int k = 0; k < f->panel[i]->layers; k++)
            *entries += f->panel[i]->layer[k].title != NULL;
}

/* Blocks of numbers, two blank lines between them; a gap is one. */
static void write_data(gdyn_text *out, const gdyn_figure *f) {
    gdyn_text_printf(out, "# Data of %s.gp\n", f->stem);
    for (int b = 0; b < f->blocks; b++) {
        const gdyn_figure_block *block = &f->block[b];
        const double *row = f->number + block->first;
        int name = block->labels, rows = block->rows;
        if (isnan(row[(rows - 1) * block->columns])) /* no gap at the end */
            rows--;
        for (int r = 0; r < rows; r++, row += block->columns) {
            for (int k = 0; k < block->columns && !isnan(row[0]); k++) {
                gdyn_text_append(out, " ", k > 0);
                if (isfinite(row[k]))
                    gdyn_text_printf(out, "%.9g", row[k]);
                else
                    gdyn_text_append(out, "NaN", 3);
                if (k == 1 && name >= 0) { /* behind x and y */
                    gdyn_text_append(out, " ", 1);
                    gdyn_gnuplot_quote(out, f->label[name++], false);
                }
            }
            gdyn_text_append(out, "\n", 1);
        }
        gdyn_text_append(out, "\n\n", 2);
    }
}

bool gdyn_figure_script(gdyn_figure *f, gdyn_text *script, gdyn_text *data) {
    gdyn_gnuplot_look look[GDYN_LOOKS_MOST] = {{NULL, 0}};
    int texts, entries;
    gdyn_figure_settle(f);
    count(f, &texts, &entries);
    write_head(script, f);
    write_functions(script, f, texts, entries);
    write_panel_functions(script);
    /* what panels with a scale of colours need besides */
    bool maps = false;
    for (int i = 0; i < f->panels; i++)
        maps |= f->panel[i]->colour.high > f->panel[i]->colour.low;
    if (maps && f->bars == 0)
        gdyn_text_printf(
            script,
            "# What is not reached; the scale of colours; lines of equal value from a block of "
            "data.\n"
            "ground = \"set object rectangle from graph 0,0 to graph 1,1 fc rgb '#C8C8C8' \\\n"
            "    fs solid noborder behind\"\n"
            "bar(i,j) = sprintf('set colorbox horizontal user origin screen %%g,%%g '. \\\n"
            "    'size screen %%g,%%g', X(L[i]), Y(Z[j]-38), X(R[i == j ? i : i+C[i]-1]-L[i]), "
            "9./tall)\n"
            "contours(b,from,step,to) = sprintf(\"set format '%%%%.7g'; set contour base; \". \\\n"
            "    'unset surface; set cntrparam levels incremental %%.9g,%%.9g,%%.9g; '. \\\n"
            "    'set table $contours; splot data index %%d using 1:2:3; unset table; '. \\\n"
            "    'unset contour; set surface', from, step, to, b)\n");
    gdyn_gnuplot_looks(script, f, look);
    write_layout(script, f);
    write_terminals(script, f);
    if (maps) /* from dark to light, as grey prints show it, too */
        gdyn_text_printf(script, "set palette defined (0 '#00224E', 0.25 '#434E6C', 0.5 "
                                 "'#7D7C78', 0.75 '#BCAF6F', 1 '#FEE838')\n");
    write_page(script, f);
    for (int i = 0; i < f->panels && f->bars == 0; i++)
        gdyn_gnuplot_panel(script, f, i, look);
    if (f->bars > 0)
        gdyn_gnuplot_rows(script, f);
    gdyn_text_printf(script, "unset multiplot\nunset output\n}\n");
    write_data(data, f);
    return !f->failed && !script->failed && !data->failed;
}
