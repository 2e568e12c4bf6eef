/* cmd_simulate.c - forward dynamics: the machine is released, driven and recorded. */
#include "cli/cli.h"

#include "report/report.h"
#include "simulate/closings.h"
#include "trajectory/playback.h"

typedef struct command {
    const gdyn_options *options;
    const gdyn_opened *opened;
    const gdyn_model *model;
    gdyn_simulation_def def;
    char **drop, **independent; /* names of --drop, --independent */
    gdyn_named_point *points;   /* --record */
    bool mistaken;              /* an option names what there is not */
    gdyn_simulation *simulation;
    gdyn_record *record;
    gdyn_closings *closings; /* --closings */
    gdyn_sim_start start;
    gdyn_sim_outcome outcome;
    gdyn_progress progress;
    gdyn_sim_now now;
    char *folder;
    /* --motion: */
    gdyn_trajectory trajectory;
    gdyn_motion_table motion;
    gdyn_playback playback;
    gdyn_planned planned;
    int tracking[2];        /* columns of the distances from the path, [m] and [rad] */
    double miss[2], end[2]; /* them, greatest and at the end; NAN: the path prescribes none */
} command;

/* --- what is simulated ------------------------------------------------------------------------ */

/* --motion: the motion and the trajectory that it runs along. */
static int read_motion(command *run) {
    const gdyn_options *o = run->options;
    gdyn_sink console = gdyn_console_sink();
    gdyn_trajectory *t = &run->trajectory;
    int first, count, code = gdyn_choose_trajectories(o, run->opened->instance, &first, &count);
    if (code == GDYN_EXIT_YES && count != 1)
        code = gdyn_cli_fail(
            GDYN_EXIT_USAGE, NULL,
            GDYN_CODE_USAGE "--motion is a motion along one trajectory: name it with --trajectory");
    /* The path and the dynamics along it, from which the forces of the motion follow. */
    if (code == GDYN_EXIT_YES)
        code = gdyn_exit_code(
            gdyn_trajectory_open(t, run->opened->instance, first, &run->opened->sink));
    gdyn_stage("the trajectory");
    code = code == GDYN_EXIT_YES ? gdyn_drive(o, t) : code;
    if (code != GDYN_EXIT_YES)
        return code;
    /* p of the table in the units of this path. */
    gdyn_motion_range range = {t->name, t->dimension, gdyn_path_dynamics_first(t->dynamics),
                               gdyn_path_dynamics_last(t->dynamics), t->path};
    gdyn_status status = gdyn_motion_table_read(&run->motion, o->motion, &range, &console);
    if (status == GDYN_OK && run->motion.travels)
        status = gdyn_path_dynamics_regularize(t->dynamics);
    if (status != GDYN_OK)
        return gdyn_exit_code(status);
    /* Times follow from p and d1 where the table has none. */
    if (run->motion.count < 2 ||
        (!run->motion.timed && !gdyn_motion_times(run->motion.count, run->motion.sample)))
        return gdyn_cli_fail(GDYN_EXIT_CASE, "a traverse.csv has its times in the column t",
                             GDYN_CODE_FILE "%s is not a motion in time", o->motion);
    status = gdyn_planned_compare(t, o->motion, &run->planned);
    status = status == GDYN_OK ? gdyn_playback_open(&run->playback, t, &run->motion) : status;
    if (status == GDYN_ERROR_NUMERIC)
        return gdyn_cli_fail(GDYN_EXIT_NUMERIC, NULL,
                             GDYN_CODE_ASSEMBLY "the machine cannot reach the start of %s",
                             o->motion);
    return gdyn_cli_judge(status);
}

