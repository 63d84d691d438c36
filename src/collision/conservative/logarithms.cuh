// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/conservative/stencil_item.hpp"
#include "core/cuda/launch.cuh"

namespace shoal {

template <class Real>
__global__ void logarithm_each(const Real* f, std::int64_t nodes, Real* logs) {
  const std::int64_t i = thread_index();
  if (i < nodes) logs[i] = logarithm_of(f[i]);
}

/// For inverse collisions: ln f at the nodes.
template <class Real>
void take_logarithms(const Queue& queue, const Real* f, std::int64_t nodes, Real* logs) {
  launch(queue, nodes, logarithm_each<Real>, f, nodes, logs);
}

}  // namespace shoal
