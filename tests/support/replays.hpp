// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/methods.hpp>

#include "neighbors/neighbors_method.hpp"

namespace shoal::testing_support {

/// Whether a row of `neighbors` can update without waiting.
inline bool replays(const MethodInfo& method) {
  for (const NeighborsMethod& row : neighbors_rows())
    if (row.name == method.name && row.device == method.device) return row.replays;
  return false;
}

}  // namespace shoal::testing_support
