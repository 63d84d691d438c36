// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/signs/shells.hpp"

#include <algorithm>

namespace shoal::wall_distance {

std::vector<std::uint8_t> reversed_bodies(const std::vector<Shell>& shells, std::size_t bodies) {
  std::vector<double> volume(bodies);
  for (const Shell& shell : shells) volume[static_cast<std::size_t>(shell.body)] += shell.volume;
  std::vector<std::uint8_t> is_reversed;
  for (const double of_body : volume) is_reversed.push_back(of_body < 0);
  return is_reversed;
}

const Shell* misplaced_shell(const std::vector<Shell>& shells, const std::vector<std::uint8_t>& is_reversed) {
  const auto encloses = [&](const Shell& shell) {
    return (shell.volume < 0) == (is_reversed[static_cast<std::size_t>(shell.body)] != 0);
  };
  for (const Shell& hole : shells) {
    if (encloses(hole)) continue;
    const bool is_in_another = std::any_of(shells.begin(), shells.end(), [&](const Shell& outer) {
      return outer.body == hole.body && encloses(outer) && hole.is_within(outer);
    });
    if (!is_in_another) return &hole;
  }
  return nullptr;
}

}  // namespace shoal::wall_distance
