// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace shoal::io {

/// Values that replace those of a case file.
struct Overrides {
  /// "key=value" with a dotted key: "scheme.cfl=0.4", "run.precision=double", "probe.0.every=0.01".
  std::vector<std::string> values;
  std::string origin = "--set";  ///< Word before the key in messages: the option with which a user gives an override.

  Overrides() = default;
  Overrides(std::initializer_list<std::string> all_values) : values(all_values) {}
  Overrides(std::vector<std::string> all_values, std::string word = "--set")
      : values(std::move(all_values)), origin(std::move(word)) {}
};

}  // namespace shoal::io
