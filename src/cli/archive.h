/* archive.h - the study file behind a command that evaluates many designs. */
#ifndef GDYN_CLI_ARCHIVE_H
#define GDYN_CLI_ARCHIVE_H

#include "cli/cli.h"
#include "study/store.h"
#include "study/choose.h"

/* A study whose designs are kept in a file. The study is made from the very text that the file
 * keeps, so that whoever reads the file later gets the same numbers. */
typedef struct gdyn_kept {
    char *filename, *case_text;
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_store *store; /* NULL until gdyn_kept_open */
} gdyn_kept;

/* The opened case at the command line's settings as a text, and its study (a sweep needs no
 * objectives). An exit code. */
int gdyn_kept_make(const gdyn_opened *opened, gdyn_store_kind kind, gdyn_kept *kept);
/* The same of a text, which is taken over. */
int gdyn_kept_make_text(gdyn_text *text, const char *filename, gdyn_store_kind kind,
                        gdyn_kept *kept);
/* Opens FOLDER/NAME, made when it is not there; the options' search is NULL for a sweep; `extra`
 * (may be NULL) are further lines of the identity. With --restart an older file is set aside as
 * NAME.old. Says on standard error when earlier designs are continued. An exit code. */
int gdyn_kept_open(const gdyn_options *options, const char *folder, const char *name,
                   gdyn_store_kind kind, gdyn_study_options *search, const char *extra,
                   gdyn_kept *kept);
/* Exit code of a run that ended with this status, after a message with the cause and what is
 * kept. */
int gdyn_kept_complain(const gdyn_kept *kept, gdyn_status status);
/* Notes in the file how the run ended. */
gdyn_status gdyn_kept_note_end(const gdyn_kept *kept, const gdyn_study_result *result);
/* Under mpirun: makes a executor of all ranks and returns true. */
bool gdyn_kept_executor(const gdyn_options *options, const gdyn_kept *kept, gdyn_executor *executor,
                        gdyn_status *status);
void gdyn_kept_close(gdyn_kept *kept);

/* --- interruption ------------------------------------------------------------------------- */

/* "interrupted: 310 designs are kept in FILE; to continue: globdyn ..." on standard error; the exit
 * code of the signal. */
int gdyn_note_how_to_continue(const gdyn_options *options, const gdyn_kept *kept, long designs);

/* --- adopted.c: designs of another study as the first ones of a search */

/* Designs that are taken over are the first ones of the search, behind the start design, which may
 * be one of them. They get their numbers; *starts (to be freed with free) has their variables. The
 * budget becomes that of new designs. An exit code. */
int gdyn_number_adopted(const gdyn_study *study, gdyn_adopted *adopted, gdyn_study_options *wanted,
                        double **starts);
/* Rows of the designs that are taken over, which the search then finds. An exit code. */
int gdyn_store_adopted(const gdyn_kept *kept, const gdyn_adopted *adopted);

#endif
