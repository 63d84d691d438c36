// SPDX-License-Identifier: Apache-2.0
// corners_wide: `corners`, whose results are written by 24 threads at once.
//
// idea           as `corners`, but a cell's eight sums of each of three values lie side by side in memory, and each of
//                24 threads writes one of them
// source         Larson, Carver and Zhao (2015), "Speculation": "increasing global write concurrency by spreading work
//                to idle threads"
// memory         as `corners`
// atomics        none
// deterministic  yes: the bits of `corners`
// wins when      cells have few particles, so that writing takes a larger part, and there are three values
// loses when     there is one value: then it is `corners`
// differs        the paper did not build it; otherwise as `corners`
#include "deposit/methods/methods.hpp"
#include "deposit/paper_corners.cuh"

namespace shoal {

namespace {

template <class Shape, int values, class Real>
__global__ void sum_cells(cuda::PaperPass<Real> pass) {
  constexpr int corners = Shape::corners;
  __shared__ cuda::CornerSums<values, Real> sums[cuda::corners_cells_a_block];
  const int x = threadIdx.x % cuda::corners_threads_a_cell;
  const std::int64_t cell = thread_index() / cuda::corners_threads_a_cell;
  if (cell >= pass.space.cell_count()) return;
  Real own[values];
  cuda::sum_corner<Shape>(pass, cell, x, own);
  cuda::CornerSums<values, Real>& sum = sums[threadIdx.x / cuda::corners_threads_a_cell];
  cuda::fold_groups<corners>(x, own, sum);
  if (x < values * corners) pass.sums_of(cell)[x] = sum[x / corners][x % corners];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  cuda::run_paper_method(call, [&]<class Shape, int values>(const cuda::PaperPass<Real>& pass) {
    cuda::launch_corners(call.queue(), pass, sum_cells<Shape, values, Real>);
  });
}

}  // namespace

const DepositMethod deposit_corners_wide{
    {"corners_wide", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015), speculation"},
    false,
    run<float>,
    run<double>};

}  // namespace shoal
