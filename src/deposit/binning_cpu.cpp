// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "core/primitives/sorted_keys.hpp"
#include "core/range.hpp"
#include "deposit/binning_backends.hpp"

namespace shoal::cpu {

namespace {

template <class Real, class Places>
SHOAL_CPU_VARIANTS void find_range(const DepositPlacing<Real>& placing, Range range, const Places& places) {
  for (std::int64_t i = range.begin; i < range.end; ++i) places.write(i, placing.place_or_fault(i));
}

template <class Real>
SHOAL_CPU_VARIANTS void order_range(const ParticlePlace<Real>* by_number, const std::int32_t* order, Range range,
                                    const ParticlePlaces<Real>& places) {
  for (std::int64_t k = range.begin; k < range.end; ++k) places.write(k, by_number[order[k]]);
}

}  // namespace

template <class Real, class Places>
void find_places(const Queue& queue, const DepositPlacing<Real>& placing, const Places& places) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) find_range(placing, part_range(placing.count, part, parts), places);
  placing.describe_offender();
}

template <class Real>
void order_places(const Queue& queue, View<const ParticlePlace<Real>> by_number, View<const std::int32_t> order,
                  const ParticlePlaces<Real>& places) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part)
    order_range(by_number.data, order.data, part_range(order.count, part, parts), places);
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
  for (std::int64_t cell = 0; cell < cell_start.count; ++cell)
    cell_start.data[cell] = sorted_keys::count_below(cells, 0, n, cell);
  placing.describe_offender();
}

#define SHOAL_BINNING(Real)                                                                            \
  template void find_places(const Queue&, const DepositPlacing<Real>&, const ParticlePlaces<Real>&);   \
  template void find_places(const Queue&, const DepositPlacing<Real>&, const PackedPlaces<Real>&);     \
  template void order_places(const Queue&, View<const ParticlePlace<Real>>, View<const std::int32_t>,  \
                             const ParticlePlaces<Real>&);                                             \
  template void find_cell_starts(const Queue&, const DepositPlacing<Real>&, View<const std::uint32_t>, \
                                 View<std::int64_t>);
SHOAL_BINNING(float)
SHOAL_BINNING(double)

}  // namespace shoal::cpu