/* The case starts on a trajectory: pose and velocities there. */
static int start_along(command *run) {
    gdyn_simulation_def *def = &run->def;
    gdyn_trajectory *t = &run->trajectory;
    gdyn_point_status found = GDYN_POINT_OK;
    gdyn_status status =
        gdyn_trajectory_open(t, run->opened->instance, def->along, &run->opened->sink);
    gdyn_stage("the trajectory");
    if (status == GDYN_OK)
        status = gdyn_playback_stand(&run->playback, t, def->along_p, def->along_speed, &found);
    if (status == GDYN_ERROR_ARGUMENT || status == GDYN_ERROR_NUMERIC)
        return gdyn_cli_fail(
            status == GDYN_ERROR_ARGUMENT ? GDYN_EXIT_CASE : GDYN_EXIT_NO, NULL,
            GDYN_CODE_ASSEMBLY "simulate.start: trajectory '%s' is %s at p = %s", t->name,
            status == GDYN_ERROR_ARGUMENT ? "not defined" : gdyn_point_status_name(found),
            gdyn_amount(isnan(def->along_p) ? gdyn_path_p(t->path, 0) : def->along_p, t->unit)
                .text);
    def->velocity = run->playback.velocity;
    def->velocity_count = gdyn_model_bodies(run->model);
    return gdyn_exit_code(status);
}

/* After every step: how far the run is; false after a signal. */
static bool goes_on(void *context, double t) {
    command *run = context;
    gdyn_progress_time(&run->progress, t, run->def.duration);
    return !gdyn_flag(&gdyn_interrupted);
}

/* The definition of the case with what the command line says instead. */
static int read_definition(command *run) {
    const gdyn_options *o = run->options;
    /* What the motion prescribes precedes what the case says. */
    if (o->motion && o->duration.value > 0)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_OPTION "--duration: a motion that is played has its own");
    if (o->motion)
        gdyn_playback_define(&run->playback, &run->def);
    if (o->duration.value > 0)
        run->def.duration = o->duration.value;
    if (!(run->def.duration > 0))
        return gdyn_cli_fail(
            GDYN_EXIT_CASE,
            "add to the case: simulate: {duration: 10 s}, or give --duration \"10 s\"",
            GDYN_CODE_NEEDS "%s defines no simulation", run->opened->filename);
    run->def.compare_closings = o->closings, run->def.goes_on = goes_on;
    run->def.goes_on_context = run;
    int code = gdyn_simulation_options(o, &run->def, &run->drop, &run->independent);
    return code == GDYN_EXIT_YES
               ? gdyn_record_options(o, run->opened->instance, &run->def, &run->points)
               : code;
}

/* What the command line states is its mistake, not the case's. */
static void retell(void *context, const gdyn_diag *diag) {
    command *run = context;
    const char *option = NULL;
    if (run->options->drop && strcmp(diag->path, "simulate.method.drop") == 0)
        option = "drop";
    else if (run->options->independent && strcmp(diag->path, "simulate.method.independent") == 0)
        option = "independent";
    if (!option) {
        run->opened->sink.emit(run->opened->sink.context, diag);
        return;
    }
    gdyn_cli_error(GDYN_CODE_OPTION "--%s: %s", option, diag->message);
    gdyn_cli_help("%s", diag->help ? diag->help : "");
    run->mistaken = true;
}

static int make_simulation(command *run) {
    gdyn_sink sink = {retell, run};
    gdyn_status status = gdyn_simulation_create(run->model, &run->def, &sink, &run->simulation);
    if (status != GDYN_OK)
        return run->mistaken ? GDYN_EXIT_USAGE : gdyn_exit_code(status);
    /* A motion is played from its own first pose. */
    if (run->playback.start)
        gdyn_simulation_place(run->simulation, run->playback.start);
    run->record = gdyn_record_create_for(run->model, &run->def, run->options->convention > 0);
    /* The distance from the path, as columns of its own. */
    if (run->record && run->options->motion) {
        run->tracking[0] =
            gdyn_record_add(run->record, GDYN_RECORD_TRACKING, "tracking.length", "m");
        run->tracking[1] =
            gdyn_record_add(run->record, GDYN_RECORD_TRACKING, "tracking.angle", "rad");
    }
    if (run->record && run->options->closings)
        run->closings = gdyn_closings_create(run->record);
    bool whole = run->record && (run->closings || !run->options->closings);
    return whole ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
}

