// SPDX-License-Identifier: Apache-2.0
// Node values and their gradients at particles with the shapes `tsc` and `pcs`, on the CPU.
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "deposit/shapes/shape_interpolation_item.hpp"
#include "deposit/shapes/shape_methods.hpp"

namespace shoal::deposit {

namespace {

/// Calls read(k, stencil of the particle's cell) for a range of particles; finds the stencil once per cell.
template <class Real, class Read>
SHOAL_HD void for_each_particle(const NodeInterpolation<Real>& job, Range range, Read&& read) {
  const auto no_cell = static_cast<std::uint32_t>(job.space.cell_count());
  std::uint32_t last = no_cell;
  CellStencil<Real> stencil;
  for (std::int64_t k = range.begin; k < range.end; ++k) {
    const std::uint32_t cell = job.particles.cell[k];
    if (cell == no_cell) {
      job.write_zero(k);
      continue;
    }
    if (cell != last) stencil = CellStencil<Real>::of_cell(job.space, cell);
    last = cell;
    read(k, stencil);
  }
}

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void interpolate_range(const NodeInterpolation<Real>& job, Range range) {
  for_each_particle(job, range, [&](std::int64_t k, const CellStencil<Real>& stencil) {
    interpolate_particle<Shape>(job, k, stencil);
  });
}

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void gradient_range(const NodeInterpolation<Real>& job, Range range) {
  for_each_particle(
      job, range, [&](std::int64_t k, const CellStencil<Real>& stencil) { gradient_particle<Shape>(job, k, stencil); });
}

template <class Real>
void interpolate_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job) {
  const int parts = queue.threads();
  with_shape(shape, [&]<class Shape>(Shape) {
#pragma omp parallel for num_threads(parts)
    for (int part = 0; part < parts; ++part)
      interpolate_range<Shape>(job, part_range(job.particles.count, part, parts));
  });
}

template <class Real>
void interpolate_gradient_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job) {
  const int parts = queue.threads();
  with_shape(shape, [&]<class Shape>(Shape) {
#pragma omp parallel for num_threads(parts)
    for (int part = 0; part < parts; ++part) gradient_range<Shape>(job, part_range(job.particles.count, part, parts));
  });
}

}  // namespace

template <class Real>
const ShapeInterpolationBackend<Real> ShapeInterpolationBackend<Real>::cpu = {
    .interpolate = interpolate_shape<Real>,
    .interpolate_gradient = interpolate_gradient_shape<Real>,
};
template const ShapeInterpolationBackend<float> ShapeInterpolationBackend<float>::cpu;
template const ShapeInterpolationBackend<double> ShapeInterpolationBackend<double>::cpu;

}  // namespace shoal::deposit
