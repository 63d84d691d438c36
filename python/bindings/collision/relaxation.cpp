// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision/relaxation.hpp>

#include "bindings.hpp"
#include "collision/collision_options.hpp"
#include "collision/relaxation/exact_solutions.hpp"
#include "support/host_arrays.hpp"
#include "support/interrupts.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

namespace {

using collision::BkwSolution;
using collision::TwoBeams;

constexpr const char* operation = "relaxation";

const Options<RelaxationOptions>& relaxation_options() {
  static const auto table = Options<RelaxationOptions>()
                                .add("scheme", &RelaxationOptions::scheme)
                                .add("step", &RelaxationOptions::step)
                                .add("step_share", &RelaxationOptions::step_share);
  return table;
}

struct RelaxationKeywords {
  CollisionOptions collision;
  RelaxationOptions scheme;
  std::optional<Communicator> ranks = {};
};

const Options<RelaxationKeywords>& relaxation_keywords() {
  static const auto table = Options<RelaxationKeywords>()
                                .add_members(&RelaxationKeywords::scheme, relaxation_options())
                                .add_members(&RelaxationKeywords::collision, collision_options())
                                .add("ranks", &RelaxationKeywords::ranks);
  return table;
}

constexpr const char* relaxation_ranks_parameter = R"(ranks : shoal.mpi.Ranks, optional
    Ranks that share the cells: each gives `start` its own cells, also none, and has their states. All take the same
    steps; `start` and `advance_to` are calls of all ranks.
)";

class BoundRelaxation : public FloatOrDoublePlan<Relaxation> {
 public:
  BoundRelaxation(PlanContext context, const VelocityGrid& grid, const CollidingGas& gas,
                  const RelaxationKeywords& keywords)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, grid, gas, keywords]<class Real>() {
                            return std::make_unique<Relaxation<Real>>(
                                make_collision<Real>(queue, grid, gas, keywords.collision), keywords.scheme,
                                ranks_or_alone(keywords.ranks));
                          }),
        ranks_(ranks_or_alone(keywords.ranks)),
        nodes_(grid.nodes) {}

  void start(nb::handle f) {
    use([&]<class Real>(AlternatingPlans<Relaxation<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(f, "f");
      library = call.library();
      call.run([&] { plans.unshared().start(in); });
    });
  }

  void advance_to(double time) {
    Interrupts interrupts;
    use([&](auto& plans, auto) {
      CallArrays call(operation, context());
      call.run([&] { plans.current().advance_to(time, [&] { return all_may_continue(ranks_, interrupts); }); });
    });
    raise_on_all(ranks_, interrupts);
  }

  /// Copy of the distribution, because every step changes the memory of the plan.
  nb::object f() {
    return use([&]<class Real>(AlternatingPlans<Relaxation<Real>>& plans, Real) {
      CallArrays call(operation, context());
      call.set_library(library);
      const View<const Real> distribution = plans.current().f();
      const std::int64_t n = nodes_;
      auto [array, result] = call.result<Real>(nb::none(), {distribution.count / (n * n * n), n, n, n});
      call.run([&, result = result] { copy<Real>(context().queue, distribution, result); });
      return array;
    });
  }

  std::vector<RelaxationState> states() {
    return use([](auto& plans, auto) {
      const GilRelease gil_release;
      return plans.current().states();
    });
  }

  template <class Get>
  auto get(Get get_property) {
    return use([&](auto& plans, auto) { return get_property(plans.current()); });
  }

 private:
  Communicator ranks_;
  int nodes_;
};

template <class Solution>
void bind_values(nb::class_<Solution>& bound) {
  bound.def(
      "distribution",
      [](const Solution& solution, const VelocityGrid& grid, double time) {
        const auto n = static_cast<std::size_t>(grid.nodes);
        return take_over(collision::at_velocities<double>(grid,
                                                          [&](const std::array<double, 3>& v) {
                                                            if constexpr (requires { solution.distribution(v); })
                                                              return solution.distribution(v);
                                                            else
                                                              return solution.distribution(
                                                                  v[0] * v[0] + v[1] * v[1] + v[2] * v[2], time);
                                                          }),
                         {n, n, n});
      },
      "grid"_a, "time"_a = 0.0, nb::sig("def distribution(self, grid: VelocityGrid, time: float = 0.0) -> typing.Any"),
      "f at the nodes of a velocity grid: float64 [z, y, x], s3/m6.");
}

