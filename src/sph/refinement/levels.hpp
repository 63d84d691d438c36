// SPDX-License-Identifier: Apache-2.0
// Levels of a case with refinement: each is a case of its own, with one spacing.
#pragma once
#include <shoal/sph/case.hpp>

#include <optional>
#include <vector>

namespace shoal::sph {

/// One level. The first one fills the domain with the spacing of the case; each other one has half the spacing of its parent,
/// the level before it, in its box and in a guard zone around this.
struct Level {
  Case simulation;
  std::optional<Box> box{};  ///< m, box of the level; none: the whole domain
  std::optional<Box>
      region{};                ///< m, box with the guard zone, in which the level has particles; none: the whole domain
  std::optional<Box> finer{};  ///< m, box of the next level
  std::optional<Box> covered{};       ///< m, part of that box in which fluid follows the next level
  std::optional<Box> finer_region{};  ///< m, region of the next level
};

/// Levels of a case from the coarsest to the finest.
std::vector<Level> levels_of(const Case& simulation);

/// @throws Error  a box that is not aligned or not within the one before it, or what levels cannot have
void check_refinements(const Case& simulation);

}  // namespace shoal::sph
