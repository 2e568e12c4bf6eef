/* store.h - a study on disk: one SQLite file that holds the case and every evaluated design.
 *
 * A design is written in a transaction of its own as soon as it is evaluated, before it is counted:
 * a process that is killed at any moment loses no completed evaluation. Continuing means running
 * the same search again, which asks for the same designs; those that are in the file are not
 * evaluated a second time. The file is write-ahead logged, so it can be read while a run writes.
 *
 * Every row of `design` has a checksum, and so has the table meta; both are verified whenever the
 * file is read. The file names the platforms (programs, libraries, kernels of the processor) that
 * wrote it.
 *
 * Tables (docs/studies.md): meta(key, value); variable, response, objective, requirement, joint in
 * the order of the case; generation with the history; design, a row per evaluated design. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "base/text.h"
#include "casefile/casefile.h"
#include "study/study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

GDYN_API_BEGIN

/* What a file is for; part of its identity. */
typedef enum gdyn_store_kind { GDYN_STORE_OPTIMIZE, GDYN_STORE_SWEEP } gdyn_store_kind;

/* What a new file records, and what an old one must agree with. */
typedef struct gdyn_store_identity {
    gdyn_store_kind kind;
    const char *case_name; /* stem of the results folder, for messages and lists */
    const char *case_text; /* self-contained case, all settings applied (gdyn_case_write) */
    const char *key;       /* text of which every line must agree: the case without what does not
                              change results, then the search's own settings */
    const gdyn_search_options *search; /* of GDYN_STORE_OPTIMIZE: what the command line made of
                                           the case's settings */
    int starts;                        /* designs of a warm start */
    const double *aim;                 /* objectives, as given; or NULL */
    bool repair;        /* remove damaged rows, so that their designs are evaluated again */
    bool other_machine; /* continue although other libraries or another processor wrote the file */
} gdyn_store_identity;

typedef struct gdyn_store gdyn_store;

/* Opens the file for writing, made when it is not there. Messages go to the sink, with a remedy:
 * GDYN_ERROR_STUDY when it is no study (it stays as it is), of another format, belongs to another
 * case or search (the first line that differs is named), is in use (the owner's process number is
 * named), was written on another platform or is damaged (the designs are named); GDYN_ERROR_FILE
 * when the folder is missing or read-only. Damaged rows that were removed are reported as a
 * warning. */
gdyn_status gdyn_store_open(const char *filename, const gdyn_study *study,
                            const gdyn_store_identity *identity, const gdyn_sink *sink,
                            gdyn_store **store);
/* Writes what is pending and closes. */
void gdyn_store_close(gdyn_store *store);

/* Number of designs in the file, with those that are pending. */
long gdyn_store_count(const gdyn_store *store);
/* Fills the design from the row with its serial number; *found tells whether there is one. */
gdyn_status gdyn_store_find(gdyn_store *store, gdyn_design *design, bool *found);
/* The last failure in English, with its cause; "" when there was none. */
const char *gdyn_store_error(const gdyn_store *store);

/* --- reading ------------------------------------------------------------------------------ */

/* A study file read as a whole. The result is what the search had when the file was read: archive
 * in the order of serial numbers (designs 0, 1, ... without a gap are counted by the search;
 * further ones may follow a gap after an interruption), front, hypervolume, history. */
typedef struct gdyn_stored {
    char *filename, *case_name, *case_text, *state;
    char *platform; /* a line for each platform that wrote the file */
    gdyn_store_kind kind;
    long owner; /* process that is writing now, 0: none */
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_study_options options;
    double *start, *aim; /* of options, owned */
    gdyn_study_result result;
    int rows; /* designs in the file; the search knows of fewer when some before them are missing */
} gdyn_stored;

/* Works while another process writes: it reads one state of the file. Errors as of gdyn_store_open;
 * a damaged file is rejected, with the designs whose checksums differ. */
gdyn_status gdyn_stored_open(const char *filename, const gdyn_sink *sink, gdyn_stored **stored);
void gdyn_stored_close(gdyn_stored *stored);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The aim with all digits, "0.3 2000"; nothing where it is NULL. */
void gdyn_aim_print(int objectives, const double *aim, gdyn_text *out);
/* Decides what the search's options leave open (gdyn_search_decide), but as the file has it when
 * there is one: an extended search goes on as it began, whatever its budget is now. To be called
 * before the options are used, for gdyn_store_open too. True when the file decided. */
bool gdyn_store_decide(const char *filename, const gdyn_study *study, gdyn_search_options *search);
/* Renames a study that nobody is using to FILENAME.old (an earlier one is replaced); nothing is
 * done when there is none. Errors as of gdyn_store_open. */
gdyn_status gdyn_store_set_aside(const char *filename, const gdyn_sink *sink);
/* Adds the design, or replaces what is known about it by the full evaluation (same serial). Designs
 * that come within 50 ms after a transaction are pending until the next one after that, a sync or
 * the end writes them: a kill loses only these. GDYN_ERROR_FILE (disk full, ...) leaves
 * all rows of earlier transactions intact; gdyn_store_error tells why. */
