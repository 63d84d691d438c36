// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/search.hpp"

namespace shoal::testing_support {

/// Whether a method can update without the host.
inline bool replays(const MethodInfo& method) {
  for (const NeighborsMethod& row : neighbors_rows())
    if (row.name == method.name && row.device == method.device) return row.replays;
  return false;
}

}  // namespace shoal::testing_support
