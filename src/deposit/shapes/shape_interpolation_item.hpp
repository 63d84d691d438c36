// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/grid_to_particles/grid_to_particles.hpp"
#include "deposit/shapes/shape_stencil.hpp"

/// Node values and their gradients at one particle with the shapes `tsc` and `pcs`.
namespace shoal::deposit {

/// Σ_rows (wy · wz) · (Σ_x wx · node value), with fma, in the order of the nodes.
template <class Shape, class Real, class Stencil>
SHOAL_HD Real weighted_sum(const NodeInterpolation<Real>& job, int field, const Stencil& stencil,
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

/// Writes the values at the k-th particle.
template <class Shape, class Real, class Stencil>
SHOAL_HD void interpolate_particle(const NodeInterpolation<Real>& job, std::int64_t k, const Stencil& stencil) {
  const StencilWeights<Shape, Real> weights(job.particles, stencil, k);
  for (int field = 0; field < job.nodes.count; ++field)
    job.out.at(field, job.particles.number(k)) = weighted_sum(job, field, stencil, weights);
}

/// Writes the gradient at the k-th particle.
template <class Shape, class Real, class Stencil>
SHOAL_HD void gradient_particle(const NodeInterpolation<Real>& job, std::int64_t k, const Stencil& stencil) {
  const StencilWeights<Shape, Real> weights(job.particles, stencil, k);
  for (int axis = 0; axis < 3 && axis < job.space.dimensions; ++axis) {
    StencilWeights<Shape, Real> derivatives = weights;
    derivatives.along[axis] = Shape::derivatives(job.particles.offset[axis][k], stencil.missing(axis));
    job.out.at(axis, job.particles.number(k)) =
        rounded_product(weighted_sum(job, 0, stencil, derivatives), job.space.axes[axis].inverse_width(0));
  }
}

}  // namespace shoal::deposit
