// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit.hpp>

#include "bindings.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

DepositGrid make_grid(const Grid& grid, const nb::dict& nodes, nb::handle blocked) {
  DepositGrid result(grid);
  for (const auto& [axis, coordinates] : nodes)
    result.stretch(OptionType<int>::read("deposit: axis of nodes", axis),
                   OptionType<std::vector<double>>::read("deposit: nodes of an axis", coordinates));
  if (!blocked.is_none()) {
    require_no_mask("deposit", "blocked", blocked);
    const nb::object mask = nb::module_::import_("numpy").attr("ascontiguousarray")(blocked, "uint8").attr("ravel")();
    const auto cells = nb::cast<nb::ndarray<const std::uint8_t, nb::ndim<1>>>(mask);
    result.blocked.assign(cells.data(), cells.data() + cells.size());
  }
  require_valid(result);
  return result;
}

}  // namespace

void bind_deposit_grid(nb::module_& module) {
  nb::class_<DepositGrid>(module, "DepositGrid",
                          R"(Grid of `Deposit` with given node coordinates along any axis and with blocked cells.

Parameters
----------
grid : Grid
nodes : dict of int to sequence of float
    m, the nodes along an axis (0, 1 or 2), ascending; they set the number of its cells. On a periodic axis the last one
    is the first one plus the period.
blocked : array of `grid.shape`, optional
    True where a cell is solid.

Raises
------
Error
    There is no such axis, the nodes do not ascend, or the mask has another size.
)")
      .def(
          "__init__",
          [](DepositGrid* self, const Grid& grid, const nb::dict& nodes, nb::handle blocked) {
            new (self) DepositGrid(make_grid(grid, nodes, blocked));
          },
          "grid"_a, "nodes"_a = nb::dict(), "blocked"_a = nb::none(),
          nb::sig("def __init__(self, grid: Grid, nodes: collections.abc.Mapping[int, collections.abc.Sequence[float]] "
                  "= {}, blocked: typing.Any = None) -> None"))
      .def_prop_ro(
          "grid", [](const DepositGrid& grid) { return grid.grid; },
          "Grid: a stretched axis uses only cells, origin and periodic.")
      .def_prop_ro("cell_count", &DepositGrid::cell_count, "int: number of cells.")
      .def_prop_ro("node_count", &DepositGrid::node_count, "int: number of nodes.");
  nb::implicitly_convertible<Grid, DepositGrid>();
}

}  // namespace shoal::python
