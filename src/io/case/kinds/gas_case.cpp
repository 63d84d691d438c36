// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/gas.hpp>

#include "io/case/case_reader.hpp"
#include "io/case/count_limits.hpp"
#include "io/case/kinds/gas_schema.hpp"

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

void check(const Case& simulation, const SectionReader& sections) {
  require(simulation.duration > 0 || simulation.steady, sections.place("run"),
          ": `run.duration` is 0 s and there is no [steady] section, so there is nothing to run. Give one of them.");
  require(simulation.output_every <= simulation.duration, sections.where("run.output_every"),
          ": run.output_every = ", simulation.output_every, " s, expected at most run.duration = ", simulation.duration,
          " s.");
  require_possible_count(simulation.duration, simulation.output_every, most_outputs,
                         shoal::text(sections.where("run.output_every"), ": `run.output_every`"));
  for (std::size_t i = 0; i < simulation.start.size(); ++i) {
    const Region& region = simulation.start[i];
    const double begin = region.begin.value_or(simulation.cells.begin), end = region.end.value_or(simulation.cells.end);
    require(begin < end, sections.where(shoal::text("start.", i)), ": the interval of this [[start]] ends at ", end,
            " m and begins at ", begin, " m. Let it end behind its begin.");
  }
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides) {
  const Document document(text, name, overrides);
  SectionReader sections(document);
  Case simulation = read_sections(gas_schema(), document, sections);
  check(simulation, sections);
  if (simulation.knudsen) set_molecules(simulation, sections);
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) { return sections_text(gas_schema(), simulation); }

}  // namespace shoal::io::gas
