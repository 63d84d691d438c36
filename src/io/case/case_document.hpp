// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// A parsed case file with its overrides in place, and where each value came from.
class Document {
 public:
  /// @throws Error  a syntax error, or an override that has no "=", no place or no value
  Document(std::string_view text, std::string_view name, const std::vector<std::string>& overrides);

  const toml::table& root() const { return root_; }
  const std::string& name() const { return name_; }

  /// "case.toml:14", or "--set scheme.cfl" for what an override put there.
  std::string where(const std::string& path, const toml::source_region& source) const;

  /// Whether an override set `path`, a part of it, or what contains it.
  bool overridden(const std::string& path) const;

 private:
  void set(const std::string& override_text);

  std::string name_;
  toml::table root_;
  std::vector<std::string> overridden_;  ///< dotted paths
};

/// The node at a dotted path below `table`; null when there is none.
const toml::node* find(const toml::table& table, std::string_view dotted);

}  // namespace shoal::io
