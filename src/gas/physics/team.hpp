// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

namespace shoal::gas {

/// Team of one thread, which shares the nodes of a sum with nobody. A team of a device has the same functions.
struct SerialTeam {
  /// The first item of this thread, and the distance to its next one.
  SHOAL_HD int first() const { return 0; }
  SHOAL_HD int stride() const { return 1; }
  /// Replaces values by their sums over the team.
  SHOAL_HD void sum(double*, int) const {}
  /// Makes what each thread wrote visible to the team.
  SHOAL_HD void sync() const {}
};

}  // namespace shoal::gas
