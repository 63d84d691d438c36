// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "deposit/support/support_item.hpp"

namespace shoal::deposit {

namespace {

template <class Real>
__global__ void find_each(SupportSpace<Real> space, BinnedParticles<Real> particles, std::int32_t first_layer,
                          PackedPositions<Real> positions, Status* status) {
  const std::int64_t k = thread_index();
  if (k < particles.count) find_support_position(space, particles, k, first_layer, positions, status);
}

template <class Real>
__global__ void copy_each_value(BinnedParticles<Real> particles, Fields<const Real> values, Fields<Real> copies) {
  const std::int64_t k = thread_index();
  if (k < particles.count) copy_values(particles, values, copies, k);
}

template <class Real>
__global__ void copy_each(SupportSpace<Real> space, Fields<Real> nodes, Fields<Real> cells) {
  const std::int64_t cell = thread_index();
  if (cell < space.grid.cell_count()) copy_to_cell(space, nodes, cells, cell);
}

template <class Real>
void find_positions_cuda(const Queue& queue, const SupportSpace<Real>& space, const BinnedParticles<Real>& particles,
                         std::int32_t first_layer, const PackedPositions<Real>& positions, Status* status) {
  launch(queue, particles.count, find_each<Real>, space, particles, first_layer, positions, status);
}

template <class Real>
void copy_values_cuda(const Queue& queue, const BinnedParticles<Real>& particles, const Fields<const Real>& values,
                      const Fields<Real>& copies) {
  launch(queue, particles.count, copy_each_value<Real>, particles, values, copies);
}

template <class Real>
void copy_to_cells_cuda(const Queue& queue, const SupportSpace<Real>& space, const Fields<Real>& nodes,
                        const Fields<Real>& cells) {
  launch(queue, space.grid.cell_count(), copy_each<Real>, space, nodes, cells);
}

}  // namespace

template <class Real>
const SupportBackend<Real> SupportBackend<Real>::cuda = {
    .find_positions = find_positions_cuda<Real>,
    .copy_values = copy_values_cuda<Real>,
    .copy_to_cells = copy_to_cells_cuda<Real>,
};
template const SupportBackend<float> SupportBackend<float>::cuda;
template const SupportBackend<double> SupportBackend<double>::cuda;

}  // namespace shoal::deposit
