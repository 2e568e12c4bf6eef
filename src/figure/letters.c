/* letters.c - how wide texts are and how they are shortened; round steps between tics; colours and
 * dashes that are told apart. */
#include "figure/figure.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- texts ------------------------------------------------------------------------------------ */

/* Advance of the letters from ' ' to '~' in DejaVu Sans, hundredths of their size. */
static const unsigned char advance[] = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};

/* Bytes of the letter at c, and its width. */
static int letter(const char *c, double *width) {
    static const double SIZE = 13, OTHER = 75;
    int bytes = 1;
    unsigned char code = (unsigned char)*c;
    bool plain = code >= ' ' && code <= '~';
    while (!plain && ((unsigned char)c[bytes] & 0xC0) == 0x80)
        bytes++;
    *width = SIZE / 100 * (plain ? advance[code - ' '] : OTHER);
    return bytes;
}

double gdyn_letters_width(const char *text) {
    double sum = 0, width;
    for (; *text; sum += width)
        text += letter(text, &width);
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

/* A colour moved towards grey level `to` by that share. */
static unsigned mixed(unsigned colour, double to, double share) {
    unsigned out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double part = (double)(colour >> shift & 255u);
        out = out << 8 | (unsigned)lround(part + (to - part) * share);
    }
    return out;
}

unsigned gdyn_page_colour(int i) {
    assert(i >= 0);
    /* Shares for which the least distance of any two of the first 26 in RGB is greatest. */
    static const struct { double to, share; } shade[] = {{0, 0}, {255, 0.45}, {0, 0.5}, {255, 0.8}};
    int round = i / GDYN_COLOURS % (int)(sizeof shade / sizeof *shade);
    static const unsigned okabe_ito[GDYN_COLOURS] = {0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7,
                                                     0xE69F00, 0x56B4E9, 0x000000, 0x8B6D00};
    unsigned colour = okabe_ito[i % GDYN_COLOURS];
    /* Black has no darker one. */
    return round == 2 && colour == 0 ? 0x404040
                                     : mixed(colour, shade[round].to, shade[round].share);
}

const char *gdyn_page_dash(int i) {
    static const char *const dash[] = {NULL, "2", "3", "4"};
    return dash[i % 4];
}
