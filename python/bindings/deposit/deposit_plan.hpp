// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>

#include <algorithm>

#include "bindings.hpp"
#include "support/inputs.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

/// Keywords of Deposit.
struct DepositKeywords {
  DepositOptions options;
  bool check_values = true;
  std::optional<Communicator> ranks = {};
  std::vector<std::int64_t> slabs;  ///< Slabs::cut; empty: particles are shared out over the ranks in any way
};

/// Plan of one rank, of a slab of the grid, or of any part of the particles.
template <class Real>
std::unique_ptr<Deposit<Real>> make_deposit(const Queue& queue, const DepositGrid& grid,
                                            const DepositKeywords& keywords) {
  if (!keywords.slabs.empty())
    return std::make_unique<Deposit<Real>>(queue, grid, keywords.options, Slabs{keywords.slabs},
                                           ranks_or_alone(keywords.ranks));
  if (keywords.ranks) return std::make_unique<Deposit<Real>>(queue, grid, keywords.options, *keywords.ranks);
  return std::make_unique<Deposit<Real>>(queue, grid, keywords.options);
}

/// One array, or a tuple or list of them: results have the same form.
struct ArrayOrTuple {
  std::vector<nb::object> arrays;
  bool single = true;

  explicit ArrayOrTuple(nb::handle argument) {
    const bool is_empty = (PyTuple_Check(argument.ptr()) || PyList_Check(argument.ptr())) && nb::len(argument) == 0;
    single = !is_empty && !is_sequence_of_arrays(argument);
    if (single) {
      arrays.push_back(nb::borrow(argument));
      return;
    }
    for (const nb::handle array : argument) arrays.push_back(nb::borrow(array));
  }

  nb::object same_form(const std::vector<nb::object>& results) const {
    if (single) return results.front();
    nb::list list;
    for (const nb::object& result : results) list.append(result);
    return nb::tuple(list);
  }
};

/// Deposit of Python.
class BoundDeposit : public FloatOrDoublePlan<Deposit> {
 public:
  BoundDeposit(PlanContext context, const DepositGrid& grid, const DepositKeywords& keywords)
      : FloatOrDoublePlan(operation, context,
                          [queue = context.queue, grid, keywords]<class Real>() {
                            return make_deposit<Real>(queue, grid, keywords);
                          }),
        grid_(grid),
        slabs_(keywords.slabs),
        ranks_(ranks_or_alone(keywords.ranks)),
        checks_values_(keywords.check_values && context.wait) {}

