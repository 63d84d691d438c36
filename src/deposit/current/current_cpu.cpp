// SPDX-License-Identifier: Apache-2.0
// The current of moving particles by the differences of their weights (Esirkepov 2001), on the CPU. Threads share the
// layers of nodes along the longest axis. A thread visits the particles that touch its layers in their order, and adds to
// these layers alone, so every edge adds in the order of particles.
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include "core/range.hpp"
#include "deposit/current/current_backend.hpp"

namespace shoal::deposit {

namespace {

/// Input and output of the current.
struct CurrentCall {
  const Queue& queue;
  const MovingParticles& particles;
  double time_step;
  const Fields<double>& current;
};

/// Layers of nodes of a thread along an axis.
struct NodeLayers {
  int axis = 0;
  Range layers;

  bool has(std::int64_t layer) const { return layer >= layers.begin && layer < layers.end; }
};

/// Adds the current of one particle to the nodes of a thread.
template <class Moved>
void add_particle(const CurrentCall& call, std::int64_t p, const NodeLayers& slab) {
  MovedWeights<Moved::stencil> weights[3];
  call.particles.find_weights<Moved>(p, weights);
  MovedWeights<Moved::stencil>& shared = weights[slab.axis];
  for (int k = 0; k < Moved::stencil; ++k) shared.is_added[k] = slab.has(shared.layer[k]);
  const double rate = call.particles.charge(p) / call.time_step;
  flow_of_particle(weights, call.particles.dimensions, rate,
                   [&](int axis, std::int64_t edge, double flow) { call.current.at(axis, edge) += flow; });
}

/// First node that each particle touches along an axis.
template <class Moved>
std::vector<std::int32_t> first_layers(const CurrentCall& call, int axis) {
  const MovingParticles& particles = call.particles;
  std::vector<std::int32_t> layers(static_cast<std::size_t>(particles.count));
#pragma omp parallel for num_threads(call.queue.threads())
  for (std::int64_t p = 0; p < particles.count; ++p)
    layers[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(
        moved_weights<Moved>(particles.cells_before(axis, p), particles.cells_after(axis, p), particles.cells[axis], 1)
            .layer[0]);
  return layers;
}

/// Layers of nodes cut into one slab for each thread, so that about equally many particles touch each.
template <class Moved>
Slabs slabs_of_threads(const CurrentCall& call, int axis, const std::vector<std::int32_t>& first_layer) {
  const std::int64_t count = call.particles.cells[axis];
  std::vector<std::int64_t> particles(static_cast<std::size_t>(count), 0), touching(particles);
  for (const std::int32_t layer : first_layer) ++particles[static_cast<std::size_t>(layer)];
  for (std::int64_t layer = 0; layer < count; ++layer)
    for (std::int64_t k = 0; k < Moved::stencil; ++k)
      touching[static_cast<std::size_t>((layer + k) % count)] += particles[static_cast<std::size_t>(layer)];
  return cut_by_weight(touching, call.queue.threads(), 0);
}

/// Adds the particles that touch the layers of a thread.
template <class Moved>
void add_touching(const CurrentCall& call, const std::vector<std::int32_t>& first_layer, const NodeLayers& slab) {
  const std::int64_t count = call.particles.cells[slab.axis];
  for (std::int64_t p = 0; p < call.particles.count; ++p) {
    const std::int64_t distance = first_layer[static_cast<std::size_t>(p)] - slab.layers.begin;
    const std::int64_t above = distance < 0 ? distance + count : distance;  // layers from the thread's first one
    if (above < slab.layers.count() || above + Moved::stencil > count) add_particle<Moved>(call, p, slab);
  }
}

/// Longest axis; of equal ones the slowest.
int longest_axis(const MovingParticles& particles) {
  int longest = 0;
  for (int axis = 1; axis < particles.dimensions; ++axis)
    if (particles.cells[axis] >= particles.cells[longest]) longest = axis;
  return longest;
}

template <class Moved>
void add_particles(const CurrentCall& call) {
  const MovingParticles& particles = call.particles;
  const int axis = longest_axis(particles);
  const int threads = call.queue.threads();
  if (threads == 1) {
    for (std::int64_t p = 0; p < particles.count; ++p) add_particle<Moved>(call, p, {axis, {0, particles.cells[axis]}});
    return;
  }
  const std::vector<std::int32_t> first_layer = first_layers<Moved>(call, axis);
  const Slabs slabs = slabs_of_threads<Moved>(call, axis, first_layer);
#pragma omp parallel for num_threads(threads)
  for (int slab = 0; slab < threads; ++slab)
    add_touching<Moved>(call, first_layer, {axis, {slabs.first(slab), slabs.end(slab)}});
}

std::int64_t first_fault_cpu(const Queue& queue, const MovingParticles& particles) {
  std::int64_t first = particles.count;
#pragma omp parallel for num_threads(queue.threads()) reduction(min : first)
  for (std::int64_t p = 0; p < particles.count; ++p)
    if (particles.fault(p) >= 0) first = std::min(first, p);
  return first;
}

void add_cpu(const Queue& queue, const MovingParticles& particles, double time_step, DepositShape shape,
             const Fields<double>& current) {
  const std::int64_t nodes = particles.node_count();
  for (int axis = 0; axis < current.count; ++axis)
#pragma omp parallel for num_threads(queue.threads())
    for (std::int64_t node = 0; node < nodes; ++node) current.at(axis, node) = 0;
  with_moved(shape, [&]<class Moved>(Moved) { add_particles<Moved>({queue, particles, time_step, current}); });
}

}  // namespace

const CurrentBackend CurrentBackend::cpu = {.first_fault = first_fault_cpu, .add = add_cpu};

}  // namespace shoal::deposit
