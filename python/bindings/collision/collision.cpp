// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision.hpp>

#include "bindings.hpp"
#include "collision/collision_options.hpp"
#include "support/host_arrays.hpp"
#include "support/inputs.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

/// {"family": "design", "degree": 9, "half": True}
template <>
struct OptionType<DirectionOptions> {
  static const Options<DirectionOptions>& table() {
    static const auto options = Options<DirectionOptions>()
                                    .add("family", &DirectionOptions::family)
                                    .add("degree", &DirectionOptions::degree)
                                    .add("half", &DirectionOptions::half);
    return options;
  }
  static std::string name() { return "collections.abc.Mapping[str, typing.Any]"; }
  static std::string literal(const DirectionOptions&) { return "{}"; }
  static DirectionOptions read(const std::string& option, nb::handle value) {
    if (!PyDict_Check(value.ptr())) bad_option(option, value, "a dict of " + join(table().names()));
    return read_options(option.c_str(), nb::borrow<nb::kwargs>(value), table());
  }
};

const Options<CollisionOptions>& collision_options() {
  static const auto table = Options<CollisionOptions>()
                                .add("approach", &CollisionOptions::approach)
                                .add("method", &CollisionOptions::method)
                                .add("directions", &CollisionOptions::directions)
                                .add("interpolation", &CollisionOptions::interpolation)
                                .add("over_maxwellian", &CollisionOptions::over_maxwellian)
                                .add("integration", &CollisionOptions::integration)
                                .add("samples", &CollisionOptions::samples)
                                .add("seed", &CollisionOptions::seed)
                                .add("support", &CollisionOptions::support)
                                .add("stencil", &CollisionOptions::stencil)
                                .add("symmetrized", &CollisionOptions::symmetrized)
                                .add("radii", &CollisionOptions::radii)
                                .add("cutoff", &CollisionOptions::cutoff)
                                .add("equilibrium_preserving", &CollisionOptions::equilibrium_preserving)
                                .add("projection", &CollisionOptions::projection)
                                .add("negative", &CollisionOptions::negative);
  return table;
}

const char* const collision_parameters = R"(approach : {"interpolated", "conservative", "spectral", "carleman"}
    Discretization of the integral.
method : str
    Name of an entry of ``shoal.methods("collision")`` that supports the approach, or "auto".
directions : dict
    Directions in which molecules leave a collision: family ("design" or "octahedral"), degree (1 to 19), half (bool).
interpolation : {"nearest", "trilinear", "cubic"}
    "interpolated": interpolation between the nodes; "nearest" is stepwise.
over_maxwellian : bool
    "interpolated": f/M is interpolated, M the Maxwellian of f.
integration : {"regular", "statistical"}
    "interpolated": sum over all partners and directions, or Monte Carlo, drawn anew in every evaluation.
samples : int
    "statistical": random collisions of each node; the error falls as 1 / sqrt(samples).
seed : int
    "statistical": the same samples for the same seed, on every device.
stencil : {"five", "seven", "ten", "two_pair"}
    "conservative": nodes that take a collision's mass.
support : {"box", "ball"}
    "interpolated", "conservative": nodes that collide, all nodes or those within half_width of the center.
symmetrized : bool
    "conservative": adds inverse collisions.
radii : int
    "spectral": Gauss points of the relative speed.
cutoff : float
    m/s, "spectral", "carleman": largest relative speed; 0 selects a default.
equilibrium_preserving : bool
    "spectral", "carleman": Q(f) - Q(M), M the Maxwellian of f.
projection : {"none", "uniform", "maxwellian"}
    Correction that brings mass, momentum and energy of Q to zero by the smallest change.
negative : {"error", "accept"}
    Response to a negative f.
)";

namespace {

constexpr const char* operation = "collision";

std::vector<std::int64_t> shape_of(nb::handle array) {
  std::vector<std::int64_t> shape;
  for (const nb::handle extent : nb::getattr(array, "shape", nb::tuple()))
    shape.push_back(nb::cast<std::int64_t>(nb::int_(extent)));
  return shape;
}

/// Keywords of Collision.
struct CollisionKeywords {
  CollisionOptions options;
  std::optional<Communicator> ranks = {};
};

const Options<CollisionKeywords>& plan_keywords() {
  static const auto table = Options<CollisionKeywords>()
                                .add_members(&CollisionKeywords::options, collision_options())
                                .add("ranks", &CollisionKeywords::ranks);
  return table;
}

constexpr const char* ranks_parameter_of_cells = R"(ranks : shoal.mpi.Ranks, optional
    Ranks that share the work of each cell: all give the same f and get the same Q. `evaluate` is a call of all ranks,
    and the method must be deterministic. For many cells, give each rank its share of the cells instead, without `ranks`.
)";

