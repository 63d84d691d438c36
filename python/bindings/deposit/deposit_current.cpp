// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit/current.hpp>

#include "bindings.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "deposit";

/// Keywords of deposit_current.
struct CurrentKeywords {
  DepositShape shape = DepositShape::cic;
};

const Options<CurrentKeywords>& current_keywords() {
  static const auto table = Options<CurrentKeywords>().add("shape", &CurrentKeywords::shape);
  return table;
}

nb::object current_of(nb::handle before, nb::handle after, nb::handle charge, const Grid& grid, double time_step,
                      const nb::kwargs& keywords) {
  CurrentKeywords options;
  CallOptions call_keywords;
  read_options(operation, keywords, current_keywords(), options, call_options(), call_keywords);
  const PlanContext context = context_of(operation, "before", before, call_keywords);
  CallArrays call(operation, context);
  const std::vector<View<const double>> starts = call.table<double>(before, "before", grid.dimensions);
  const std::vector<View<const double>> ends = call.table<double>(after, "after", grid.dimensions);
  const View<const double> charges = call.column<double>(charge, "charge");
  nb::list currents;
  std::vector<View<double>> views;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    auto [array, view] = call.result<double>(nb::none(), node_shape(grid));
    currents.append(array);
    views.push_back(view);
  }
  call.run([&] { deposit_current(context.queue, grid, time_step, starts, ends, charges, views, options.shape); });
  return nb::tuple(currents);
}

}  // namespace

void bind_deposit_current(nb::module_& module) {
  module.def("deposit_current", &current_of, "before"_a.none(), "after"_a.none(), "charge"_a.none(), "grid"_a,
             "time_step"_a, "keywords"_a,
             nb::sig(signature(
                 "def deposit_current(before: typing.Any, after: typing.Any, charge: typing.Any, grid: Grid, "
                 "time_step: float, *, ",
                 current_keywords().signature(), ", ", call_options().signature(), ") -> tuple[typing.Any, ...]")),
             R"(Electric current of particles that move during a time step, such that charge is conserved on every node.

Element n of axis a is the current from node n to the next node along a. With the charges of nodes from `deposit` of the
same shape before and after the step, ``(after(n) - before(n)) / time_step`` and the sum over the axes of ``current_a(n) -
current_a(previous n along a)`` cancel to rounding. The bits do not depend on the number of threads, and on CUDA not on the order of the particles.

Parameters
----------
before : array (n, d), or a tuple of d columns (n)
    m, float64 on any device: positions before the step.
after : array (n, d), or a tuple of d columns (n)
    m, positions after the step, at most one cell away along each axis; not wrapped into the period.
charge : array (n)
    C.
grid : Grid
    Periodic along all of its axes.
time_step : float
    s, positive.
shape : {"cic", "tsc", "pcs"}
    Shape of the particles, that of `deposit`.

Returns
-------
tuple of arrays of `grid.node_shape` (z, y, x)
    A, one for each axis.

Raises
------
Error
    An open axis, a time step that is not positive, a particle that moves farther than a cell, or a value that is not
    finite: names the first one.

References
----------
Esirkepov (2001), "Exact charge conservation scheme for particle-in-cell simulation with an arbitrary form-factor".
)");
}

}  // namespace shoal::python
