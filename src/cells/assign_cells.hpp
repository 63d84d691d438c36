// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/cells_item.hpp>
#include <shoal/points.hpp>

#include "core/backends.hpp"
#include "core/device/status.hpp"

namespace shoal::cells {

/// Device-dependent part of `cells`.
template <class Real>
struct CellsBackend {
  void (*assign_cells)(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                       View<std::uint32_t> cell_of_point, Status* status);
  static const CellsBackend cpu, cuda;
};

/// Writes the cell of every point, and formula.cell_count() for points without a cell.
/// @param cell_of_point  [n] contiguous
/// @param status  on the queue's device, or null. It records points without a cell: the axis as kind, the coordinates
///                as values.
template <class Real>
void assign_cells(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                  View<std::uint32_t> cell_of_point, Status* status) {
  backend<CellsBackend<Real>>(queue).assign_cells(queue, formula, points, cell_of_point, status);
}

/// Coordinates of the points, for host and device. The y axis of 1-D points and the z axis of 2-D points are not read.
template <class Real>
struct PointReader {
  const Real* x;
  const Real* y;
  const Real* z;
  std::int64_t stride_x, stride_y, stride_z;

  explicit PointReader(const Points<Real>& points)
      : x(points.x.data),
        y(points.y.data),
        z(points.z.data),
        stride_x(points.x.stride),
        stride_y(points.y.stride),
        stride_z(points.z.stride) {}

  bool contiguous(int dimensions) const {
    return stride_x == 1 && (dimensions < 2 || stride_y == 1) && (dimensions < 3 || stride_z == 1);
  }

  SHOAL_HD Real at_x(std::int64_t i) const { return x[i * stride_x]; }
  SHOAL_HD Real at_y(std::int64_t i, int dimensions) const { return dimensions > 1 ? y[i * stride_y] : Real(0); }
  SHOAL_HD Real at_z(std::int64_t i, int dimensions) const { return dimensions > 2 ? z[i * stride_z] : Real(0); }
};

/// Cell of point i. Records the axis on which the point has none.
template <class Real>
SHOAL_HD std::uint32_t cell_or_fault(const CellFormula<Real>& formula, const PointReader<Real>& points, std::int64_t i,
                                     Status* status) {
  const Real x = points.at_x(i);
  const Real y = points.at_y(i, formula.dimensions);
  const Real z = points.at_z(i, formula.dimensions);
  const int fault = formula.fault(x, y, z);
  if (fault == formula.dimensions) return formula.cell(x, y, z);
  if (status != nullptr) record(status, i, fault);
  return formula.cell_count();
}

/// Adds the coordinates of the recorded point to a status; one thread calls it after all points have their cells. A
/// point that an earlier call recorded keeps its coordinates, because that call's arrays may be gone.
template <class Real>
SHOAL_HD void describe_fault(const CellFormula<Real>& formula, const PointReader<Real>& points, std::int64_t n,
                             Status* status) {
  const auto i = static_cast<std::int64_t>(status->first >> 8);
  if (status->first == Status::none || i >= n) return;
  const Real x = points.at_x(i);
  const Real y = points.at_y(i, formula.dimensions);
  const Real z = points.at_z(i, formula.dimensions);
  if (formula.fault(x, y, z) != static_cast<int>(status->first & 0xff)) return;
  status->value[0] = static_cast<double>(x);
  status->value[1] = static_cast<double>(y);
  status->value[2] = static_cast<double>(z);
}

}  // namespace shoal::cells
