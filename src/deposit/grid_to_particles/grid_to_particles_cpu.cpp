// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "deposit/grid_to_particles/grid_to_particles.hpp"

namespace shoal::deposit {

namespace {

/// Calls read(k, nodes of the particle's cell) for a range of particles; looks the nodes up once per cell.
template <class Real, class Read>
SHOAL_HD void for_each_particle(const NodeInterpolation<Real>& job, Range range, Read&& read) {
  const std::uint32_t no_cell = static_cast<std::uint32_t>(job.space.cell_count());
  std::uint32_t last = no_cell;
  std::int64_t node[8] = {};
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::uint32_t cell = job.particles.cell[k];
    if (cell == no_cell) {
      job.write_zero(k);
      continue;
    }
    if (cell != last) job.cell_nodes(cell, node);
    last = cell;
    read(k, node);
  }
}

template <class Real>
SHOAL_CPU_VARIANTS void interpolate_range(const NodeInterpolation<Real>& job, Range range) {
  for_each_particle(job, range, [&](std::int64_t k, const auto& node) { job.interpolate(k, node); });
}

template <class Real>
SHOAL_CPU_VARIANTS void gradient_range(const NodeInterpolation<Real>& job, Range range) {
  for_each_particle(job, range, [&](std::int64_t k, const auto& node) { job.gradient(k, node); });
}

template <class Real>
void interpolate_cpu(const Queue& queue, const NodeInterpolation<Real>& job) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) interpolate_range(job, part_range(job.particles.count, part, parts));
}

template <class Real>
void interpolate_gradient_cpu(const Queue& queue, const NodeInterpolation<Real>& job) {
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) gradient_range(job, part_range(job.particles.count, part, parts));
}

template <class Real>
void find_lost_cpu(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
                   const Fields<const Real>& value, View<double> lost) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t k = 0; k < lost.count; ++k) {
    const double share = lost_share(space, particles, k);
    lost.data[k] = share > 0 ? share * value.at(0, particles.number(k)) : 0.0;
  }
}

}  // namespace

template <class Real>
const GridToParticlesBackend<Real> GridToParticlesBackend<Real>::cpu = {
    .interpolate = interpolate_cpu<Real>,
    .interpolate_gradient = interpolate_gradient_cpu<Real>,
    .find_lost = find_lost_cpu<Real>,
};
template const GridToParticlesBackend<float> GridToParticlesBackend<float>::cpu;
template const GridToParticlesBackend<double> GridToParticlesBackend<double>::cpu;

}  // namespace shoal::deposit
