/* platform.c - what the last bits of results depend on besides the case. */
#include "study/platform.h"

#include "base/version.h"

#include <glpk.h>
#include <gsl/gsl_version.h>
#include <nlopt.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

/* The kernel chosen at run time; openblas_config.h, which declares it, is not where cblas.h is on all systems. */
char *openblas_get_corename(void);
char *openblas_get_config(void);

/* The C library has a variant of sin, exp, ... for each of these. */
static const char *vector_instructions(void) {
#if defined __x86_64__
    return __builtin_cpu_supports("avx512f") ? "avx512"
           : __builtin_cpu_supports("fma")   ? "fma"
           : __builtin_cpu_supports("avx")   ? "avx"
                                             : "sse2";
#elif defined __aarch64__
    return "neon";
#else
    return "generic";
#endif
}

/* "OpenBLAS 0.3.21 NO_LAPACKE ...": the words before the options. */
static void append_openblas(gdyn_text *line) {
    const char *config = openblas_get_config();
    int words = 0, length = 0;
    /* Two words: name and release. */
    while (config[length] && (config[length] != ' ' || ++words < 2))
        length++;
    gdyn_text_printf(line, ", %.*s %s", length, config, openblas_get_corename());
}

void gdyn_platform(gdyn_text *line) {
    /* Every library that computes numbers of a design, with its release. */
    int major, minor, bugfix;
    nlopt_version(&major, &minor, &bugfix);
    gdyn_text_printf(line, "globdyn %s", gdyn_version());
    append_openblas(line);
    gdyn_text_printf(line, ", NLopt %d.%d.%d, GLPK %s, GSL %s", major, minor, bugfix, glp_version(),
                     gsl_version);
#ifdef __GLIBC__
    gdyn_text_printf(line, ", glibc %s", gnu_get_libc_version());
#endif
    gdyn_text_printf(line, ", %s", vector_instructions());
}
