// SPDX-License-Identifier: Apache-2.0
// The current of moving particles by the differences of their weights (Esirkepov 2001). Threads share the layers of nodes
// along the longest axis. A thread visits the particles that touch its layers in their order, and adds to these layers
// alone, so every edge adds in the order of particles.
#include <shoal/deposit/current.hpp>
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <vector>

#include "core/range.hpp"
#include "deposit/current/current_checks.hpp"
#include "deposit/current/moved_weights.hpp"

namespace shoal::deposit {

namespace {

/// Layers of nodes of a thread along an axis.
struct NodeLayers {
  int axis = 0;
  Range layers;

  bool has(std::int64_t layer) const { return layer >= layers.begin && layer < layers.end; }
};

/// Adds a particle's current along `axis`. What flows from a node to the next is what left the nodes up to it.
/// @param rate  A, charge / time step
template <int stencil>
void add_along(const std::array<MovedWeights<stencil>, 3>& weights, int axis, double rate, View<double> current) {
  const MovedWeights<stencil>& along = weights[axis];
  const MovedWeights<stencil>& u = weights[(axis + 1) % 3];
  const MovedWeights<stencil>& v = weights[(axis + 2) % 3];
  for (int j = 0; j < stencil; ++j)
    for (int i = 0; i < stencil; ++i) {
      const double share = rate * mean_product(u, i, v, j);
      if (share == 0 || !u.is_added[i] || !v.is_added[j]) continue;
      double* const edges = current.data + (u.offset[i] + v.offset[j]) * current.stride;
      double flow = 0;
      for (int k = 0; k + 1 < stencil; ++k) {
        flow -= share * along.change[k];
        if (along.is_added[k]) edges[along.offset[k] * current.stride] += flow;
      }
    }
}

/// Adds the current of one particle to the nodes of a thread.
template <class Moved>
void add_particle(const CurrentCall& call, std::int64_t p, const NodeLayers& slab) {
  std::array<MovedWeights<Moved::stencil>, 3> weights;
  std::int64_t distance = 1;  // between numbers of neighbors along the axis
  for (int axis = 0; axis < 3; ++axis) {
    weights[axis] = axis < call.grid.dimensions ? moved_weights<Moved>(call.cells_before(axis, p),
                                                                       call.cells_after(axis, p), call.grid.cells[axis])
                                                : missing_axis<Moved>();
    for (int k = 0; k < Moved::stencil; ++k) {
      weights[axis].is_added[k] = axis != slab.axis || slab.has(weights[axis].layer[k]);
      weights[axis].offset[k] = weights[axis].layer[k] * distance;
    }
    distance *= call.grid.cells[axis];
  }
  const double rate = call.charge_of(p) / call.time_step;
  for (int axis = 0; axis < call.grid.dimensions; ++axis) add_along(weights, axis, rate, call.current[axis]);
}

/// First node that each particle touches along an axis.
template <class Moved>
std::vector<std::int32_t> first_layers(const CurrentCall& call, int axis) {
  std::vector<std::int32_t> layers(static_cast<std::size_t>(call.particles()));
#pragma omp parallel for num_threads(call.queue.threads())
  for (std::int64_t p = 0; p < call.particles(); ++p)
    layers[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(
        moved_weights<Moved>(call.cells_before(axis, p), call.cells_after(axis, p), call.grid.cells[axis]).layer[0]);
  return layers;
}

/// Layers of nodes cut into one slab for each thread, so that about equally many particles touch each.
template <class Moved>
Slabs slabs_of_threads(const CurrentCall& call, int axis, const std::vector<std::int32_t>& first_layer) {
  const std::int64_t count = call.grid.cells[axis];
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
  const std::int64_t count = call.grid.cells[slab.axis];
  for (std::int64_t p = 0; p < call.particles(); ++p) {
    const std::int64_t distance = first_layer[static_cast<std::size_t>(p)] - slab.layers.begin;
    const std::int64_t above = distance < 0 ? distance + count : distance;  // layers from the thread's first one
    if (above < slab.layers.count() || above + Moved::stencil > count) add_particle<Moved>(call, p, slab);
  }
}

/// Longest axis; of equal ones the slowest.
int longest_axis(const Grid& grid) {
  int longest = 0;
  for (int axis = 1; axis < grid.dimensions; ++axis)
    if (grid.cells[axis] >= grid.cells[longest]) longest = axis;
  return longest;
}

template <class Moved>
void add_particles(const CurrentCall& call) {
  const int axis = longest_axis(call.grid);
  const int threads = call.queue.threads();
  if (threads == 1) {
    for (std::int64_t p = 0; p < call.particles(); ++p)
      add_particle<Moved>(call, p, {axis, {0, call.grid.cells[axis]}});
    return;
  }
  const std::vector<std::int32_t> first_layer = first_layers<Moved>(call, axis);
  const Slabs slabs = slabs_of_threads<Moved>(call, axis, first_layer);
#pragma omp parallel for num_threads(threads)
  for (int slab = 0; slab < threads; ++slab)
    add_touching<Moved>(call, first_layer, {axis, {slabs.first(slab), slabs.end(slab)}});
}

}  // namespace

void deposit_current(const Queue& queue, const Grid& grid, double time_step, std::span<const View<const double>> before,
                     std::span<const View<const double>> after, View<const double> charge,
                     std::span<const View<double>> current, DepositShape shape) {
  const CurrentCall call{queue, grid, time_step, before, after, charge, current};
  require_arguments(call);
  require_small_steps(call);
  for (const View<double>& along : current)
#pragma omp parallel for num_threads(queue.threads())
    for (std::int64_t node = 0; node < along.count; ++node) along.data[node * along.stride] = 0;
  switch (shape) {
    case DepositShape::cic:
      return add_particles<MovedCic>(call);
    case DepositShape::tsc:
      return add_particles<MovedSpline<TscShape>>(call);
    case DepositShape::pcs:
      return add_particles<MovedSpline<PcsShape>>(call);
  }
}

}  // namespace shoal::deposit
