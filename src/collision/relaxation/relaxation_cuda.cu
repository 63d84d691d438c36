// SPDX-License-Identifier: Apache-2.0
#include "collision/relaxation/relaxation_backend.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::cuda {

namespace {

template <class Real>
__global__ void relax_each(const Real* f, const Real* q, Real share, Real step, std::int64_t count, Real* now) {
  const std::int64_t i = thread_index();
  if (i < count) now[i] = relaxation_stage(f[i], now[i], q[i], share, step);
}

}  // namespace

template <class Real>
void relax(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count, Real* now) {
  launch(queue, count, relax_each<Real>, f, q, share, step, count, now);
}

template void relax(const Queue&, const float*, const float*, double, double, std::int64_t, float*);
template void relax(const Queue&, const double*, const double*, double, double, std::int64_t, double*);

}  // namespace shoal::cuda
