// SPDX-License-Identifier: Apache-2.0
#include "papers/neighbors/neighbors_particles.hpp"

#include <cmath>
#include <random>

namespace shoal::benchmarks {

SharedParticles uniform_particles(std::int64_t n) {
  SearchParticles particles;
  particles.radius = 2 * 1.2 * std::cbrt(1 / static_cast<double>(n));
  std::mt19937_64 random(1);
  const auto coordinate = [&] { return static_cast<float>(random() >> 40) * 0x1p-24f; };  // [0, 1)
  for (std::vector<float>* axis : {&particles.x, &particles.y, &particles.z})
    for (std::int64_t i = 0; i < n; ++i) axis->push_back(coordinate());
  return std::make_shared<const SearchParticles>(std::move(particles));
}

}  // namespace shoal::benchmarks