void bind_solutions(nb::module_& module) {
  static const auto bkw_options = Options<BkwSolution>()
                                      .add("density", &BkwSolution::density)
                                      .add("temperature", &BkwSolution::temperature)
                                      .add("frequency", &BkwSolution::frequency)
                                      .add("amplitude", &BkwSolution::amplitude);
  nb::class_<BkwSolution> bkw(module, "BkwSolution",
                              R"(Exact relaxation of an isotropic gas of Maxwell molecules at rest.

Parameters
----------
density : float
    1/m3.
temperature : float
    m2/s2, k T / m.
frequency : float
    1/s, collision frequency of a molecule.
amplitude : float
    Distance from equilibrium at time 0; at most 2/5.

References
----------
Bobylev (1975); Krook and Wu (1976).
)");
  bkw.def(
         "__init__",
         [](BkwSolution* self, const nb::kwargs& keywords) {
           new (self) BkwSolution(read_options("bkw_solution", keywords, bkw_options));
         },
         "keywords"_a, nb::sig(signature("def __init__(self, *, ", bkw_options.signature(), ") -> None")))
      .def("moments", &BkwSolution::moments, "time"_a, "<c**p> / (p + 1)!! for p = 2, 4, 6, 8, 10.")
      .def("entropy", &BkwSolution::entropy, "time"_a, "-int f ln f, to about 1e-12.");
  bind_values(bkw);

  static const auto beam_options = Options<TwoBeams>()
                                       .add("density", &TwoBeams::density)
                                       .add("temperature", &TwoBeams::temperature)
                                       .add("velocity", &TwoBeams::velocity)
                                       .add("apart", &TwoBeams::apart);
  nb::class_<TwoBeams> beams(module, "TwoBeams",
                             R"(Two interpenetrating Maxwellian beams of half the density each.

Parameters
----------
density : float
    1/m3, both beams together.
temperature : float
    m2/s2, k T / m of each beam.
velocity : sequence of float
    m/s, mean velocity.
apart : sequence of float
    m/s, velocity of one beam relative to the mean; the other has the opposite.
)");
  beams.def(
      "__init__",
      [](TwoBeams* self, const nb::kwargs& keywords) {
        new (self) TwoBeams(read_options("two_beams", keywords, beam_options));
      },
      "keywords"_a, nb::sig(signature("def __init__(self, *, ", beam_options.signature(), ") -> None")));
  bind_values(beams);
}

}  // namespace

void bind_relaxation(nb::module_& module) {
  bind_solutions(module);
  nb::class_<RelaxationState>(module, "RelaxationState", "State of a relaxing cell.")
      .def_ro("moments", &RelaxationState::moments, "VelocityMoments")
      .def_ro("even", &RelaxationState::even, "list of float: <c**p> / (p + 1)!!, p = 2, 4, 6, 8, 10, (m/s)**p.")
      .def_ro("entropy", &RelaxationState::entropy, "float: -int f ln f.")
      .def_ro("least", &RelaxationState::least, "float: s3/m6, smallest f.")
      .def_prop_ro("energy", &RelaxationState::energy, "float: int v**2/2 f, 1/m/s2, which collisions conserve.");

  nb::class_<BoundRelaxation> plan(
      module, "Relaxation",
      signature(
          R"(Homogeneous relaxation, df/dt = Q(f, f), of one cell or many.

Parameters
----------
grid : VelocityGrid
molecules : Molecules or Mixture
scheme : {"euler", "tvd_rk2", "tvd_rk3"}
    Explicit Runge-Kutta scheme whose stages are convex combinations of Euler steps.
step : float
    s; 0: the longest that `step_share` allows.
step_share : float
    Time step over the step bound 1 / max frequency; above 0, at most 1.
)",
          collision_parameters, relaxation_ranks_parameter, context_parameters,
          "\nExamples\n--------\n>>> gas = shoal.Relaxation(grid, shoal.Molecules(rate=1))\n>>> gas.start(f)\n>>> "
          "gas.advance_to(2)\n>>> gas.states()[0].entropy\n\nReferences\n----------\nMalkov and Ivanov; Shu and Osher "
          "(1988)."));
  plan.def(
          "__init__",
          [](BoundRelaxation* self, const VelocityGrid& grid, const CollidingGas& molecules,
             const nb::kwargs& keywords) {
            RelaxationKeywords options;
            ContextOptions context;
            read_options(operation, keywords, relaxation_keywords(), options, context_options(), context);
            new (self) BoundRelaxation(make_context(operation, context, ranks_or_alone(options.ranks)), grid, molecules,
                                       options);
          },
          "grid"_a, "molecules"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, grid: VelocityGrid, molecules: Molecules | Mixture, *, ",
                            relaxation_keywords().signature(), ", ", context_options().signature(), ") -> None")))
      .def("start", &BoundRelaxation::start, "f"_a.none(), nb::sig("def start(self, f: typing.Any) -> None"),
           R"(Copies f and sets the time to 0.

Parameters
----------
f : array (n, n, n) or (cells, n, n, n)
    s3/m6, f[..., z, y, x] in C order, on the plan's device.

Raises
------
Error
    f is negative or not finite, or not a whole number of cells.
)")
      .def("advance_to", &BoundRelaxation::advance_to, "time"_a,
           R"(Advances to `time`, s. Ctrl-C ends it between two steps.

Raises
------
Error
    Not started, `time` is in the past, the given step is above the bound, f became negative or not finite.
)")
      .def("states", &BoundRelaxation::states, "RelaxationState of each cell.")
      .def_prop_ro("f", &BoundRelaxation::f, nb::sig("def f(self) -> typing.Any"),
                   "array: the distribution, [cells, z, y, x], s3/m6. Each call returns a new array.")
      .def_prop_ro(
          "time", [](BoundRelaxation& gas) { return gas.get([](auto& relaxation) { return relaxation.time(); }); },
          "float: s.")
      .def_prop_ro(
          "steps", [](BoundRelaxation& gas) { return gas.get([](auto& relaxation) { return relaxation.steps(); }); },
          "int: steps since `start`.")
      .def_prop_ro(
          "step", [](BoundRelaxation& gas) { return gas.get([](auto& relaxation) { return relaxation.step(); }); },
          "float: s, length of the latest step.")
      .def("wait", &BoundRelaxation::wait, "Waits for all work of the plan's stream, and raises its errors.")
      .def_prop_ro(
          "method",
          [](BoundRelaxation& gas) {
            return gas.get([](auto& relaxation) { return relaxation.collision().method(); });
          },
          "MethodInfo: method that the plan selected.");
}

}  // namespace shoal::python
