// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/sets.hpp>

#include <map>

#include "bindings.hpp"
#include "neighbors/neighbor_list.hpp"
#include "neighbors/neighbor_options.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "neighbors";

/// NeighborSets of Python. It keeps the arrays of set_points() alive, because points are views.
class BoundNeighborSets : public NeighborPlan<NeighborSets> {
 public:
  BoundNeighborSets(PlanContext context, double radius, const NeighborKeywords& keywords)
      : NeighborPlan(context, keywords, [queue = context.queue, radius]<class Real>(const NeighborKeywords& options) {
          return std::make_unique<NeighborSets<Real>>(queue, radius, options.box, options.options);
        }) {}

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
    use([&]<class Real>(AlternatingPlans<NeighborSets<Real>>& plans, Real) {
      require_radii(keywords(), radii);
      select_rule_of_sets(plans, name, !radii.is_none());
      auto call = std::make_unique<CallArrays>(operation, context());
      plans.current().set_points(name, call->points<Real>(points, "points", keywords().box.dimensions, radii));
      library = call->library();
      set_arrays_[name] = std::move(call);
    });
  }

  void find() {
    run([](auto& plan) { plan.find(); });
  }
  void update() {
    run([](auto& plan) { plan.update(); });
  }

  /// Returns a copy of the list, because the next search overwrites the memory of the plan.
  nb::object list(const std::string& destination, const std::string& source) {
    return use([&]<class Real>(AlternatingPlans<NeighborSets<Real>>& plans, Real) {
      CallArrays call(operation, context());
      call.set_library(library);
      require(has_lists_, "neighbors: there are no lists, since the last search failed. Call find() first.");
      const NeighborListView<Real> list = plans.current().list(destination, source);
      std::unique_ptr<CopiedList<Real>> copied;
      call.run([&] { copied = std::make_unique<CopiedList<Real>>(context().queue, list); });
      const NeighborListView<Real> view = copied->view();
      return neighbor_list(call, view, keywords().options, keywords().box.dimensions,
                           owning_capsule(std::move(copied)));
    });
  }

 private:
  /// Adapts the plan to radii of the first set of points that is set; the other sets follow it.
  template <class Real>
  void select_rule_of_sets(AlternatingPlans<NeighborSets<Real>>& plans, const std::string& name, bool has_radii) {
    const bool is_only_set = set_arrays_.empty() || (set_arrays_.size() == 1 && set_arrays_.contains(name));
    if (!is_only_set) {
      const bool needs_radii = keywords().options.radius != Radius::fixed;
      require(has_radii == needs_radii, "neighbors: the set `", name, "` has ", has_radii ? "" : "no ",
              "radii, but the set `", set_arrays_.begin()->first, "` has ", needs_radii ? "some" : "none",
              ". Pass the radii of all sets or of none.");
      return;
    }
    std::vector<std::pair<std::string, std::string>> active;
    const std::vector<std::string> names = plans.current().names();
    for (const std::string& destination : names)
      for (const std::string& source : names)
        if (plans.current().is_active(destination, source)) active.emplace_back(destination, source);
    if (!select_rule(plans, has_radii)) return;
    for (const std::string& set : names) plans.current().add(set);
    for (const auto& [destination, source] : active) plans.current().activate(destination, source);
  }

  template <class Work>
  void run(Work work) {
    use([&](auto& plans, auto) {
      const CallArrays call(operation, context());
      has_lists_ = false;  // unless the search succeeds
      call.run([&] { work(plans.current()); });
      has_lists_ = true;
    });
  }

  bool has_lists_ = true;
  std::map<std::string, std::unique_ptr<CallArrays>> set_arrays_;
};

}  // namespace

void bind_neighbor_sets(nb::module_& module) {
  nb::class_<BoundNeighborSets> plan(
      module, "NeighborSets",
      signature(R"(Neighbors between several named sets of points, for those pairs of sets that are active.

In a pair (destination, source), the points of the destination search those of the source. Each set is sorted once,
however many pairs it is in.

Parameters
----------
radius : float
    m; if points have radii, the factor of these radii.
)",
                neighbor_parameters, context_parameters, R"(
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
            ContextOptions context;
            read_options(operation, keywords, neighbor_keywords(), options, context_options(), context);
            new (self) BoundNeighborSets(make_context(operation, context), radius, options);
          },
          "radius"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, radius: float, *, ", neighbor_keywords().signature(), ", ",
                            context_options().signature(), ") -> None")))
      .def("add", &BoundNeighborSets::add, "name"_a, "Adds a set, without points and in no active pair.")
      .def("activate", &BoundNeighborSets::activate, "destination"_a, "source"_a,
           "Activates a pair from the next find on: the points of `destination` search those of `source`.")
      .def("deactivate", &BoundNeighborSets::deactivate, "destination"_a, "source"_a,
           "Deactivates a pair from the next find on.")
      .def("is_active", &BoundNeighborSets::is_active, "destination"_a, "source"_a, "True if the pair is active.")
      .def("set_points", &BoundNeighborSets::set_points, "name"_a, "points"_a.none(), "radii"_a = nb::none(),
           nb::sig("def set_points(self, name: str, points: typing.Any, radii: typing.Any = None) -> None"),
           R"(Sets the points of a set. find and update read them; they are not copied.

Parameters
----------
name : str
points : array (n, d), or a tuple of d columns (n)
    m, of any stride, on the plan's device.
radii : array (n), optional
    m, radii of the points, positive: of all sets or of none. Then `radius` is their factor, see `radius_of`.
)")
      .def("find", &BoundNeighborSets::find, "Finds the lists of all active pairs.")
      .def("update", &BoundNeighborSets::update,
           "Finds the lists of points that moved, in the memory of the plan: it allocates nothing.")
      .def("list", &BoundNeighborSets::list, "destination"_a, "source"_a,
           nb::sig("def list(self, destination: str, source: str) -> shoal._results.NeighborList"),
           "NeighborList of an active pair: a copy, which the next search does not change.")
      .def_prop_ro("names", &BoundNeighborSets::names, nb::sig("def names(self) -> collections.abc.Sequence[str]"),
                   "list of str: names of the sets, in the order of add.");
  bind_plan_members<BoundNeighborSets>(plan);
}

}  // namespace shoal::python
