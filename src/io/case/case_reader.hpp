// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cctype>

#include "io/case/case_document.hpp"
#include "io/case/case_schema.hpp"

// From a document to the members of a case and back, by the sections of its kind.
namespace shoal::io {

/// Reads sections of a document.
class SectionReader {
 public:
  explicit SectionReader(const Document& document) : document_(document) {}

  /// Points have as many numbers from now on.
  void set_dimensions(int dimensions) { dimensions_ = dimensions; }

  /// The section [name]; null when there is none.
  const toml::table* table(const std::string& name) const {
    const toml::node* node = find(document_.root(), name);
    return node ? node->as_table() : nullptr;
  }

  /// @param values  of the section; null for one that is not there
  /// @param path    of the section, for messages: "body.0"
  template <class T>
  void read(const Section<T>& section, const toml::table* values, const std::string& path, T& into) const {
    for (const Key<T>& k : section.keys) {
      const toml::node* node = values ? find(*values, k.name) : nullptr;
      const std::string key_path = path.empty() ? k.name : path + "." + k.name;
      if (!k.counts(into)) {
        if (node) require_dropped(k, *node, path, key_path);
        continue;
      }
      if (node)
        k.read({*node, document_.where(key_path, node->source()), key_path, k.unit, k.range, dimensions_, &document_},
               into);
      else
        require(!k.required, values ? document_.where(path, values->source()) : document_.name(), ": missing key `",
                key_path, "` (", k.type, k.unit.empty() ? "" : ", " + k.unit, ": ", k.meaning, ").");
    }
  }

  /// The section [name], or the top of the file.
  template <class T>
  void read(const Section<T>& section, T& into) const {
    read(section, section.name.empty() ? &document_.root() : table(section.name), section.name, into);
  }

  template <class T>
  void read_list(const Section<T>& section, std::vector<T>& into) const {
    const toml::node* node = find(document_.root(), section.name);
    if (!node) return;
    for (std::size_t i = 0; i < node->as_array()->size(); ++i)
      read(section, node->as_array()->at(i).as_table(), text(section.name, ".", i), into.emplace_back());
  }

  /// Of the section [name] as a whole.
  std::string place(const std::string& name) const {
    const toml::node* node = find(document_.root(), name);
    return node ? document_.where(name, node->source()) : document_.name();
  }

  /// Of an entry's key, wherever it stands: "probe.0.name".
  std::string where(const std::string& path) const {
    const std::size_t first = path.find('.'), second = path.find('.', first + 1);
    const toml::array* list = find(document_.root(), path.substr(0, first))->as_array();
    const toml::table& entry = *list->at(std::stoul(path.substr(first + 1, second - first - 1))).as_table();
    const toml::node* node = find(entry, path.substr(second + 1));
    return document_.where(path, node ? node->source() : entry.source());
  }

 private:
  /// A key that does not count is a mistake, unless an override made it so.
  template <class T>
  void require_dropped(const Key<T>& k, const toml::node& node, const std::string& path,
                       const std::string& key_path) const {
    const std::string selector = path + "." + k.only_with.key;
    require(document_.overridden(selector) && !document_.overridden(key_path), document_.where(key_path, node.source()),
            ": `", key_path, "` counts only with `", selector, "` = \"", k.only_with.word,
            "\". Remove the one or change the other.");
  }

  const Document& document_;
  int dimensions_ = 2;
};

/// The section as TOML with its heading.
template <class T>
void append_section(std::string& out, const Section<T>& section, const T& values, int dimensions,
                    const std::string& own_name = {}) {
  if (!section.name.empty()) out += "\n" + section.heading(own_name) + "\n";
  for (const Key<T>& k : section.keys) {
    if (!k.counts(values)) continue;
    const std::string value = k.write(values, dimensions);
    if (!value.empty()) out += k.name + " = " + value + (k.unit.empty() ? "" : "  # " + k.unit) + "\n";
  }
}

}  // namespace shoal::io
