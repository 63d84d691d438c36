// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>
#include <shoal/io/closed_surface.hpp>

#include <algorithm>
#include <set>

#include "io/case/case_names.hpp"
#include "io/case/case_reader.hpp"
#include "io/case/case_shape.hpp"
#include "io/case/kinds/case_kind.hpp"
#include "io/case/kinds/sph_schema.hpp"

namespace shoal::io {

using namespace sph;

namespace {

class CaseReader {
 public:
  explicit CaseReader(const Document& document) : document_(document), sections_(document) {}

  Case read() {
    const SphSchema& s = sph_schema();
    require_kind(document_, CaseKind::sph);
    require_known_names(document_, outlines(s));
    sections_.read(s.particles, case_);
    sections_.set_dimensions(case_.dimensions);
    sections_.read(s.top, case_);
    sections_.read(s.run, case_);
    sections_.read(s.scheme, case_.scheme);
    if (sections_.table("domain")) sections_.read(s.domain, case_.domain.emplace());
    read_materials();
    sections_.read_list(s.body, case_.bodies);
    sections_.read_list(s.wall, case_.walls);
    require_shapes();
    sections_.read_list(s.heat, case_.heat);
    sections_.read_list(s.probe, case_.probes);
    require_known_materials();
    name_probes();
    return std::move(case_);
  }

 private:
  /// In the order of the file, which TOML tables do not keep; those that an override made come last.
  void read_materials() {
    struct Named {
      std::string name;
      const toml::table* values;
      std::uint32_t line;
    };
    std::vector<Named> found;
    if (const toml::table* materials = sections_.table("material"))
      for (const auto& [name, node] : *materials)
        found.push_back({std::string(name.str()), node.as_table(), name.source().begin.line - 1});  // no line: largest
    require(!found.empty(), document_.name(), ": no [material.NAME] section; expected at least one.");
    std::stable_sort(found.begin(), found.end(), [](const Named& a, const Named& b) { return a.line < b.line; });
    for (const Named& material : found) {
      Material& into = case_.materials.emplace_back();
      into.name = material.name;
      sections_.read(sph_schema().material, material.values, "material." + material.name, into);
    }
  }

  /// Each body and each wall says in one way where its particles are.
  void require_shapes() const {
    std::vector<std::string> words = shape_words();
    const auto check = [&](const std::string& section) {
      const toml::node* list = find(document_.root(), section);
      if (!list) return;
      for (std::size_t i = 0; i < list->as_array()->size(); ++i)
        require_one_of(document_, *list->as_array()->at(i).as_table(), text(section, ".", i), words);
    };
    check("wall");
    words.emplace_back("particles");
    check("body");
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
      const std::string kind(to_name(case_.probes[i].kind));
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

  std::string where(const std::string& path) const { return sections_.where(path); }

  const Document& document_;
  SectionReader sections_;
  Case case_;
};

bool is_bare_key(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
  });
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const std::vector<std::string>& overrides) {
  const Document document(text, name, overrides);
  Case simulation = CaseReader(document).read();
  read_geometry(simulation, std::filesystem::path(name).parent_path());
  try {
    require_valid(simulation);
  } catch (const Error& error) {
    throw Error(document.name() + ": " + error.what());
  }
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) {
  const SphSchema& s = sph_schema();
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