/* --- running ---------------------------------------------------------------------------------- */

/* Records the machine at this output. */
static gdyn_status add_output(command *run) {
    gdyn_status status = gdyn_record_take(run->record, run->simulation);
    status = status == GDYN_OK ? gdyn_simulation_now(run->simulation, &run->now) : status;
    if (status == GDYN_OK && run->closings)
        status = gdyn_closings_take(run->closings, run->now.state);
    if (status != GDYN_OK || !run->options->motion)
        return status;
    /* How far the tool is from where the motion is. */
    status = gdyn_playback_miss(&run->playback, run->now.t, run->now.state, run->end);
    for (int k = 0; k < 2; k++) {
        gdyn_record_set(run->record, run->tracking[k], run->end[k]);
        run->miss[k] = fmax(run->miss[k], run->end[k]);
    }
    return status;
}

/* Way by way along a motion that is played: its forces may jump between them. */
static gdyn_status advance(command *run, double t) {
    gdyn_playback *b = &run->playback;
    gdyn_status status = GDYN_OK;
    while (run->options->motion && b->way + 2 < run->motion.count && gdyn_playback_end(b) < t &&
           status == GDYN_OK && run->outcome == GDYN_SIM_RUNS && !gdyn_flag(&gdyn_interrupted)) {
        status = gdyn_simulation_advance(run->simulation, gdyn_playback_end(b), &run->outcome);
        b->way++;
    }
    return status == GDYN_OK && run->outcome == GDYN_SIM_RUNS && !gdyn_flag(&gdyn_interrupted)
               ? gdyn_simulation_advance(run->simulation, t, &run->outcome)
               : status;
}

/* The first signal ends the run; the outputs before it are kept. */
static gdyn_status go(command *run) {
    /* Outputs behind the start; 100 where the case gives no interval. */
    int count = run->def.every > 0 ? (int)ceil(run->def.duration / run->def.every - 1e-9) : 100;
    gdyn_status status = add_output(run);
    gdyn_interrupts_stop("the end of the simulation");
    for (int i = 1; i <= count && status == GDYN_OK && run->outcome == GDYN_SIM_RUNS; i++) {
        /* The last output is at the end exactly. */
        double t = i == count           ? run->def.duration
                   : run->def.every > 0 ? i * run->def.every
                                        : i * run->def.duration / count;
        status = advance(run, t);
        if (gdyn_flag(&gdyn_interrupted))
            break;
        /* A run that breaks down still has its last state. */
        bool last = run->outcome == GDYN_SIM_STUCK || run->outcome == GDYN_SIM_DIVERGES;
        if (status == GDYN_OK && (run->outcome == GDYN_SIM_RUNS || last)) {
            gdyn_status taken = add_output(run);
            status = run->outcome == GDYN_SIM_RUNS ? taken : GDYN_OK;
        }
    }
    gdyn_progress_end(&run->progress);
    return status;
}

/* --- text ------------------------------------------------------------------------------------- */

/* How the start was found. */
static void print_start(const command *run) {
    const gdyn_sim_start *s = &run->start;
    if (s->closure.outcome != GDYN_CLOSED)
        return;
    printf("start: assembled to %.2g by moving %.3g m; mobility %d, %d redundant constraint%s\n",
           s->closure.residual, s->moved, s->mobility, s->redundant, gdyn_plural(s->redundant));
    if (s->guess_shaken > 0)
        printf("       the first guess was displaced at random by %.3g of the machine's length\n",
               s->guess_shaken);
    /* a start beside a singular pose */
    if (s->gained > 0)
        printf("       the first pose is singular: near it the rank is higher by %d. The start "
               "was moved "
               "there, by %.3g m at most (body '%s')\n",
               s->gained, s->shaken, gdyn_model_body(run->model, s->shaken_body)->name);
    /* coordinates that the guess fixes */
    if (s->held > 0)
        printf("       %d %scoordinate%s held where the first guess has %s\n", s->held,
               run->def.kept_count ? "" : "independent ", s->held == 1 ? " was" : "s were",
               s->held == 1 ? "it" : "them");
    gdyn_print_start_velocity(run->model, s);
}

