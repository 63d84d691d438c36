// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include <memory>
#include <vector>

namespace shoal::benchmarks {

/// Particles of a search in three dimensions, on the host.
struct SearchParticles {
  std::vector<float> x, y, z;  ///< m
  double radius = 0;           ///< m, of the search

  Points<float> points() const { return {x, y, z}; }
  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
};

using SharedParticles = std::shared_ptr<const SearchParticles>;

/// Particles that are uniform in the unit box. The smoothing length is 1.2 times their mean spacing and the radius twice
/// that, as is usual in SPH. Far from the faces of the box a particle has 58 neighbors, including itself.
SharedParticles uniform_particles(std::int64_t n);

}  // namespace shoal::benchmarks
