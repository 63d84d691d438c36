// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <toml++/toml.h>
#include <shoal/io/overrides.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Parsed case file with its overrides applied, and the origin of each value.
class Document {
 public:
  /// Parses a case file and applies its overrides.
  /// @throws Error  a syntax error, or an override without "=", key or value
  Document(std::string_view text, std::string_view name, const Overrides& overrides);

  const toml::table& root() const { return root_; }
  const std::string& name() const { return name_; }

  /// Returns the location of a value: "case.toml:14", or "--set scheme.cfl" for an override, with the origin of
  /// the overrides.
  std::string where(const std::string& path, const toml::source_region& source) const;

  /// Returns true if an override set `path`, a part of it, or a table that contains it.
  bool overridden(const std::string& path) const;

 private:
  void set(const std::string& override_text);

  std::string name_;
  std::string override_origin_;
  toml::table root_;
  std::vector<std::string> overridden_;  ///< dotted paths of the overridden keys
};

/// Returns the node at a dotted path below `table`, or null if there is none.
const toml::node* find(const toml::table& table, std::string_view dotted);

}  // namespace shoal::io
