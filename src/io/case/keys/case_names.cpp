// SPDX-License-Identifier: Apache-2.0
#include "io/case/keys/case_names.hpp"

#include <algorithm>

#include "io/case/keys/renamed_keys.hpp"

namespace shoal::io {

namespace {

std::string dotted(const std::string& prefix, const std::string& key) {
  return prefix.empty() ? key : prefix + "." + key;
}

struct Entry {
  std::string name;
  const toml::node* node;
  toml::source_region source;  ///< location of the name, not of its value
};

std::vector<Entry> in_file_order(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [name, node] : table) entries.push_back({std::string(name.str()), &node, name.source()});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.source.begin.line < b.source.begin.line; });
  return entries;
}

bool is_section(const toml::node& node) { return node.is_table() || node.is_array_of_tables(); }

class NameCheck {
 public:
  NameCheck(const Document& document, std::string_view kind, const std::vector<Outline>& sections)
      : document_(document), kind_(kind), sections_(sections) {}

  void run() const {
    for (const Entry& entry : in_file_order(document_.root())) {
      if (sections_[0].has(entry.name)) continue;
      const auto section =
          std::find_if(sections_.begin(), sections_.end(), [&](const Outline& s) { return s.name == entry.name; });
      if (section == sections_.end()) unknown_at_top(entry);
      check_section(*section, entry);
    }
  }

 private:
  void check_section(const Outline& section, const Entry& entry) const {
    const toml::node& node = *entry.node;
    if (section.shape == Shape::list) {
      const toml::array* list = node.as_array();
      if (!list) wrong_shape(section, entry);
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (!list->at(i).is_table()) wrong_shape(section, entry);
        check_table(section, *list->at(i).as_table(), text(section.name, ".", i), "");
      }
      return;
    }
    if (!node.is_table()) wrong_shape(section, entry);
    if (section.shape == Shape::table) return check_table(section, *node.as_table(), section.name, "");
    for (const Entry& named : in_file_order(*node.as_table())) {
      if (!named.node->is_table()) wrong_shape(section, named);
      check_table(section, *named.node->as_table(), section.name + "." + named.name, "");
    }
  }

  /// Checks the keys of a table. `inner` is the dotted path from the section's own table to `table`.
  void check_table(const Outline& section, const toml::table& table, const std::string& place,
                   const std::string& inner) const {
    for (const Entry& entry : in_file_order(table)) {
      const std::string key = dotted(inner, entry.name), path = dotted(place, key);
      if (section.has(key)) continue;
      if (!section.has_below(key)) unknown_in(section, entry, place, key);
      require(entry.node->is_table(), where(path, entry), ": `", path, "` is ", describe(*entry.node),
              ", expected a table with ", join(keys_below(section, key)), ".");
      check_table(section, *entry.node->as_table(), place, key);
    }
  }

  std::vector<std::string> keys_below(const Outline& section, const std::string& key) const {
    std::vector<std::string> list;
    for (const std::string& k : section.keys)
      if (k.starts_with(key + ".")) list.push_back("`" + k.substr(key.size() + 1) + "`");
    return list;
  }

  [[noreturn]] void unknown_in(const Outline& section, const Entry& entry, const std::string& place,
                               const std::string& key) const {
    require_not_renamed(section.name, key, text(place, "."), entry);
    std::string advice = "`" + section.heading + "` takes " + join(section.keys) + ".";
    if (const auto near = nearest(key, section.keys))
      advice = "did you mean `" + place + "." + *near + "`?";
    else if (const Outline* owner = section_with(key))
      advice = text("it belongs to ", owner->name.empty() ? "the top of the file" : owner->heading, ".");
    throw Error(text(where(place + "." + key, entry), ": unknown key `", place, ".", key, "`; ", advice));
  }

  [[noreturn]] void unknown_at_top(const Entry& entry) const {
    require_not_renamed("", entry.name, "", entry);
    std::vector<std::string> names = sections_[0].keys;
    for (const Outline& section : sections_)
      if (!section.name.empty()) names.push_back(section.name);
    std::string advice = "expected one of " + join(names) + ".";
    if (const auto near = nearest(entry.name, names))
      advice = "did you mean `" + *near + "`?";
    else if (const Outline* owner = section_with(entry.name))
      advice = "it belongs to " + owner->heading + ".";
    throw Error(text(where(entry.name, entry), ": unknown ", is_section(*entry.node) ? "section" : "key", " `",
                     entry.name, "`; ", advice));
  }

  /// Reports a renamed key or section as an error that gives the new name.
  /// @param prefix  dotted path before the key: "run."
  void require_not_renamed(const std::string& section, const std::string& key, const std::string& prefix,
                           const Entry& entry) const {
    const std::string_view now = renamed_key(kind_, section, key);
    require(now.empty(), where(prefix + key, entry), ": `", prefix, key, "` is called `", prefix, now,
            "` now. Rename it.");
  }

  [[noreturn]] void wrong_shape(const Outline& section, const Entry& entry) const {
    throw Error(text(where(entry.name, entry), ": `", entry.name, "` is ", describe(*entry.node), ", expected ",
                     section.shape == Shape::list ? "entries " : "a section ", section.heading, "."));
  }

  const Outline* section_with(const std::string& key) const {
    for (const Outline& section : sections_)
      if (section.has(key)) return &section;
    return nullptr;
  }

  std::string where(const std::string& path, const Entry& entry) const { return document_.where(path, entry.source); }

  const Document& document_;
  std::string_view kind_;
  const std::vector<Outline>& sections_;
};

}  // namespace

void require_known_names(const Document& document, std::string_view kind, const std::vector<Outline>& sections) {
  NameCheck(document, kind, sections).run();
}

}  // namespace shoal::io
