// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/overrides.hpp>

#include <string>
#include <vector>

namespace shoal::python {

/// Overrides with the word that messages have for them in Python.
inline io::Overrides python_overrides(const std::vector<std::string>& values) {
  return io::Overrides(values, "override");
}

}  // namespace shoal::python
