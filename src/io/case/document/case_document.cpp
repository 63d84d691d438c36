// SPDX-License-Identifier: Apache-2.0
#include "io/case/document/case_document.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/text.hpp"
#include "io/case/document/key_parts.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

namespace {

toml::table parse(std::string_view source, const std::string& name) {
  require_short_keys(source, name);
  try {
    return toml::parse(source, name);
  } catch (const toml::parse_error& error) {
    const auto position = error.source().begin;
    throw Error(
        printable(text(name, ":", position.line, ":", position.column, ": not TOML: ", error.description(), ".")));
  }
}

std::vector<std::string> split(std::string_view dotted) {
  std::vector<std::string> parts(1);
  for (const char c : dotted)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

bool is_bare_word(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) &&
         std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == ' '; });
}

/// Parses the right-hand side of an override as the table { value = ... }.
toml::table parse_override(const std::string& value, const std::string& what) {
  require_short_keys(value, what);
  try {
    return toml::parse("value = " + value);
  } catch (const toml::parse_error& error) {
    if (is_bare_word(value)) return toml::table{{"value", value}};
    throw Error(text(what, ": \"", value, "\" is no TOML value: ", error.description(), "."));
  }
}

/// Returns the node of step `part` of an override's path below `node`. Creates the node if it is missing.
toml::node& step_into(toml::node& node, const std::string& part, const std::string& what) {
  if (toml::table* table = node.as_table()) {
    if (!table->contains(part)) table->insert(part, toml::table{});
    return *table->get(part);
  }
  toml::array* list = node.as_array();
  require(list != nullptr, what, ": there is nothing to set below a single value.");
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
  const bool is_index = error == std::errc{} && end == part.data() + part.size();
  require(is_index && index < list->size(), what, ": \"", part, "\" is no entry of the list, expected a number below ",
          list->size(), " (entries count from 0).");
  return *list->get(index);
}

bool is_part_of(const std::string& path, const std::string& whole) {
  return path == whole || path.starts_with(whole + ".");
}

}  // namespace

Document::Document(std::string_view source, std::string_view name, const Overrides& overrides)
    : name_(name), override_origin_(overrides.origin), root_(parse(source, name_)) {
  for (const std::string& override_text : overrides.values) set(override_text);
}

void Document::set(const std::string& override_text) {
  const std::string what = override_origin_ + " " + override_text;
  const std::size_t equals = override_text.find('=');
  require(equals != std::string::npos && equals > 0, what, ": expected key=value, such as scheme.cfl=0.4.");
  const std::string path(trimmed(std::string_view(override_text).substr(0, equals)));
  const std::vector<std::string> parts = split(path);
  require(std::none_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); }), what, ": \"",
          path, "\" has an empty part between its dots.");
  require(parts.size() <= most_key_parts, what, ": its key has ", parts.size(), " parts, expected at most ",
          most_key_parts, ".");
  toml::table value = parse_override(std::string(trimmed(std::string_view(override_text).substr(equals + 1))), what);

  toml::node* node = &root_;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) node = &step_into(*node, parts[i], what);
  toml::table* table = node->as_table();
  require(table != nullptr, what, ": `", path, "` is no key of a table",
          node->is_array()
              ? "; name an entry, such as `" + path.substr(0, path.rfind('.')) + ".0." + parts.back() + "`."
              : std::string("."));
  table->insert_or_assign(parts.back(), std::move(*value.get("value")));
  overridden_.push_back(path);
}

std::string Document::where(const std::string& path, const toml::source_region& source) const {
  for (const std::string& set_path : overridden_)
    if (is_part_of(path, set_path) || (source.begin.line == 0 && is_part_of(set_path, path)))
      return override_origin_ + " " + set_path;
  return source.begin.line > 0 ? text(name_, ":", source.begin.line) : name_;
}

bool Document::overridden(const std::string& path) const {
  return std::any_of(overridden_.begin(), overridden_.end(), [&](const std::string& set_path) {
    return is_part_of(path, set_path) || is_part_of(set_path, path);
  });
}

const toml::node* find(const toml::table& table, std::string_view dotted) {
  const toml::node* node = &table;
  for (const std::string& part : split(dotted)) {
    const toml::table* inner = node->as_table();
    node = inner ? inner->get(part) : nullptr;
    if (!node) return nullptr;
  }
  return node;
}

}  // namespace shoal::io
