// SPDX-License-Identifier: Apache-2.0
// Names of enumerators in conditions of keys.
#pragma once
#include <string>
#include <vector>

#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Names of enumerators, as in `tait", "linear" or "polynomial`; the message adds the outer quotes.
template <class Enumeration>
std::string names_of(const std::vector<Enumeration>& kinds) {
  std::string names;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (k > 0) names += k + 1 < kinds.size() ? "\", \"" : "\" or \"";
    names += to_name(kinds[k]);
  }
  return names;
}

}  // namespace shoal::io
