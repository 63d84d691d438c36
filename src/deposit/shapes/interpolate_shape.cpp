// SPDX-License-Identifier: Apache-2.0
// Node values and their gradients at particles with the shapes `tsc` and `pcs`.
#include "core/cpu_variants.hpp"
#include "core/range.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/shapes/shape_stencil.hpp"

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

/// Σ_rows (wy · wz) · (Σ_x wx · node value), with fma, in the order of the nodes.
template <class Shape, class Real>
SHOAL_HD Real weighted_sum(const NodeInterpolation<Real>& job, int field, const CellStencil<Real>& stencil,
                           const StencilWeights<Shape, Real>& weights) {
  const AxisWeights<Real>& x = weights.along[0];
  Real sum = 0;
  weights.for_each_row(stencil, [&](std::int64_t row, Real row_weight) {
    Real row_sum = 0;
    for (int i = 0; i < Shape::nodes; ++i)
      row_sum = std::fma(x.weight[i], job.nodes.at(field, stencil.node(row, x.first + i)), row_sum);
    sum = std::fma(row_weight, row_sum, sum);
  });
  return sum;
}

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void interpolate_range(const NodeInterpolation<Real>& job, Range range) {
  for_each_particle(job, range, [&](std::int64_t k, const CellStencil<Real>& stencil) {
    const StencilWeights<Shape, Real> weights(job.particles, stencil, k);
    for (int field = 0; field < job.nodes.count; ++field)
      job.out.at(field, job.particles.number(k)) = weighted_sum(job, field, stencil, weights);
  });
}

template <class Shape, class Real>
SHOAL_CPU_VARIANTS void gradient_range(const NodeInterpolation<Real>& job, Range range) {
  for_each_particle(job, range, [&](std::int64_t k, const CellStencil<Real>& stencil) {
    const StencilWeights<Shape, Real> weights(job.particles, stencil, k);
    for (int axis = 0; axis < job.space.dimensions; ++axis) {
      StencilWeights<Shape, Real> derivatives = weights;
      derivatives.along[axis] = Shape::derivatives(job.particles.offset[axis][k], stencil.along[axis].missing);
      job.out.at(axis, job.particles.number(k)) =
          rounded_product(weighted_sum(job, 0, stencil, derivatives), job.space.axes[axis].inverse_width(0));
    }
  });
}

}  // namespace

template <class Real>
void interpolate_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job) {
  const int parts = queue.threads();
  with_shape(shape, [&]<class Shape>(Shape) {
#pragma omp parallel for num_threads(parts)
    for (int part = 0; part < parts; ++part)
      interpolate_range<Shape>(job, part_range(job.particles.count, part, parts));
  });
}
template void interpolate_shape(const Queue&, DepositShape, const NodeInterpolation<float>&);
template void interpolate_shape(const Queue&, DepositShape, const NodeInterpolation<double>&);

template <class Real>
void interpolate_gradient_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job) {
  const int parts = queue.threads();
  with_shape(shape, [&]<class Shape>(Shape) {
#pragma omp parallel for num_threads(parts)
    for (int part = 0; part < parts; ++part) gradient_range<Shape>(job, part_range(job.particles.count, part, parts));
  });
}
template void interpolate_gradient_shape(const Queue&, DepositShape, const NodeInterpolation<float>&);
template void interpolate_gradient_shape(const Queue&, DepositShape, const NodeInterpolation<double>&);

}  // namespace shoal::deposit
