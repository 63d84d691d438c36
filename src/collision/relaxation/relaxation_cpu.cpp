// SPDX-License-Identifier: Apache-2.0
#include "collision/relaxation/relaxation_backend.hpp"

namespace shoal::collision {

namespace {

template <class Real>
void advance_stage(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count,
                   Real* stage) {
  const auto weight = static_cast<Real>(share), length = static_cast<Real>(step);
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i) stage[i] = relaxation_stage(f[i], stage[i], q[i], weight, length);
}

}  // namespace

template <class Real>
const RelaxationBackend<Real> RelaxationBackend<Real>::cpu = {.advance_stage = collision::advance_stage<Real>};
template const RelaxationBackend<float> RelaxationBackend<float>::cpu;
template const RelaxationBackend<double> RelaxationBackend<double>::cpu;

}  // namespace shoal::collision
