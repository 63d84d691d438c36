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
/// never change: they state in which body or wall a particle started. Larger ids are of particles that entered since.
class PartIds {
 public:
  PartIds() = default;
  explicit PartIds(const CaseParts& parts);

  bool empty() const { return ends_.empty(); }                             ///< true without bodies and walls
  std::int64_t count() const { return ends_.empty() ? 0 : ends_.back(); }  ///< number of particles at the start

  /// Ids of a body.
  /// @param body  index into Case::bodies
  IdRange of_body(std::size_t body) const { return of_part(body); }
  /// Ids of a wall.
  /// @param wall  index into Case::walls
  IdRange of_wall(std::size_t wall) const { return of_part(static_cast<std::size_t>(bodies_) + wall); }

  /// Index into Case::bodies of the body in which a particle started; −1 for a particle of a wall or one that entered.
  std::int32_t body(std::int64_t id) const;
  /// Index into Case::walls of the wall of a particle; −1 for a particle of fluid.
  std::int32_t wall(std::int64_t id) const;

 private:
  IdRange of_part(std::size_t part) const { return {part > 0 ? ends_[part - 1] : 0, ends_[part]}; }
  /// Index of the part of a particle, with the walls behind the bodies. A part without particles has no id.
  std::int32_t part_of(std::int64_t id) const;

  std::int32_t bodies_ = 0;         ///< number of bodies
  std::vector<std::int64_t> ends_;  ///< [bodies + walls] id behind the last of each part
};

}  // namespace shoal::sph