/* The first events, one line each. */
static void print_events(const command *run) {
    enum { SHOWN = 12 };
    int count;
    const gdyn_sim_event *event = gdyn_simulation_events(run->simulation, &count);
    for (int i = 0; i < count && i < SHOWN; i++) {
        const gdyn_sim_event *e = &event[i];
        const char *name = gdyn_simulation_event_name(run->simulation, e);
        printf("event: t = %.6g s: ", e->t);
        /* friction sticks or slips; a range is left, perhaps for good */
        if (e->kind != GDYN_SIM_LEAVES) {
            printf("%s %s\n", name, e->kind == GDYN_SIM_STICKS ? "sticks" : "slips");
            continue;
        }
        printf("'%s' is beyond its %s, by %.4g %s at most, ", name, e->upper ? "max" : "min", e->by,
               gdyn_model_range_slides(run->model, e->index) ? "m" : "rad");
        if (isnan(e->until))
            printf("to the end (stops are not modelled)\n");
        else
            printf("until %.6g s (stops are not modelled)\n", e->until);
    }
    if (count > SHOWN)
        printf("       and %d more events (simulate.json)\n", count - SHOWN);
}

/* Limits that were exceeded, one line each. */
static void print_limits(const command *run) {
    enum { SHOWN = 12 };
    int count;
    const gdyn_sim_limit *limit = gdyn_simulation_limits(run->simulation, &count);
    for (int i = 0; i < count && i < SHOWN; i++) {
        const gdyn_sim_limit *l = &limit[i];
        const gdyn_limit_kind *kind = l->item.kind;
        const char *unit = gdyn_record_limit_unit(run->model, l);
        printf("limit: '%s' exceeds its %s by %.4g%s%s at most, first at t = %.6g s, for %.4g s in "
               "all\n",
               gdyn_limit_item_name(run->model, &l->item),
               kind->at || kind->quantity ? gdyn_limit_kind_word(kind)
               : l->upper                 ? "max"
                                          : "min",
               l->amount, *unit ? " " : "", unit, l->t, l->time);
    }
    if (count > SHOWN)
        printf("       and %d more limits (simulate.json)\n", count - SHOWN);
}

static void print_end(const command *run) {
    const gdyn_record *r = run->record;
    printf("reached: t = %.6g s of %.6g s in %ld steps, %ld evaluations\n", run->now.t,
           run->def.duration, run->now.steps, run->now.evaluations);
    /* Of the methods that choose rows or coordinates. */
    if (run->now.choices > 1)
        printf("         rows or coordinates were chosen again %d times\n", run->now.choices - 1);
    if (run->now.passed > 0)
        printf("         %ld steps near singular poses by the augmented Lagrangian\n",
               run->now.passed);
    printf("residuals: position %.2g m, velocity %.2g m/s, acceleration %.2g m/s^2\n",
           r->residual[0], r->residual[1], r->residual[2]);
    printf("energy: imbalance at most %.3g J of %.3g J exchanged; projection %.3g J\n",
           r->imbalance, r->exchange, r->energy.projection);
    /* Reactions that the rigid machine leaves open at some time. */
    int open = 0, components = 0;
    for (int c = 0; c < r->columns; c++) {
        /* those along the ground's axes are the same once more */
        int component = r->column[c].component;
        if (component < 0 || r->column[c].ground)
            continue;
        components++;
        open += r->worst[component] != GDYN_UNIQUE;
    }
    if (open > 0)
        printf("reactions: %d of %d components are indeterminate in the rigid machine%s\n", open,
               components, r->all ? "; those numbers are the method's choice" : " and left empty");
}

