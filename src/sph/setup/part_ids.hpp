// SPDX-License-Identifier: Apache-2.0
// Ids of the particles of each body and wall of a case.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shoal::sph {

struct CaseParts;

/// Ids of particles, from `first` to before `end`.
struct IdRange {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// Ids of the particles of each body and wall of a case. Ids count up from 0 through the bodies, then the walls, and
/// never change: they state in which body or wall a particle started.
class PartIds {
 public:
  PartIds() = default;
  explicit PartIds(const CaseParts& parts);

  bool empty() const { return ends_.empty(); }  ///< true without bodies and walls

  /// Ids of a wall.
  /// @param wall  index into Case::walls
  IdRange of_wall(std::size_t wall) const;

  /// Index into Case::bodies of the body in which a particle started; −1 for a particle of a wall.
  std::int32_t body(std::int64_t id) const;
  /// Index into Case::walls of the wall of a particle; −1 for a particle of a body.
  std::int32_t wall(std::int64_t id) const;

 private:
  /// Index of the part of a particle, with the walls behind the bodies. A part without particles has no id.
  std::int32_t part_of(std::int64_t id) const;

  std::int32_t bodies_ = 0;         ///< number of bodies
  std::vector<std::int64_t> ends_;  ///< [bodies + walls] id behind the last of each part
};

}  // namespace shoal::sph
