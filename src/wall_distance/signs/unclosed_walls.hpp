// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

namespace shoal::wall_distance {

/// Walls that have no unique inside. The message offers distances without signs; callers that need signs make their own
/// message from its parts.
class UnclosedWalls : public Error {
 public:
  /// @param problem  sentence without the operation, such as "the walls have 3 edges with one face only."
  /// @param remedy   sentence without its period, such as "Close the walls"
  UnclosedWalls(const std::string& problem, const std::string& remedy)
      : Error("wall_distance: " + problem + " " + remedy + ", or set signs = false."),
        surface_message_(problem + " " + remedy + ".") {}

  /// Problem and remedy for a surface that must be closed.
  const std::string& surface_message() const { return surface_message_; }

 private:
  std::string surface_message_;
};

}  // namespace shoal::wall_distance
