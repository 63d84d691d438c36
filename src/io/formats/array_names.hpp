// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace shoal::io {

/// Checks the names of arrays before a file is written.
/// @param file  name of the file in the message
/// @throws Error  if a name is empty, occurs twice, or contains a character that VTKHDF does not allow
inline void require_array_names(const std::filesystem::path& file, const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    require(!name->empty() && name->find_first_of("/.") == std::string::npos, file.string(), ": an array is called \"",
            *name, "\", expected a name without \"/\" and \".\", which VTKHDF does not allow.");
    require(std::find(names.begin(), name, *name) == name, file.string(), ": there are two arrays called \"", *name,
            "\". Give each a name of its own.");
  }
}

/// Names of the arrays, in their order.
template <class Arrays>
std::vector<std::string> array_names(const Arrays& arrays) {
  std::vector<std::string> names;
  for (const auto& array : arrays) names.push_back(array.name);
  return names;
}

}  // namespace shoal::io
