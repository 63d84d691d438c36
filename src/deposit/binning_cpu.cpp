// SPDX-License-Identifier: Apache-2.0
#include "core/range.hpp"
#include "deposit/binning_backends.hpp"

namespace shoal::cpu {

namespace {

template <class Real>
SHOAL_CPU_VARIANTS void assign_range(const DepositPlacing<Real>& placing, Range range,
                                     std::uint32_t* cell_of_particle) {
  for (std::int64_t i = range.begin; i < range.end; ++i) cell_of_particle[i] = placing.cell_or_fault(i);
}

template <class Real>
SHOAL_CPU_VARIANTS void locate_range(const DepositPlacing<Real>& placing, Range range,
                                     const ParticlePlaces<Real>& places) {
  for (std::int64_t k = range.begin; k < range.end; ++k) places.locate(placing, k);
}

}  // namespace

template <class Real>
void assign_deposit_cells(const Queue& queue, const DepositPlacing<Real>& placing,
                          View<std::uint32_t> cell_of_particle) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part)
    assign_range(placing, part_of(placing.count, part, parts), cell_of_particle.data);
  placing.describe_offender();
}

template <class Real>
void locate_particles(const Queue& queue, const DepositPlacing<Real>& placing, const ParticlePlaces<Real>& places) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) locate_range(placing, part_of(placing.count, part, parts), places);
}

template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start) {
  const std::uint32_t* cells = cell_of_particle.data;
  const std::int64_t n = placing.count;
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 1; i < n; ++i)
    if (cells[i] < cells[i - 1]) record(placing.status, i, DepositFault::out_of_order);
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t cell = 0; cell < cell_start.count; ++cell) cell_start.data[cell] = first_of_cell(cells, n, cell);
  placing.describe_offender();
}

#define SHOAL_BINNING(Real)                                                                               \
  template void assign_deposit_cells(const Queue&, const DepositPlacing<Real>&, View<std::uint32_t>);     \
  template void locate_particles(const Queue&, const DepositPlacing<Real>&, const ParticlePlaces<Real>&); \
  template void find_cell_starts(const Queue&, const DepositPlacing<Real>&, View<const std::uint32_t>,    \
                                 View<std::int64_t>);
SHOAL_BINNING(float)
SHOAL_BINNING(double)

}  // namespace shoal::cpu
