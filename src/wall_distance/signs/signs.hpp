// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "wall_distance/wall_distance_method.hpp"

namespace shoal::wall_distance {

/// Adds signs to unsigned distances, on the device of a queue.
class WallSigns {
 public:
  virtual ~WallSigns() = default;
  /// Makes the distances of points inside the walls negative, and gradients those of the signed distance.
  /// @param queries  with a view of faces; all views hold results for faces, not for face centers
  virtual void apply(const WallQueries& queries) = 0;
  virtual std::int64_t bytes() const = 0;
};

/// Device-dependent implementations of WallSigns, for the two rules of WallInside.
struct SignsBackend {
  /// @param walls  must outlive the result; their poses may change, their shapes may not
  /// @throws Error  the errors of closed_surface()
  std::unique_ptr<WallSigns> (*open)(const Queue& queue, PlanWalls& walls);
  /// @throws Error  the errors of winding_tree()
  std::unique_ptr<WallSigns> (*open_winding)(const Queue& queue, PlanWalls& walls);

  static const SignsBackend cpu, cuda;
};

}  // namespace shoal::wall_distance
