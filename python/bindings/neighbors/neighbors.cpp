// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors.hpp>

#include "bindings.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/neighbor_options.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

const Options<Box>& box_options() {
  static const auto table = Options<Box>()
                                .add("dimensions", &Box::dimensions)
                                .add("periodic", &Box::periodic)
                                .add("lower", &Box::lower)
                                .add("upper", &Box::upper);
  return table;
}

const Options<NeighborKeywords>& neighbor_keywords() {
  static const auto options = Options<NeighborsOptions>()
                                  .add("method", &NeighborsOptions::method)
                                  .add("predicate", &NeighborsOptions::predicate)
                                  .add("include_self", &NeighborsOptions::include_self)
                                  .add("order", &NeighborsOptions::order)
                                  .add("half", &NeighborsOptions::half)
                                  .add("wide_indices", &NeighborsOptions::wide_indices)
                                  .add("distances", &NeighborsOptions::distances)
                                  .add("displacements", &NeighborsOptions::displacements)
                                  .add("edge_index", &NeighborsOptions::edge_index)
                                  .add("shifts", &NeighborsOptions::shifts)
                                  .add("skin", &NeighborsOptions::skin);
  static const auto table = Options<NeighborKeywords>()
                                .add_members(&NeighborKeywords::box, box_options())
                                .add_members(&NeighborKeywords::options, options)
                                .add("radius_of", &NeighborKeywords::radius_of);
  return table;
}

void require_radii(const NeighborKeywords& keywords, nb::handle radii) {
  if (!keywords.radius_of) return;
  const std::string_view rule = to_name(*keywords.radius_of);
  if (*keywords.radius_of == Radius::fixed)
    require(
        radii.is_none(), "neighbors: radii are given, but radius_of = \"", rule,
        "\" has one radius for all pairs. Leave radius_of out, or choose \"symmetric\", \"gather\" or \"scatter\".");
  else
    require(!radii.is_none(), "neighbors: radius_of = \"", rule, "\" needs the radius of each point. Pass radii.");
}

void require_radii(const NeighborKeywords& keywords, nb::handle radii, nb::handle sources, nb::handle source_radii) {
  require(!sources.is_none() || source_radii.is_none(), "neighbors: source_radii are given without sources.");
  require_radii(keywords, radii);
  const char* const names[] = {"radii", "source_radii"};
  const bool has_radii = !radii.is_none();
  require(sources.is_none() || has_radii == !source_radii.is_none(), "neighbors: ", names[has_radii ? 0 : 1],
          " are given without ", names[has_radii ? 1 : 0], ", expected the radii of both sets or of none.");
}

const char* const box_parameters = R"(dimensions : int
    1, 2 or 3.
periodic : sequence of bool
    Periodic axes; they need `lower` and `upper`.
lower, upper : sequence of float
    m, the bounds of periodic axes.
)";

const std::string neighbor_parameters = std::string(box_parameters) + R"(method : str
    Name of a method in ``shoal.methods("neighbors")``, or "auto".
predicate : {"strict", "inclusive"}
    d < r, or d <= r.
radius_of : {"fixed", "gather", "scatter", "symmetric"}, optional
    Radius of a pair: that of the plan, of the destination, of the source, or the larger of the last two. Unless it is
    "fixed", each point has a radius, and `radius` is the factor of these radii. Default: "symmetric" if radii of points
    are given, "fixed" otherwise.
include_self : bool
    Within one set: list each point as its own neighbor.
order : {"ascending", "visit"}
    Entries of a row: ascending, or in the fixed order in which the search visits the cells around a point, which saves
    the sort. The cells follow from all points, so that points that move may change the order of all rows.
half : bool
    Within one set: list each pair once, in the row of the smaller number.
wide_indices, distances, displacements : bool
    Additional arrays of the list: the indices as int64, d of each entry, x_i - x_j of each entry.
edge_index : bool
    Add the list in COO form: the destinations and sources of all entries.
