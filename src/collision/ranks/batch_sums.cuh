// SPDX-License-Identifier: Apache-2.0
// Sums of batches on CUDA, of numbers and of complex numbers.
#pragma once
#include "collision/ranks/rank_batches.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

template <class Real>
__device__ Real added(Real a, Real b) {
  return a + b;
}
inline __device__ float2 added(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
inline __device__ double2 added(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }

/// sums += a part of the values of a batch; the first batch overwrites them.
template <class Value>
__global__ void add_batch(BatchPart<Value> batch, bool first, Value* sums) {
  const std::int64_t number = thread_index(), i = batch.part.begin + number;
  if (number < batch.part.count()) sums[i] = first ? batch.values[number] : added(sums[i], batch.values[number]);
}

}  // namespace shoal::collision
