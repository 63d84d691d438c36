// SPDX-License-Identifier: Apache-2.0
#include <shoal/ranks/ghost_points.hpp>

#include "bindings.hpp"
#include "neighbors/neighbor_options.hpp"
#include "support/inputs.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "neighbors";

/// Keywords of GhostPoints.
struct GhostKeywords {
  Box box;
  std::optional<Communicator> ranks = {};
};

const Options<GhostKeywords>& ghost_keywords() {
  static const auto table =
      Options<GhostKeywords>().add("ranks", &GhostKeywords::ranks).add_members(&GhostKeywords::box, box_options());
  return table;
}

/// GhostPoints of Python. Its results are copies, so the plan is never replaced: all ranks would have to do so together.
class BoundGhostPoints : public FloatOrDoublePlan<GhostPoints> {
 public:
  BoundGhostPoints(PlanContext context, double radius, const GhostKeywords& keywords)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, radius, keywords]<class Real>() {
                            return std::make_unique<GhostPoints<Real>>(queue, ranks_or_alone(keywords.ranks), radius,
                                                                       keywords.box);
                          }),
        dimensions_(keywords.box.dimensions) {}

  nb::object find(nb::handle points, nb::handle radii) {
    return use([&]<class Real>(AlternatingPlans<GhostPoints<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const Points<Real> own_points = call.points<Real>(points, "points", dimensions_, radii);
      library = call.library();
      GhostPoints<Real>& ghosts = plans.current();
      call.run([&] { ghosts.find(own_points); });
      const Points<Real>& near = ghosts.points();
      const View<const Real> axes[] = {near.x, near.y, near.z};
      nb::list columns;
      for (int axis = 0; axis < dimensions_; ++axis) columns.append(copied(call, ghosts, axes[axis]));
      return result_type("PointsWithGhosts")(nb::tuple(columns),
                                             radii.is_none() ? nb::none() : copied(call, ghosts, near.radius),
                                             call.copy_view(ghosts.number()), ghosts.own_begin(), ghosts.own_count());
    });
  }

  nb::object update(nb::handle values, nb::handle out) {
    const ArrayProperties properties = properties_of(operation, "values", values);
    if (properties.stored_dtype == "int32") return update_as<std::int32_t>(values, out);
    if (properties.stored_dtype == "int64") return update_as<std::int64_t>(values, out);
    if (properties.dtype == "float32") return update_as<float>(values, out);
    require(properties.dtype == "float64", operation, ": values has the dtype ", properties.dtype,
            ", expected float32, float64, int32 or int64.");
    return update_as<double>(values, out);
  }

  std::int64_t total() {
    return use([](auto& plans, auto) { return plans.current().total(); });
  }

 private:
  /// New array of coordinates or radii. On one rank these are the caller's own arrays, of any stride.
  template <class Real>
  static nb::object copied(CallArrays& call, const GhostPoints<Real>& ghosts, View<const Real> values) {
    if (values.stride == 1) return call.copy_view(values);
    auto [array, contiguous] = call.result<Real>(nb::none(), {values.count});
    call.run([&, contiguous = contiguous] { ghosts.update(values, contiguous); });
    return array;
  }

  template <class T>
  nb::object update_as(nb::handle own_values, nb::handle out) {
    return use([&](auto& plans, auto) {
      CallArrays call(operation, context());
      const View<const T> in = call.column<T>(own_values, "values");
      auto [array, values] = call.result<T>(out, {plans.current().points().count()});
      call.run([&, values = values] { plans.current().update(in, values); });
      return array;
    });
  }

  int dimensions_;
};

}  // namespace

void bind_ghost_points(nb::module_& module) {
  nb::class_<BoundGhostPoints> plan(
      module, "GhostPoints",
      signature(R"(The points of this rank, and those of other ranks within a radius of them.

Points are numbered over all ranks: first those of rank 0, then those of rank 1, and so on. A rank may have any points,
also none. `find` and `update` are calls of all ranks. Without `ranks` there are no ghosts.

Parameters
----------
radius : float
    m, of the search; if points have radii, the factor of these radii: the largest one counts.
)",
                ranks_parameter, box_parameters, context_parameters, R"(
Examples
--------
>>> ghosts = shoal.GhostPoints(0.1, ranks=ranks)
>>> near = ghosts.find(points)
>>> neighbors = shoal.Neighbors(0.1)
>>> offsets, indices, *_ = neighbors.find_part(near.points, near.own_begin, near.own_count)
>>> density = ghosts.update(own_density)
)"));
  plan.def(
          "__init__",
          [](BoundGhostPoints* self, double radius, const nb::kwargs& keywords) {
            GhostKeywords options;
            ContextOptions context;
            read_options(operation, keywords, ghost_keywords(), options, context_options(), context);
            new (self)
                BoundGhostPoints(make_context(operation, context, ranks_or_alone(options.ranks)), radius, options);
          },
          "radius"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, radius: float, *, ", ghost_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def(
          "find", &BoundGhostPoints::find, "points"_a.none(), nb::kw_only(), "radii"_a = nb::none(),
          nb::sig("def find(self, points: typing.Any, *, radii: typing.Any = None) -> shoal._results.PointsWithGhosts"),
          R"(Finds the ghosts; call it again after points moved.

Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, the points of this rank, of any stride.
radii : array (n), optional
    m, on all ranks that have points, or on none.

Returns
-------
PointsWithGhosts
    Own points and ghosts in the order of their numbers over all ranks: new arrays.

Raises
------
Error
    On all ranks: a coordinate is not finite, or more than one period outside the box; names the first such point.
)")
      .def("update", &BoundGhostPoints::update, "values"_a.none(), "out"_a = nb::none(),
           nb::sig("def update(self, values: typing.Any, out: typing.Any = None) -> typing.Any"),
           R"(Another array of the points, or newer values: those of own points and ghosts.

Parameters
----------
values : array (own points)
    Any unit, any stride; float32, float64, int32 or int64.
out : array (own points and ghosts), optional
    Array for the result, contiguous.

Returns
-------
array (own points and ghosts)
    In the order of the points of the last `find`.
)")
      .def_prop_ro("total", &BoundGhostPoints::total, "int: number of points of all ranks.");
  bind_context_members<BoundGhostPoints>(plan);
}

}  // namespace shoal::python
