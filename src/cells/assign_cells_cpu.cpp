// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include "cells/assign_cells.hpp"
#include "core/cpu_variants.hpp"
#include "core/range.hpp"

namespace shoal::cells {

namespace {

template <class Real>
void assign_any(const CellFormula<Real>& formula, const PointReader<Real>& points, Range range,
                std::uint32_t* cell_of_point, Status* status) {
  for (std::int64_t i = range.begin; i < range.end; ++i) cell_of_point[i] = cell_or_fault(formula, points, i, status);
}

/// Assigns cells in vector instructions; coordinates are contiguous and no axis is periodic. Returns false if a point has
/// no cell.
template <int dimensions, class Real>
SHOAL_CPU_VARIANTS bool assign_contiguous(const CellFormula<Real>& formula, const PointReader<Real>& points,
                                          Range range, std::uint32_t* cell_of_point) {
  const CellFormula<Real> f = formula;  // a copy, which the compiler knows that the loop does not change
  std::uint32_t without_cell = 0;
  for (std::int64_t i = range.begin; i < range.end; ++i) {
    const Real x = points.x[i];
    const Real y = dimensions > 1 ? points.y[i] : Real(0);
    const Real z = dimensions > 2 ? points.z[i] : Real(0);
    without_cell |= f.axes[0].allows(x) ? 0U : 1U;
    if constexpr (dimensions > 1) without_cell |= f.axes[1].allows(y) ? 0U : 1U;
    if constexpr (dimensions > 2) without_cell |= f.axes[2].allows(z) ? 0U : 1U;
    cell_of_point[i] = f.number(f.axes[0].cell_on_open_axis(x), dimensions > 1 ? f.axes[1].cell_on_open_axis(y) : 0,
                                dimensions > 2 ? f.axes[2].cell_on_open_axis(z) : 0);
  }
  return without_cell == 0;
}

template <class Real>
void assign_range(const CellFormula<Real>& formula, const PointReader<Real>& points, Range range,
                  std::uint32_t* cell_of_point, Status* status) {
  if (!formula.periodic() && points.contiguous(formula.dimensions)) {
    const auto assign = formula.dimensions == 3   ? assign_contiguous<3, Real>
                        : formula.dimensions == 2 ? assign_contiguous<2, Real>
                                                  : assign_contiguous<1, Real>;
    if (assign(formula, points, range, cell_of_point)) return;
  }
  assign_any(formula, points, range, cell_of_point, status);
}

template <class Real>
void assign_cells_cpu(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                      View<std::uint32_t> cell_of_point, Status* status) {
  const PointReader<Real> reader(points);
  const int parts = threads_for(points.count(), queue.threads());
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part)
    assign_range(formula, reader, part_range(points.count(), part, parts), cell_of_point.data, status);
  if (status != nullptr) describe_fault(formula, reader, points.count(), status);
}

}  // namespace

template <class Real>
const CellsBackend<Real> CellsBackend<Real>::cpu = {.assign_cells = assign_cells_cpu<Real>};
template const CellsBackend<float> CellsBackend<float>::cpu;
template const CellsBackend<double> CellsBackend<double>::cpu;

}  // namespace shoal::cells
