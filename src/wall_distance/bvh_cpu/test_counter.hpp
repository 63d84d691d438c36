// SPDX-License-Identifier: Apache-2.0
// How a search on the CPU counts the faces that it tests, or does not.
#pragma once
#include <shoal/wall_distance.hpp>

#include <shoal/item/host_device.hpp>

namespace shoal {

struct FaceTally {
  WallFacesTested tested;

  SHOAL_HD void add_bounded(std::int64_t faces) { tested.bounded += faces; }
  SHOAL_HD void add_exact() { ++tested.exact; }
  FaceTally& operator+=(const FaceTally& other) {
    tested.bounded += other.tested.bounded;
    tested.exact += other.tested.exact;
    return *this;
  }
};

/// Does not count, which takes no time.
struct NoTally {
  SHOAL_HD void add_bounded(std::int64_t) {}
  SHOAL_HD void add_exact() {}
  NoTally& operator+=(const NoTally&) { return *this; }
};

}  // namespace shoal
