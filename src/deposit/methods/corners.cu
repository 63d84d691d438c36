// SPDX-License-Identifier: Apache-2.0
// corners: four groups of one thread per corner of a cell.
//
// idea           one warp per cell: four groups of eight threads share the particles; thread r of a group sums corner r.
//                Two foldings in shared memory add the groups; a second kernel collects
// source         Larson, Carver and Zhao (2015), "Corners method"
// memory         8 K partial sums per cell, 4 K in 2-D; 6 KiB of shared memory per block in double
// atomics        none
// deterministic  yes: fixed order within a cell, fixed order of the cells around a node
// wins when      cells have about 10 particles
// loses when     cells are sparse (idle groups) or very full (one warp adds them all)
// deviations     any number of values, three at a time; __syncwarp() where the paper relied on implicit warp
//                synchrony; in 2-D eight groups of four threads
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
  if (x >= corners) return;
  for (int v = 0; v < values; ++v) pass.sums_of(cell)[v * corners + x] = sum[v][x];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  paper::run_method(call, [&]<class Shape, int values>(const paper::Pass<Real>& pass) {
    paper::launch_corners(call.queue(), pass, sum_cells<Shape, values, Real>);
  });
}

}  // namespace

KernelResources paper::corners_kernel() {
  return resources_of("corners", sum_cells<paper::Shape<8, false>, paper::max_values, double>);
}

const DepositMethod corners_cuda{
    {"corners", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015)"}, false, run<float>, run<double>};

}  // namespace shoal::deposit