shifts : bool
    Add the periods along x, y and z by which the source of each entry is shifted, so that x_j - x_i + shift * period is
    the vector to the neighbor.
skin : float
    m. `update` only filters candidates within radius + skin until points have moved too far.
)";

namespace {

constexpr const char* operation = "neighbors";

}  // namespace

int dimensions_of(nb::handle points) {
  if (is_sequence_of_arrays(points)) return static_cast<int>(nb::len(points));
  const nb::object shape = nb::getattr(as_array(operation, "points", points), "shape", nb::tuple());
  if (nb::len(shape) == 1) return 1;
  if (nb::len(shape) != 2) return 3;
  const auto rows = nb::cast<std::int64_t>(nb::int_(shape[0])), dimensions = nb::cast<std::int64_t>(nb::int_(shape[1]));
  require(dimensions >= 1 && dimensions <= 3, operation, ": points has the shape (", rows, ", ", dimensions,
          "), expected (n, 1), (n, 2) or (n, 3).", rows <= 3 ? " Pass its transpose, points.T." : "");
  return static_cast<int>(dimensions);
}

namespace {

class BoundNeighbors : public NeighborPlan<Neighbors> {
 public:
  BoundNeighbors(PlanContext context, double radius, const NeighborKeywords& keywords)
      : NeighborPlan(context, keywords, [queue = context.queue, radius]<class Real>(const NeighborKeywords& options) {
          return std::make_unique<Neighbors<Real>>(queue, radius, options.box, options.options);
        }) {}

  nb::object find(nb::handle points, nb::handle sources, nb::handle radii, nb::handle source_radii) {
    return use([&]<class Real>(AlternatingPlans<Neighbors<Real>>& plans, Real) {
      require_radii(keywords(), radii, sources, source_radii);
      select_rule(plans, !radii.is_none());
      return search(plans.unshared(), plans, points, sources, radii, source_radii,
                    [](auto& plan, const auto&... sets) { plan.find(sets...); });
    });
  }

  nb::object find_part(nb::handle points, std::int64_t first, std::int64_t count, nb::handle radii) {
    return use([&]<class Real>(AlternatingPlans<Neighbors<Real>>& plans, Real) {
      require_radii(keywords(), radii);
      select_rule(plans, !radii.is_none());
      return search(plans.unshared(), plans, points, nb::none(), radii, nb::none(),
                    [&](auto& plan, const auto& set, const auto&...) { plan.find_part(set, first, count); });
    });
  }

  nb::object update(nb::handle points, nb::handle sources, nb::handle radii, nb::handle source_radii) {
    return use([&]<class Real>(AlternatingPlans<Neighbors<Real>>& plans, Real) {
      require_radii(keywords(), radii, sources, source_radii);
      select_rule(plans, !radii.is_none());
      try {
        return search(plans.current(), plans, points, sources, radii, source_radii,
                      [this](auto& plan, const auto&... sets) {
                        plan.update(sets...);
                        if (context().wait) context().queue.wait();
                      });
      } catch (const Error&) {
        plans.remake();  // nothing is computed from a part of a list
        throw;
      }
    });
  }

  nb::object to_matrix(std::int64_t maximum) {
    return use([&]<class Real>(AlternatingPlans<Neighbors<Real>>& plans, Real) {
      CallArrays call(operation, context());
      call.set_library(library);
      const std::int64_t rows = std::max<std::int64_t>(0, plans.current().offsets().count - 1);
      require(maximum >= 0, "neighbors: maximum = ", maximum, ", expected at least 0.");
      auto [array, matrix] = call.result<std::int32_t>(nb::none(), {rows, maximum});
      call.run([&, matrix = matrix] { plans.current().to_matrix(maximum, matrix); });
      return array;
    });
  }

  nb::object sum(nb::handle weights, nb::handle out) {
    return use([&]<class Real>(AlternatingPlans<Neighbors<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const View<const Real> weight = call.column<Real>(weights, "weights");
      auto [array, sums] = call.result<Real>(out, {destinations_});
      call.run([&, sums = sums] { plans.current().sum(weight, sums); });
      return array;
    });
  }

