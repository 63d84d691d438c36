// SPDX-License-Identifier: Apache-2.0
#include "deposit/support/support_item.hpp"

namespace shoal::deposit {

namespace {

template <class Real>
void find_positions_cpu(const Queue& queue, const SupportSpace<Real>& space, const BinnedParticles<Real>& particles,
                        std::int32_t first_layer, const PackedPositions<Real>& positions, Status* status) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t k = 0; k < particles.count; ++k)
    find_support_position(space, particles, k, first_layer, positions, status);
}

template <class Real>
void copy_values_cpu(const Queue& queue, const BinnedParticles<Real>& particles, const Fields<const Real>& values,
                     const Fields<Real>& copies) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t k = 0; k < particles.count; ++k) copy_values(particles, values, copies, k);
}

template <class Real>
void copy_to_cells_cpu(const Queue& queue, const SupportSpace<Real>& space, const Fields<Real>& nodes,
                       const Fields<Real>& cells) {
  const std::int64_t count = space.grid.cell_count();
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t cell = 0; cell < count; ++cell) copy_to_cell(space, nodes, cells, cell);
}

}  // namespace

template <class Real>
const SupportBackend<Real> SupportBackend<Real>::cpu = {
    .find_positions = find_positions_cpu<Real>,
    .copy_values = copy_values_cpu<Real>,
    .copy_to_cells = copy_to_cells_cpu<Real>,
};
template const SupportBackend<float> SupportBackend<float>::cpu;
template const SupportBackend<double> SupportBackend<double>::cpu;

}  // namespace shoal::deposit