/* A motion that was planned for another machine has other forces than this one needs. */
static void print_planned(const command *run) {
    const gdyn_planned *p = &run->planned;
    char time[40] = "";
    if (p->row < 0)
        return;
    const gdyn_limited *row = &run->trajectory.row[p->row];
    if (!isnan(p->t))
        snprintf(time, sizeof time, "t = %.6g s, ", p->t);
    gdyn_cli_warn("%s was planned for another machine: at %sp = %s '%s' has %s there, "
                  "and this "
                  "machine needs %s. The forces played are those of this machine",
                  run->options->motion, time, gdyn_amount(p->p, run->trajectory.unit).text,
                  row->name, gdyn_amount(p->force, row->unit).text,
                  gdyn_amount(p->needed, row->unit).text);
}

/* How far the machine is from assembled, and whether an error of geometry is to blame. */
static void print_opening(const command *run) {
    const gdyn_sim_start *s = &run->start;
    const char *joint = s->closure.worst_joint >= 0
                            ? gdyn_model_joint(run->model, s->closure.worst_joint)->name
                            : "a motion";
    double left = s->closure.residual * gdyn_model_length(run->model);
    /* A contradiction among redundant rows, or lengths that do not fit. */
    if (s->redundant > 0)
        gdyn_cli_help("%d redundant constraint%s contradict%s the others by %.3g m (at '%s'): this "
                      "small geometric error turns the mechanism into a structure",
                      s->redundant, gdyn_plural(s->redundant), s->redundant == 1 ? "s" : "", left,
                      joint);
    else
        gdyn_cli_help("%.3g m remain at '%s' at the pose nearest to assembled", left, joint);
    gdyn_text held = {0};
    for (int i = 0; i < run->def.kept_count; i++)
        gdyn_text_printf(&held, "%s'%s'", i ? ", " : "",
                         gdyn_model_body(run->model, run->def.kept[i])->name);
    if (held.data)
        gdyn_cli_help("the poses of the bodies that are held do not fit together: %s", held.data);
    gdyn_text_free(&held);
    if (s->serves >= 0)
        gdyn_cli_help("closing: %s (--closing %s) assembles this guess",
                      gdyn_sim_closing_names[s->serves], gdyn_sim_closing_names[s->serves]);
}

/* Fixed steps have no control of their error, and long ones with control may jump a singular pose
 * and go on along another branch: the balance of energy shows both. */
static void print_imbalance(const command *run) {
    const double SHARE = 0.001, ROUNDING = 1e-9;
    const gdyn_record *r = run->record;
    /* a machine at rest has rounding alone: beside one that moves by its length in the duration */
    double pace = gdyn_model_length(run->model) / run->def.duration;
    double least = gdyn_model_mass(run->model) * pace * pace;
    double most = SHARE * r->swing + ROUNDING * fmax(r->exchange, least);
    if (run->outcome != GDYN_SIM_RUNS || !(r->imbalance > most))
        return;
    if (run->def.step == 0)
        gdyn_cli_warn("energy is off by %.3g J where at most %.3g J move: %s may have "
                      "jumped a singular pose; use a smaller tolerance or another integrator",
                      r->imbalance, r->swing, gdyn_sim_integrator_names[run->def.integrator]);
    else
        gdyn_cli_warn("with steps of %g s energy is off by %.3g J where at most %.3g J "
                      "move: use a shorter step",
                      run->def.step, r->imbalance, r->swing);
}

