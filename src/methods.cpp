// SPDX-License-Identifier: Apache-2.0
#include <shoal/methods.hpp>

#include "cells/cells_method.hpp"
#include "collision/collision_method.hpp"
#include "core/text.hpp"
#include "deposit/deposit_method.hpp"
#include "neighbors/neighbors_method.hpp"
#include "sph/sph_method.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal {

std::vector<MethodInfo> methods() {
  std::vector<MethodInfo> infos;
  for (const auto& operation :
       {cells::cells_methods(), neighbors::neighbors_methods(), deposit::deposit_methods(),
        wall_distance::wall_distance_methods(), collision::collision_methods(), sph::sph_methods()})
    infos.insert(infos.end(), operation.begin(), operation.end());
  return infos;
}

std::vector<MethodInfo> methods(std::string_view operation) {
  std::vector<MethodInfo> infos;
  std::vector<std::string> operations;
  for (const MethodInfo& method : methods()) {
    if (method.operation == operation) infos.push_back(method);
    if (operations.empty() || operations.back() != method.operation) operations.push_back(method.operation);
  }
  require(!infos.empty(), "methods: unknown operation \"", operation, "\"; expected one of ", join(operations), ".");
  return infos;
}

}  // namespace shoal
