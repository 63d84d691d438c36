// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/relaxation.hpp>

#include "io/case/document/case_reader.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/relaxation/relaxation_schema.hpp"

namespace shoal::io::relaxation {

Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides) {
  const Document document(text, name, overrides);
  SectionReader sections(document);
  Case simulation = read_sections(relaxation_schema(), document, sections);
  simulation.initial.place = sections.place("initial");
  require(simulation.output_every <= simulation.duration, document.name(),
          ": run.output_every = ", simulation.output_every, " s, expected at most run.duration = ", simulation.duration,
          " s.");
  const auto check = [&](const std::string& path, double interval, double most) {
    require_possible_count(simulation.duration, interval, most, shoal::text(sections.where(path), ": `", path, "`"));
  };
  check("run.output_every", simulation.output_every, most_outputs);
  check("scheme.step", simulation.scheme.step, most_steps);
  std::filesystem::path& file = simulation.initial.file;
  if (!file.empty() && file.is_relative()) file = beside_case_file(name, file);
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) { return sections_text(relaxation_schema(), simulation); }

}  // namespace shoal::io::relaxation
