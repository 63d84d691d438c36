// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit.hpp>

#include "bindings.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "deposit";

/// Keywords of Deposit.
struct DepositKeywords {
  DepositOptions options;
  bool check_values = true;
};

const Options<DepositKeywords>& deposit_keywords() {
  static const auto options = Options<DepositOptions>()
                                  .add("method", &DepositOptions::method)
                                  .add("outside", &DepositOptions::outside)
                                  .add("blocked", &DepositOptions::blocked)
                                  .add("ranges", &DepositOptions::ranges);
  static const auto table = Options<DepositKeywords>()
                                .add_members(&DepositKeywords::options, options)
                                .add("check_values", &DepositKeywords::check_values);
  return table;
}

/// One array, or a tuple or list of them: results have the same form.
struct ArrayOrTuple {
  std::vector<nb::object> arrays;
  bool single = true;

  explicit ArrayOrTuple(nb::handle argument) {
    const bool is_empty = (PyTuple_Check(argument.ptr()) || PyList_Check(argument.ptr())) && nb::len(argument) == 0;
    single = !is_empty && !is_sequence_of_arrays(argument);
    if (single) {
      arrays.push_back(nb::borrow(argument));
      return;
    }
    for (const nb::handle array : argument) arrays.push_back(nb::borrow(array));
  }

  nb::object same_form(const std::vector<nb::object>& results) const {
    if (single) return results.front();
    nb::list list;
    for (const nb::object& result : results) list.append(result);
    return nb::tuple(list);
  }
};

