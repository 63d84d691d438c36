// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/relaxation.hpp>

#include "io/case/document/case_reader.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/relaxation/relaxation_schema.hpp"

namespace shoal::io {

Mixture SecondGas::with(const Molecules& first) const {
  Molecules second = first;
  second.mass = mass;
  second.rate = rate;
  second.diameter = diameter;
  Mixture mixture(first, second);
  mixture.cross_rate = cross_rate;
  mixture.cross_diameter = cross_diameter;
  return mixture;
}

}  // namespace shoal::io

namespace shoal::io::relaxation {

namespace {

void check_mixture(const Case& simulation, const SectionReader& sections) {
  require(simulation.second_gas.has_value() == simulation.second_initial.has_value(),
          sections.place(simulation.second_gas ? "second_gas" : "second_initial"),
          ": a mixture needs [second_gas] and [second_initial]. Give both or none.");
}

/// Completes what a case file says of the distribution of a gas at the start.
void complete(Initial& initial, const std::string& place, std::string_view case_file) {
  initial.place = place;
  if (!initial.file.empty() && initial.file.is_relative()) initial.file = beside_case_file(case_file, initial.file);
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides) {
  const Document document(text, name, overrides);
  SectionReader sections(document);
  Case simulation = read_sections(relaxation_schema(), document, sections);
  check_mixture(simulation, sections);
  require(simulation.output_every <= simulation.duration, document.name(),
          ": run.output_every = ", simulation.output_every, " s, expected at most run.duration = ", simulation.duration,
          " s.");
  const auto check = [&](const std::string& path, double interval, double most) {
    require_possible_count(simulation.duration, interval, most, shoal::text(sections.where(path), ": `", path, "`"));
  };
  check("run.output_every", simulation.output_every, most_outputs);
  check("scheme.step", simulation.scheme.step, most_steps);
  complete(simulation.initial, sections.place("initial"), name);
  if (simulation.second_initial) complete(*simulation.second_initial, sections.place("second_initial"), name);
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) { return sections_text(relaxation_schema(), simulation); }

}  // namespace shoal::io::relaxation
