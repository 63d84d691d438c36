// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/relaxation.hpp>

#include "io/case/case_names.hpp"
#include "io/case/case_reader.hpp"
#include "io/case/kinds/case_kind.hpp"
#include "io/case/kinds/relaxation_schema.hpp"

namespace shoal::io::relaxation {

namespace {

Case read(const Document& document) {
  const RelaxationSchema& s = relaxation_schema();
  require_kind(document, CaseKind::relaxation);
  require_known_names(document, outlines(s));
  const SectionReader sections(document);
  Case simulation;
  sections.read(s.top, simulation);
  sections.read(s.run, simulation);
  sections.read(s.grid, simulation.grid);
  sections.read(s.gas, simulation.gas);
  sections.read(s.initial, simulation.initial);
  simulation.initial.place = sections.place("initial");
  sections.read(s.collision, simulation.collision);
  sections.read(s.scheme, simulation.scheme);
  return simulation;
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const std::vector<std::string>& overrides) {
  const Document document(text, name, overrides);
  Case simulation = read(document);
  require(simulation.output_every <= simulation.duration, document.name(),
          ": run.output_every = ", simulation.output_every, " s, expected at most run.duration = ", simulation.duration,
          " s.");
  std::filesystem::path& file = simulation.initial.file;
  if (!file.empty() && file.is_relative()) file = beside_case_file(name, file);
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) {
  const RelaxationSchema& s = relaxation_schema();
  constexpr int dimensions = 3;
  std::string out = "kind = \"relaxation\"\n";
  append_section(out, s.top, simulation, dimensions);
  append_section(out, s.run, simulation, dimensions);
  append_section(out, s.grid, simulation.grid, dimensions);
  append_section(out, s.gas, simulation.gas, dimensions);
  append_section(out, s.initial, simulation.initial, dimensions);
  append_section(out, s.collision, simulation.collision, dimensions);
  append_section(out, s.scheme, simulation.scheme, dimensions);
  return out;
}

}  // namespace shoal::io::relaxation
