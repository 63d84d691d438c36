// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/periodic.hpp>

#include "bindings.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/neighbor_options.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "neighbors";

const Options<PeriodicNeighborsOptions>& periodic_keywords() {
  static const auto table = Options<PeriodicNeighborsOptions>()
                                .add("method", &PeriodicNeighborsOptions::method)
                                .add("predicate", &PeriodicNeighborsOptions::predicate)
                                .add("include_self", &PeriodicNeighborsOptions::include_self)
                                .add("half", &PeriodicNeighborsOptions::half)
                                .add("distances", &PeriodicNeighborsOptions::distances)
                                .add("displacements", &PeriodicNeighborsOptions::displacements);
  return table;
}

/// Values of an array in host memory.
template <class T>
struct HostValues {
  std::vector<T> values;
  std::vector<std::int64_t> shape;

  /// @throws Error  NumPy cannot make an array of the input
  HostValues(const char* argument, nb::handle input, const char* dtype) {
    nb::object array;
    try {
      array = nb::module_::import_("numpy").attr("ascontiguousarray")(input, dtype);
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError) && !error.matches(PyExc_RuntimeError))
        throw;
      throw Error(text(operation, ": ", argument, " is no array of ", dtype,
                       " in host memory: ", text_of(nb::borrow(error.value()))));
    }
    const auto shared = nb::cast<nb::ndarray<const T, nb::c_contig, nb::device::cpu>>(array);
    values.assign(shared.data(), shared.data() + shared.size());
    for (std::size_t k = 0; k < shared.ndim(); ++k) shape.push_back(static_cast<std::int64_t>(shared.shape(k)));
  }

  std::string shape_text() const { return Strided{.data = nullptr, .shape = shape, .strides = {}}.shape_text(); }
  bool has_shape(std::vector<std::int64_t> expected) const { return shape == expected; }
};

/// Directions in which each of `count` cells, or all of them, repeat.
std::vector<std::array<bool, 3>> read_periodic(nb::handle periodic, bool has_cell, std::int64_t count) {
  if (periodic.is_none()) return {{has_cell, has_cell, has_cell}};
  const HostValues<bool> flags("periodic", periodic, "bool");
  const bool is_one = flags.shape.empty() || flags.has_shape({1});  // NumPy returns at least one dimension
  if (is_one) return {{flags.values[0], flags.values[0], flags.values[0]}};
  require(flags.has_shape({3}) || flags.has_shape({count, 3}), operation, ": periodic has the shape ",
          flags.shape_text(), ", expected one value, (3,)", count > 1 ? text(" or (", count, ", 3)") : "", ".");
  std::vector<std::array<bool, 3>> result;
  for (std::size_t k = 0; k < flags.values.size(); k += 3)
    result.push_back({flags.values[k], flags.values[k + 1], flags.values[k + 2]});
  return result;
}

/// Cells of `systems` systems: one for each, or one for all.
std::vector<PeriodicCell> read_cells(nb::handle cell, nb::handle periodic, std::int64_t systems) {
  const bool has_cell = !cell.is_none();
  const std::vector<std::array<bool, 3>> directions = read_periodic(periodic, has_cell, systems);
  HostValues<double> vectors("cell", has_cell ? cell : nb::make_tuple(), "float64");
  if (has_cell)
    require(vectors.has_shape({3, 3}) || vectors.has_shape({systems, 3, 3}), operation, ": cell has the shape ",
            vectors.shape_text(), ", expected (3, 3): one vector in each row",
            systems > 1 ? text(", or (", systems, ", 3, 3)") : "", ".");
  else
    vectors.values.assign(9, 0);
  std::vector<PeriodicCell> cells(std::max(vectors.values.size() / 9, directions.size()));
  for (std::size_t s = 0; s < cells.size(); ++s) {
    const double* const first = vectors.values.data() + (vectors.values.size() > 9 ? 9 * s : 0);
    for (std::size_t k = 0; k < 9; ++k) cells[s].vectors[k / 3][k % 3] = first[k];
    cells[s].periodic = directions[directions.size() > 1 ? s : 0];
  }
  return cells;
}

/// PeriodicNeighbors of Python.
class BoundPeriodicNeighbors : public FloatOrDoublePlan<PeriodicNeighbors> {
 public:
  BoundPeriodicNeighbors(PlanContext context, double radius, const PeriodicNeighborsOptions& options)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, radius, options]<class Real>() {
                            return std::make_unique<PeriodicNeighbors<Real>>(queue, radius, options);
                          }),
        options_(options) {}

  nb::object find(nb::handle points, nb::handle cell, nb::handle periodic, nb::handle starts) {
    return use([&]<class Real>(AlternatingPlans<PeriodicNeighbors<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const Points<Real> columns = call.points<Real>(points, "points", dimensions_of(points));
      std::vector<std::int64_t> first{0, columns.count()};
      if (!starts.is_none()) first = HostValues<std::int64_t>("starts", starts, "int64").values;
      const auto systems = std::max<std::int64_t>(std::ssize(first) - 1, 1);
      const std::vector<PeriodicCell> cells = read_cells(cell, periodic, systems);
      PeriodicNeighbors<Real>& plan = plans.unshared();
      run_waiting([&] { plan.find(columns, first, cells); });
      library = call.library();
      const std::int64_t pairs = plan.pair_count();
      const nb::object owner = plans.owner();
      return result_type("NeighborPairs")(
          call.export_view(plan.edge_index(), {2, pairs}, owner), call.export_view(plan.shifts(), {pairs, 3}, owner),
          options_.distances ? call.export_view(plan.distances(), owner) : nb::none(),
          options_.displacements ? call.export_view(plan.displacements(), {pairs, 3}, owner) : nb::none(),
          call.export_view(plan.offsets(), owner));
    });
  }

 private:
  PeriodicNeighborsOptions options_;
};

