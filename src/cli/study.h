/* study.h - what the parts of globdyn study share. */
#ifndef GDYN_CLI_STUDY_H
#define GDYN_CLI_STUDY_H

#include "cli/cli.h"
#include "report/front.h"
#include "study/store.h"

/* Opens the study of that name (file, folder, name below results/); an exit code after messages. */
int gdyn_open_stored(const char *name, gdyn_stored **stored);
/* There is a study of that name; a file that is no SQLite database is none. */
bool gdyn_is_study(const char *name);
/* The design with that number; NULL after a message. */
const gdyn_design *gdyn_stored_design(const gdyn_stored *stored, const char *number);
gdyn_outcome gdyn_stored_outcome(const gdyn_stored *stored);

/* study_list.c: the studies below the folders named behind the verb. */
int gdyn_study_list(const gdyn_options *options);
/* Running, finished or left behind by a process that was killed. */
const char *gdyn_stored_state(const gdyn_stored *stored);

/* Prints a text, or writes it to the file of -o; it is freed. An exit code. */
int gdyn_study_print(gdyn_status status, gdyn_text *text, const gdyn_options *options);
/* study_pick.c: whether an option says how to choose a design. */
bool gdyn_picks(const gdyn_options *options);
int gdyn_study_pick(const gdyn_options *options, const gdyn_stored *stored);
int gdyn_study_limit(const gdyn_options *options, const gdyn_stored *stored);

/* study_compare.c, study_check.c: verbs of the command; exit codes. */
int gdyn_study_compare(const gdyn_options *options, const gdyn_stored *stored);
int gdyn_study_check(const gdyn_options *options, const gdyn_stored *stored);

/* cmd_study.c: the i-th verb; NULL behind the last one. */
const char *gdyn_study_verb(int i);
/* report_study.c: globdyn report STUDY; an exit code. */
int gdyn_report_study(const gdyn_options *options);

#endif
