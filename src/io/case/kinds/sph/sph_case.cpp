// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>
#include <shoal/io/closed_surface.hpp>
#include <shoal/io/output_file.hpp>
#include <shoal/sph/warnings.hpp>

#include <algorithm>
#include <set>

#include "io/case/document/case_reader.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/sph/sph_schema.hpp"
#include "io/case/shapes/case_shape.hpp"

namespace shoal::io {

using namespace sph;

namespace {

/// Checks of a case that involve several keys, and default names of probes.
class CaseCheck {
 public:
  CaseCheck(const Document& document, const SectionReader& sections, Case& simulation)
      : document_(document), sections_(sections), case_(simulation) {}

  void run() {
    require_shapes();
    require_known_materials();
    name_probes();
    require_possible_counts();
  }

 private:
  /// Requires exactly one shape or particle file for each body and each wall.
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

  /// Names unnamed probes, and requires that each name is unique and valid as a file name.
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
      require_file_name(name, text(where(path), ": `", path, "`"));
      require(name != "balance", where(path), ": `", path,
              "` = \"balance\", but balance.csv is the conservation balance; expected another name.");
      require(taken.insert(name).second, where(path), ": `", path, "` = ", toml_text(name),
              " is the name of an earlier probe, too; expected different names.");
    }
  }

  void require_possible_counts() const {
    const auto check = [&](const std::string& path, double interval, double most) {
      require_possible_count(case_.duration, interval, most, text(where(path), ": `", path, "`"));
    };
    check("run.output_every", case_.output.every, most_outputs);
    check("run.balance_every", case_.output.balance_every, most_outputs);
    for (std::size_t i = 0; i < case_.probes.size(); ++i)
      check(text("probe.", i, ".every"), case_.probes[i].every, most_outputs);
    if (case_.scheme.time_step == TimeStep::fixed)
      check("scheme.dt", case_.scheme.dt, most_steps);
    else
      require_possible_count(case_.duration, expected_step(case_), most_steps,
                             where("particles.spacing") + ": the time step that spacing and sound speed allow",
                             "Enlarge `particles.spacing` or shorten the run.");
  }

  std::string where(const std::string& path) const { return sections_.where(path); }

  const Document& document_;
  const SectionReader& sections_;
  Case& case_;
};

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides) {
  const Document document(text, name, overrides);
  SectionReader sections(document);
  Case simulation = read_sections(sph_schema(), document, sections);
  CaseCheck(document, sections, simulation).run();
  read_geometry(simulation, std::filesystem::path(name).parent_path());
  try {
    choose_sound_speeds(simulation);
    require_valid(simulation);
  } catch (const Error& error) {
    throw Error(document.name() + ": " + error.what());
  }
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) { return sections_text(sph_schema(), simulation); }

}  // namespace shoal::io