class BoundDeposit : public FloatOrDoublePlan<Deposit> {
 public:
  BoundDeposit(PlanContext context, const DepositGrid& grid, const DepositKeywords& keywords)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, grid, options = keywords.options]<class Real>() {
                            return std::make_unique<Deposit<Real>>(queue, grid, options);
                          }),
        grid_(grid),
        checks_values_(keywords.check_values && context.wait) {}

  void bin(nb::handle points, bool sorted) {
    use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const Points<Real> coordinates = call.points<Real>(points, "points", grid_.grid.dimensions);
      library = call.library();
      count_ = coordinates.count();
      Deposit<Real>& plan = plans.unshared();
      call.run([&] {
        const bool flat = grid_.grid.dimensions == 2;
        if (sorted)
          flat ? plan.bin_sorted(coordinates.x, coordinates.y)
               : plan.bin_sorted(coordinates.x, coordinates.y, coordinates.z);
        else
          flat ? plan.bin(coordinates.x, coordinates.y) : plan.bin(coordinates.x, coordinates.y, coordinates.z);
      });
    });
  }

  nb::object to_nodes(nb::handle values, nb::handle out) {
    return particles_to_grid(values, out, node_shape(grid_.grid),
                             [](auto& plan, auto in, auto result) { plan.to_nodes(in, result); });
  }

  nb::object to_cells(nb::handle values, nb::handle out) {
    return particles_to_grid(values, out, cell_shape(grid_.grid),
                             [](auto& plan, auto in, auto result) { plan.to_cells(in, result); });
  }

  nb::object interpolate(nb::handle nodes, nb::handle out) {
    return transfer(nodes, {"nodes", grid_.node_count()}, out, {count_},
                    [](auto& plan, auto in, auto result) { plan.interpolate(in, result); });
  }

  nb::object interpolate_gradient(nb::handle nodes) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(nodes, "nodes", grid_.node_count());
      std::vector<View<Real>> views;
      nb::list gradient;
      for (int axis = 0; axis < grid_.grid.dimensions; ++axis) {
        auto [array, view] = call.result<Real>(nb::none(), {count_});
        gradient.append(array);
        views.push_back(view);
      }
      call.run([&] {
        if (views.size() == 2)
          plans.current().interpolate_gradient(in, views[0], views[1]);
        else
          plans.current().interpolate_gradient(in, views[0], views[1], views[2]);
      });
      return nb::tuple(gradient);
    });
  }

  nb::object reorder(nb::handle in, nb::handle out) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const View<const Real> values = call.column<Real>(in, "array");
      auto [array, sorted] = call.result<Real>(out, {values.count});
      call.run([&, sorted = sorted] { plans.current().reorder(values, sorted); });
      return array;
    });
  }

  void values_are_in_cell_order() {
    use([](auto& plans, auto) { plans.current().values_are_in_cell_order(); });
  }

  double lost(nb::handle value) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(value, "value", count_);
      const GilRelease gil_release;
      if (checks_values_) plans.current().require_finite(std::span(&in, 1));
      return plans.current().lost(in);
    });
  }

  std::int64_t skipped() {
    return use([](auto& plans, auto) {
      const GilRelease gil_release;
      return plans.current().skipped();
    });
  }

  nb::object cell_start() {
    return export_plan_array([](auto& plan) { return plan.cell_start(); });
  }
  nb::object order() {
    return export_plan_array([](auto& plan) { return plan.order(); });
  }

 private:
  template <class Transfer>
  nb::object particles_to_grid(nb::handle values, nb::handle out, const std::vector<std::int64_t>& shape,
                               Transfer run_transfer) {
    return transfer(values, {"values", count_}, out, shape, [&](auto& plan, auto in, auto result) {
      if (checks_values_) plan.require_finite(in);
      run_transfer(plan, in, result);
    });
  }

  /// Name and number of elements of an input.
  struct Input {
    const char* name;
    std::int64_t count;
  };

  /// Converts 1 to 16 arrays to as many new arrays of `shape`, or to the arrays of `out`.
  template <class Transfer>
  nb::object transfer(nb::handle from, const Input& input, nb::handle out, const std::vector<std::int64_t>& shape,
                      Transfer run_transfer) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const ArrayOrTuple inputs(from);
      std::vector<View<const Real>> in;
      for (std::size_t k = 0; k < inputs.arrays.size(); ++k)
        in.push_back(call.block<Real>(inputs.arrays[k], inputs.single ? input.name : text(input.name, "[", k, "]"),
                                      input.count));
      std::vector<nb::object> outs(inputs.arrays.size(), nb::none());
      if (!out.is_none()) {
        outs = ArrayOrTuple(out).arrays;
        require(outs.size() == in.size(), operation, ": out has ", outs.size(), " arrays, expected ", in.size(), ".");
      }
      std::vector<nb::object> results;
      std::vector<View<Real>> views;
      for (std::size_t k = 0; k < outs.size(); ++k) {
        auto [array, view] = call.result<Real>(outs[k], shape, outs.size() == 1 ? "out" : text("out[", k, "]"));
        results.push_back(array);
        views.push_back(view);
      }
      call.run([&] {
        run_transfer(plans.current(), std::span<const View<const Real>>(in), std::span<const View<Real>>(views));
      });
      return inputs.same_form(results);
    });
  }

  template <class Get>
  nb::object export_plan_array(Get get) {
    return use([&](auto& plans, auto) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      call.set_library(library);
      return call.export_view(get(plans.current()), plans.owner());
    });
  }

  template <class Plan>
  static void require_binned(const Plan& plan) {
    require(!plan.cell_start().empty(), "deposit: there are no particles. Call bin() first.");
  }

  DepositGrid grid_;
  bool checks_values_;
  std::int64_t count_ = 0;
};

BoundDeposit binned_plan(nb::handle points, const DepositGrid& grid, const nb::kwargs& keywords) {
  DepositKeywords options;
  CallOptions call;
  read_options(operation, keywords, deposit_keywords(), options, call_options(), call);
  BoundDeposit plan(context_of(operation, "points", points, call), grid, options);
  plan.bin(points, false);
  return plan;
}

nb::object deposit(nb::handle points, nb::handle values, const DepositGrid& grid, const nb::kwargs& keywords) {
  return binned_plan(points, grid, keywords).to_nodes(values, nb::none());
}

