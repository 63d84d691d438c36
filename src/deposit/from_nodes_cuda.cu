// SPDX-License-Identifier: Apache-2.0
#include "core/launch.cuh"
#include "deposit/from_nodes_backends.hpp"

namespace shoal::cuda {

namespace {

template <bool gradient, class Real>
__global__ void read_each(NodeReading<Real> reading) {
  const std::int64_t k = thread_index();
  if (k >= reading.particles.count) return;
  const std::uint32_t cell = reading.particles.cell[k];
  if (cell == reading.space.cell_count()) return reading.nothing(k);
  std::int64_t node[8];
  reading.find_nodes(cell, node);
  if constexpr (gradient)
    reading.gradient(k, node);
  else
    reading.interpolate(k, node);
}

template <class Real>
__global__ void share_each(DepositSpace<Real> space, Fields<const Real> nodes, Fields<Real> cells) {
  const std::int64_t cell = thread_index();
  if (cell >= space.cell_count()) return;
  for (int f = 0; f < nodes.count; ++f) cells.at(f, cell) = cell_share(space, nodes, f, cell);
}

template <class Real>
__global__ void lose_each(DepositSpace<Real> space, BinnedParticles<Real> particles, Fields<const Real> value,
                          double* lost) {
  const std::int64_t k = thread_index();
  if (k >= particles.count) return;
  const double share = lost_share(space, particles, k);
  lost[k] = share > 0 ? share * value.at(0, particles.number(k)) : 0.0;
}

}  // namespace

template <class Real>
void interpolate_nodes(const Queue& queue, const NodeReading<Real>& reading) {
  launch(queue, reading.particles.count, read_each<false, Real>, reading);
}

template <class Real>
void interpolate_gradients(const Queue& queue, const NodeReading<Real>& reading) {
  launch(queue, reading.particles.count, read_each<true, Real>, reading);
}

template <class Real>
void share_nodes(const Queue& queue, const DepositSpace<Real>& space, const Fields<const Real>& nodes,
                 const Fields<Real>& cells) {
  launch(queue, space.cell_count(), share_each<Real>, space, nodes, cells);
}

template <class Real>
void find_lost(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
               const Fields<const Real>& value, View<double> lost) {
  launch(queue, particles.count, lose_each<Real>, space, particles, value, lost.data);
}

#define SHOAL_FROM_NODES(Real)                                                                                        \
  template void interpolate_nodes(const Queue&, const NodeReading<Real>&);                                            \
  template void interpolate_gradients(const Queue&, const NodeReading<Real>&);                                        \
  template void share_nodes(const Queue&, const DepositSpace<Real>&, const Fields<const Real>&, const Fields<Real>&); \
  template void find_lost(const Queue&, const DepositSpace<Real>&, const BinnedParticles<Real>&,                      \
                          const Fields<const Real>&, View<double>);
SHOAL_FROM_NODES(float)
SHOAL_FROM_NODES(double)

}  // namespace shoal::cuda
