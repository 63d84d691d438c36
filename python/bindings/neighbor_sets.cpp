// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbor_sets.hpp>

#include <map>

#include "bindings.hpp"
#include "neighbor_list.hpp"
#include "neighbor_options.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "neighbors";

/// Points are views, so the arrays behind them are held from set_points to the next.
class BoundNeighborSets : public EitherPlan<NeighborSets> {
 public:
  BoundNeighborSets(Place place, double radius, const NeighborKeywords& keywords)
      : EitherPlan(operation, place,
                   [queue = place.queue, radius, keywords]<class Real>() {
                     return std::make_unique<NeighborSets<Real>>(queue, radius, keywords.box, keywords.options);
                   }),
        keywords_(keywords) {}

  void add(const std::string& name) {
    use([&](auto& plans, auto) { plans.current().add(name); });
  }
  std::vector<std::string> names() {
    return use([](auto& plans, auto) { return plans.current().names(); });
  }
  void activate(const std::string& destination, const std::string& source) {
    use([&](auto& plans, auto) { plans.current().activate(destination, source); });
  }
  void deactivate(const std::string& destination, const std::string& source) {
    use([&](auto& plans, auto) { plans.current().deactivate(destination, source); });
  }
  bool is_active(const std::string& destination, const std::string& source) {
    return use([&](auto& plans, auto) { return plans.current().is_active(destination, source); });
  }

  void set_points(const std::string& name, nb::handle points, nb::handle radii) {
    use([&]<class Real>(Plans<NeighborSets<Real>>& plans, Real) {
      auto call = std::make_unique<Call>(operation, place());
      plans.current().set_points(name, call->points<Real>(points, "points", keywords_.box.dimensions, radii));
      library = call->library();
      held_[name] = std::move(call);
    });
  }

  void find() {
    work([](auto& plan) { plan.find(); });
  }
  void update() {
    work([](auto& plan) { plan.update(); });
  }

  /// A copy of the list: the plan's own memory is overwritten by the next search.
  nb::object list(const std::string& destination, const std::string& source) {
    return use([&]<class Real>(Plans<NeighborSets<Real>>& plans, Real) {
      Call call(operation, place());
      call.set_library(library);
      const NeighborListView<Real> now = plans.current().list(destination, source);
      std::unique_ptr<CopiedList<Real>> kept;
      call.run([&] { kept = std::make_unique<CopiedList<Real>>(place().queue, now); });
      const NeighborListView<Real> view = kept->view();
      return neighbor_list(call, view, keywords_.options, keywords_.box.dimensions, keep(std::move(kept)));
    });
  }

 private:
  template <class Work>
  void work(Work do_it) {
    use([&](auto& plans, auto) {
      const Call call(operation, place());
      call.run([&] { do_it(plans.current()); });
    });
  }

  NeighborKeywords keywords_;
  std::map<std::string, std::unique_ptr<Call>> held_;
};

}  // namespace

void bind_neighbor_sets(nb::module_& module) {
  nb::class_<BoundNeighborSets> plan(
      module, "NeighborSets",
      signature(R"(Neighbors between several named sets of points, for those pairs of sets that are active.

A pair (destination, source) says whose points search whose. Each set is sorted once, however many pairs it is in.

Parameters
----------
radius : float
    m; where points have radii of their own, the factor that these are multiplied by.
)",
                neighbor_parameters, place_parameters, R"(
Examples
--------
>>> sets = shoal.NeighborSets(0.1)
>>> sets.add("fluid")
>>> sets.add("wall")
>>> sets.activate("fluid", "wall")
>>> sets.set_points("fluid", fluid)
>>> sets.set_points("wall", wall)
>>> sets.find()
>>> offsets, indices, *_ = sets.list("fluid", "wall")
)"));
  plan.def(
          "__init__",
          [](BoundNeighborSets* self, double radius, const nb::kwargs& keywords) {
            NeighborKeywords options;
            PlaceOptions place;
            read_options(operation, keywords, neighbor_keywords(), options, place_options(), place);
            new (self) BoundNeighborSets(make_place(operation, place), radius, options);
          },
          "radius"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, radius: float, *, ", neighbor_keywords().signature(), ", ",
                            place_options().signature(), ") -> None")))
      .def("add", &BoundNeighborSets::add, "name"_a, "Makes a set, without points and in no active pair.")
      .def("activate", &BoundNeighborSets::activate, "destination"_a, "source"_a,
           "The points of `destination` search those of `source`, from the next find on.")
      .def("deactivate", &BoundNeighborSets::deactivate, "destination"_a, "source"_a, "They no longer do.")
      .def("is_active", &BoundNeighborSets::is_active, "destination"_a, "source"_a, "Whether they do.")
      .def("set_points", &BoundNeighborSets::set_points, "name"_a, "points"_a, "radii"_a = nb::none(),
           nb::sig("def set_points(self, name: str, points: typing.Any, radii: typing.Any = None) -> None"),
           R"(The points of a set from now on. They are read by find and update, and not copied.

Parameters
----------
name : str
points : array (n, d), or a tuple of d columns (n)
    m, of any stride, on the plan's device.
radii : array (n), optional
    m, one a point, unless `radius_of` is "fixed".
)")
      .def("find", &BoundNeighborSets::find, "Finds the lists of all active pairs.")
      .def("update", &BoundNeighborSets::update,
           "`find` for points that moved, in the memory that the plan has: nothing is allocated.")
      .def("list", &BoundNeighborSets::list, "destination"_a, "source"_a,
           nb::sig("def list(self, destination: str, source: str) -> shoal._results.NeighborList"),
           "NeighborList of an active pair: a copy, which the next search leaves as it is.")
      .def_prop_ro("names", &BoundNeighborSets::names, nb::sig("def names(self) -> collections.abc.Sequence[str]"),
                   "list of str: in the order in which they were added.");
  bind_plan_members<BoundNeighborSets>(plan);
}

}  // namespace shoal::python
