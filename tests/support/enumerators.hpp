// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>

#include <vector>

namespace shoal::testing_support {

/// All enumerators, so that a test of every choice has the new ones, too.
template <class Enumeration>
std::vector<Enumeration> every() {
  std::vector<Enumeration> enumerators;
  for (std::size_t k = 0; k < enumerator_names<Enumeration>.size(); ++k)
    enumerators.push_back(static_cast<Enumeration>(k));
  return enumerators;
}

}  // namespace shoal::testing_support
