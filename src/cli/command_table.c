/* command_table.c - the commands, one row each: name, operands, purpose, numbers of operands,
 * function, further help, what is opened (CONTRIBUTING.md). Help, manual pages and completion are
 * made from it. */
#include "cli/cli.h"

const gdyn_command gdyn_command_table[] = {
    {"new", "[TEMPLATE]", "writes a starting case file from a template", 0, 1, GDYN_NEEDS_NOTHING,
     gdyn_cmd_new, "Without TEMPLATE the templates are listed."},
    {"import", "FILE",
     "a case from a robot (URDF, SDF, MuJoCo); the table of a path from G-code, DXF", 1, 1,
     GDYN_NEEDS_NOTHING, gdyn_cmd_import,
     "What a case cannot represent is dropped and listed, on standard error and in the case. "
     "Exit\ncode 3: the description is invalid, or not a machine."},
    {"check", "CASE", "structure, mobility, redundancy, assembly of a machine", 1, 1,
     GDYN_NEEDS_CASE, gdyn_cmd_check,
     "Exit code 1: the machine cannot be assembled, or not on all of a trajectory, a trajectory\n"
     "crosses a singular pose, or shapes overlap."},
    {"modes", "CASE", "the poses in which the machine can be assembled, for the case", 1, 1,
     GDYN_NEEDS_MACHINE, gdyn_cmd_modes,
     "The tools (--hold drives: the drives) stay where they are. Every mode is printed as a "
     "pose\nthat "
     "can be pasted under machine: poses:. Exit code 1: the machine cannot be assembled."},
    {"workspace", "CASE", "which poses of a grid the machine reaches, and what it can do there", 1,
     1, GDYN_NEEDS_MACHINE, gdyn_cmd_workspace,
     "The grids are those of workspaces:. Exit code 1: no node of one is reached."},
    {"regions", "CASE", "accessible path speeds and accelerations, with pictures", 1, 1,
     GDYN_NEEDS_PATHS, gdyn_cmd_regions,
     "Writes regions.csv, regions.json, gnuplot scripts and pictures. --coefficients\nreplaces "
     "CASE. Exit code 1: nothing is accessible at some point of a trajectory."},
    {"reactions", "CASE", "joint reactions: which are unique, and their values", 1, 1,
     GDYN_NEEDS_MACHINE, gdyn_cmd_reactions,
     "Writes reactions.csv, reactions.json, gnuplot scripts and pictures. Exit code 1: the "
     "machine\n"
     "cannot be assembled, or at no point of a trajectory."},
    {"traverse", "CASE", "the fastest motion along a path, with bounds of its time", 1, 1,
     GDYN_NEEDS_PATHS, gdyn_cmd_traverse,
     "Writes traverse.csv, poses.csv, traverse.json, audit.csv, gnuplot scripts and pictures.\n"
     "--coefficients replaces CASE. Exit code 1: there is no motion; the reason is\n"
     "printed."},
    {"report", "CASE|STUDY", "all of this, or a study, as one self-contained HTML file", 1, 1,
     GDYN_NEEDS_NOTHING, gdyn_cmd_report,
     "Of a case writes report.html: the machine in motion, regions, the fastest motion, "
     "reactions.\n"
     "Exit code 1: the machine cannot be assembled, or cannot move along some trajectory; the\n"
     "reason is printed. Of a study writes study.html (of a sweep sweep.html) beside it or into\n"
     "DIR: its designs, failures, history, machines of the front. Exit code 1: nothing is "
     "feasible."},
    {"feasible", "CASE", "whether a given motion keeps all limits; slow-down or speed-up", 1, 1,
     GDYN_NEEDS_PATHS, gdyn_cmd_feasible,
     "Without --motion a trajectory over time, such as a table with t, is the motion itself.\n"
     "Writes feasible.csv, feasible.json, gnuplot scripts and pictures.\n"
     "Exit code 1: a limit is violated."},
    {"simulate", "CASE", "how the machine moves in time, redundant constraints included", 1, 1,
     GDYN_NEEDS_MACHINE, gdyn_cmd_simulate,
     "Writes simulate.csv, simulate.json, gnuplot scripts and pictures. Exit code 1: the machine\n"
     "cannot be assembled or moved, or the motion breaks down; the reason is printed."},
    {"verify", "CASE...", "compares a case with its expect: block and with independent methods", 1,
     10000, GDYN_NEEDS_NOTHING, gdyn_cmd_verify, "Exit code 1: something differs."},
    {"evaluate", "CASE", "one design: criteria, objectives, constraints, reactions", 1, 1,
     GDYN_NEEDS_NOTHING, gdyn_cmd_evaluate,
     "The design is the case's own, or that of --set. Exit code 1: it is not feasible."},
    {"sweep", "CASE", "designs spread over the bounds: sensitivities, grids, samples", 1, 1,
     GDYN_NEEDS_CASE, gdyn_cmd_sweep,
     "Keeps every design in sweep.db; the same command continues. Writes sweep.csv, for oat\n"
     "sensitivity.csv, and pictures. The case needs design:, but no optimize:."},
    {"optimize", "CASE", "searches the design variables for the best compromises", 1, 1,
     GDYN_NEEDS_CASE, gdyn_cmd_optimize,
     "Keeps every design in study.db as soon as it is evaluated; the same command continues a\n"
     "search that was interrupted or killed, or extends it with a larger --evaluations.\n"
     "mpirun -n N globdyn optimize CASE spreads the designs over N processes; --threads is then\n"
     "the number for each (default 1).\n"
     "Writes front.csv, front.json, designs.csv and pictures. Exit code 1: no design is feasible;\n"
     "6: the study belongs to another case or is in use; 130: interrupted."},
    {"study", "VERB [STUDY...]", "lists, shows, compares and checks studies", 1, 10000,
     GDYN_NEEDS_NOTHING, gdyn_cmd_study,
     "verbs:\n"
     "  list [FOLDER...]      studies below the folders (default results)\n"
     "  show STUDY [N]        the study, or its design N\n"
     "  front STUDY           the designs that are not dominated (--json, --csv)\n"
     "  export STUDY          every design with all its values, CSV or --json (-o FILE)\n"
     "  compare STUDY A B     two designs side by side\n"
     "  compare STUDY STUDY   two studies of one problem\n"
     "  compare GROUP GROUP   groups of studies (folders, or A,B,...): medians and rank tests\n"
     "  pick STUDY            one design of the front, and why\n"
     "  limit STUDY NAME      what a constraint costs\n"
     "  case STUDY N          a case file that gives design N again (-o FILE)\n"
     "  check STUDY           is the file intact, are its designs reproduced?\n"
     "STUDY is a file, a folder with study.db, or the name of a folder below results/."},
    {"plot", "FOLDER [PICTURE...]", "pictures of a results folder, or overlays of several", 1,
     10000, GDYN_NEEDS_NOTHING, gdyn_cmd_plot,
     "FOLDER is a folder with pictures.list, or the name of one below results/; without PICTURE "
     "all\n"
     "are drawn. It runs the gnuplot scripts of the folder: use only folders that you trust.\n"
     "With --overlay all operands are folders (2 to 8): regions, limits over p, fastest motions,\n"
     "drive forces and fronts of all of them in one picture."},
    {"explain", "[CODE|units]", "what the code of a message means, and what to do; all units", 0, 1,
     GDYN_NEEDS_NOTHING, gdyn_cmd_explain,
     "Without CODE all codes are listed; CODE all prints everything. units: the units of numbers."},
    {"schema", "", "prints the JSON Schema of case files", 0, 0, GDYN_NEEDS_NOTHING,
     gdyn_cmd_schema, NULL},
};
const int gdyn_command_count = sizeof gdyn_command_table / sizeof *gdyn_command_table;

const gdyn_command *gdyn_command_find(const char *name) {
    for (int i = 0; i < gdyn_command_count; i++)
        if (!strcmp(gdyn_command_table[i].name, name))
            return &gdyn_command_table[i];
    return NULL;
}