  void bin(nb::handle points, bool sorted) {
    use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      CallArrays call(operation, context());
      const Points<Real> coordinates = call.points<Real>(points, "points", grid_.grid.dimensions);
      library = call.library();
      count_ = coordinates.count();
      Deposit<Real>& plan = plans.unshared();
      call.run([&] {
        const bool flat = grid_.grid.dimensions == 2;
        if (sorted)
          flat ? plan.bin_sorted(coordinates.x, coordinates.y)
               : plan.bin_sorted(coordinates.x, coordinates.y, coordinates.z);
        else
          flat ? plan.bin(coordinates.x, coordinates.y) : plan.bin(coordinates.x, coordinates.y, coordinates.z);
      });
    });
  }

  nb::object to_nodes(nb::handle values, nb::handle out) {
    return particles_to_grid(values, out, shape_of_nodes(),
                             [](auto& plan, auto in, auto result) { plan.to_nodes(in, result); });
  }

  nb::object to_cells(nb::handle values, nb::handle out) {
    return particles_to_grid(values, out, shape_of_cells(),
                             [](auto& plan, auto in, auto result) { plan.to_cells(in, result); });
  }

  nb::object interpolate(nb::handle nodes, nb::handle out) {
    return transfer(nodes, {"nodes", node_count()}, out, {count_},
                    [](auto& plan, auto in, auto result) { plan.interpolate(in, result); });
  }

  nb::object interpolate_gradient(nb::handle nodes) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(nodes, "nodes", plans.current().node_count());
      std::vector<View<Real>> views;
      nb::list gradient;
      for (int axis = 0; axis < grid_.grid.dimensions; ++axis) {
        auto [array, view] = call.result<Real>(nb::none(), {count_});
        gradient.append(array);
        views.push_back(view);
      }
      call.run([&] {
        if (views.size() == 2)
          plans.current().interpolate_gradient(in, views[0], views[1]);
        else
          plans.current().interpolate_gradient(in, views[0], views[1], views[2]);
      });
      return nb::tuple(gradient);
    });
  }

  nb::object reorder(nb::handle in, nb::handle out) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const View<const Real> values = call.column<Real>(in, "array");
      auto [array, sorted] = call.result<Real>(out, {values.count});
      call.run([&, sorted = sorted] { plans.current().reorder(values, sorted); });
      return array;
    });
  }

  void values_are_in_cell_order() {
    use([](auto& plans, auto) { plans.current().values_are_in_cell_order(); });
  }

  double lost(nb::handle value) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const View<const Real> in = call.block<Real>(value, "value", count_);
      const GilRelease gil_release;
      if (checks_values_) plans.current().require_finite(std::span(&in, 1));
      return plans.current().lost(in);
    });
  }

  std::int64_t skipped() {
    return use([](auto& plans, auto) {
      const GilRelease gil_release;
      return plans.current().skipped();
    });
  }

  /// Shape of the cells of this rank: some layers along the slowest axis, or all.
  std::vector<std::int64_t> shape_of_cells() const {
    std::vector<std::int64_t> shape = cell_shape(grid_.grid);
    if (!slabs_.cut.empty()) shape[0] = slabs_.count(ranks_.rank());
    return shape;
  }

  /// Shape of the nodes of this rank: a slab has all nodes of some layers along the slowest axis.
  std::vector<std::int64_t> shape_of_nodes() {
    std::vector<std::int64_t> shape = node_shape(grid_.grid);
    const std::int64_t layers = shape[0];
    shape[0] = node_count() / std::max<std::int64_t>(1, grid_.node_count() / layers);
    return shape;
  }
  std::int64_t first_node() {
    return use([](auto& plans, auto) { return plans.current().first_node(); });
  }
  std::int64_t first_cell() {
    return use([](auto& plans, auto) { return plans.current().first_cell(); });
  }

  nb::object cell_start() {
    return export_plan_array([](auto& plan) { return plan.cell_start(); });
  }
  nb::object order() {
    return export_plan_array([](auto& plan) { return plan.order(); });
  }

 private:
  static constexpr const char* operation = "deposit";

  std::int64_t node_count() {
    return use([](auto& plans, auto) { return plans.current().node_count(); });
  }

  template <class Transfer>
  nb::object particles_to_grid(nb::handle values, nb::handle out, const std::vector<std::int64_t>& shape,
                               Transfer run_transfer) {
    return transfer(values, {"values", count_}, out, shape, [&](auto& plan, auto in, auto result) {
      if (checks_values_) plan.require_finite(in);
      run_transfer(plan, in, result);
    });
  }

  /// Name and number of elements of an input.
  struct Input {
    const char* name;
    std::int64_t count;
  };

  /// Converts 1 to 16 arrays to as many new arrays of `shape`, or to the arrays of `out`.
  template <class Transfer>
  nb::object transfer(nb::handle from, const Input& input, nb::handle out, const std::vector<std::int64_t>& shape,
                      Transfer run_transfer) {
    return use([&]<class Real>(AlternatingPlans<Deposit<Real>>& plans, Real) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      const ArrayOrTuple inputs(from);
      std::vector<View<const Real>> in;
      for (std::size_t k = 0; k < inputs.arrays.size(); ++k)
        in.push_back(call.block<Real>(inputs.arrays[k], inputs.single ? input.name : text(input.name, "[", k, "]"),
                                      input.count));
      std::vector<nb::object> outs(inputs.arrays.size(), nb::none());
      if (!out.is_none()) {
        outs = ArrayOrTuple(out).arrays;
        require(outs.size() == in.size(), operation, ": out has ", outs.size(), " arrays, expected ", in.size(), ".");
      }
      std::vector<nb::object> results;
      std::vector<View<Real>> views;
      for (std::size_t k = 0; k < outs.size(); ++k) {
        auto [array, view] = call.result<Real>(outs[k], shape, outs.size() == 1 ? "out" : text("out[", k, "]"));
        results.push_back(array);
        views.push_back(view);
      }
      call.run([&] {
        run_transfer(plans.current(), std::span<const View<const Real>>(in), std::span<const View<Real>>(views));
      });
      return inputs.same_form(results);
    });
  }

  /// Array of the plan's memory. On several ranks it is a copy: a plan in use by Python's arrays is replaced by a new one,
  /// which all ranks would have to make together.
  template <class Get>
  nb::object export_plan_array(Get get) {
    return use([&](auto& plans, auto) {
      require_binned(plans.current());
      CallArrays call(operation, context());
      call.set_library(library);
      const auto view = get(plans.current());
      return ranks_.size() > 1 ? call.copy_view(view) : call.export_view(view, plans.owner());
    });
  }

  template <class Plan>
  static void require_binned(const Plan& plan) {
    require(!plan.cell_start().empty(), "deposit: there are no particles. Call bin() first.");
  }

  DepositGrid grid_;
  Slabs slabs_;  ///< no cuts: all layers
  Communicator ranks_;
  bool checks_values_;
  std::int64_t count_ = 0;
};

}  // namespace shoal::python