class BoundCollision : public FloatOrDoublePlan<Collision> {
 public:
  BoundCollision(PlanContext context, const VelocityGrid& grid, const CollidingGas& gas,
                 const CollisionKeywords& keywords)
      : FloatOrDoublePlan(operation, context, [queue = context.queue, grid, gas, keywords]<class Real>() {
          const Communicator ranks = ranks_or_alone(keywords.ranks);
          if (ranks.size() == 1)
            return std::make_unique<Collision<Real>>(make_collision<Real>(queue, grid, gas, keywords.options));
          const auto* molecules = std::get_if<Molecules>(&gas);
          require(molecules != nullptr, "collision: ", ranks.size(),
                  " ranks share the work of a cell of a mixture, expected one. Share out cells: each rank evaluates "
                  "its own.");
          return std::make_unique<Collision<Real>>(queue, grid, *molecules, keywords.options, ranks);
        }) {
    use([](auto& plans, auto) {
      if (const std::optional<Warning> warning = plans.current().method_warning()) warn(*warning);
      return true;
    });
  }

 private:
  /// Evaluates a result with the shape of f.
  template <class Evaluate>
  nb::object to_nodes(nb::handle f, nb::handle out, Evaluate evaluate) {
    return use([&]<class Real>(AlternatingPlans<Collision<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(f, "f");
      auto [array, result] = call.result<Real>(out, shape_of(as_array(operation, "f", f)));
      call.run([&, result = result] { evaluate(plans.current(), in, result); });
      return array;
    });
  }

  template <class Evaluate>
  auto to_host(nb::handle array, const char* argument, Evaluate evaluate) {
    return use([&]<class Real>(AlternatingPlans<Collision<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(array, argument);
      const GilRelease gil_release;
      return evaluate(plans.current(), in);
    });
  }

 public:
  nb::object evaluate(nb::handle f, nb::handle out) {
    return to_nodes(f, out, [](auto& plan, auto in, auto result) { plan.evaluate(in, result); });
  }
  nb::object frequency(nb::handle f, nb::handle out) {
    return to_nodes(f, out, [](auto& plan, auto in, auto result) { plan.frequency(in, result); });
  }
  nb::object loss(nb::handle f, nb::handle out) {
    return to_nodes(f, out, [](auto& plan, auto in, auto result) { plan.loss(in, result); });
  }

  std::int64_t evaluations() {
    return use([](auto& plans, auto) { return plans.current().evaluations(); });
  }
  void set_evaluations(std::int64_t number) {
    use([number](auto& plans, auto) {
      plans.current().set_evaluations(number);
      return true;
    });
  }

  double step_bound(nb::handle f) {
    return to_host(f, "f", [](auto& plan, auto in) { return plan.step_bound(in); });
  }
  void require_step(nb::handle f, double step) {
    to_host(f, "f", [step](auto& plan, auto in) {
      plan.require_step(in, step);
      return true;
    });
  }
  std::vector<VelocityMoments> moments(nb::handle f) {
    return to_host(f, "f", [](auto& plan, auto in) { return plan.moments(in); });
  }
  std::vector<double> entropy(nb::handle f) {
    return to_host(f, "f", [](auto& plan, auto in) { return plan.entropy(in); });
  }
  std::vector<CollisionDefects> defects(nb::handle q) {
    return to_host(q, "q", [](auto& plan, auto in) { return plan.defects(in); });
  }
  std::vector<std::string> warnings(nb::handle f) {
    return warning_texts(to_host(f, "f", [](auto& plan, auto in) { return plan.warnings(in); }));
  }

  std::vector<double> entropy_production(nb::handle f, nb::handle q) {
    return use([&]<class Real>(AlternatingPlans<Collision<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(f, "f");
      const View<const Real> change = call.block<Real>(q, "q");
      const GilRelease gil_release;
      return plans.current().entropy_production(in, change);
    });
  }

  nb::tuple directions() {
    return use([](auto& plans, auto) {
      const Directions& directions = plans.current().directions();
      std::vector<double> points;
      for (const auto& point : directions.point) points.insert(points.end(), point.begin(), point.end());
      return nb::make_tuple(take_over(std::move(points), {directions.point.size(), 3}), copy_of(directions.weight));
    });
  }
};

nb::object collision(nb::handle f, const VelocityGrid& grid, const CollidingGas& molecules,
                     const nb::kwargs& keywords) {
  CollisionOptions options;
  CallOptions call;
  read_options(operation, keywords, collision_options(), options, call_options(), call);
  return BoundCollision(context_of(operation, "f", f, call), grid, molecules, {.options = options})
      .evaluate(f, nb::none());
}

constexpr const char* integral_text = R"(
``Q(v) = int dv1 int dn |V| sigma(|V|, chi) [f(v') f(v1') - f(v) f(v1)]``, with n over the whole unit sphere, without a
factor of 1/2. One call evaluates any number of cells, each with its own distribution.
)";

constexpr const char* f_parameter = R"(
Parameters
----------
f : array (n, n, n) or (cells, n, n, n)
    s3/m6, f[..., z, y, x] in C order, on the plan's device. Of a mixture those of the first gas, then those of the second.
)";