nb::object periodic_neighbors(nb::handle points, double radius, nb::handle cell, nb::handle periodic, nb::handle starts,
                              const nb::kwargs& keywords) {
  PeriodicNeighborsOptions options;
  CallOptions call;
  read_options(operation, keywords, periodic_keywords(), options, call_options(), call);
  return BoundPeriodicNeighbors(context_of(operation, "points", points, call), radius, options)
      .find(points, cell, periodic, starts);
}

constexpr const char* what_it_computes = R"(
A pair (i, j, S) of two points and three whole numbers is in the list exactly if, in the arithmetic of the points' type,
``|D| < radius`` with ``D = points[j] - points[i] + S @ cell``: the convention of ASE, matscipy and vesin. Pairs are ordered
by i, j and S. Cells may be smaller than the radius, skewed or left-handed, points may lie outside, and a point pairs with
its own images. The list has the same bits on CPU and CUDA, for any number of threads.
)";

constexpr const char* keyword_parameters = R"(method : str
    Name of a method in ``shoal.methods("neighbors")``, or "auto".
predicate : {"strict", "inclusive"}
    d < r, or d <= r.
include_self : bool
    List each point as its own neighbor, without a shift.
half : bool
    List each pair once: with i < j, or with i = j and the first shift that is not 0 positive.
distances, displacements : bool
    Add d and D of each pair.
)";

constexpr const char* find_text = R"(
Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, of any stride; d = 1, 2 or 3.
cell : array (3, 3) or (systems, 3, 3), optional
    m, one vector of the cell in each row, in host memory; without it no direction is periodic.
periodic : bool, array (3) or (systems, 3), optional
    Vectors along which the points repeat, in host memory. Default: all, if there is a cell.
starts : array (systems + 1), optional
    First point of each system, ascending from 0 to n, in host memory: many systems in one call, which are no neighbors of
    each other. The list is that of one call for each.

Returns
-------
NeighborPairs
    edge_index (int64, [2, pairs]), shifts (int32, [pairs, 3]), distances, displacements ([pairs, 3]), offsets; on the
    device of the points. Read-only.

Raises
------
Error
    A coordinate is not finite; the cell vectors are linearly dependent; starts or shapes do not fit; coordinates are so
    large that rounding errors reach half the radius; an array is of another type or on another device.
)";

constexpr const char* find_arguments =
    "cell: typing.Any = None, periodic: typing.Any = None, starts: typing.Any = None";

}  // namespace

void bind_periodic_neighbors(nb::module_& module) {
  nb::class_<BoundPeriodicNeighbors> plan(
      module, "PeriodicNeighbors",
      signature("All pairs of points within a radius in periodic cells of any shape, with every image, for repeated "
                "searches.\n",
                what_it_computes, "\nParameters\n----------\nradius : float\n    m\n", keyword_parameters,
                context_parameters,
                "\nExamples\n--------\n>>> plan = shoal.PeriodicNeighbors(5.0, displacements=True)\n>>> pairs = "
                "plan.find(positions, cell)\n>>> i, j = pairs.edge_index"));
  plan.def(
          "__init__",
          [](BoundPeriodicNeighbors* self, double radius, const nb::kwargs& keywords) {
            PeriodicNeighborsOptions options;
            ContextOptions context;
            read_options(operation, keywords, periodic_keywords(), options, context_options(), context);
            new (self) BoundPeriodicNeighbors(make_context(operation, context), radius, options);
          },
          "radius"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, radius: float, *, ", periodic_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def("find", &BoundPeriodicNeighbors::find, "points"_a.none(), "cell"_a = nb::none(), "periodic"_a = nb::none(),
           "starts"_a = nb::none(),
           nb::sig(
               signature("def find(self, points: typing.Any, ", find_arguments, ") -> shoal._results.NeighborPairs")),
           signature("Finds the pairs. Lists of earlier calls stay unchanged.\n", find_text));
  bind_plan_members<BoundPeriodicNeighbors>(plan);

  module.def("periodic_neighbors", &periodic_neighbors, "points"_a.none(), "radius"_a, "cell"_a = nb::none(),
             "periodic"_a = nb::none(), "starts"_a = nb::none(), "keywords"_a,
             nb::sig(signature("def periodic_neighbors(points: typing.Any, radius: float, ", find_arguments, ", *, ",
                               periodic_keywords().signature(), ", ", call_options().signature(),
                               ") -> shoal._results.NeighborPairs")),
             signature("All pairs of points within a radius in periodic cells of any shape, with every image. "
                       "`PeriodicNeighbors` repeats searches.\n",
                       what_it_computes, find_text, "\nOther parameters\n----------------\n", keyword_parameters));
}

}  // namespace shoal::python
