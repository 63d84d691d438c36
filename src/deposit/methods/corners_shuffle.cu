// SPDX-License-Identifier: Apache-2.0
// corners_shuffle: `corners` without shared memory.
//
// idea           as `corners`, but the groups of a cell are added up by shuffles from register to register
// source         Larson, Carver and Zhao (2015), "Speculation": "using warp specific operations for quickly swapping
//                values between threads in a warp"
// memory         as `corners`, no shared memory
// atomics        none
// deterministic  yes: the bits of `corners`
// wins when      as `corners`
// loses when     as `corners`
// differs        the paper did not build it; otherwise as `corners`
#include "core/cuda/warp_peers.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/paper_corners.cuh"

namespace shoal {

namespace {

template <class Shape, int values, class Real>
__global__ void sum_cells(cuda::PaperPass<Real> pass) {
  constexpr int corners = Shape::corners;
  const int x = threadIdx.x % cuda::corners_threads_a_cell;
  const std::int64_t cell = thread_index() / cuda::corners_threads_a_cell;
  if (cell >= pass.space.cell_count()) return;
  Real sum[values];
  cuda::sum_corner<Shape>(pass, cell, x, sum);
  for (int fold = cuda::corners_threads_a_cell / 2; fold >= corners; fold /= 2)
    for (int v = 0; v < values; ++v) sum[v] = sum[v] + __shfl_down_sync(whole_warp, sum[v], fold);
  if (x >= corners) return;
  for (int v = 0; v < values; ++v) pass.sums_of(cell)[v * corners + x] = sum[v];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  cuda::run_paper_method(call, [&]<class Shape, int values>(const cuda::PaperPass<Real>& pass) {
    cuda::launch_corners(call.queue(), pass, sum_cells<Shape, values, Real>);
  });
}

}  // namespace

const DepositMethod deposit_corners_shuffle{
    {"corners_shuffle", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015), speculation"},
    false,
    run<float>,
    run<double>};

}  // namespace shoal
