// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/conservative/stencil_item.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

template <class Real>
__global__ void logarithm_each(const Real* f, std::int64_t nodes, Real* logs) {
  const std::int64_t i = thread_index();
  if (i < nodes) logs[i] = log_density(f[i]);
}

/// Computes ln f at the nodes, for inverse collisions.
template <class Real>
void compute_logarithms(const Queue& queue, const Real* f, std::int64_t nodes, Real* logs) {
  launch(queue, nodes, logarithm_each<Real>, f, nodes, logs);
}

}  // namespace shoal::collision
