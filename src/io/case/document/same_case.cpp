// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/restart.hpp>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text.hpp"
#include "io/case/document/case_document.hpp"
#include "io/case/document/case_value.hpp"

namespace shoal::io {

namespace {

constexpr std::array<std::string_view, 3> may_differ = {"title", "run.duration", "run.restart_every"};

struct Entry {
  std::string key;  ///< dotted key, with list entries by index: "body.0.velocity"
  std::string value;

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// Returns all entries of a list as text, because describe() shortens long lists.
std::string whole_value(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (!list) return describe(node);
  std::vector<std::string> entries;
  for (const toml::node& entry : *list) entries.push_back(whole_value(entry));
  return "[" + join(entries) + "]";
}

/// Collects the values of a table in the order of their keys.
void collect(const toml::node& node, const std::string& key, std::vector<Entry>& entries) {
  if (const toml::table* table = node.as_table()) {
    for (const auto& [name, inner] : *table)
      collect(inner, key.empty() ? std::string(name.str()) : text(key, ".", name.str()), entries);
  } else if (const toml::array* list = node.as_array(); list && !list->empty() && list->at(0).is_table()) {
    for (std::size_t i = 0; i < list->size(); ++i) collect(list->at(i), text(key, ".", i), entries);
  } else if (std::find(may_differ.begin(), may_differ.end(), key) == may_differ.end()) {
    entries.push_back({key, whole_value(node)});
  }
}

std::vector<Entry> entries_of(const std::string& case_text, const std::string& name) {
  std::vector<Entry> entries;
  collect(Document(case_text, name, {}).root(), "", entries);
  return entries;
}

std::string value_of(const std::vector<Entry>& entries, const std::string& key) {
  for (const Entry& entry : entries)
    if (entry.key == key) return entry.value;
  return "not given";
}

}  // namespace

void require_same_case(const std::string& restart, const std::string& given, const std::string& name) {
  const std::vector<Entry> before = entries_of(restart, "restart"), now = entries_of(given, name);
  const auto [was, is] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  if (was == before.end() && is == now.end()) return;
  // Keys are sorted: of two different keys, the one that sorts first is missing on the other side.
  const bool take_given = was == before.end() || (is != now.end() && is->key < was->key);
  const std::string key = take_given ? is->key : was->key;
  throw Error(text(name, ": `", key, "` is ", value_of(now, key), ", but the run began with ", value_of(before, key),
                   ". A run continues with its own case: put the value back, or start a new run."));
}

}  // namespace shoal::io
