// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/nearest.hpp>

#include "bindings.hpp"
#include "neighbors/neighbor_options.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "neighbors";

/// Keywords of NearestNeighbors.
struct NearestKeywords {
  Box box;
  NearestOptions options;
};

const Options<NearestKeywords>& nearest_keywords() {
  static const auto options = Options<NearestOptions>().add("include_self", &NearestOptions::include_self);
  static const auto table = Options<NearestKeywords>()
                                .add_members(&NearestKeywords::box, box_options())
                                .add_members(&NearestKeywords::options, options);
  return table;
}

/// NearestNeighbors of Python.
class BoundNearestNeighbors : public FloatOrDoublePlan<NearestNeighbors> {
 public:
  BoundNearestNeighbors(PlanContext context, int count, const NearestKeywords& keywords)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, count, keywords]<class Real>() {
                            return std::make_unique<NearestNeighbors<Real>>(queue, count, keywords.box,
                                                                            keywords.options);
                          }),
        count_(count),
        dimensions_(keywords.box.dimensions) {}

  nb::object find(nb::handle points, nb::handle sources) {
    return use([&]<class Real>(AlternatingPlans<NearestNeighbors<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const Points<Real> destinations = call.points<Real>(points, "points", dimensions_);
      NearestNeighbors<Real>& plan = plans.unshared();
      if (sources.is_none()) {
        call.run([&] { plan.find(destinations); });
      } else {
        const Points<Real> source_points = call.points<Real>(sources, "sources", dimensions_);
        call.run([&] { plan.find(destinations, source_points); });
      }
      library = call.library();
      const std::vector<std::int64_t> shape{destinations.count(), count_};
      const nb::object owner = plans.owner();
      return result_type("NearestSources")(call.export_view(plan.indices(), shape, owner),
                                           call.export_view(plan.distances(), shape, owner));
    });
  }

 private:
  std::int64_t count_;
  int dimensions_;
};

nb::object nearest_neighbors(nb::handle points, int count, nb::handle sources, const nb::kwargs& keywords) {
  NearestKeywords options;
  CallOptions call;
  options.box.dimensions = dimensions_of(points);
  read_options(operation, keywords, nearest_keywords(), options, call_options(), call);
  return BoundNearestNeighbors(context_of(operation, "points", points, call), count, options).find(points, sources);
}

constexpr const char* what_it_computes = R"(
Row i holds the sources with the least distance, ascending, ties by the smaller number. Distances are those of `Neighbors`,
on periodic axes to the nearest image. If there are fewer than `count` sources, the row ends with -1 and infinity. The rows
have the same bits on CPU and CUDA, for any number of threads.
)";

const std::string nearest_parameters = std::string(box_parameters) + R"(include_self : bool
    Within one set: each point is its own nearest neighbor.
)";

constexpr const char* find_text = R"(
Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, the destinations, of any stride; n < 2**31 - 1.
sources : the same, optional
    m, points to search; default: the points themselves.

Returns
-------
NearestSources
    indices (int32, [n, count]) and distances ([n, count]), on the device of the points. Read-only.

Raises
------
Error
    A coordinate is not finite or more than a period outside the box (names the first such point); an array is of another
    type or shape, or on another device.
)";

}  // namespace

void bind_nearest_neighbors(nb::module_& module) {
  nb::class_<BoundNearestNeighbors> plan(
      module, "NearestNeighbors",
      signature("The nearest sources of every destination, exact, for repeated searches.\n", what_it_computes,
                "\nParameters\n----------\ncount : int\n    Number of sources in a row.\n", nearest_parameters,
                context_parameters,
                "\nExamples\n--------\n>>> plan = shoal.NearestNeighbors(8, like=points)\n>>> indices, distances = "
                "plan.find(points)\n\nReferences\n----------\nBentley (1975); Friedman, Bentley and Finkel (1977)."));
  plan.def(
          "__init__",
          [](BoundNearestNeighbors* self, int count, const nb::kwargs& keywords) {
            NearestKeywords options;
            ContextOptions context;
            read_options(operation, keywords, nearest_keywords(), options, context_options(), context);
            new (self) BoundNearestNeighbors(make_context(operation, context), count, options);
          },
          "count"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, count: int, *, ", nearest_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def("find", &BoundNearestNeighbors::find, "points"_a.none(), "sources"_a = nb::none(),
           nb::sig("def find(self, points: typing.Any, sources: typing.Any = None) -> shoal._results.NearestSources"),
           signature("Finds the nearest sources. Results of earlier calls stay unchanged.\n", find_text));
  bind_context_members<BoundNearestNeighbors>(plan);

  module.def("nearest_neighbors", &nearest_neighbors, "points"_a.none(), "count"_a, "sources"_a = nb::none(),
             "keywords"_a,
             nb::sig(signature("def nearest_neighbors(points: typing.Any, count: int, sources: typing.Any = None, *, ",
                               nearest_keywords().signature(), ", ", call_options().signature(),
                               ") -> shoal._results.NearestSources")),
             signature("The nearest sources of every destination, exact. `NearestNeighbors` repeats searches.\n",
                       what_it_computes, find_text, "\nOther parameters\n----------------\n", nearest_parameters,
                       "\n`dimensions` is that of the points."));
}

}  // namespace shoal::python
