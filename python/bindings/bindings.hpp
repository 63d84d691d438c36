// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <shoal/grid.hpp>
#include <shoal/methods.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "arrays.hpp"
#include "options.hpp"
#include "place.hpp"
#include "plans.hpp"

namespace shoal::python {

using namespace nb::literals;

/// One function a file of this folder: puts an operation into the module.
/// @{
void bind_methods(nb::module_& module);
void bind_grid(nb::module_& module);
void bind_cells(nb::module_& module);
void bind_neighbors(nb::module_& module);
void bind_neighbor_sets(nb::module_& module);
void bind_neighbor_stream(nb::module_& module);
void bind_deposit(nb::module_& module);
void bind_wall_mesh(nb::module_& module);
void bind_wall_distance(nb::module_& module);
void bind_collision(nb::module_& module);
void bind_relaxation(nb::module_& module);
void bind_sph(nb::module_& module);
/// @}

/// The shapes of arrays of cells and of nodes: z, y, x.
/// @{
std::vector<std::int64_t> cell_shape(const Grid& grid);
std::vector<std::int64_t> node_shape(const Grid& grid);
/// @}

/// One of the named tuples of shoal._results.
inline nb::object result_type(const char* name) { return nb::module_::import_("shoal._results").attr(name); }

/// A plan in the precision of its place.
template <template <class> class Plan>
class EitherPlan {
 public:
  /// @param make  <Real>() gives a std::unique_ptr<Plan<Real>>; it is called again when results are kept
  template <class Make>
  EitherPlan(const char* operation, Place place, Make make)
      : operation_(operation), place_(std::move(place)), plans_(open(place_.single, make)) {}

  /// Calls work(plans, Real()) while no other thread may use the plan.
  template <class Work>
  decltype(auto) use(Work&& work) {
    const AtWork here(operation_, *busy_);
    return std::visit([&]<class Real>(Plans<Plan<Real>>& plans) -> decltype(auto) { return work(plans, Real{}); },
                      plans_);
  }

  const Place& place() const { return place_; }
  Library library = Library::numpy;  ///< of the arrays that it was given last

  /// Waits for the work of the plan's stream.
  void wait() const {
    const nb::gil_scoped_release others_may_work;
    place_.queue.wait();
  }
  MethodInfo method() {
    return use([](auto& plans, auto) { return plans.current().method(); });
  }

 private:
  using Both = std::variant<Plans<Plan<float>>, Plans<Plan<double>>>;

  template <class Make>
  static Both open(bool single, Make make) {
    if (single) return Plans<Plan<float>>([make] { return make.template operator()<float>(); });
    return Plans<Plan<double>>([make] { return make.template operator()<double>(); });
  }

  const char* operation_;
  Place place_;
  Both plans_;
  std::unique_ptr<std::atomic_flag> busy_ = std::make_unique<std::atomic_flag>();
};

/// What all plans have.
template <class Bound, class Class>
void bind_plan_members(Class& bound) {
  bound
      .def("wait", &Bound::wait,
           "Waits for all work of the plan's stream.\n\nRaises\n------\nError\n    What that "
           "work found: the first point outside, the first value not finite ...")
      .def_prop_ro("method", &Bound::method, "MethodInfo: the row of the method table that runs.")
      .def_prop_ro(
          "device", [](const Bound& plan) { return to_string(plan.place().queue.device()); },
          "str: where it works, \"cpu\" or \"cuda:0\".")
      .def_prop_ro(
          "dtype", [](const Bound& plan) { return plan.place().single ? "float32" : "float64"; },
          "str: what it computes in.");
}

}  // namespace shoal::python