gdyn_status gdyn_store_add(gdyn_store *store, const gdyn_design *design);
/* Adds or replaces a row of the history. */
gdyn_status gdyn_store_add_generation(gdyn_store *store, const gdyn_generation *generation);
/* Makes what was added survive the end of the machine, too. GDYN_ERROR_FILE when the file was
 * removed or replaced since it was opened. */
gdyn_status gdyn_store_sync(gdyn_store *store);
/* State shown by `study list`: "running", "finished: all evaluations used", "interrupted". Records
 * the number of designs with it, and what lists say of them (gdyn_digest_write, "": they have to
 * look). Errors as of gdyn_store_sync. */
gdyn_status gdyn_store_set_state(gdyn_store *store, const char *state, const char *digest);

/* --- platform: what the last bits of results depend on besides the case. */

/* Appends one line: releases of globdyn and of the libraries that compute, the kernel that OpenBLAS
 * chose for this processor, and the vector instructions by which the C library chooses its
 * functions. */
void gdyn_platform(gdyn_text *line);

/* --- checksum: checksums of stored values.
 *
 * 64-bit FNV-1a (Fowler, Noll and Vo; draft-eastlake-fnv) over a sequence of values. Each value
 * enters as a letter for its kind and its bytes:
 *
 *   n  no value      -
 *   i  integer       8 bytes, least significant first
 *   f  number        8 bytes of the IEEE 754 double, least significant first
 *   t  text          its length as an integer's 8 bytes, then its bytes
 *
 * One changed byte always changes the sum; any other damage leaves it unchanged with probability
 * 2^-64. It guards against damage, not against forgery. */

#define GDYN_CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/* Add a value to the sum. */
void gdyn_checksum_none(uint64_t *sum);
void gdyn_checksum_integer(uint64_t *sum, int64_t value);
void gdyn_checksum_number(uint64_t *sum, double value);
void gdyn_checksum_text(uint64_t *sum, const char *text, size_t length);

/* --- digest: what lists say of a study: written into its file when a run ends, so that lists need
 * not read all designs. */

typedef struct gdyn_digest {
    long owner;   /* process that is writing now, 0: none */
    char *state;  /* as of gdyn_stored */
    char *goals;  /* gdyn_study_goals */
    char *method; /* of the search, and its settings; NULL: a sweep, or not known */
    int population;
    long seed;
    int designs, feasible;
    int m, front; /* objectives; designs of the front */
    double *F;    /* m x front, as gdyn_front_objectives */
} gdyn_digest;

/* The value of `digest` in the table meta: "designs feasible objectives front", the numbers of F,
 * the goals. */
void gdyn_digest_write(const gdyn_study *study, const gdyn_study_result *result, gdyn_text *out);
/* From the table meta of a study whose last run ended (its checksum holds and the file has as many
 * designs as were there), else from all designs. Errors as of gdyn_stored_open, without
 * messages. */
gdyn_status gdyn_digest_read(const char *filename, gdyn_digest *digest);
void gdyn_digest_free(gdyn_digest *digest);

/* --- integrity: whether a study file is intact: its structure, the numbering of its designs, and
 * whether evaluating some of them again reproduces every bit. */

/* SQLite's own check of the whole file; false with the first complaint in text. */
bool gdyn_stored_integrity(const gdyn_stored *stored, char *text, size_t size);

/* Whether the designs are those of the search: it runs again on what is known. Opening a
 * file tells the same, but for `surrogate`, whose models take long. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_stored_asked(const gdyn_stored *stored, bool *asked);

/* Designs are numbered 0, 1, ... without a gap, but for what an interrupted generation has not
 * evaluated yet. Reading the file replays the search, which ends with the first generation that is
 * not complete: further rows, or a search that is noted as finished, mean that designs are
 * missing. */
typedef struct gdyn_numbering {
    int designs, rows; /* that the search knows; in the file */
    int gaps;          /* between successive designs that the search knows */
    long last;         /* number of the last of these, -1: none */
    bool lost;         /* designs behind it are missing */
    bool good;
} gdyn_numbering;
gdyn_numbering gdyn_stored_numbering(const gdyn_stored *stored);

/* Design k of `samples` spread evenly over all designs, the first and the last included. */
const gdyn_design *gdyn_stored_sample(const gdyn_stored *stored, int samples, int k);
/* Evaluates the design again into `again` (gdyn_design_create of the same study); *same: status,
 * failure and all values agree to the last bit, and the same ones are known. */
gdyn_status gdyn_stored_reproduce(const gdyn_stored *stored, const gdyn_design *design,
                                  gdyn_design *again, bool *same);

/* --- warm_start: designs to begin a search with. */

/* Designs of a table (variables x count, in the order of the case), to be freed with gdyn_free;
 * none after a failure. */
gdyn_status gdyn_warm_start_read(const char *filename, const gdyn_instance *start,
                                 const gdyn_sink *sink, int *count, double **x);
/* Lines that identify a study. */
void gdyn_warm_start_key(int count, int variables, const double *x, gdyn_text *key);
