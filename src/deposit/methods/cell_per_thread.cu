// SPDX-License-Identifier: Apache-2.0
// cell_per_thread: one thread per cell adds its particles.
//
// idea           a thread keeps the 8 sums of its cell's corners for each value; a second kernel collects them
// source         Larson, Carver and Zhao (2015), the second, "slightly less naive" approach
// memory         8 K partial sums per cell, 4 K in 2-D
// atomics        none
// deterministic  yes: fixed order within a cell, fixed order of the cells around a node
// wins when      all cells have equally few particles
// loses when     cells have many or unequal numbers of particles: a warp waits for its fullest cell
// deviations     any number of values, three at a time as in the paper's better methods
#include "deposit/methods/methods.hpp"
#include "deposit/paper/collect.cuh"

namespace shoal::deposit {

namespace {

template <class Shape, int values, class Real>
__global__ void sum_each(paper::Pass<Real> pass) {
  constexpr int corners = Shape::corners;
  const DepositSpace<Real> space = Shape::apply(pass.space);
  const std::int64_t cell = thread_index();
  if (cell >= space.cell_count()) return;
  Real sum[values][corners] = {};
  const std::int64_t end = pass.particles.cell_start[cell + 1];
  for (std::int64_t p = pass.particles.cell_start[cell]; p < end; ++p) {
    const CornerWeights<Real> weights = pass.particles.weights(space, cell, p);
    const std::int64_t number = pass.particles.number(p);
    for (int v = 0; v < values; ++v) {
      const Real value = pass.values.at(v, number);
      for (int c = 0; c < corners; ++c) sum[v][c] = std::fma(weights[c], value, sum[v][c]);
    }
  }
  Real* const out = pass.sums_of(cell);
  for (int v = 0; v < values; ++v)
    for (int c = 0; c < corners; ++c) out[v * corners + c] = sum[v][c];
}

template <class Real>
void run(const DepositCall<Real>& call) {
  paper::run_method(call, [&]<class Shape, int values>(const paper::Pass<Real>& pass) {
    launch(call.queue(), pass.space.cell_count(), sum_each<Shape, values, Real>, pass);
  });
}

}  // namespace

const DepositMethod cell_per_thread_cuda{
    {"cell_per_thread", DeviceKind::cuda, true, "Larson, Carver and Zhao (2015)"}, false, run<float>, run<double>};

}  // namespace shoal::deposit
