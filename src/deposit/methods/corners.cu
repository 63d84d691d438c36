// SPDX-License-Identifier: Apache-2.0
// corners: one thread for each corner of a cell, four times.
//
// idea           blocks of 32 x 8 threads, a warp a cell. Four groups of eight threads share the cell's particles, and
//                thread r of a group sums corner r; two foldings in shared memory add up the groups, eight threads
//                write, and a second kernel collects
// source         Larson, Carver and Zhao (2015), "Corners method"
// memory         8 K partial sums a cell, 4 K in 2-D; three numbers a thread in shared memory, 6 KiB a block in double
// atomics        none
// deterministic  yes: fixed order within a cell, fixed order of the cells around a node
// wins when      against `zhao` always in the paper, most with about 10 particles a cell
// loses when     cells are sparse (idle groups) or very full (one warp works through them)
// differs        any number of values, three at a time; __syncwarp() where the paper relied on warps running in step;
//                in 2-D eight groups of four threads and three foldings
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
  if (x >= corners) return;
  for (int v = 0; v < values; ++v) pass.sums_of(cell)[v * corners + x] = sum[v][x];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  cuda::run_paper_method(call, [&]<class Shape, int values>(const cuda::PaperPass<Real>& pass) {
    cuda::launch_corners(call.queue(), pass, sum_cells<Shape, values, Real>);
  });
}

}  // namespace

const DepositMethod deposit_corners{
    {"corners", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015)"}, false, run<float>, run<double>};

}  // namespace shoal