/* Errors and warnings of the run, on standard error. */
static void print_verdict(const command *run) {
    /* The run was cut off, or broke down; why; what may help. */
    if (gdyn_flag(&gdyn_interrupted))
        gdyn_cli_error(GDYN_CODE_STOPPED "interrupted at t = %.6g s: the rows up to there are kept",
                       run->now.t);
    if (run->outcome != GDYN_SIM_RUNS)
        gdyn_cli_error(GDYN_CODE_ASSEMBLY "%s at t = %.6g s: %s", run->opened->instance->name,
                       run->now.t, gdyn_sim_outcome_text(run->outcome));
    if (run->outcome == GDYN_SIM_OPEN)
        print_opening(run);
    if (run->outcome == GDYN_SIM_MASSLESS && run->start.massless >= 0)
        gdyn_cli_help("give body '%s' a mass or an inertia, or hold it by a joint",
                      gdyn_model_body(run->model, run->start.massless)->name);
    bool breaks = run->outcome == GDYN_SIM_DIVERGES || run->outcome == GDYN_SIM_STUCK;
    if (breaks && run->def.method == GDYN_SIM_COMPLIANCE) {
        /* Compliant constraints are stiff beside the steps. */
        char step[60] = "the minimum step";
        if (run->def.step > 0)
            snprintf(step, sizeof step, "a step of %g s", run->def.step);
        gdyn_cli_help(
            "compliance is stiff compared with %s of %s: use semi_implicit_euler, an implicit "
            "integrator (bulirsch_stoer, implicit_gauss), or a shorter step",
            step, gdyn_sim_integrator_names[run->def.integrator]);
    }
    /* What makes numbers doubtful: long steps, drift, and load that only the compliance splits. */
    print_imbalance(run);
    if (run->options->motion)
        print_planned(run);
    const gdyn_record *r = run->record;
    if (r->held > GDYN_SIM_HINDERED)
        gdyn_cli_warn(
            "from t = %.6g s on drift lets redundant constraints push along the "
            "mechanism's freedoms, with up to %.2g of the acceleration that the loads give: %s",
            r->structure ? r->structure_time : r->held_time, r->held,
            r->structure ? "the mechanism becomes a structure" : "this hinders its motion");
    if (run->def.method == GDYN_SIM_COMPLIANCE && run->start.redundant > 0 && run->record->all)
        gdyn_cli_warn("how load is split among redundant constraints is the "
                      "compliance's choice");
}

/* --- files ------------------------------------------------------------------------------------ */

/* Pictures, table and document in the folder. */
static gdyn_status write_files(command *run, const gdyn_simulated *simulated, gdyn_text *document) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_pictures pictures = gdyn_cli_pictures(run->folder);
    gdyn_text table = {0}, ways = {0};
    gdyn_status status = gdyn_report_folder(run->folder, &console);
    gdyn_report_simulation_csv(&table, simulated);
    gdyn_report_assembly_csv(&ways, simulated);
    pictures.partial = run->options->no_pictures;
    if (status == GDYN_OK && !run->options->no_pictures)
        gdyn_pictures_of_simulation(&pictures, simulated);
    if (status == GDYN_OK)
        status = gdyn_cli_draw(run->options, "simulate", &pictures);
    status = status == GDYN_OK ? gdyn_cli_write(run->folder, "simulate.csv", &table) : status;
    status = status == GDYN_OK ? gdyn_cli_write(run->folder, "simulate.json", document) : status;
    if (status == GDYN_OK && run->options->closings)
        status = gdyn_cli_write(run->folder, "assembly.csv", &ways);
    if (status == GDYN_OK && !run->options->json)
        gdyn_cli_print_pictures(&pictures);
    gdyn_text_free(&table), gdyn_text_free(&ways);
    gdyn_pictures_free(&pictures);
    return status;
}