  std::int64_t rebuilds() {
    return use([](auto& plans, auto) {
      const GilRelease gil_release;
      return plans.current().rebuilds();
    });
  }

 private:
  /// @param run_search  waits for the list unless the plan has wait = False
  template <class Plan, class Real, class Search>
  nb::object search(Neighbors<Real>& plan, AlternatingPlans<Plan>& plans, nb::handle points, nb::handle sources,
                    nb::handle radii, nb::handle source_radii, Search run_search) {
    CallArrays call(operation, context());
    const int dimensions = keywords().box.dimensions;
    const Points<Real> destinations = call.points<Real>(points, "points", dimensions, radii);
    if (sources.is_none()) {
      run_waiting([&] { run_search(plan, destinations); });
    } else {
      const Points<Real> source_points = call.points<Real>(sources, "sources", dimensions, source_radii);
      run_waiting([&] { run_search(plan, destinations, source_points); });
    }
    library = call.library();
    destinations_ = destinations.count();
    return neighbor_list(call,
                         NeighborListView<Real>{plan.offsets(), plan.indices(), plan.wide_indices(), plan.distances(),
                                                plan.displacements(), plan.edge_index(), plan.shifts()},
                         keywords().options, dimensions, plans.owner());
  }

  std::int64_t destinations_ = 0;
};

nb::object neighbors(nb::handle points, double radius, nb::handle sources, nb::handle radii, nb::handle source_radii,
                     const nb::kwargs& keywords) {
  NeighborKeywords options;
  CallOptions call;
  options.box.dimensions = dimensions_of(points);
  read_options(operation, keywords, neighbor_keywords(), options, call_options(), call);
  return BoundNeighbors(context_of(operation, "points", points, call), radius, options)
      .find(points, sources, radii, source_radii);
}

constexpr const char* what_it_computes = R"(
The sources of destination i are ``indices[offsets[i]:offsets[i + 1]]``, ascending unless `order` is "visit". A pair is in the list exactly if,
in the arithmetic of the points' type,
``d2 = fma(dz, dz, fma(dy, dy, dx * dx)) < r * r``, with the nearest image along periodic axes. The list has the same
bits for all methods, on CPU and CUDA, for any number of threads. The number of neighbors has no limit.
)";

constexpr const char* find_text = R"(
Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, the destinations, of any stride; n < 2**31 - 1.
sources : the same, optional
    m, points to search; default: the points themselves.
radii, source_radii : array (n), optional
    m, radii of the points and of the sources; positive. Then `radius` is their factor, see `radius_of`.

Returns
-------
NeighborList
    offsets (int64, [n + 1]), indices (int32), and the additional arrays, None if not enabled. Read-only.

Raises
------
Error
    A coordinate is not finite or more than a period outside the box, a radius is not positive (names the first such
    point); an array is of another type or shape, or on another device.
OutOfMemory
    The list does not fit the device.
)";

}  // namespace

