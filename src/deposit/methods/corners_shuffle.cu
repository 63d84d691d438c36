// SPDX-License-Identifier: Apache-2.0
// corners_shuffle: `corners` without shared memory.
//
// idea           as `corners`, but warp shuffles add the groups of a cell
// source         Larson, Carver and Zhao (2015), "Speculation": "using warp specific operations for quickly swapping
//                values between threads in a warp"
// memory         as `corners`, no shared memory
// atomics        none
// deterministic  yes: the bits of `corners`
// wins when      as `corners`
// loses when     as `corners`
// deviations     the paper did not build it; otherwise as `corners`
#include "core/cuda/kernel_resources.cuh"
#include "core/cuda/warp.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/paper/corners.cuh"
#include "deposit/paper/paper_kernels.hpp"

namespace shoal::deposit {

namespace {

template <class Shape, int values, class Real>
__global__ void sum_cells(paper::Pass<Real> pass) {
  constexpr int corners = Shape::corners;
  const int x = threadIdx.x % paper::threads_per_cell;
  const std::int64_t cell = thread_index() / paper::threads_per_cell;
  if (cell >= pass.space.cell_count()) return;
  Real sum[values];
  paper::sum_corner<Shape>(pass, cell, x, sum);
  for (int fold = paper::threads_per_cell / 2; fold >= corners; fold /= 2)
    for (int v = 0; v < values; ++v) sum[v] = sum[v] + __shfl_down_sync(whole_warp, sum[v], fold);
  if (x >= corners) return;
  for (int v = 0; v < values; ++v) pass.sums_of(cell)[v * corners + x] = sum[v];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  paper::run_method(call, [&]<class Shape, int values>(const paper::Pass<Real>& pass) {
    paper::launch_corners(call.queue(), pass, sum_cells<Shape, values, Real>);
  });
}

}  // namespace

KernelResources paper::corners_shuffle_kernel() {
  return resources_of("corners_shuffle", sum_cells<paper::Shape<8, false>, paper::max_values, double>);
}

const DepositMethod corners_shuffle_cuda{
    {"corners_shuffle", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015), speculation"},
    false,
    run<float>,
    run<double>};

}  // namespace shoal::deposit
