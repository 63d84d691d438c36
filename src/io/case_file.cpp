// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "io/case_names.hpp"
#include "io/case_schema.hpp"

namespace shoal::io {

using namespace sph;

namespace {

class CaseReader {
 public:
  explicit CaseReader(const Document& document) : document_(document) {}

  Case read() {
    require_known_names(document_);
    read_kind();
    const Schema& s = schema();
    read_section(s.particles, table("particles"), "particles", case_);  // first: points depend on the dimensions
    read_section(s.top, &document_.root(), "", case_);
    read_section(s.run, table("run"), "run", case_);
    read_section(s.scheme, table("scheme"), "scheme", case_.scheme);
    if (const toml::table* domain = table("domain")) read_section(s.domain, domain, "domain", case_.domain.emplace());
    read_materials();
    read_list(s.body, case_.bodies);
    read_list(s.wall, case_.walls);
    read_list(s.heat, case_.heat);
    read_list(s.probe, case_.probes);
    require_known_materials();
    name_probes();
    return std::move(case_);
  }

 private:
  const toml::table* table(const std::string& name) const {
    const toml::node* node = find(document_.root(), name);
    return node ? node->as_table() : nullptr;
  }

  void read_kind() const {
    const toml::node* kind = find(document_.root(), "kind");
    require(kind != nullptr, document_.name(),
            ": missing key `kind` (what the file describes); expected kind = \"sph\".");
    const Value value{*kind, document_.where("kind", kind->source()), "kind", "", {}, 0};
    read_word(value, *kind, {"sph"});
  }

  template <class T>
  void read_section(const Section<T>& section, const toml::table* values, const std::string& path, T& into) {
    for (const Key<T>& k : section.keys) {
      const toml::node* node = values ? find(*values, k.name) : nullptr;
      const std::string key_path = path.empty() ? k.name : path + "." + k.name;
      if (!k.counts(into)) {
        if (node) require_dropped(k, *node, path, key_path);
        continue;
      }
      if (node)
        k.read({*node, document_.where(key_path, node->source()), key_path, k.unit, k.range, case_.dimensions}, into);
      else
        require(!k.required, values ? document_.where(path, values->source()) : document_.name(), ": missing key `",
                key_path, "` (", k.type, k.unit.empty() ? "" : ", " + k.unit, ": ", k.meaning, ").");
    }
  }

  /// A key that does not count is a mistake, unless an override made it so.
  template <class T>
  void require_dropped(const Key<T>& k, const toml::node& node, const std::string& path,
                       const std::string& key_path) const {
    const std::string selector = path + "." + k.only_with.key;
    require(document_.overridden(selector) && !document_.overridden(key_path), document_.where(key_path, node.source()),
            ": `", key_path, "` counts only with `", selector, "` = \"", k.only_with.word,
            "\". Remove the one or change the other.");
  }

  template <class T>
  void read_list(const Section<T>& section, std::vector<T>& into) {
    const toml::node* node = find(document_.root(), section.name);
    if (!node) return;
    for (std::size_t i = 0; i < node->as_array()->size(); ++i)
      read_section(section, node->as_array()->at(i).as_table(), text(section.name, ".", i), into.emplace_back());
  }

  /// In the order of the file, which TOML tables do not keep; those that an override made come last.
  void read_materials() {
    struct Named {
      std::string name;
      const toml::table* values;
      std::uint32_t line;
    };
    std::vector<Named> found;
    if (const toml::table* materials = table("material"))
      for (const auto& [name, node] : *materials)
        found.push_back({std::string(name.str()), node.as_table(), name.source().begin.line - 1});  // no line: largest
    require(!found.empty(), document_.name(), ": no [material.NAME] section; expected at least one.");
    std::stable_sort(found.begin(), found.end(), [](const Named& a, const Named& b) { return a.line < b.line; });
    for (const Named& material : found) {
      Material& into = case_.materials.emplace_back();
      into.name = material.name;
      read_section(schema().material, material.values, "material." + material.name, into);
    }
  }