void bind_integrals(nb::class_<BoundCollision>& plan) {
  const auto to_nodes = [&](const char* name, auto member, const char* summary) {
    plan.def(name, member, "f"_a.none(), "out"_a = nb::none(),
             nb::sig(signature("def ", name, "(self, f: typing.Any, out: typing.Any = None) -> typing.Any")),
             signature(
                 summary, "\n", f_parameter,
                 "out : array of f's shape, optional\n    Array that receives the result.\n\nReturns\n-------\narray "
                 "of f's shape\n\n"
                 "Raises\n------\nError\n    f is negative or not finite (names the first node), or is no whole number "
                 "of cells, of another type, or on another device.\n"));
  };
  to_nodes("evaluate", &BoundCollision::evaluate, "Q, s2/m6.");
  to_nodes("frequency", &BoundCollision::frequency, "Collision frequency of a molecule of each velocity, 1/s.");
  to_nodes("loss", &BoundCollision::loss, "Loss term, s2/m6.");

  const auto to_host = [&](const char* name, auto member, const char* argument, const char* type, const char* summary) {
    plan.def(name, member, nb::arg(argument),
             nb::sig(signature("def ", name, "(self, ", argument, ": typing.Any) -> ", type)), summary);
  };
  to_host("step_bound", &BoundCollision::step_bound, "f", "float",
          "s: longest explicit step with which the loss term alone cannot make f negative, 1 / max frequency.");
  to_host("moments", &BoundCollision::moments, "f", "list[VelocityMoments]", "VelocityMoments of each cell.");
  to_host("entropy", &BoundCollision::entropy, "f", "list[float]",
          "-int f ln f of each cell; not a number where f < 0.");
  to_host("defects", &BoundCollision::defects, "q", "list[CollisionDefects]", "CollisionDefects of each cell.");
  to_host("warnings", &BoundCollision::warnings, "f", "list[str]",
          "Texts that name the cells for which the grid is too small or too coarse; empty if it suits all cells.");
  plan.def("entropy_production", &BoundCollision::entropy_production, "f"_a.none(), "q"_a.none(),
           nb::sig("def entropy_production(self, f: typing.Any, q: typing.Any) -> list[float]"),
           "-int Q ln f of each cell: never negative in theory.")
      .def("require_step", &BoundCollision::require_step, "f"_a.none(), "step"_a,
           nb::sig("def require_step(self, f: typing.Any, step: float) -> None"),
           "Raises Error if a step (s) is not positive or longer than `step_bound`; the message names the bound.")
      .def_prop_rw("evaluations", &BoundCollision::evaluations, &BoundCollision::set_evaluations,
                   nb::for_getter(nb::sig("def evaluations(self) -> int")),
                   nb::for_setter(nb::sig("def evaluations(self, number: int, /) -> None")),
                   "int: number of evaluations, from which statistical integration draws its samples.")
      .def_prop_ro("directions", &BoundCollision::directions,
                   nb::sig("def directions(self) -> tuple[typing.Any, typing.Any]"),
                   "tuple: points on the unit sphere (float64 [m, 3]) and their weights (float64 [m]).");
}

}  // namespace

void bind_collision(nb::module_& module) {
  nb::class_<BoundCollision> plan(
      module, "Collision",
      signature("Plan for the Boltzmann collision integral of velocity distributions.\n", integral_text,
                "\nParameters\n----------\ngrid : VelocityGrid\nmolecules : Molecules or Mixture\n",
                collision_parameters, ranks_parameter_of_cells, context_parameters,
                "\nExamples\n--------\n>>> collision = shoal.Collision(shoal.VelocityGrid(nodes=32, half_width=5.5), "
                "shoal.Molecules(rate=1))\n>>> q = collision.evaluate(f)\n\nReferences\n----------\nMalkov and Ivanov, "
                "\"Parallelization of "
                "algorithms for solving the Boltzmann equation for GPU-based computations\"; the method notes name "
                "further sources."));
  plan.def(
      "__init__",
      [](BoundCollision* self, const VelocityGrid& grid, const CollidingGas& molecules, const nb::kwargs& keywords) {
        CollisionKeywords options;
        ContextOptions context;
        read_options(operation, keywords, plan_keywords(), options, context_options(), context);
        new (self)
            BoundCollision(make_context(operation, context, ranks_or_alone(options.ranks)), grid, molecules, options);
      },
      "grid"_a, "molecules"_a, "keywords"_a,
      nb::sig(signature("def __init__(self, grid: VelocityGrid, molecules: Molecules | Mixture, *, ",
                        plan_keywords().signature(), ", ", context_options().signature(), ") -> None")));
  bind_integrals(plan);
  bind_plan_members<BoundCollision>(plan);

  module.def(
      "collision", &collision, "f"_a.none(), "grid"_a, "molecules"_a, "keywords"_a,
      nb::sig(signature("def collision(f: typing.Any, grid: VelocityGrid, molecules: Molecules | Mixture, *, ",
                        collision_options().signature(), ", ", call_options().signature(), ") -> typing.Any")),
      signature(
          "Boltzmann collision integral of a velocity distribution. A `Collision` plan is faster for repeated calls.\n",
          integral_text, f_parameter, "grid : VelocityGrid\nmolecules : Molecules or Mixture\n", collision_parameters,
          "\nReturns\n-------\narray of f's shape\n    s2/m6.\n"));
}

}  // namespace shoal::python
