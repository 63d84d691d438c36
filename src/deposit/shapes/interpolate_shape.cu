// SPDX-License-Identifier: Apache-2.0
// Node values and their gradients at particles with the shapes `tsc` and `pcs`, on CUDA: a thread per particle. Particles
// are in the order of cells, so the threads of a warp read the nodes of few cells.
#include "core/cuda/launch.cuh"
#include "deposit/shapes/shape_interpolation_item.hpp"
#include "deposit/shapes/shape_methods.hpp"

namespace shoal::deposit {

namespace {

template <class Shape, bool gradient, class Real>
__global__ void read_each(NodeInterpolation<Real> job) {
  const std::int64_t k = thread_index();
  if (k >= job.particles.count) return;
  const std::uint32_t cell = job.particles.cell[k];
  if (cell == job.space.cell_count()) return job.write_zero(k);
  const ComputedStencil<Real> stencil{job.space, job.space.cell_index(cell)};
  if constexpr (gradient)
    gradient_particle<Shape>(job, k, stencil);
  else
    interpolate_particle<Shape>(job, k, stencil);
}

template <bool gradient, class Real>
void read_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job) {
  with_shape(shape,
             [&]<class Shape>(Shape) { launch(queue, job.particles.count, read_each<Shape, gradient, Real>, job); });
}

}  // namespace

template <class Real>
const ShapeInterpolationBackend<Real> ShapeInterpolationBackend<Real>::cuda = {
    .interpolate = read_shape<false, Real>,
    .interpolate_gradient = read_shape<true, Real>,
};
template const ShapeInterpolationBackend<float> ShapeInterpolationBackend<float>::cuda;
template const ShapeInterpolationBackend<double> ShapeInterpolationBackend<double>::cuda;

}  // namespace shoal::deposit
