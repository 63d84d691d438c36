// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <shoal/grid.hpp>
#include <shoal/methods.hpp>
#include <shoal/warning.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "support/arrays.hpp"
#include "support/gil.hpp"
#include "support/options.hpp"
#include "support/plan_context.hpp"
#include "support/plans.hpp"

namespace shoal::python {

using namespace nb::literals;

/// Functions that add an operation each to the module.
/// @{
void bind_methods(nb::module_& module);
void bind_grid(nb::module_& module);
void bind_cells(nb::module_& module);
void bind_neighbors(nb::module_& module);
void bind_neighbor_sets(nb::module_& module);
void bind_neighbor_stream(nb::module_& module);
void bind_nearest_neighbors(nb::module_& module);
void bind_periodic_neighbors(nb::module_& module);
void bind_ghost_points(nb::module_& module);
void bind_jax_pairs(nb::module_& module);
void bind_deposit(nb::module_& module);
void bind_deposit_current(nb::module_& module);
void bind_deposit_grid(nb::module_& module);
void bind_solver_fields(nb::module_& module);
void bind_mesh_gradient(nb::module_& module);
void bind_wall_mesh(nb::module_& module);
void bind_wall_distance(nb::module_& module);
void bind_collision(nb::module_& module);
void bind_collision_gas(nb::module_& module);
void bind_relaxation(nb::module_& module);
void bind_gas(nb::module_& module);
void bind_sph(nb::module_& module);
void bind_sph_reports(nb::module_& module);
void bind_sph_case(nb::module_& module);
void bind_cases(nb::module_& module);
void bind_mpi(nb::module_& module);
/// @}

/// Issues a UserWarning of Python. Needs Python's lock.
/// @throws nb::python_error  Python turns warnings into errors
inline void warn(const Warning& warning) {
  if (PyErr_WarnEx(PyExc_UserWarning, warning.text().c_str(), 1) != 0) throw nb::python_error();
}

/// Shapes of arrays of cells and of nodes: z, y, x.
/// @{
std::vector<std::int64_t> cell_shape(const Grid& grid);
std::vector<std::int64_t> node_shape(const Grid& grid);
/// @}

/// Named tuple of shoal._results.
inline nb::object result_type(const char* name) { return nb::module_::import_("shoal._results").attr(name); }

/// Plan in single or double precision, as its context selects.
template <template <class> class Plan>
class FloatOrDoublePlan {
 public:
  /// @param make  <Real>() returns a std::unique_ptr<Plan<Real>>; called again while Python holds earlier results
  template <class Make>
  FloatOrDoublePlan(const char* operation, PlanContext context, Make make)
      : operation_(operation), context_(std::move(context)), plans_(make_plans(context_.single, make)) {}

  /// Calls work(plans, Real()) with exclusive use of the plan.
  template <class Work>
  decltype(auto) use(Work&& work) {
    const BusyGuard guard(operation_, *busy_);
    return std::visit(
        [&]<class Real>(AlternatingPlans<Plan<Real>>& plans) -> decltype(auto) { return work(plans, Real{}); }, plans_);
  }

  const PlanContext& context() const { return context_; }
  Library library = Library::numpy;  ///< library of the latest input arrays

  /// Waits for all work of the plan's stream.
  void wait() const {
    const GilRelease gil_release;
    context_.queue.wait();
  }
  MethodInfo method() {
    return use([](auto& plans, auto) { return plans.current().method(); });
  }

 private:
  using PrecisionVariant = std::variant<AlternatingPlans<Plan<float>>, AlternatingPlans<Plan<double>>>;

  template <class Make>
  static PrecisionVariant make_plans(bool single, Make make) {
    if (single) return AlternatingPlans<Plan<float>>([make] { return make.template operator()<float>(); });
    return AlternatingPlans<Plan<double>>([make] { return make.template operator()<double>(); });
  }

  const char* operation_;
  PlanContext context_;
  PrecisionVariant plans_;
  std::unique_ptr<std::atomic_flag> busy_ = std::make_unique<std::atomic_flag>();
};

/// Adds the members for the device, stream and precision of a plan.
template <class Bound, class Class>
void bind_context_members(Class& bound) {
  bound
      .def("wait", &Bound::wait,
           "Waits for all work of the plan's stream.\n\nRaises\n------\nError\n    Errors "
           "of that work: the first point outside, the first value that is not finite ...")
      .def_prop_ro(
          "device", [](const Bound& plan) { return to_string(plan.context().queue.device()); },
          "str: device of the plan, \"cpu\" or \"cuda:0\".")
      .def_prop_ro(
          "dtype", [](const Bound& plan) { return plan.context().single ? "float32" : "float64"; },
          "str: precision of the plan, \"float32\" or \"float64\".");
}

/// Adds the members that the plans of all operations have.
template <class Bound, class Class>
void bind_plan_members(Class& bound) {
  bind_context_members<Bound>(bound);
  bound.def_prop_ro("method", &Bound::method, "MethodInfo: method that the plan selected.");
}

}  // namespace shoal::python
