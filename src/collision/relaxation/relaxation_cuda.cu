// SPDX-License-Identifier: Apache-2.0
#include "collision/relaxation/relaxation_backend.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

namespace {

template <class Real>
__global__ void advance_each(const Real* f, const Real* q, Real share, Real step, std::int64_t count, Real* stage) {
  const std::int64_t i = thread_index();
  if (i < count) stage[i] = relaxation_stage(f[i], stage[i], q[i], share, step);
}

template <class Real>
void advance_stage(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count,
                   Real* stage) {
  launch(queue, count, advance_each<Real>, f, q, share, step, count, stage);
}

}  // namespace

template <class Real>
const RelaxationBackend<Real> RelaxationBackend<Real>::cuda = {.advance_stage = collision::advance_stage<Real>};
template const RelaxationBackend<float> RelaxationBackend<float>::cuda;
template const RelaxationBackend<double> RelaxationBackend<double>::cuda;

}  // namespace shoal::collision
