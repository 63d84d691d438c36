// SPDX-License-Identifier: Apache-2.0
// Partners and directions over which a node sums its collisions: all of them, or random ones.
#pragma once
#include <vector>

#include "collision/interpolated/random_item.hpp"
#include "collision/setup/collision_setup.hpp"

namespace shoal::collision {

/// A partner, with the directions first_direction, ..., end_direction − 1 of the collisions.
struct Encounter {
  int partner;
  int first_direction, end_direction;  ///< An empty range if the partner does not count.
};

/// Regular integration: encounter k is that with node k in all directions.
struct AllPartners {
  VelocitySupport support;
  int directions;

  SHOAL_HD int count() const { return support.n * support.n * support.n; }
  SHOAL_HD double weight() const { return 1; }
  SHOAL_HD Encounter encounter(int node, int k) const {
    const int n = support.n;
    const bool collides = k != node && support.has(k % n, k / n % n, k / n / n);
    return {k, 0, collides ? directions : 0};
  }
};

/// Statistical integration: encounter k is that with a random node in a random direction, all with the same
/// probability. The mean of many encounters, times their possible number, is an estimate of the regular sum.
struct RandomPartners {
  int samples;
  int directions;
  int partners;             ///< Number of nodes that take part.
  const int* partner_node;  ///< [partners]
  std::uint64_t seed;
  std::uint64_t evaluation;

  SHOAL_HD int count() const { return samples; }
  /// Number of possible encounters for each sample.
  SHOAL_HD double weight() const { return static_cast<double>(partners) * directions / samples; }
  SHOAL_HD Encounter encounter(int node, int k) const {
    const RandomWords random =
        philox({{static_cast<std::uint32_t>(node), static_cast<std::uint32_t>(k),
                 static_cast<std::uint32_t>(evaluation), static_cast<std::uint32_t>(evaluation >> 32)}},
               seed);
    const int partner = partner_node[static_cast<int>(random.uniform(0) * partners)];
    const int direction = static_cast<int>(random.uniform(1) * directions);
    return {partner, direction, partner == node ? direction : direction + 1};  // a node does not collide with itself
  }
};

/// Nodes that take part, in the order of their numbers, for statistical integration; else none.
inline std::vector<int> sampled_nodes(const CollisionSetup& setup) {
  std::vector<int> nodes;
  if (setup.options.integration == CollisionIntegration::regular) return nodes;
  const VelocitySupport support = setup.support();
  for (int node = 0; node < support.n * support.n * support.n; ++node)
    if (support.has(std::int64_t{node})) nodes.push_back(node);
  return nodes;
}

/// @param partner_node  [partners] of sampled_nodes(), on the device of the method
inline RandomPartners random_partners(const CollisionSetup& setup, const int* partner_node, std::size_t partners,
                                      std::uint64_t evaluation) {
  return {setup.options.samples,
          setup.directions.count(),
          static_cast<int>(partners),
          partner_node,
          static_cast<std::uint64_t>(setup.options.seed),
          evaluation};
}

}  // namespace shoal::collision