  void require_known_materials() const {
    std::vector<std::string> names;
    for (const Material& material : case_.materials) names.push_back(material.name);
    const auto check = [&](const std::string& path, const std::string& name) {
      if (std::find(names.begin(), names.end(), name) != names.end()) return;
      const auto near = nearest(name, names);
      throw Error(text(where(path), ": `", path, "` = ", toml_text(name), ", but there is no [material.", name,
                       "]; the file has ", join(names), near ? "; did you mean " + toml_text(*near) + "?" : "."));
    };
    for (std::size_t i = 0; i < case_.bodies.size(); ++i)
      check(text("body.", i, ".material"), case_.bodies[i].material);
    for (std::size_t i = 0; i < case_.walls.size(); ++i)
      if (!case_.walls[i].material.empty()) check(text("wall.", i, ".material"), case_.walls[i].material);
  }

  /// Names probes that have none, and makes sure that each name can be that of a file of its own.
  void name_probes() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < case_.probes.size(); ++i) {
      std::string& name = case_.probes[i].name;
      const std::string kind(to_word(case_.probes[i].kind));
      if (name.empty()) {
        name = kind;
        for (int number = 2; taken.contains(name); ++number) name = text(kind, "_", number);
      }
      const std::string path = text("probe.", i, ".name");
      const bool is_plain = std::all_of(name.begin(), name.end(),
                                        [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
      require(is_plain, where(path), ": `", path, "` = ", toml_text(name),
              " is no name for a file; expected letters, digits, _ and - only.");
      require(name != "energy", where(path), ": `", path,
              "` = \"energy\", but energy.csv is the energy ledger; expected "
              "another name.");
      require(taken.insert(name).second, where(path), ": `", path, "` = ", toml_text(name),
              " is the name of an earlier probe, too; expected different names.");
    }
  }

  /// Of an entry's key, wherever it stands.
  std::string where(const std::string& path) const {
    toml::source_region source{};
    const std::size_t first = path.find('.'), second = path.find('.', first + 1);
    const toml::array* list = find(document_.root(), path.substr(0, first))->as_array();
    const toml::table& entry = *list->at(std::stoul(path.substr(first + 1, second - first - 1))).as_table();
    const toml::node* node = find(entry, path.substr(second + 1));
    source = node ? node->source() : entry.source();
    return document_.where(path, source);
  }

  const Document& document_;
  Case case_;
};

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

bool is_bare_key(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
  });
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const std::vector<std::string>& overrides) {
  const Document document(text, name, overrides);
  Case simulation = CaseReader(document).read();
  try {
    require_valid(simulation);
  } catch (const Error& error) {
    throw Error(document.name() + ": " + error.what());
  }
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  require(!std::filesystem::is_directory(file), file.string(), ": this is a folder, expected a case file.");
  std::ifstream in(file, std::ios::binary);
  require(in.good(), file.string(), ": cannot read this case file; does it exist?");
  std::ostringstream content;
  content << in.rdbuf();
  require(!in.bad(), file.string(), ": reading this case file failed.");
  return parse_case(content.str(), file.string(), overrides);
}

std::string case_text(const Case& simulation) {
  const Schema& s = schema();
  const int dimensions = simulation.dimensions;
  std::string out = "kind = \"sph\"\n";
  append_section(out, s.top, simulation, dimensions);
  append_section(out, s.run, simulation, dimensions);
  append_section(out, s.particles, simulation, dimensions);
  if (simulation.domain) append_section(out, s.domain, *simulation.domain, dimensions);
  for (const Body& body : simulation.bodies) append_section(out, s.body, body, dimensions);
  for (const Wall& wall : simulation.walls) append_section(out, s.wall, wall, dimensions);
  for (const Material& material : simulation.materials)
    append_section(out, s.material, material, dimensions,
                   is_bare_key(material.name) ? material.name : toml_text(material.name));
  append_section(out, s.scheme, simulation.scheme, dimensions);
  for (const HeatPulse& pulse : simulation.heat) append_section(out, s.heat, pulse, dimensions);
  for (const Probe& probe : simulation.probes) append_section(out, s.probe, probe, dimensions);
  return out;
}

}  // namespace shoal::io
