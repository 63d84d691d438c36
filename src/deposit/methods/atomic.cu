// SPDX-License-Identifier: Apache-2.0
// atomic: one thread per particle adds to the nodes in memory.
//
// idea           one thread per particle does one atomic addition for each of its nodes and values
// source         Larson, Carver and Zhao (2015), the naive first approach
// memory         none
// atomics        8 K per particle, 4 K in 2-D
// deterministic  no: sums depend on the order in which additions arrive
// wins when      there are about as many cells as particles
// loses when     cells are full: neighboring threads add to the same nodes
// deviations     particles are in the order of cells; double additions use hardware atomics; float additions treat
//                subnormal numbers as 0
// shapes         tsc and pcs too: 9 or 16 nodes in 2-D, 27 or 64 in 3-D
#include "deposit/methods/methods.hpp"
#include "deposit/paper/collect.cuh"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/shapes/shape_stencil.hpp"

namespace shoal::deposit {

namespace {

template <class Real>
__global__ void clear_each(Fields<Real> nodes, std::int64_t count) {
  const std::int64_t node = thread_index();
  if (node >= count) return;
  for (int k = 0; k < nodes.count; ++k) nodes.at(k, node) = 0;
}

template <class Shape, class Real>
__global__ void add_each(DepositSpace<Real> any_space, BinnedParticles<Real> particles, Fields<const Real> values,
                         Fields<Real> nodes) {
  const DepositSpace<Real> space = Shape::apply(any_space);
  const std::int64_t p = thread_index();
  if (p >= particles.count) return;
  const std::uint32_t cell = particles.cell[p];
  if (cell == space.cell_count()) return;
  const std::int64_t number = particles.number(p);
  const GridIndex index = space.cell_index(cell);
  const CornerWeights<Real> weights = particles.weights(space, cell, p);
  std::int64_t node[Shape::corners];
  for (int c = 0; c < Shape::corners; ++c) node[c] = space.corner_node(index, c);
  for (int k = 0; k < nodes.count; ++k) {
    const Real value = values.at(k, number);
    for (int c = 0; c < Shape::corners; ++c) atomicAdd(&nodes.at(k, node[c]), weights[c] * value);
  }
}

template <class Shape, class Real>
__global__ void add_each_with_shape(DepositSpace<Real> space, BinnedParticles<Real> particles,
                                    Fields<const Real> values, Fields<Real> nodes) {
  const std::int64_t p = thread_index();
  if (p >= particles.count) return;
  const std::uint32_t cell = particles.cell[p];
  if (cell == space.cell_count()) return;
  const std::int64_t number = particles.number(p);
  const ComputedStencil<Real> stencil{space, space.cell_index(cell)};
  const StencilWeights<Shape, Real> weights(particles, stencil, p);
  for (int k = 0; k < nodes.count; ++k) {
    const Real value = values.at(k, number);
    weights.for_each_node(stencil,
                          [&](std::int64_t node, Real weight) { atomicAdd(&nodes.at(k, node), weight * value); });
  }
}

template <class Real>
void run_shape(const DepositCall<Real>& call) {
  const Queue& queue = call.queue();
  const std::int64_t nodes = call.space.node_count();
  launch(queue, nodes, clear_each<Real>, call.nodes, nodes);
  with_shape(call.shape, [&]<class Shape>(Shape) {
    launch(queue, call.particles.count, add_each_with_shape<Shape, Real>, call.space, call.particles, call.values,
           call.nodes);
  });
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const Queue& queue = call.queue();
  const std::int64_t nodes = call.space.node_count();
  launch(queue, nodes, clear_each<Real>, call.nodes, nodes);
  paper::with_shape(call.space, [&]<class Shape>() {
    launch(queue, call.particles.count, add_each<Shape, Real>, call.space, call.particles, call.values, call.nodes);
  });
}

}  // namespace

const DepositMethod atomic_cuda{{"atomic", DeviceKind::cuda, false, "Larson, Carver and Zhao (2015)"},
                                false,
                                run<float>,
                                run<double>,
                                false,
                                run_shape<float>,
                                run_shape<double>};

}  // namespace shoal::deposit
