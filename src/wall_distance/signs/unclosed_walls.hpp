// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

namespace shoal::wall_distance {

/// Remedy for walls without a unique inside that the rule for signs offers.
enum class OtherRule {
  winding_number,  ///< winding numbers have an inside for such walls
  none
};

/// Walls that have no unique inside. The message offers another rule, and distances without signs; callers that need closed
/// walls make their own message from its parts.
class UnclosedWalls : public Error {
 public:
  /// @param problem  sentence without the operation, such as "the walls have 3 edges with one face only."
  /// @param remedy   sentence without its period, such as "Close the walls"
  UnclosedWalls(const std::string& problem, const std::string& remedy, OtherRule rule = OtherRule::winding_number)
      : Error("wall_distance: " + problem + " " + remedy +
              (rule == OtherRule::winding_number ? ", set inside = \"winding_number\"" : "") +
              ", or set signs = false."),
        surface_message_(problem + " " + remedy + ".") {}

  /// Problem and remedy for a surface that must be closed.
  const std::string& surface_message() const { return surface_message_; }

 private:
  std::string surface_message_;
};

}  // namespace shoal::wall_distance
