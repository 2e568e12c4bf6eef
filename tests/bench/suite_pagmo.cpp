// suite_pagmo.cpp - problems of the suite as problems of pagmo 2, solved by its methods.
#include "suite_pagmo.h"

#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/cstrs_self_adaptive.hpp>
#include <pagmo/algorithms/gaco.hpp>
#include <pagmo/algorithms/maco.hpp>
#include <pagmo/algorithms/moead.hpp>
#include <pagmo/algorithms/nsga2.hpp>
#include <pagmo/algorithms/nspso.hpp>
#include <pagmo/algorithms/sade.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <pagmo/problems/unconstrain.hpp>

#include <cmath>
#include <cstring>

namespace {

constexpr unsigned members = 100;

struct suite {
    const suite_problem *problem = nullptr;
    suite_record *record = nullptr;
    void *context = nullptr;

    pagmo::vector_double fitness(const pagmo::vector_double &x) const {
        double lower[SUITE_VARIABLES], upper[SUITE_VARIABLES], f[SUITE_OBJECTIVES], g[SUITE_CONSTRAINTS];
        bool whole[SUITE_VARIABLES];
        suite_bounds(problem, lower, upper, whole);
        pagmo::vector_double design(x);
        for (int j = 0; j < problem->n; j++)
            if (whole[j])
                design[j] = std::floor(design[j] + 0.5);
        problem->evaluate(problem, design.data(), f, g);
        record(context, f, g);
        pagmo::vector_double all(f, f + problem->m);
        all.insert(all.end(), g, g + problem->constraints);
        return all;
    }
    pagmo::vector_double::size_type get_nobj() const { return problem->m; }
    pagmo::vector_double::size_type get_nic() const { return problem->constraints; }
    std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const {
        double lower[SUITE_VARIABLES], upper[SUITE_VARIABLES];
        bool whole[SUITE_VARIABLES];
        suite_bounds(problem, lower, upper, whole);
        return {pagmo::vector_double(lower, lower + problem->n), pagmo::vector_double(upper, upper + problem->n)};
    }
    template <typename Archive>
    void serialize(Archive &, unsigned) {}
};

// The method for so many generations of the population; false: there is none of that name.
bool choose(const char *name, bool single, unsigned generations, unsigned seed, pagmo::algorithm &algorithm) {
    if (!single && std::strcmp(name, "pagmo-nsga2") == 0)
        algorithm = pagmo::algorithm{pagmo::nsga2{generations, 0.95, 10., 0.01, 50., seed}};
    else if (!single && std::strcmp(name, "pagmo-moead") == 0)
        algorithm = pagmo::algorithm{
            pagmo::moead{generations, "low discrepancy", "tchebycheff", 20, 1., 0.5, 20., 0.9, 2, true, seed}};
    else if (!single && std::strcmp(name, "pagmo-nspso") == 0)
        algorithm = pagmo::algorithm{
            pagmo::nspso{generations, 0.6, 2., 2., 1., 0.5, 2, "crowding distance", false, seed}};
    else if (!single && std::strcmp(name, "pagmo-maco") == 0)
        algorithm = pagmo::algorithm{pagmo::maco{generations, 63, 1., 1, 7, 10000, 0., false, seed}};
    else if (single && std::strcmp(name, "pagmo-gaco") == 0)
        algorithm = pagmo::algorithm{pagmo::gaco{generations, 63, 1., 0., 0.01, 1, 7, 100000, 100000, 0., false, seed}};
    else if (single && std::strcmp(name, "pagmo-sade") == 0)
        algorithm = pagmo::algorithm{
            pagmo::cstrs_self_adaptive{generations, pagmo::algorithm{pagmo::sade{1, 2, 1, 1e-6, 1e-6, false, seed}}, seed}};
    else
        return false;
    return true;
}

} // namespace

bool suite_pagmo_run(const suite_problem *problem, const char *method, unsigned seed, long budget,
                     suite_record *record, void *context) {
    suite own;
    own.problem = problem, own.record = record, own.context = context;
    bool single = problem->m == 1;
    pagmo::algorithm algorithm;
    if (!choose(method, single, static_cast<unsigned>(budget / members), seed, algorithm))
        return false;
    pagmo::problem posed{own};
    if (!single && problem->constraints > 0)
        posed = pagmo::problem{pagmo::unconstrain{posed, "kuri"}};
    pagmo::population population{posed, members, seed};
    algorithm.evolve(population);
    return true;
}
