// SPDX-License-Identifier: Apache-2.0
// The paper's first approach: flights of nodes, several threads a node, and a shuttle that brings their sums back.
#pragma once
#include "collision/collision_method.hpp"
#include "collision/distribution/distribution_backend.hpp"
#include "collision/interpolated/interpolant_item.hpp"
#include "collision/interpolated/padded_field.cuh"
#include "collision/pairs/direction_rates.cuh"

namespace shoal {

inline constexpr int flight_threads = 128;             ///< of a node
inline constexpr std::int64_t flight_nodes = 1 << 14;  ///< of a flight

/// One block a node of the flight; thread t takes partners t, t + 128, ...
/// @param field       field.product(b, parity, length, n): both molecules' interpolated values, multiplied
/// @param maxwellian  [nodes] what products are multiplied by, of both nodes; null: 1
/// @param shuttle     [flight_nodes][flight_threads]
template <class Real, class Field>
__global__ void __launch_bounds__(flight_threads)
    collide_flight(VelocitySupport support, ConstantDirections directions, PairRates rates, Field field, const Real* f,
                   const Real* maxwellian, std::int64_t first, Real* shuttle) {
  const int n = support.n, nodes = n * n * n, node = static_cast<int>(first + blockIdx.x);
  if (node >= nodes) return;
  const int i[3] = {node % n, node / n % n, node / n / n};
  const auto takes_part = [&](const int* at) { return support.has(at[0], at[1], at[2]); };
  const int end = takes_part(i) ? nodes : 0;
  Real sum = 0;
  for (int other = static_cast<int>(threadIdx.x); other < end; other += flight_threads) {
    if (other == node) continue;  // nothing changes
    const int j[3] = {other % n, other / n % n, other / n / n};
    if (!takes_part(j)) continue;
    Displacement pair;
    int parity[3], b[3];
    for (int axis = 0; axis < 3; ++axis) {
      pair.d[axis] = i[axis] - j[axis];
      parity[axis] = pair.parity(axis);
      b[axis] = (i[axis] + j[axis] - parity[axis]) / 2;
    }
    const double length = pair.length(), scale = rates.scale(directions, pair);
    const Real factor = maxwellian != nullptr ? maxwellian[node] * maxwellian[other] : Real(1);
    const Real before = f[node] * f[other];
    for (int k = 0; k < directions.count; ++k)
      sum += static_cast<Real>(rates.rate(directions, pair, k, scale)) *
             (factor * field.product(b, parity, length, directions.at[k]) - before);
  }
  shuttle[static_cast<std::int64_t>(blockIdx.x) * flight_threads + threadIdx.x] = sum;
}

/// q of the flight's nodes: the sums of their threads, in order.
template <class Real>
__global__ void unload_shuttle(const Real* shuttle, std::int64_t first, std::int64_t nodes, Real* q) {
  const std::int64_t k = thread_index();
  if (k >= flight_nodes || first + k >= nodes) return;
  Real sum = 0;
  for (int t = 0; t < flight_threads; ++t) sum += shuttle[k * flight_threads + t];
  q[first + k] = sum;
}

/// All flights.
template <class Real, class Field>
void fly(Scratch& scratch, const CollisionSetup& setup, const double* total_rates, const Field& field, const Real* f,
         const Real* maxwellian, Real* q) {
  const std::int64_t nodes = setup.grid.node_count();
  ScratchFrame frame(scratch);
  const std::int64_t in_flight = std::min(flight_nodes, nodes);
  Real* shuttle = frame.array<Real>(in_flight * flight_threads).data;
  const ConstantDirections directions(setup.directions);
  for (std::int64_t first = 0; first < nodes; first += flight_nodes) {
    launch<flight_threads>(scratch.queue(), in_flight * flight_threads, collide_flight<Real, Field>, setup.support(),
                           directions, PairRates{setup.kernel, total_rates}, field, f, maxwellian, first, shuttle);
    launch(scratch.queue(), in_flight, unload_shuttle<Real>, shuttle, first, nodes, q);
  }
}

}  // namespace shoal
