/* scaling.h - how well a search uses many ranks: a simulation of the scheduler of src/study/ranks.c,
 * event by event, and a model in closed form (internal to bench_scaling).
 *
 * Both speak of one search: generations of `population` designs, none begun before all of the last
 * one have come back; the cost of a design is lognormal with a mean and a spread (standard deviation
 * over mean). Efficiency = what the designs cost / (time x workers). */
#ifndef SCALING_H
#define SCALING_H

/* Seconds. */
typedef struct scaling_costs {
    double send, receive; /* one message at rank 0, with packing */
    double commit;        /* one design into the archive */
    double flight;        /* of a message between ranks */
    double slack;         /* that a sleep is longer than asked for */
    double start;         /* until a thread that waits has its design */
    double generation;    /* of the search itself, per generation and ... */
    double member;        /* ... per design of it */
} scaling_costs;

typedef struct scaling_search {
    int ranks, threads; /* threads of each rank */
    int population, generations;
    double mean, spread;
} scaling_search;

/* Cost of a design by its serial number: the same for simulation and measurement. */
double scaling_design_cost(const scaling_search *search, long serial);
/* Seconds that the designs of the search cost, all in all. */
double scaling_work(const scaling_search *search);
/* Seconds that the search takes; negative when there is no memory. */
double scaling_simulate(const scaling_search *search, const scaling_costs *costs);
/* The same in closed form. */
double scaling_model(const scaling_search *search, const scaling_costs *costs);

#endif
