// SPDX-License-Identifier: Apache-2.0
// zhao: eight threads a cell, whose sums are in shared memory.
//
// idea           blocks of 8 x 16 threads for 16 cells. Thread t of a cell takes its particles t, t + 8, ... and adds
//                them to its own 8 sums a value in shared memory; three foldings add up the threads' sums, the first
//                thread writes them, and a second kernel collects them
// source         Larson, Carver and Zhao (2015), "Zhao's method"
// memory         8 K partial sums a cell, 4 K in 2-D; 24 sums a thread in shared memory, 24 KiB a block in double
// atomics        none
// deterministic  yes: fixed order within a cell, fixed order of the cells around a node
// wins when      never against `corners` on the paper's particle counts
// loses when     cells have few particles: seven of eight threads only wait for the folding and the writing
// differs        any number of values, three at a time; all threads meet at the barriers of the foldings, which the
//                paper's text has within a branch
#include "deposit/methods/methods.hpp"
#include "deposit/paper_collect.cuh"

namespace shoal {

namespace {

constexpr int threads_a_cell = 8;
constexpr int cells_a_block = 16;
constexpr int threads = threads_a_cell * cells_a_block;

/// The sums of all threads of a block; neighboring threads are in neighboring banks.
template <int corners, int values, class Real>
using ThreadSums = Real[values][corners][threads];

/// Adds the particles of thread x of a cell to its sums. They are volatile because compilers of today would move them
/// into registers, where the paper writes to shared memory for each particle.
template <class Shape, int values, class Real>
__device__ void add_particles(const cuda::PaperPass<Real>& pass, std::int64_t cell, int x,
                              volatile ThreadSums<Shape::corners, values, Real>& sum) {
  const DepositSpace<Real> space = Shape::of(pass.space);
  const std::int64_t end = pass.particles.cell_start[cell + 1];
  for (std::int64_t p = pass.particles.cell_start[cell] + x; p < end; p += threads_a_cell) {
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
__global__ void sum_cells(cuda::PaperPass<Real> pass) {
  constexpr int corners = Shape::corners;
  __shared__ ThreadSums<corners, values, Real> sum;
  const int me = static_cast<int>(threadIdx.x);
  const int x = me % threads_a_cell;
  const std::int64_t cell = thread_index() / threads_a_cell;
  const bool has_cell = cell < pass.space.cell_count();
  for (int v = 0; v < values; ++v)
    for (int c = 0; c < corners; ++c) sum[v][c][me] = 0;
  if (has_cell) add_particles<Shape, values>(pass, cell, x, sum);
  for (int fold = threads_a_cell / 2; fold > 0; fold /= 2) {
    __syncthreads();
    if (x >= fold) continue;
    for (int v = 0; v < values; ++v)
      for (int c = 0; c < corners; ++c) sum[v][c][me] = sum[v][c][me] + sum[v][c][me + fold];
  }
  if (!has_cell || x != 0) return;
  Real* const out = pass.sums_of(cell);
  for (int v = 0; v < values; ++v)
    for (int c = 0; c < corners; ++c) out[v * corners + c] = sum[v][c][me];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  cuda::run_paper_method(call, [&]<class Shape, int values>(const cuda::PaperPass<Real>& pass) {
    launch<threads>(call.queue(), pass.space.cell_count() * threads_a_cell, sum_cells<Shape, values, Real>, pass);
  });
}

}  // namespace

const DepositMethod deposit_zhao{
    {"zhao", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015)"}, false, run<float>, run<double>};

}  // namespace shoal
