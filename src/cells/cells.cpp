// SPDX-License-Identifier: Apache-2.0
#include <shoal/cells.hpp>

#include <cmath>

#include "cells/assign_cells.hpp"
#include "cells/cell_formula.hpp"
#include "cells/cell_sorter.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "core/text.hpp"

namespace shoal::cells {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Message of `Queue::wait()` about a point without a cell.
template <class Real>
StatusBlock::Explain fault_message(const CellFormula<Real>& formula) {
  return [formula](int axis, std::int64_t point, const double* value) {
    const auto coordinate = static_cast<Real>(value[axis]);
    const char* advice = "set outside to \"bucket\".";
    if (std::isnan(coordinate))
      return text("cells: point ", point, " has no cell: ", axis_names[axis],
                  " = nan; expected a finite coordinate. Repair it or ", advice);
    const CellAxis<Real>& along = formula.axes[axis];
    return text("cells: point ", point, " is outside the grid: ", axis_names[axis], " = ", coordinate, " m, allowed [",
                along.allowed_lower, ", ", along.allowed_upper, "] m. Enlarge the grid or ", advice);
  };
}

}  // namespace

template <class Real>
struct Cells<Real>::Plan {
  Queue queue;
  Grid grid;
  CellsOptions options;
  CellFormula<Real> formula;
  CellSorter sorter;
  Array<std::uint32_t> cell_of_point;
  bool refused = false;                 ///< true after an error about the points of the last bin()
  std::shared_ptr<StatusBlock> status;  ///< null for outside = bucket

  Plan(const Queue& plan_queue, const Grid& plan_grid, const CellsOptions& plan_options)
      : queue(plan_queue),
        grid(plan_grid),
        options(plan_options),
        formula(cell_formula<Real>("cells", grid)),
        sorter(queue, options.method),
        cell_of_point(queue, 0) {
    if (options.outside == Outside::error)
      status = watch_status(
          queue, [this, message = fault_message(formula)](int kind, std::int64_t point, const double* value) {
            refused = true;
            return message(kind, point, value);
          });
  }

  void bin(const Points<Real>& points) {
    refused = true;  // unless every check and allocation below succeeds
    require_points(queue, "cells", points, grid.dimensions);
    cell_of_point.resize(points.count());
    assign_cells(queue, formula, points, cell_of_point.view(), status ? status->device_pointer() : nullptr);
    sorter.sort(cell_of_point, grid.cell_count());
    refused = false;
  }

  template <class T>
  void reorder(View<const T> in, View<T> out) const {
    require(!refused, "cells: there is no order, since the last bin() refused its points. Call bin() first.");
    require_view(queue, "cells", "the array to reorder", in, sorter.order().count);
    require_view(queue, "cells", "the reordered array", out, sorter.order().count);
    gather(queue, in, sorter.order(), out);
  }
};

template <class Real>
Cells<Real>::Cells(const Queue& queue, const Grid& grid, const CellsOptions& options)
    : plan_(std::make_unique<Plan>(queue, grid, options)) {}
template <class Real>
Cells<Real>::~Cells() = default;
template <class Real>
Cells<Real>::Cells(Cells&&) noexcept = default;
template <class Real>
Cells<Real>& Cells<Real>::operator=(Cells&&) noexcept = default;

template <class Real>
void Cells<Real>::bin(View<const Real> x, View<const Real> y, View<const Real> z) {
  plan_->bin({x, y, z});
}

template <class Real>
void Cells<Real>::bin(View<const Real> x, View<const Real> y) {
  require(plan_->grid.dimensions == 2, "cells: the grid has 3 dimensions, got x and y alone. Pass z too.");
  plan_->bin({x, y});
}

template <class Real>
View<const std::int64_t> Cells<Real>::cell_start() const {
  View<const std::int64_t> start = plan_->sorter.cell_start();
  if (plan_->options.outside == Outside::error && !start.empty()) --start.count;
  return start;
}

template <class Real>
View<const std::int32_t> Cells<Real>::order() const {
  return plan_->sorter.order();
}
template <class Real>
View<const std::uint32_t> Cells<Real>::cell_of_point() const {
  return plan_->cell_of_point;
}
template <class Real>
void Cells<Real>::reorder(View<const float> in, View<float> out) const {
  plan_->reorder(in, out);
}
template <class Real>
void Cells<Real>::reorder(View<const double> in, View<double> out) const {
  plan_->reorder(in, out);
}
template <class Real>
void Cells<Real>::reorder(View<const std::int32_t> in, View<std::int32_t> out) const {
  plan_->reorder(in, out);
}
template <class Real>
void Cells<Real>::reorder(View<const std::int64_t> in, View<std::int64_t> out) const {
  plan_->reorder(in, out);
}
template <class Real>
const Grid& Cells<Real>::grid() const {
  return plan_->grid;
}
template <class Real>
MethodInfo Cells<Real>::method() const {
  return plan_->sorter.method();
}

template class Cells<float>;
template class Cells<double>;

}  // namespace shoal::cells