nb::object interpolate(nb::handle nodes, nb::handle points, const DepositGrid& grid, const nb::kwargs& keywords) {
  return binned_plan(points, grid, keywords).interpolate(nodes, nb::none());
}

constexpr const char* option_parameters = R"(method : str
    Name of a method of ``shoal.methods("deposit")``, or "auto".
outside : {"error", "clamp", "skip"}
    Treatment of a particle outside the grid.
blocked : {"report", "drop", "redistribute"}
    Treatment of a particle in a blocked cell.
ranges : sequence of float
    Method "integer": upper bound of sum abs(value) over all particles, for each value.
check_values : bool
    A value of a particle that is not finite is an error that names it; False: such values propagate to the nodes.
    Without `wait` values are not checked.
)";

constexpr const char* point_parameter = R"(points : array (n, d), or a tuple of d columns (n)
    m, the particles, of any stride; n < 2**31 - 1.
)";

constexpr const char* source =
    "\n\nReferences\n----------\nLarson, Carver and Zhao (2015), \"CUDA accelerated Lagrangian interpolation to "
    "Cartesian grid\".";

void bind_values(nb::class_<BoundDeposit>& plan) {
  plan.def("to_nodes", &BoundDeposit::to_nodes, "values"_a.none(), "out"_a = nb::none(),
           nb::sig("def to_nodes(self, values: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(Particle values to nodes: ``node(n) = sum_p w(n, x_p) value(p)``, ``w = prod_axes (1 - |x_p - x_n| / h)``.

The total over the nodes is the total over the particles to rounding.

Parameters
----------
values : array (n), or a tuple of 1 to 16 of them
    Any unit, any stride.
out : array of `grid.node_shape`, or as many, optional
    Array for the result, in C order.

Returns
-------
array of `grid.node_shape` (z, y, x), or a tuple of as many
)")
      .def("to_cells", &BoundDeposit::to_cells, "values"_a.none(), "out"_a = nb::none(),
           nb::sig("def to_cells(self, values: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(Particle values to cells within one cell width, as to nodes at the centers of the cells.

The first call after `bin` sorts the particles once more.

Parameters
----------
values : array (n), or a tuple of 1 to 16 of them
    Any unit, any stride.
out : array of `grid.shape`, or as many, optional
    Array for the result, in C order.
)")
      .def("interpolate", &BoundDeposit::interpolate, "nodes"_a.none(), "out"_a = nb::none(),
           nb::sig("def interpolate(self, nodes: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(Node values to particles, with the same weights: the adjoint of `to_nodes`. Skipped particles get 0.

Parameters
----------
nodes : array of `grid.node_shape`, or a tuple of 1 to 16 of them
    Any unit, in C order.
out : array (n), or as many, optional
    Array for the result.

Returns
-------
array (n), or a tuple of as many
)")
      .def(
          "interpolate_gradient", &BoundDeposit::interpolate_gradient, "nodes"_a.none(),
          nb::sig("def interpolate_gradient(self, nodes: typing.Any) -> tuple[typing.Any, ...]"),
          R"(The gradient of `interpolate` at the particles; on the face between two cells, the gradient of the upper cell.

Parameters
----------
nodes : array of `grid.node_shape`
    Any unit, in C order.

Returns
-------
tuple of arrays (n)
    One for each axis, unit of nodes / m.
)")
      .def("lost", &BoundDeposit::lost, "value"_a.none(), nb::sig("def lost(self, value: typing.Any) -> float"),
           "The part of a value (n) that no node received: values of skipped particles and shares of blocked nodes.")
      .def_prop_ro("skipped", &BoundDeposit::skipped, "int: number of particles that outside = \"skip\" skipped.");
}

}  // namespace

void bind_deposit(nb::module_& module) {
  nb::class_<BoundDeposit> plan(
      module, "Deposit",
      signature(
          "Particle values to the nodes of a grid, and node values back to particles.\n\nEach node's sum has a fixed "
          "order: the same bits on CPU and CUDA, for any number of threads.\n\nParameters\n----------\n"
          "grid : Grid or DepositGrid\n",
          option_parameters, context_parameters,
          "\nExamples\n--------\n>>> deposit = shoal.Deposit(grid)\n>>> deposit.bin(points)\n>>> node_mass = "
          "deposit.to_nodes(mass)\n>>> pressure = deposit.interpolate(node_pressure)\n",
          source));
  plan.def(
          "__init__",
          [](BoundDeposit* self, const DepositGrid& grid, const nb::kwargs& keywords) {
            DepositKeywords options;
            ContextOptions context;
            read_options(operation, keywords, deposit_keywords(), options, context_options(), context);
            new (self) BoundDeposit(make_context(operation, context), grid, options);
          },
          "grid"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, grid: Grid | DepositGrid, *, ", deposit_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def("bin", &BoundDeposit::bin, "points"_a.none(), nb::kw_only(), "sorted"_a = false,
           nb::sig("def bin(self, points: typing.Any, *, sorted: bool = False) -> None"),
           signature("Sorts the particles into cells; call it again after they moved.\n\nParameters\n----------\n",
                     point_parameter,
                     "sorted : bool\n    True if the particles are in the order of their cells, with particles without "
                     "a cell last; "
                     "nothing is sorted then.\n\nRaises\n------\nError\n    A particle is outside the grid or in a "
                     "blocked cell, as the "
                     "options say, or follows one of a later cell: names the first one."))
      .def("reorder", &BoundDeposit::reorder, "array"_a.none(), "out"_a = nb::none(),
           nb::sig("def reorder(self, array: typing.Any, out: typing.Any = None) -> typing.Any"),
           "``array[order]``: values in the order of cells.")
      .def("values_are_in_cell_order", &BoundDeposit::values_are_in_cell_order,
           "Declares that values of particles are in the order of cells until the next bin.")
      .def_prop_ro("cell_start", &BoundDeposit::cell_start,
                   "array: int64 [cells + 2]; skipped particles follow those of the last cell. Read-only.")
      .def_prop_ro("order", &BoundDeposit::order, "array: int32 [n], the particle at each position. Read-only.");
  bind_values(plan);
  bind_plan_members<BoundDeposit>(plan);

  const char* const options =
      signature(deposit_keywords().signature(), ", ", call_options().signature(), ") -> typing.Any");
  module.def(
      "deposit", &deposit, "points"_a.none(), "values"_a.none(), "grid"_a, "keywords"_a,
      nb::sig(signature("def deposit(points: typing.Any, values: typing.Any, grid: Grid | DepositGrid, *, ", options)),
      signature(
          "Particle values to the nodes of a grid. `Deposit` is the plan for repeated calls.\n\n``node(n) = sum_p "
          "w(n, x_p) value(p)``, ``w = prod_axes (1 - |x_p - x_n| / h)``.\n\nParameters\n----------\n",
          point_parameter,
          "values : array (n), or a tuple of 1 to 16 of them\n    Any unit.\ngrid : Grid or DepositGrid\n",
          option_parameters,
          "\nReturns\n-------\narray of `grid.node_shape` (z, y, x), or a tuple of as many\n\nRaises\n------\n"
          "Error\n    A particle is outside the grid or in a blocked cell, as the options say.\n",
          source));
  module.def(
      "interpolate", &interpolate, "nodes"_a.none(), "points"_a.none(), "grid"_a, "keywords"_a,
      nb::sig(
          signature("def interpolate(nodes: typing.Any, points: typing.Any, grid: Grid | DepositGrid, *, ", options)),
      signature("Node values to particles: multilinear interpolation, the adjoint of `deposit`.\n\nParameters\n"
                "----------\nnodes : array of `grid.node_shape`, or a tuple of 1 to 16 of them\n    Any unit, in C "
                "order.\n",
                point_parameter, "grid : Grid or DepositGrid\n", option_parameters,
                "\nReturns\n-------\narray (n), or a tuple of as many\n", source));
}

}  // namespace shoal::python
