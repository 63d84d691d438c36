// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include "cells/assign_cells_backends.hpp"
#include "core/range.hpp"

namespace shoal::cpu {

namespace {

template <class Real>
SHOAL_CPU_VARIANTS void assign_range(const CellFormula<Real>& formula, const PointReader<Real>& points, Range range,
                                     std::uint32_t* cell_of_point, Status* status) {
  for (std::int64_t i = range.begin; i < range.end; ++i) cell_of_point[i] = cell_or_fault(formula, points, i, status);
}

}  // namespace

template <class Real>
void assign_cells(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points,
                  View<std::uint32_t> cell_of_point, Status* status) {
  const PointReader<Real> reader(points);
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part)
    assign_range(formula, reader, part_of(points.count(), part, parts), cell_of_point.data, status);
  if (status != nullptr) describe_offender(formula, reader, points.count(), status);
}

template void assign_cells(const Queue&, const CellFormula<float>&, const Points<float>&, View<std::uint32_t>, Status*);
template void assign_cells(const Queue&, const CellFormula<double>&, const Points<double>&, View<std::uint32_t>,
                           Status*);

}  // namespace shoal::cpu
