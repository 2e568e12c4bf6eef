/* schema_blocks.h - the blocks that the table of the case format is made of (internal). */
#ifndef GDYN_CASEFILE_SCHEMA_BLOCKS_H
#define GDYN_CASEFILE_SCHEMA_BLOCKS_H

#include "casefile/schema.h"

/* JSON Schema of values that several fields hold. */
#define JSON_NUMBER  "{\"type\": [\"number\", \"string\"]}"
#define JSON_NUMBERS "{\"type\": \"array\", \"items\": " JSON_NUMBER "}"
#define JSON_NAME_OR_NAMES                                                                         \
    "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": "            \
    "\"string\"}}]}"
#define JSON_PAIR        "{\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"maxItems\": 2}"
#define JSON_NAMES       "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}"
#define JSON_SIGNAL      "{\"type\": [\"number\", \"string\", \"array\"]}"
#define JSON_FORMULAS    "{\"type\": \"object\", \"additionalProperties\": " JSON_NUMBER "}"
#define JSON_POINTS_LIST "{\"type\": \"array\", \"items\": " JSON_NUMBERS "}"

/* The records that the case refers to. */
extern const gdyn_schema_record gdyn_schema_machine, gdyn_schema_trajectory, gdyn_schema_workspace,
    gdyn_schema_design, gdyn_schema_robustness, gdyn_schema_optimize, gdyn_schema_expect,
    gdyn_schema_simulate;

/* All records of a block in the order of the manual, NULL-terminated: schema_machine.c, schema_trajectory.c,
 * schema_design.c, schema_simulate.c. */
extern const gdyn_schema_record *const gdyn_schema_machine_records[],
    *const gdyn_schema_trajectory_records[], *const gdyn_schema_design_records[],
                                                 *const gdyn_schema_simulate_records[];

/* schema_trajectory.c: criteria that null motions may be best for. */
extern const char *const gdyn_null_motion_criteria[];
/* What freedoms without a drive do. */
extern const char *const gdyn_undriven_rules[];

#endif