void bind_neighbors(nb::module_& module) {
  nb::class_<BoundNeighbors> plan(
      module, "Neighbors",
      signature("Every source point within a radius of every destination point, for repeated searches.\n",
                what_it_computes,
                "\nParameters\n----------\nradius : float\n    m; if points have radii, the factor of "
                "these radii.\n",
                neighbor_parameters, context_parameters,
                "\nExamples\n--------\n>>> plan = shoal.Neighbors(0.1, like=points)\n>>> offsets, indices, *_ = "
                "plan.find(points)\n\nReferences\n----------\nGodbole (2014), \"GPU Extension for PySPH NNPS\"; each "
                "method names its "
                "own."));
  const char* const point_arguments =
      "points: typing.Any, sources: typing.Any = None, *, radii: typing.Any = None, source_radii: typing.Any = None";
  plan.def(
          "__init__",
          [](BoundNeighbors* self, double radius, const nb::kwargs& keywords) {
            NeighborKeywords options;
            ContextOptions context;
            read_options(operation, keywords, neighbor_keywords(), options, context_options(), context);
            new (self) BoundNeighbors(make_context(operation, context), radius, options);
          },
          "radius"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, radius: float, *, ", neighbor_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def("find", &BoundNeighbors::find, "points"_a.none(), "sources"_a = nb::none(), nb::kw_only(),
           "radii"_a = nb::none(), "source_radii"_a = nb::none(),
           nb::sig(signature("def find(self, ", point_arguments, ") -> shoal._results.NeighborList")),
           signature("Finds the list. Lists of earlier calls stay unchanged.\n", find_text))
      .def("find_part", &BoundNeighbors::find_part, "points"_a.none(), "first"_a, "count"_a, nb::kw_only(),
           "radii"_a = nb::none(),
           nb::sig("def find_part(self, points: typing.Any, first: int, count: int, *, radii: typing.Any = None) -> "
                   "shoal._results.NeighborList"),
           R"(Finds the rows of points `first` to ``first + count - 1`` alone: those of `find`, with offsets from 0.

With the result of `GhostPoints.find` these are the neighbors of this rank's points; ``number[indices]`` are the numbers
of the sources over all ranks.

Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, of any stride.
first, count : int
    The part.
radii : array (n), optional
    As for `find`.

Returns
-------
NeighborList
    offsets have count + 1 elements.

Raises
------
Error
    As `find`; the part is not one of the points; a plan with a skin.
)")
      .def("update", &BoundNeighbors::update, "points"_a.none(), "sources"_a = nb::none(), nb::kw_only(),
           "radii"_a = nb::none(), "source_radii"_a = nb::none(),
           nb::sig(signature("def update(self, ", point_arguments, ") -> shoal._results.NeighborList")),
           signature(
               "Finds the list of points that moved, in the arrays of the last list, which it overwrites. It allocates "
               "nothing, and with wait = False it does not wait. There must be as many points as in the last "
               "`find`, or fewer. Entries of `indices` from ``offsets[n]`` on have no meaning.\n",
               find_text))
      .def("to_matrix", &BoundNeighbors::to_matrix, "maximum"_a,
           nb::sig("def to_matrix(self, maximum: int) -> typing.Any"),
           R"(The last list as a matrix: row i holds the sources of destination i, then -1.

Parameters
----------
maximum : int
    Number of columns.

Returns
-------
array (n, maximum), int32

Raises
------
Error
    A row is longer; the message gives the longest length.
)")
      .def("sum", &BoundNeighbors::sum, "weights"_a.none(), "out"_a = nb::none(),
           nb::sig("def sum(self, weights: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(The sum of the weights of every destination's sources, on the points of the last search.

Parameters
----------
weights : array (sources)
    Any unit, any stride.
out : array (destinations), optional
    Array for the result.
)")
      .def_prop_ro("rebuilds", &BoundNeighbors::rebuilds,
                   "int: with a skin, the number of updates since the last find that searched candidates again.");
  bind_plan_members<BoundNeighbors>(plan);

  module.def("neighbors", &neighbors, "points"_a.none(), "radius"_a, "sources"_a = nb::none(), nb::kw_only(),
             "radii"_a = nb::none(), "source_radii"_a = nb::none(), "keywords"_a,
             nb::sig(signature("def neighbors(points: typing.Any, radius: float, sources: typing.Any = None, *, radii: "
                               "typing.Any = None, source_radii: typing.Any = None, ",
                               neighbor_keywords().signature(), ", ", call_options().signature(),
                               ") -> shoal._results.NeighborList")),
             signature("Every source point within a radius of every destination point. `Neighbors` repeats "
                       "searches.\n",
                       what_it_computes, find_text, "\nOther parameters\n----------------\n", neighbor_parameters,
                       "\n`dimensions` is that of the points."));
}

}  // namespace shoal::python
