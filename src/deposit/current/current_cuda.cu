// SPDX-License-Identifier: Apache-2.0
// The current of moving particles by the differences of their weights (Esirkepov 2001), on CUDA: a thread per particle,
// and atomics on integers, multiples of 2^-61 of the sum of all |charges|. Their sum does not depend on the order.
#include "deposit/current/current_backend.hpp"
#include "deposit/sums/integer_units.cuh"

namespace shoal::deposit {

namespace {

using namespace integer_units;

constexpr int particle_threads = 128;
constexpr std::int64_t most_particles = std::int64_t{1} << 31;  ///< Limit of SizeSteps

/// Integer sums of the charges that flow along the edges.
struct FlowSums {
  const FixedPoint* unit;  ///< Unit of the charges
  Integer* sums;           ///< [axes][nodes]
  std::int64_t nodes;      ///< Number of nodes
};

__global__ void find_fault(MovingParticles particles, unsigned long long* first) {
  const std::int64_t p = thread_index();
  if (p < particles.count && particles.fault(p) >= 0) atomicMin(first, static_cast<unsigned long long>(p));
}

template <class Moved>
__global__ void __launch_bounds__(particle_threads) add_each(MovingParticles particles, FlowSums flows) {
  const std::int64_t p = thread_index();
  if (p >= particles.count) return;
  const FixedPoint unit = *flows.unit;
  MovedWeights<Moved::stencil> weights[3];
  particles.find_weights<Moved>(p, weights);
  flow_of_particle(weights, particles.dimensions, particles.charge(p), [&](int axis, std::int64_t edge, double flow) {
    const std::int64_t share = unit.to_integer(flow);
    if (share != 0) atomicAdd(&flows.sums[axis * flows.nodes + edge], static_cast<Integer>(share));
  });
}

__global__ void write_current(FlowSums flows, double time_step, Fields<double> current) {
  const std::int64_t node = thread_index();
  if (node >= flows.nodes) return;
  for (int axis = 0; axis < current.count; ++axis)
    current.at(axis, node) =
        flows.unit->value<double>(static_cast<std::int64_t>(flows.sums[axis * flows.nodes + node])) / time_step;
}

std::int64_t first_fault_cuda(const Queue& queue, const MovingParticles& particles) {
  const auto none = static_cast<unsigned long long>(particles.count);
  Array<std::uint64_t> first = to_device(queue, std::vector<std::uint64_t>{none});
  launch(queue, particles.count, find_fault, particles, reinterpret_cast<unsigned long long*>(first.data()));
  return static_cast<std::int64_t>(to_host(queue, first).front());
}

void add_cuda(const Queue& queue, const MovingParticles& particles, double time_step, DepositShape shape,
              const Fields<double>& current) {
  require(particles.count <= most_particles, "deposit: a current of ", particles.count, " particles, expected at most ",
          most_particles, " on CUDA. Make several calls and add the currents.");
  Scratch scratch(queue);
  ScratchFrame frame(scratch);
  const std::int64_t nodes = particles.node_count();
  FixedPoint* const unit = frame.array<FixedPoint>(1).data;
  Integer* const sums = frame.array<Integer>(nodes * current.count).data;
  fill_bytes(queue, sums, 0, nodes * current.count * sizeof(Integer));
  find_units(scratch, particles.charges, particles.count, Ranges({}), nullptr, unit);
  const FlowSums flows{unit, sums, nodes};
  with_moved(shape, [&]<class Moved>(Moved) {
    launch<particle_threads>(queue, particles.count, add_each<Moved>, particles, flows);
  });
  launch(queue, nodes, write_current, flows, time_step, current);
}

}  // namespace

const CurrentBackend CurrentBackend::cuda = {.first_fault = first_fault_cuda, .add = add_cuda};

}  // namespace shoal::deposit
