// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "deposit/from_nodes_backends.hpp"

namespace shoal::cpu {

namespace {

/// Calls read(k, nodes of its cell) for the particles of a range of positions, and finds the nodes once a cell.
template <class Real, class Read>
SHOAL_HD void for_each_particle(const NodeReading<Real>& reading, Range range, Read&& read) {
  const std::uint32_t none = static_cast<std::uint32_t>(reading.space.cell_count());
  std::uint32_t last = none;
  std::int64_t node[8] = {};
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::uint32_t cell = reading.particles.cell[k];
    if (cell == none) {
      reading.nothing(k);
      continue;
    }
    if (cell != last) reading.find_nodes(cell, node);
    last = cell;
    read(k, node);
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void interpolate_range(const NodeReading<Real>& reading, Range range) {
  for_each_particle(reading, range, [&](std::int64_t k, const auto& node) { reading.interpolate(k, node); });
}

template <class Real>
SHOAL_CPU_VARIANTS void gradient_range(const NodeReading<Real>& reading, Range range) {
  for_each_particle(reading, range, [&](std::int64_t k, const auto& node) { reading.gradient(k, node); });
}

}  // namespace

template <class Real>
void interpolate_nodes(const Queue& queue, const NodeReading<Real>& reading) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) interpolate_range(reading, part_range(reading.particles.count, part, parts));
}

template <class Real>
void interpolate_gradients(const Queue& queue, const NodeReading<Real>& reading) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) gradient_range(reading, part_range(reading.particles.count, part, parts));
}

template <class Real>
void share_nodes(const Queue& queue, const DepositSpace<Real>& space, const Fields<const Real>& nodes,
                 const Fields<Real>& cells) {
  const std::int64_t count = space.cell_count();
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t cell = 0; cell < count; ++cell)
    for (int f = 0; f < nodes.count; ++f) cells.at(f, cell) = cell_share(space, nodes, f, cell);
}

template <class Real>
void find_lost(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
               const Fields<const Real>& value, View<double> lost) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t k = 0; k < lost.count; ++k) {
    const double share = lost_share(space, particles, k);
    lost.data[k] = share > 0 ? share * value.at(0, particles.number(k)) : 0.0;
  }
}

#define SHOAL_FROM_NODES(Real)                                                                                        \
  template void interpolate_nodes(const Queue&, const NodeReading<Real>&);                                            \
  template void interpolate_gradients(const Queue&, const NodeReading<Real>&);                                        \
  template void share_nodes(const Queue&, const DepositSpace<Real>&, const Fields<const Real>&, const Fields<Real>&); \
  template void find_lost(const Queue&, const DepositSpace<Real>&, const BinnedParticles<Real>&,                      \
                          const Fields<const Real>&, View<double>);
SHOAL_FROM_NODES(float)
SHOAL_FROM_NODES(double)

}  // namespace shoal::cpu
