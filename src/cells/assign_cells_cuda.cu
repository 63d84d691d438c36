// SPDX-License-Identifier: Apache-2.0
#include "cells/assign_cells_backends.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::cuda {

namespace {

template <class Real>
__global__ void assign_each(CellFormula<Real> formula, PointReader<Real> points, std::int64_t n,
                            std::uint32_t* cell_of_point, Status* status) {
  const std::int64_t i = thread_index();
  if (i < n) cell_of_point[i] = cell_or_fault(formula, points, i, status);
}

template <class Real>
__global__ void describe(CellFormula<Real> formula, PointReader<Real> points, std::int64_t n, Status* status) {
  if (thread_index() == 0) describe_offender(formula, points, n, status);
}

}  // namespace

template <class Real>
void assign_cells(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                  View<std::uint32_t> cell_of_point, Status* status) {
  const PointReader<Real> reader(points);
  launch(queue, points.count(), assign_each<Real>, formula, reader, points.count(), cell_of_point.data, status);
  if (status != nullptr) launch<32>(queue, 1, describe<Real>, formula, reader, points.count(), status);
}

template void assign_cells(const Queue&, const CellFormula<float>&, const Points<float>&, View<std::uint32_t>, Status*);
template void assign_cells(const Queue&, const CellFormula<double>&, const Points<double>&, View<std::uint32_t>,
                           Status*);

}  // namespace shoal::cuda
