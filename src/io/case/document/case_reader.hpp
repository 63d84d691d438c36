// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <optional>
#include <type_traits>

#include "io/case/document/case_document.hpp"
#include "io/case/keys/case_names.hpp"
#include "io/case/keys/case_schema.hpp"
#include "io/case/keys/kind_key.hpp"

// Conversion between a document and the members of a case, by the sections of its kind.
namespace shoal::io {

/// Reads sections of a document.
class SectionReader {
 public:
  explicit SectionReader(const Document& document) : document_(document) {}

  /// Sets the number of coordinates of a point.
  void set_dimensions(int dimensions) { dimensions_ = dimensions; }

  /// Returns the section [name], or null if there is none.
  const toml::table* table(const std::string& name) const {
    const toml::node* node = find(document_.root(), name);
    return node ? node->as_table() : nullptr;
  }

  /// Reads the keys of a section into `into`.
  /// @param values  table of the section; null if the file lacks it
  /// @param path    dotted path of the section, for messages: "body.0"
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

  /// Reads the section [name], or the top of the file.
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

  /// Reads the tables [section.NAME] in the order of the file, which TOML tables do not keep. Tables from overrides
  /// come last, because they have no line number.
  template <class T>
  void read_named(const Section<T>& section, std::vector<T>& into) const {
    struct Named {
      std::string name;
      const toml::table* values;
      std::uint32_t line;
    };
    std::vector<Named> tables;
    if (const toml::table* entries = table(section.name))
      for (const auto& [name, node] : *entries)
        tables.push_back({std::string(name.str()), node.as_table(), name.source().begin.line - 1});  // no line: largest
    require(!section.required || !tables.empty(), document_.name(), ": no ", section.heading(),
            " section; expected at least one.");
    std::stable_sort(tables.begin(), tables.end(), [](const Named& a, const Named& b) { return a.line < b.line; });
    for (const Named& named : tables) {
      into.emplace_back().name = named.name;
      read(section, named.values, section.name + "." + named.name, into.back());
    }
  }

  /// Returns the location of the section [name]: "case.toml:9".
  std::string place(const std::string& name) const {
    const toml::node* node = find(document_.root(), name);
    return node ? document_.where(name, node->source()) : document_.name();
  }

  /// Returns the location of a key: "case.toml:14" for "run.duration" or "probe.0.name".
  std::string where(const std::string& path) const {
    const std::size_t first = path.find('.'), second = path.find('.', first + 1);
    const toml::node* section = find(document_.root(), path.substr(0, first));
    const toml::array* list = section ? section->as_array() : nullptr;
    if (!list) {
      const toml::node* node = find(document_.root(), path);
      return document_.where(path, node ? node->source() : section ? section->source() : toml::source_region{});
    }
    const toml::table& entry = *list->at(std::stoul(path.substr(first + 1, second - first - 1))).as_table();
    const toml::node* node = find(entry, path.substr(second + 1));
    return document_.where(path, node ? node->source() : entry.source());
  }

 private:
  /// Reports a key that does not apply as an error, unless an override made it inapplicable.
  template <class T>
  void require_dropped(const Key<T>& k, const toml::node& node, const std::string& path,
                       const std::string& key_path) const {
    const std::string selector = path + "." + k.only_with.key;
    require(document_.overridden(selector) && !document_.overridden(key_path), document_.where(key_path, node.source()),
            ": `", key_path, "` counts only with `", selector, "` = \"", k.only_with.word,
            "\". Remove the one or change the other.", k.hint.empty() ? "" : " " + k.hint);
  }

  const Document& document_;
  int dimensions_ = 2;
};

/// Appends a section as TOML with its heading.
/// @param name  NAME of a section [material.NAME]
template <class T>
void append_section(std::string& out, const Section<T>& section, const T& values, int dimensions,
                    const std::string& name = {}) {
  if (!section.name.empty()) out += "\n" + section.heading(name) + "\n";
  for (const Key<T>& k : section.keys) {
    if (!k.counts(values)) continue;
    const std::string value = k.write(values, dimensions);
    if (!value.empty()) out += k.name + " = " + value + (k.unit.empty() ? "" : "  # " + k.unit) + "\n";
  }
}

/// Reads a case from the sections of a document.
/// @throws Error  another kind of file, an unknown key, a wrong type, a value out of its range, a missing key
template <class Schema>
typename Schema::Case read_sections(const Schema& schema, const Document& document, SectionReader& sections) {
  require_kind(document, Schema::kind);
  require_known_names(document, Schema::kind, outlines(schema));
  typename Schema::Case simulation;
  schema.for_each(simulation, [&]<class T, class Member>(const Section<T>& section, Member& member) {
    if constexpr (std::is_same_v<Member, T>)
      sections.read(section, member);
    else if constexpr (std::is_same_v<Member, std::optional<T>>) {
      if (sections.table(section.name)) sections.read(section, member.emplace());
    } else if constexpr (requires { member.front().name; }) {
      section.shape == Shape::named ? sections.read_named(section, member) : sections.read_list(section, member);
    } else {
      sections.read_list(section, member);
    }
    if constexpr (requires { simulation.dimensions; }) sections.set_dimensions(simulation.dimensions);
  });
  return simulation;
}

/// Returns a case as TOML text with every value. read_sections() reads it back to the same case.
template <class Schema>
std::string sections_text(const Schema& schema, const typename Schema::Case& simulation) {
  int dimensions = 3;
  if constexpr (requires { simulation.dimensions; }) dimensions = simulation.dimensions;
  std::string out = text("kind = \"", Schema::kind, "\"\n");
  schema.for_each(simulation, [&]<class T, class Member>(const Section<T>& section, const Member& member) {
    if constexpr (std::is_same_v<Member, T>) {
      append_section(out, section, member, dimensions);
    } else if constexpr (std::is_same_v<Member, std::optional<T>>) {
      if (member) append_section(out, section, *member, dimensions);
    } else {
      for (const T& entry : member)
        if constexpr (requires { entry.name; })
          append_section(out, section, entry, dimensions, toml_key(entry.name));
        else
          append_section(out, section, entry, dimensions);
    }
  });
  return out;
}

}  // namespace shoal::io
