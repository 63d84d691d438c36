// SPDX-License-Identifier: Apache-2.0
// zhao: eight threads per cell with sums in shared memory.
//
// idea           thread t of a cell adds particles t, t + 8, ... to its own 8 sums per value in shared memory; three
//                foldings add the threads' sums; a second kernel collects them
// source         Larson, Carver and Zhao (2015), "Zhao's method"
// memory         8 K partial sums per cell, 4 K in 2-D; 24 KiB of shared memory per block in double
// atomics        none
// deterministic  yes: fixed order within a cell, fixed order of the cells around a node
// wins when      there are many particles in float, about 14 in each cell; `corners` is faster for the paper's counts
// loses when     cells have few particles: seven of eight threads idle while sums are folded and written
// deviations     any number of values, three at a time; all threads reach the barriers of the foldings, which
//                the paper has within a branch
#include "core/cuda/kernel_resources.cuh"
#include "deposit/methods/methods.hpp"
#include "deposit/paper/collect.cuh"
#include "deposit/paper/paper_kernels.hpp"

namespace shoal::deposit {

namespace {

constexpr int threads_per_cell = 8;
constexpr int cells_per_block = 16;
constexpr int threads = threads_per_cell * cells_per_block;

/// Sums of all threads of a block; neighboring threads use neighboring banks.
template <int corners, int values, class Real>
using ThreadSums = Real[values][corners][threads];

static_assert(sizeof(ThreadSums<8, paper::max_values, double>) == 24'576, "the shared memory that the paper states");

/// Adds the particles of thread x of a cell to its sums. The sums are volatile: otherwise the compiler would
/// move them into registers, while the paper writes to shared memory for each particle.
template <class Shape, int values, class Real>
__device__ void add_particles(const paper::Pass<Real>& pass, std::int64_t cell, int x,
                              volatile ThreadSums<Shape::corners, values, Real>& sum) {
  const DepositSpace<Real> space = Shape::apply(pass.space);
  const std::int64_t end = pass.particles.cell_start[cell + 1];
  for (std::int64_t p = pass.particles.cell_start[cell] + x; p < end; p += threads_per_cell) {
    const CornerWeights<Real> weights = pass.particles.weights(space, cell, p);
    const std::int64_t number = pass.particles.number(p);
    for (int v = 0; v < values; ++v) {
      const Real value = pass.values.at(v, number);
      for (int c = 0; c < Shape::corners; ++c) {
        const Real before = sum[v][c][threadIdx.x];
        sum[v][c][threadIdx.x] = std::fma(weights[c], value, before);
      }
    }
  }
}

template <class Shape, int values, class Real>
__global__ void sum_cells(paper::Pass<Real> pass) {
  constexpr int corners = Shape::corners;
  __shared__ ThreadSums<corners, values, Real> sum;
  const int thread = static_cast<int>(threadIdx.x);
  const int x = thread % threads_per_cell;
  const std::int64_t cell = thread_index() / threads_per_cell;
  const bool has_cell = cell < pass.space.cell_count();
  for (int v = 0; v < values; ++v)
    for (int c = 0; c < corners; ++c) sum[v][c][thread] = 0;
  if (has_cell) add_particles<Shape, values>(pass, cell, x, sum);
  for (int fold = threads_per_cell / 2; fold > 0; fold /= 2) {
    __syncthreads();
    if (x >= fold) continue;
    for (int v = 0; v < values; ++v)
      for (int c = 0; c < corners; ++c) sum[v][c][thread] = sum[v][c][thread] + sum[v][c][thread + fold];
  }
  if (!has_cell || x != 0) return;
  Real* const out = pass.sums_of(cell);
  for (int v = 0; v < values; ++v)
    for (int c = 0; c < corners; ++c) out[v * corners + c] = sum[v][c][thread];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  paper::run_method(call, [&]<class Shape, int values>(const paper::Pass<Real>& pass) {
    launch<threads>(call.queue(), pass.space.cell_count() * threads_per_cell, sum_cells<Shape, values, Real>, pass);
  });
}

}  // namespace

KernelResources paper::zhao_kernel() {
  return resources_of("zhao", sum_cells<paper::Shape<8, false>, paper::max_values, double>);
}

const DepositMethod zhao_cuda{
    {"zhao", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015)"}, false, run<float>, run<double>};

}  // namespace shoal::deposit
