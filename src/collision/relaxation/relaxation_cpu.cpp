// SPDX-License-Identifier: Apache-2.0
#include "collision/relaxation/relaxation_backend.hpp"

namespace shoal::cpu {

template <class Real>
void relax(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count, Real* now) {
  const auto of_f = static_cast<Real>(share), length = static_cast<Real>(step);
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = 0; i < count; ++i) now[i] = relaxation_stage(f[i], now[i], q[i], of_f, length);
}

template void relax(const Queue&, const float*, const float*, double, double, std::int64_t, float*);
template void relax(const Queue&, const double*, const double*, double, double, std::int64_t, double*);

}  // namespace shoal::cpu
