// SPDX-License-Identifier: Apache-2.0
#include "deposit/deposit_plan.hpp"

namespace shoal::python {

namespace {

const Options<DepositKeywords>& deposit_keywords() {
  static const auto options = Options<DepositOptions>()
                                  .add("method", &DepositOptions::method)
                                  .add("shape", &DepositOptions::shape)
                                  .add("outside", &DepositOptions::outside)
                                  .add("blocked", &DepositOptions::blocked)
                                  .add("ranges", &DepositOptions::ranges);
  static const auto table = Options<DepositKeywords>()
                                .add_members(&DepositKeywords::options, options)
                                .add("check_values", &DepositKeywords::check_values);
  return table;
}

/// Keywords of the class, whose plans may be those of ranks.
const Options<DepositKeywords>& plan_keywords() {
  static const auto table = Options<DepositKeywords>()
                                .append(deposit_keywords())
                                .add("ranks", &DepositKeywords::ranks)
                                .add("slabs", &DepositKeywords::slabs);
  return table;
}

BoundDeposit binned_plan(nb::handle points, const DepositGrid& grid, const nb::kwargs& keywords) {
  DepositKeywords options;
  CallOptions call;
  read_options("deposit", keywords, deposit_keywords(), options, call_options(), call);
  BoundDeposit plan(context_of("deposit", "points", points, call), grid, options);
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
shape : {"cic", "tsc", "pcs"}
    B-spline of a particle along each axis: linear, quadratic or cubic, on 2, 3 or 4 nodes. "tsc" and "pcs" need
    one rank, uniform axes and a grid without blocked cells.
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

constexpr const char* slabs_parameter = R"(slabs : sequence of int
    With `ranks`: cuts of ``shoal.mpi.cut_by_weight`` between the layers of cells along the slowest axis, z (in 2-D y).
    Each rank brings the particles in its layers, one on a cut to the upper layer. It gets the cells of its layers, and
    their nodes, the planes at cuts included. Empty: particles are shared out in any way, every rank gets all nodes and
    cells, and the method is "integer". `bin`, `to_nodes`, `to_cells` and `lost` are calls of all ranks.
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
           R"(Particle values to nodes: ``node(n) = sum_p w(n, x_p) value(p)``.

With the shape "cic" ``w = prod_axes (1 - |x_p - x_n| / h)``. The total over the nodes is the total over the particles to rounding.

Parameters
----------
values : array (n), or a tuple of 1 to 16 of them
    Any unit, any stride.
out : array of `node_shape`, or as many, optional
    Array for the result, in C order.

Returns
-------
array of `node_shape` (z, y, x), or a tuple of as many
)")
      .def(
          "to_cells", &BoundDeposit::to_cells, "values"_a.none(), "out"_a = nb::none(),
          nb::sig("def to_cells(self, values: typing.Any, out: typing.Any = None) -> typing.Any"),
          R"(Particle values to cells within one cell width, as to nodes at the centers of the cells. Shape "cic" alone.

The first call after `bin` sorts the particles once more.

Parameters
----------
values : array (n), or a tuple of 1 to 16 of them
    Any unit, any stride.
out : array of `cell_shape`, or as many, optional
    Array for the result, in C order.

Returns
-------
array of `cell_shape` (z, y, x), or a tuple of as many
)")
      .def("interpolate", &BoundDeposit::interpolate, "nodes"_a.none(), "out"_a = nb::none(),
           nb::sig("def interpolate(self, nodes: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(Node values to particles, with the same weights: the adjoint of `to_nodes`. Skipped particles get 0.

Parameters
----------
nodes : array of `node_shape`, or a tuple of 1 to 16 of them
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
nodes : array of `node_shape`
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
          option_parameters, ranks_parameter, slabs_parameter, context_parameters,
          "\nExamples\n--------\n>>> deposit = shoal.Deposit(grid)\n>>> deposit.bin(points)\n>>> node_mass = "
          "deposit.to_nodes(mass)\n>>> pressure = deposit.interpolate(node_pressure)\n",
          source));
  plan.def(
          "__init__",
          [](BoundDeposit* self, const DepositGrid& grid, const nb::kwargs& keywords) {
            DepositKeywords options;
            ContextOptions context;
            read_options("deposit", keywords, plan_keywords(), options, context_options(), context);
            new (self) BoundDeposit(make_context("deposit", context, ranks_or_alone(options.ranks)), grid, options);
          },
          "grid"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, grid: Grid | DepositGrid, *, ", plan_keywords().signature(), ", ",
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
      .def_prop_ro("order", &BoundDeposit::order, "array: int32 [n], the particle at each position. Read-only.")
      .def_prop_ro(
          "node_shape", [](BoundDeposit& self) { return nb::tuple(nb::cast(self.shape_of_nodes())); },
          nb::sig("def node_shape(self) -> tuple[int, ...]"),
          "tuple of int: shape of arrays of nodes, z, y, x: that of the grid, or of this rank's slab.")
      .def_prop_ro(
          "cell_shape", [](BoundDeposit& self) { return nb::tuple(nb::cast(self.shape_of_cells())); },
          nb::sig("def cell_shape(self) -> tuple[int, ...]"),
          "tuple of int: shape of arrays of cells, z, y, x: that of the grid, or of this rank's slab.")
      .def_prop_ro("first_node", &BoundDeposit::first_node,
                   "int: number of this rank's first node in the grid; 0 without slabs.")
      .def_prop_ro("first_cell", &BoundDeposit::first_cell,
                   "int: number of this rank's first cell in the grid; `cell_start` counts from there.");
  bind_values(plan);
  bind_plan_members<BoundDeposit>(plan);

  const char* const options =
      signature(deposit_keywords().signature(), ", ", call_options().signature(), ") -> typing.Any");
  module.def(
      "deposit", &deposit, "points"_a.none(), "values"_a.none(), "grid"_a, "keywords"_a,
      nb::sig(signature("def deposit(points: typing.Any, values: typing.Any, grid: Grid | DepositGrid, *, ", options)),
      signature(
          "Particle values to the nodes of a grid. `Deposit` is the plan for repeated calls.\n\n``node(n) = sum_p "
          "w(n, x_p) value(p)``, with the shape \"cic\" ``w = prod_axes (1 - |x_p - x_n| / "
          "h)``.\n\nParameters\n----------\n",
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
      signature("Node values to particles with the weights of `deposit`, whose adjoint it is.\n\nParameters\n"
                "----------\nnodes : array of `grid.node_shape`, or a tuple of 1 to 16 of them\n    Any unit, in C "
                "order.\n",
                point_parameter, "grid : Grid or DepositGrid\n", option_parameters,
                "\nReturns\n-------\narray (n), or a tuple of as many\n", source));
}

}  // namespace shoal::python