/* Text or JSON, then the files; an exit code. */
static int report(command *run) {
    gdyn_text document = {0};
    int assemblies;
    const gdyn_assembly *assembly = gdyn_simulation_assemblies(run->simulation, &assemblies);
    /* All that reports need, without the command's options. */
    gdyn_simulated simulated = {.name = run->opened->instance->name,
                                .def = &run->def,
                                .start = &run->start,
                                .outcome = run->outcome,
                                .record = run->record,
                                .simulation = run->simulation,
                                .assembly = assembly,
                                .assemblies = assemblies,
                                .steps = run->now.steps,
                                .evaluations = run->now.evaluations,
                                .trajectory = run->options->motion ? &run->trajectory : NULL,
                                .planned = run->planned};
    gdyn_status status = gdyn_report_simulation_json(&document, &simulated);
    if (status == GDYN_OK && !run->options->json) {
        /* By what the motion is integrated: as the case says, or the command line instead. */
        const gdyn_simulation_def *d = &run->def;
        printf("method: %s, stabilization %s, integrator %s", gdyn_sim_method_names[d->method],
               gdyn_sim_hold_names[d->hold], gdyn_sim_integrator_names[d->integrator]);
        if (d->step > 0)
            printf(", step %g s\n", d->step);
        else
            printf(", tolerance %g\n", d->tolerance);
        print_start(run);
        if (run->record->frames > 0) {
            print_end(run);
            print_events(run);
            print_limits(run);
        }
        if (run->options->motion) {
            /* Distances from the path of a motion that is played. */
            static const char *const units[] = {"m", "rad"};
            printf("tracking: ");
            for (int k = 0, said = 0; k < 2; k++)
                if (!isnan(run->end[k]))
                    printf("%s%.3g %s from trajectory '%s' at most, %.3g %s at the end",
                           said++ ? "; " : "", run->miss[k], units[k], run->trajectory.name,
                           run->end[k], units[k]);
            printf("\n");
        }
    } else if (status == GDYN_OK) {
        gdyn_cli_out(document.data, document.length);
    }
    print_verdict(run);
    /* An empty record leaves no files. */
    if (status == GDYN_OK && run->record->frames > 0)
        status = write_files(run, &simulated, &document);
    gdyn_text_free(&document);
    if (status == GDYN_OK && run->record->frames > 0)
        gdyn_cli_note(run->options, "Results are in %s/", run->folder);
    return gdyn_exit_code(status);
}

int gdyn_cmd_simulate(gdyn_session *s) {
    const gdyn_options *options = s->options;
    command run = {.options = options,
                   .opened = &s->opened,
                   .progress = gdyn_progress_begin(options),
                   .model = s->opened.instance->model,
                   .def = s->opened.instance->simulation};
    /* Motion, definition, start, run, report. */
    int code = options->motion      ? read_motion(&run)
               : run.def.along >= 0 ? start_along(&run)
                                    : GDYN_EXIT_YES;
    code = code == GDYN_EXIT_YES ? read_definition(&run) : code;
    if (code == GDYN_EXIT_YES) {
        run.folder = gdyn_results_folder(options, run.opened->filename);
        code = run.folder ? make_simulation(&run) : GDYN_EXIT_FILE;
    }
    if (code == GDYN_EXIT_YES) {
        gdyn_stage("the start");
        gdyn_status status = gdyn_simulation_start(run.simulation, &run.start, &run.outcome);
        if (status == GDYN_OK && run.outcome == GDYN_SIM_RUNS)
            status = go(&run);
        if (status != GDYN_OK)
            gdyn_cli_error(GDYN_CODE_NUMERICS "the simulation fails at t = %.6g s: %s", run.now.t,
                           gdyn_status_text(status));
        code = gdyn_exit_code(status);
    }
    code = code == GDYN_EXIT_YES ? report(&run) : code;
    /* interrupted, or a run that broke down */
    if (code == GDYN_EXIT_YES && gdyn_flag(&gdyn_interrupted))
        code = gdyn_interrupt_exit_code();
    else if (code == GDYN_EXIT_YES && run.outcome != GDYN_SIM_RUNS)
        code = GDYN_EXIT_NO;
    /* everything is freed in any case */
    free(run.drop), free(run.independent), free(run.points);
    gdyn_playback_close(&run.playback);
    gdyn_motion_table_close(&run.motion);
    gdyn_trajectory_close(&run.trajectory);
    gdyn_closings_destroy(run.closings);
    gdyn_record_destroy(run.record);
    gdyn_simulation_destroy(run.simulation);
    gdyn_free(run.folder);
    return code;
}
