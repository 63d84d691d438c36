// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>
#include <shoal/io/measure.hpp>
#include <shoal/io/output_file.hpp>
#include <shoal/sph/measure.hpp>

#include <algorithm>
#include <memory>
#include <set>

#include "core/text.hpp"
#include "io/formats/text/csv.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/fields/surface_writer.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/measuring/stored_fields.hpp"
#include "io/run/recorder.hpp"

namespace shoal::io {

namespace {

namespace fs = std::filesystem;

bool is_table(const std::string& probe) { return probe.starts_with("{"); }

/// Case of a run with the probes that are given as TOML tables in place of its own.
sph::Case case_with(const StoredFields& stored, const std::vector<std::string>& tables) {
  if (tables.empty()) return parse_case(stored.case_text(), stored.case_name());
  return parse_case(stored.case_text(), stored.case_name(), Overrides({"probe=[" + join(tables) + "]"}, "the given"));
}

const sph::Probe& probe_named(const sph::Case& simulation, const std::string& name) {
  std::vector<std::string> names;
  for (const sph::Probe& probe : simulation.probes) {
    if (probe.name == name) return probe;
    names.push_back(probe.name);
  }
  throw Error(text("probe \"", name, "\" is not there; the case has ", names.empty() ? "no probes" : join(names),
                   ". Give one of these names, or the keys of a probe: { kind = \"pressure\", at = [0.1, 0] }."));
}

std::vector<sph::Probe> chosen_probes(const StoredFields& stored, const sph::Case& simulation,
                                      const std::vector<std::string>& chosen) {
  require(!chosen.empty() || !simulation.probes.empty(), stored.case_name(),
          ": the case has no probes. Give the keys of one: { kind = \"pressure\", at = [0.1, 0] }.");
  if (chosen.empty()) return simulation.probes;
  std::vector<std::string> tables;
  std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(tables), is_table);
  const std::vector<sph::Probe> given = case_with(stored, tables).probes;
  std::vector<sph::Probe> probes;
  std::set<std::string> names;
  auto next = given.begin();
  for (const std::string& probe : chosen) {
    if (is_table(probe))
      require(next->every == 0, "probe \"", next->name, "\": `every` is ", next->every,
              " s, but probes are measured at the times of the fields. Leave the key out.");
    probes.push_back(is_table(probe) ? *next++ : probe_named(simulation, probe));
    require(names.insert(probes.back().name).second, "probe \"", probes.back().name,
            "\" is there twice; expected different names, because each probe has a table of its own.");
  }
  return probes;
}

/// Rows of the table of each probe, one a state.
using Tables = std::vector<std::vector<std::vector<double>>>;

/// Appends the values of a state to the tables.
void append_rows(const std::vector<sph::Probe>& probes, int dimensions, double time, const std::vector<double>& values,
                 Tables& tables) {
  auto next = values.begin();
  for (std::size_t k = 0; k < probes.size(); ++k) {
    const auto end = next + static_cast<std::ptrdiff_t>(sph::probe_columns(probes[k], dimensions).size());
    std::vector<double>& row = tables[k].emplace_back(1, time);
    row.insert(row.end(), next, end);
    next = end;
  }
}

/// Files of fields and surfaces: those that a run with them writes.
class MeasuredFields {
 public:
  MeasuredFields(const Queue& queue, const fs::path& out, const sph::Case& simulation, const MeasureOptions& options)
      : queue_(queue), case_(simulation) {
    case_.output.vorticity = options.vorticity;
    if (options.vorticity) fields_ = open_vtkhdf(out, case_);
    if (!options.isosurface) return;
    isosurface_ = *options.isosurface;
    if (isosurface_.spacing == 0 && simulation.output.isosurface)
      isosurface_.spacing = simulation.output.isosurface->spacing;
    surface_ = std::make_unique<SurfaceWriter>(out, case_);
  }

  static std::vector<std::string> names(const MeasureOptions& options) {
    std::vector<std::string> names;
    if (options.vorticity) names.emplace_back("fields.vtkhdf");
    if (options.isosurface) names.emplace_back(surface_file_name);
    return names;
  }

  void write(sph::Fields& fields) {
    if (fields_) {
      fields.vorticity = sph::vorticity(queue_, case_, fields);
      fields_->write(fields);
    }
    if (surface_) surface_->write(fields.clock.time, sph::isosurface(queue_, case_, fields, isosurface_));
  }

 private:
  Queue queue_;
  sph::Case case_;
  sph::Isosurface isosurface_;
  std::unique_ptr<FieldWriter> fields_;
  std::unique_ptr<SurfaceWriter> surface_;
};

}  // namespace

MeasureReport measure(const Queue& queue, const MeasureOptions& options) {
  const StoredFields stored(options.folder);
  const sph::Case simulation = case_with(stored, {});
  require(
      simulation.refinements.empty(),
      "measure: the run has [[refinement]], and its particles several masses. Give the probes to the case, whose run "
      "writes their tables.");
  const std::vector<std::string> more = MeasuredFields::names(options);
  std::vector<sph::Probe> probes;
  if (more.empty() || !options.probes.empty()) probes = chosen_probes(stored, simulation, options.probes);
  const fs::path out = options.out.empty() ? options.folder / "measured" : options.out;
  MeasureReport report{stored.states(), {}};
  const std::vector<fs::path> files_of_run = paths_in(options.folder, output_names(simulation));
  for (const sph::Probe& probe : probes) report.files.push_back(out / probe_file_name(probe));
  for (const std::string& name : more) report.files.push_back(out / name);
  for (const fs::path& file : report.files) require_output_file(file, files_of_run, options.force);
  make_output_folder(out, true);
  Tables tables(probes.size());
  MeasuredFields measured(queue, out, simulation, options);
  for (std::int64_t state = 0; state < stored.states(); ++state) {
    sph::Fields fields = stored.read(state);
    if (!probes.empty())
      append_rows(probes, simulation.dimensions, fields.clock.time, sph::measure(queue, simulation, fields, probes),
                  tables);
    measured.write(fields);
  }
  for (std::size_t k = 0; k < probes.size(); ++k) {
    Csv table(report.files[k], probe_table_columns(probes[k], simulation.dimensions));
    for (const std::vector<double>& row : tables[k]) table.append_row(row);
  }
  return report;
}

}  // namespace shoal::io
