// SPDX-License-Identifier: Apache-2.0
#include "cells/assign_cells.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::cells {

namespace {

template <class Real>
__global__ void assign_each(CellFormula<Real> formula, PointReader<Real> points, std::int64_t n,
                            std::uint32_t* cell_of_point, Status* status) {
  const std::int64_t i = thread_index();
  if (i < n) cell_of_point[i] = cell_or_fault(formula, points, i, status);
}

template <class Real>
__global__ void describe(CellFormula<Real> formula, PointReader<Real> points, std::int64_t n, Status* status) {
  if (thread_index() == 0) describe_fault(formula, points, n, status);
}

template <class Real>
void assign_cells_cuda(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                       View<std::uint32_t> cell_of_point, Status* status) {
  const PointReader<Real> reader(points);
  launch(queue, points.count(), assign_each<Real>, formula, reader, points.count(), cell_of_point.data, status);
  if (status != nullptr) launch<32>(queue, 1, describe<Real>, formula, reader, points.count(), status);
}

}  // namespace

template <class Real>
const CellsBackend<Real> CellsBackend<Real>::cuda = {.assign_cells = assign_cells_cuda<Real>};
template const CellsBackend<float> CellsBackend<float>::cuda;
template const CellsBackend<double> CellsBackend<double>::cuda;

}  // namespace shoal::cells
