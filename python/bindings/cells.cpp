// SPDX-License-Identifier: Apache-2.0
#include <shoal/cells.hpp>

#include "bindings.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "cells";

const Options<CellsOptions>& cells_options() {
  static const auto table =
      Options<CellsOptions>().add("method", &CellsOptions::method).add("outside", &CellsOptions::outside);
  return table;
}

class BoundCells : public FloatOrDoublePlan<Cells> {
 public:
  BoundCells(PlanContext context, const Grid& grid, const CellsOptions& options)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, grid, options]<class Real>() {
                            return std::make_unique<Cells<Real>>(queue, grid, options);
                          }),
        grid_(grid) {}

  nb::object bin(nb::handle points) {
    return use([&]<class Real>(AlternatingPlans<Cells<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const Points<Real> coordinates = call.points<Real>(points, "points", grid_.dimensions);
      library = call.library();
      Cells<Real>& plan = plans.unshared();
      call.run([&] {
        if (grid_.dimensions == 2)
          plan.bin(coordinates.x, coordinates.y);
        else
          plan.bin(coordinates.x, coordinates.y, coordinates.z);
      });
      const nb::capsule owner = plans.owner();
      return result_type("CellList")(call.export_view(plan.cell_start(), owner), call.export_view(plan.order(), owner),
                                     call.export_view(plan.cell_of_point(), owner));
    });
  }

  nb::object reorder(nb::handle input, nb::handle out) {
    const nb::object in = as_array(operation, "array", input);
    return use([&]<class Real>(AlternatingPlans<Cells<Real>>& plans, Real) {
      const std::string type = text_of(nb::getattr(in, "dtype", nb::none()));
      if (type.ends_with("float32")) return reorder_as<float>(plans.current(), in, out);
      if (type.ends_with("float64")) return reorder_as<double>(plans.current(), in, out);
      if (type.ends_with("int32")) return reorder_as<std::int32_t>(plans.current(), in, out);
      if (type.ends_with("int64")) return reorder_as<std::int64_t>(plans.current(), in, out);
      throw Error("cells: array is " + type + ", expected float32, float64, int32 or int64.");
    });
  }

 private:
  template <class T, class Real>
  nb::object reorder_as(const Cells<Real>& plan, nb::handle in, nb::handle out) {
    CallArrays call(operation, context());
    const View<const T> values = call.column<T>(in, "array");
    auto [array, sorted] = call.result<T>(out, {values.count});
    call.run([&, sorted = sorted] { plan.reorder(values, sorted); });
    return array;
  }

  Grid grid_;
};

nb::object cells(nb::handle points, const Grid& grid, const nb::kwargs& keywords) {
  CellsOptions options;
  CallOptions call;
  read_options(operation, keywords, cells_options(), options, call_options(), call);
  return BoundCells(context_of(operation, "points", points, call), grid, options).bin(points);
}

constexpr const char* what_it_computes = R"(
The cell of a point is, on every axis and in the arithmetic of the points' type,
``floor((x - lower) * (1 / spacing))``, at most ``cells - 1``, for x in the closed interval of the grid; periodic
axes wrap. Points are ordered by cell, then by number. All methods give the same bits on every device.
)";

constexpr const char* option_parameters = R"(method : str
    Name of a method of ``shoal.methods("cells")``, or "auto".
outside : {"error", "bucket"}
    Treatment of a point without a cell: outside the grid on an axis that is not periodic, infinite, or NaN. With
    "bucket" such points go to one more cell after the last one.
)";

constexpr const char* result_text = R"(
Returns
-------
CellList
    cell_start (int64, [cells + 1], with a bucket [cells + 2]), order (int32, [n]) and cell_of_point (uint32, [n]). The
    points of cell c are ``order[cell_start[c]:cell_start[c + 1]]``. Read-only.

Raises
------
Error
    A point has no cell (names the first one), or an array has another type, shape or device.
)";

}  // namespace

void bind_cells(nb::module_& module) {
  nb::class_<BoundCells> plan(
      module, "Cells",
      signature("Plan that sorts points into the cells of a uniform grid, any number of times.\n", what_it_computes,
                "\nParameters\n----------\ngrid : Grid\n    Grid of two or three dimensions.\n", option_parameters,
                context_parameters,
                "\nExamples\n--------\n>>> cells = shoal.Cells(shoal.Grid.fill((0, 0), (1, 1), 0.1))\n>>> "
                "cell_start, order, cell_of_point = cells.bin(points)\n>>> sorted_mass = cells.reorder(mass)\n"));
  plan.def(
          "__init__",
          [](BoundCells* self, const Grid& grid, const nb::kwargs& keywords) {
            CellsOptions options;
            ContextOptions context;
            read_options(operation, keywords, cells_options(), options, context_options(), context);
            new (self) BoundCells(make_context(operation, context), grid, options);
          },
          "grid"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, grid: Grid, *, ", cells_options().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def("bin", &BoundCells::bin, "points"_a.none(),
           nb::sig("def bin(self, points: typing.Any) -> shoal._results.CellList"),
           signature("Sorts points.\n\nParameters\n----------\npoints : array (n, d), or a tuple of d columns (n)\n    "
                     "m, of any stride, on the plan's device; n < 2**31 - 1.\n",
                     result_text))
      .def("reorder", &BoundCells::reorder, "array"_a.none(), "out"_a = nb::none(),
           nb::sig("def reorder(self, array: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(``array[order]``, the points' values in the order of the last `bin`.

Parameters
----------
array : array (n)
    float32, float64, int32 or int64, of any stride and unit.
out : array (n), optional
    Array for the result; not `array` itself.
)");
  bind_plan_members<BoundCells>(plan);

  module.def(
      "cells", &cells, "points"_a.none(), "grid"_a, "keywords"_a,
      nb::sig(signature("def cells(points: typing.Any, grid: Grid, *, ", cells_options().signature(), ", ",
                        call_options().signature(), ") -> shoal._results.CellList")),
      signature("Sorts points into the cells of a uniform grid. `Cells` is the plan for repeated sorts.\n",
                what_it_computes,
                "\nParameters\n----------\npoints : array (n, d), or a tuple of d columns (n)\n    m, float32 or "
                "float64, on any device.\ngrid : Grid\n    Grid of two or three dimensions.\n",
                option_parameters, result_text));
}

}  // namespace shoal::python
