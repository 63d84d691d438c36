// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "core/primitives/sorted_keys.hpp"
#include "deposit/binning_backends.hpp"

namespace shoal::cuda {

namespace {

template <class Real, class Places>
__global__ void find_each(DepositPlacing<Real> placing, Places places) {
  const std::int64_t i = thread_index();
  if (i < placing.count) places.write(i, placing.place_or_fault(i));
}

template <class Real>
__global__ void order_each(const ParticlePlace<Real>* by_number, const std::int32_t* order, std::int64_t n,
                           ParticlePlaces<Real> places) {
  const std::int64_t k = thread_index();
  if (k >= n) return;
  const ParticlePlace<Real> at = by_number[order[k]];  // a copy: all of it is read before anything is written
  places.write(k, at);
}

template <class Real>
__global__ void check_each(DepositPlacing<Real> placing, const std::uint32_t* cells) {
  const std::int64_t i = thread_index();
  if (i > 0 && i < placing.count && cells[i] < cells[i - 1]) record(placing.status, i, DepositFault::out_of_order);
}

__global__ void start_each(const std::uint32_t* cells, std::int64_t n, std::int64_t* cell_start, std::int64_t count) {
  const std::int64_t cell = thread_index();
  if (cell < count) cell_start[cell] = sorted_keys::count_below(cells, 0, n, cell);
}

template <class Real>
__global__ void describe(DepositPlacing<Real> placing) {
  if (thread_index() == 0) placing.describe_offender();
}

}  // namespace

template <class Real, class Places>
void find_places(const Queue& queue, const DepositPlacing<Real>& placing, const Places& places) {
  launch(queue, placing.count, find_each<Real, Places>, placing, places);
  launch<32>(queue, 1, describe<Real>, placing);
}

template <class Real>
void order_places(const Queue& queue, View<const ParticlePlace<Real>> by_number, View<const std::int32_t> order,
                  const ParticlePlaces<Real>& places) {
  launch(queue, order.count, order_each<Real>, by_number.data, order.data, order.count, places);
}

template <class Real>
void find_cell_starts(const Queue& queue, const DepositPlacing<Real>& placing,
                      View<const std::uint32_t> cell_of_particle, View<std::int64_t> cell_start) {
  launch(queue, placing.count, check_each<Real>, placing, cell_of_particle.data);
  launch(queue, cell_start.count, start_each, cell_of_particle.data, placing.count, cell_start.data, cell_start.count);
  launch<32>(queue, 1, describe<Real>, placing);
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

}  // namespace shoal::cuda
