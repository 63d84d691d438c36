// SPDX-License-Identifier: Apache-2.0
// First approach of Malkov and Ivanov. Their names: a flight is a batch of nodes, the shuttle is the array of partial
// sums of the threads that share a node.
#pragma once
#include "collision/distribution/distribution_backend.hpp"
#include "collision/interpolated/interpolant_item.hpp"
#include "collision/interpolated/padded_field.cuh"
#include "collision/interpolated/partners_item.hpp"
#include "collision/pairs/direction_rates.cuh"
#include "collision/ranks/rank_parts.hpp"

namespace shoal::collision {

inline constexpr int flight_threads = 128;             ///< Threads that share a node.
inline constexpr std::int64_t flight_nodes = 1 << 14;  ///< Nodes of a flight.

/// Tables of a plan.
struct FlightTables {
  Array<double> rates;       ///< total_rates()
  Array<int> partner_nodes;  ///< sampled_nodes()

  FlightTables(const CollisionSetup& setup, const Queue& queue)
      : rates(total_rates(setup, queue)), partner_nodes(to_device(queue, sampled_nodes(setup))) {
    queue.wait();  // before the host's table is destroyed
  }
};

/// One block for each node of the flight; thread t processes the encounters t, t + 128, ...
/// @param field       field.product(b, parity, length, n) is the product of both molecules' interpolated values
/// @param maxwellian  [nodes³] factor of each molecule before the collision; null: 1
/// @param shuttle     [flight_nodes][flight_threads] overwritten
template <class Real, class Field, class Partners>
__global__ void __launch_bounds__(flight_threads)
    collide_flight(VelocitySupport support, ConstantDirections directions, PairRates rates, Field field,
                   Partners partners, const Real* f, const Real* maxwellian, std::int64_t first, Real* shuttle) {
  const int n = support.n, node = static_cast<int>(first + blockIdx.x);
  const int i[3] = {node % n, node / n % n, node / n / n};
  const int end = support.has(i[0], i[1], i[2]) ? partners.count() : 0;
  Real sum = 0;
  for (int number = static_cast<int>(threadIdx.x); number < end; number += flight_threads) {
    const Encounter encounter = partners.encounter(node, number);
    if (encounter.first_direction == encounter.end_direction) continue;
    const int partner = encounter.partner;
    const int j[3] = {partner % n, partner / n % n, partner / n / n};
    Displacement pair;
    int parity[3], b[3];
    for (int axis = 0; axis < 3; ++axis) {
      pair.d[axis] = i[axis] - j[axis];
      parity[axis] = pair.parity(axis);
      b[axis] = (i[axis] + j[axis] - parity[axis]) / 2;
    }
    const double length = pair.length(), scale = rates.scale(directions, pair);
    const Real factor = maxwellian != nullptr ? maxwellian[node] * maxwellian[partner] : Real(1);
    const Real loss = f[node] * f[partner];
    for (int k = encounter.first_direction; k < encounter.end_direction; ++k)
      sum += static_cast<Real>(rates.rate(directions, pair, k, scale)) *
             (factor * field.product(b, parity, length, directions.point[k]) - loss);
  }
  shuttle[static_cast<std::int64_t>(blockIdx.x) * flight_threads + threadIdx.x] =
      static_cast<Real>(partners.weight()) * sum;
}

/// Adds the partial sums of each node of the flight in the order of their threads.
/// @param nodes  number of nodes of this flight
template <class Real>
__global__ void unload_shuttle(const Real* shuttle, std::int64_t first, std::int64_t nodes, Real* q) {
  const std::int64_t k = thread_index();
  if (k >= nodes) return;
  Real sum = 0;
  for (int t = 0; t < flight_threads; ++t) sum += shuttle[k * flight_threads + t];
  q[first + k] = sum;
}

/// Evaluates Q, flight after flight. Nodes are independent: each rank evaluates some planes of them.
template <class Real, class Field>
void evaluate_flights(Scratch& scratch, const CollisionSetup& setup, const FlightTables& tables,
                      std::uint64_t evaluation, const Field& field, const Real* f, const Real* maxwellian, Real* q) {
  const RankParts parts = RankParts::of_planes(setup);
  const Range nodes = parts.own_part();
  ScratchFrame frame(scratch);
  Real* shuttle = frame.array<Real>(std::min(flight_nodes, nodes.count()) * flight_threads).data;
  const ConstantDirections directions(setup.directions);
  const auto evaluate = [&]<class Partners>(const Partners& partners) {
    for (std::int64_t first = nodes.begin; first < nodes.end; first += flight_nodes) {
      const std::int64_t flight_size = std::min(flight_nodes, nodes.end - first);
      launch<flight_threads>(scratch.queue(), flight_size * flight_threads, collide_flight<Real, Field, Partners>,
                             setup.support(), directions, PairRates{setup.kernel, tables.rates.data()}, field, partners,
                             f, maxwellian, first, shuttle);
      launch(scratch.queue(), flight_size, unload_shuttle<Real>, shuttle, first, flight_size, q);
    }
  };
  if (setup.options.integration == CollisionIntegration::regular)
    evaluate(AllPartners{setup.support(), setup.directions.count()});
  else
    evaluate(random_partners(setup, tables.partner_nodes.data(), static_cast<std::size_t>(tables.partner_nodes.count()),
                             evaluation));
  parts.gather(q);
}

}  // namespace shoal::collision
