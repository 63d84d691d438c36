// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/gas.hpp>
#include <shoal/io/output_file.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "io/case/document/case_reader.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/gas/gas_schema.hpp"

namespace shoal::io::gas {

namespace {

/// Sets the rate or the diameter of the Knudsen number. A given value must be that value, as in the text of a case.
void set_molecules(Case& simulation, const SectionReader& sections) {
  const Knudsen& knudsen = *simulation.knudsen;
  Molecules& molecules = simulation.molecules;
  Molecules determined;
  try {
    determined = molecules_of_knudsen(molecules.model, knudsen.mean_free_path, knudsen.number, knudsen.length,
                                      knudsen.density, knudsen.temperature);
  } catch (const Error& error) {
    throw Error(shoal::text(sections.place("knudsen"), ": ", error.what()));
  }
  const bool is_maxwell = molecules.model == MoleculeModel::maxwell;
  const char* name = is_maxwell ? "rate" : "diameter";
  double& value = is_maxwell ? molecules.rate : molecules.diameter;
  const double expected = is_maxwell ? determined.rate : determined.diameter;
  const toml::table* keys = sections.table("gas");
  require(keys == nullptr || keys->get(name) == nullptr || value == expected, sections.where(shoal::text("gas.", name)),
          ": `gas.", name, "` is ", value, ", but [knudsen] determines ", expected, ". Remove one of them.");
  value = expected;
}

void check_interval(std::optional<double> first, std::optional<double> last, const Cells& cells,
                    const std::string& place) {
  const double begin = first.value_or(cells.begin), end = last.value_or(cells.end);
  require(begin < end, place, ": the interval of this [[start]] ends at ", end, " m and begins at ", begin,
          " m. Let it end behind its begin.");
}

/// Checks that a line along x has no values of a plane.
void check_plane(const Case& simulation, const SectionReader& sections) {
  if (simulation.cells_y) return;
  for (const char* side : {"bottom", "top"})
    require(sections.table(side) == nullptr, sections.place(side), ": [", side,
            "] is a side of a plane, but the cells are a line along x. Give the cells along y in [cells_y].");
  for (std::size_t i = 0; i < simulation.start.size(); ++i)
    require(!simulation.start[i].bottom && !simulation.start[i].top, sections.where(shoal::text("start.", i)),
            ": `from_y` and `to_y` need cells along y, but the cells are a line along x. Give them in [cells_y].");
}

void check_mixture(const Case& simulation, const SectionReader& sections) {
  if (!simulation.second_gas) return;
  const std::string place = sections.place("second_gas");
  require(!simulation.knudsen, place,
          ": [second_gas] makes a mixture, but [knudsen] is for one gas. Give rates or diameters "
          "in [gas] and [second_gas].");
}

void require_inside(double place, const Cells& cells, const std::string& key) {
  require(place >= cells.begin && place <= cells.end, key, " = ", place, " m is outside of the cells, expected ",
          cells.begin, " to ", cells.end, " m.");
}

/// Returns true if a run has a file of this name, such as fluxes.csv.
bool is_output_name(const std::string& name) {
  const std::vector<std::string> files = output_names({});
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& file) { return file.substr(0, file.find('.')) == name; });
}

/// Names unnamed probes, and requires that each has a name of its own and lies within the cells.
void check_probes(Case& simulation, const SectionReader& sections) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < simulation.probes.size(); ++i) {
    Probe& probe = simulation.probes[i];
    if (probe.name.empty()) {
      probe.name = "probe";
      for (int number = 2; taken.contains(probe.name); ++number) probe.name = text("probe_", number);
    }
    const std::string path = text("probe.", i), place = sections.where(text(path, ".name"));
    require_file_name(probe.name, text(place, ": `", path, ".name`"));
    require(!is_output_name(probe.name), place, ": `", path, ".name` = \"", probe.name,
            "\" is the name of another output; expected another name.");
    require(taken.insert(probe.name).second, place, ": `", path, ".name` = \"", probe.name,
            "\" is the name of an earlier probe, too; expected different names.");
    require_inside(probe.x, simulation.cells, text(sections.where(text(path, ".x")), ": `", path, ".x`"));
    const std::string key = text(sections.where(text(path, ".y")), ": `", path, ".y`");
    require(probe.y.has_value() == simulation.cells_y.has_value(), key,
            probe.y ? " needs cells along y, but the cells are a line along x. Give them in [cells_y]."
                    : " is missing: the cells are those of a plane.");
    if (probe.y) require_inside(*probe.y, *simulation.cells_y, key);
  }
}

void check(const Case& simulation, const SectionReader& sections) {
  require(simulation.duration > 0 || simulation.steady, sections.place("run"),
          ": `run.duration` is 0 s and there is no [steady] section, so there is nothing to run. Give one of them.");
  require(simulation.output_every <= simulation.duration, sections.where("run.output_every"),
          ": run.output_every = ", simulation.output_every, " s, expected at most run.duration = ", simulation.duration,
          " s.");
  require_possible_count(simulation.duration, simulation.output_every, most_outputs,
                         shoal::text(sections.where("run.output_every"), ": `run.output_every`"));
  check_plane(simulation, sections);
  check_mixture(simulation, sections);
  for (std::size_t i = 0; i < simulation.start.size(); ++i) {
    const Region& region = simulation.start[i];
    const std::string place = sections.where(shoal::text("start.", i));
    check_interval(region.begin, region.end, simulation.cells, place);
    if (simulation.cells_y) check_interval(region.bottom, region.top, *simulation.cells_y, place);
  }
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides) {
  const Document document(text, name, overrides);
  SectionReader sections(document);
  Case simulation = read_sections(gas_schema(), document, sections);
  check(simulation, sections);
  check_probes(simulation, sections);
  for (std::optional<GasBoundary>* side : {&simulation.bottom, &simulation.top})
    if (simulation.cells_y && !*side) side->emplace();
  if (simulation.knudsen) set_molecules(simulation, sections);
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) { return sections_text(gas_schema(), simulation); }

}  // namespace shoal::io::gas
