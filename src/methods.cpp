// SPDX-License-Identifier: Apache-2.0
#include <shoal/methods.hpp>

#include "cells/cells_method.hpp"
#include "collision/collision_method.hpp"
#include "core/text.hpp"
#include "deposit/deposit_call.hpp"
#include "neighbors/neighbors_method.hpp"
#include "sph/sph_method.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal {

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> all;
  for (const auto& rows : {cells::cells_methods(), neighbors_methods(), deposit_methods(), wall_distance_methods(),
                           collision_methods(), sph::sph_methods()})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

std::vector<MethodInfo> methods(std::string_view operation) {
  std::vector<MethodInfo> rows;
  std::vector<std::string> operations;
  for (const MethodInfo& row : methods()) {
    if (row.operation == operation) rows.push_back(row);
    if (operations.empty() || operations.back() != row.operation) operations.push_back(row.operation);
  }
  require(!rows.empty(), "methods: no operation \"", operation, "\"; this build has ", join(operations), ".");
  return rows;
}

}  // namespace shoal
