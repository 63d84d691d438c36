// SPDX-License-Identifier: Apache-2.0
// corners_wide: `corners` with up to 24 threads that write the results.
//
// idea           as `corners`, but a cell's eight sums of three values are contiguous in memory, and each of 24 threads
//                writes one
// source         Larson, Carver and Zhao (2015), "Speculation": "increasing global write concurrency by spreading work
//                to idle threads"
// memory         as `corners`
// atomics        none
// deterministic  yes: the bits of `corners`
// wins when      cells have few particles and there are three values
// loses when     there is one value: it then equals `corners`
// deviations     the paper did not build it; otherwise as `corners`
#include "core/cuda/kernel_resources.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/paper/corners.cuh"
#include "deposit/paper/paper_kernels.hpp"

namespace shoal::deposit {

namespace {

template <class Shape, int values, class Real>
__global__ void sum_cells(paper::Pass<Real> pass) {
  constexpr int corners = Shape::corners;
  __shared__ paper::CornerSums<values, Real> sums[paper::cells_per_block];
  const int x = threadIdx.x % paper::threads_per_cell;
  const std::int64_t cell = thread_index() / paper::threads_per_cell;
  if (cell >= pass.space.cell_count()) return;
  Real thread_sum[values];
  paper::sum_corner<Shape>(pass, cell, x, thread_sum);
  paper::CornerSums<values, Real>& sum = sums[threadIdx.x / paper::threads_per_cell];
  paper::fold_groups<corners>(x, thread_sum, sum);
  if (x < values * corners) pass.sums_of(cell)[x] = sum[x / corners][x % corners];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  paper::run_method(call, [&]<class Shape, int values>(const paper::Pass<Real>& pass) {
    paper::launch_corners(call.queue(), pass, sum_cells<Shape, values, Real>);
  });
}

}  // namespace

KernelResources paper::corners_wide_kernel() {
  return resources_of("corners_wide", sum_cells<paper::Shape<8, false>, paper::max_values, double>);
}

const DepositMethod corners_wide_cuda{
    {"corners_wide", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015), speculation"},
    false,
    run<float>,
    run<double>};

}  // namespace shoal::deposit
