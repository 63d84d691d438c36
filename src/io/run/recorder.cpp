// SPDX-License-Identifier: Apache-2.0
#include "io/run/recorder.hpp"

#include <shoal/io/output_file.hpp>
#include <shoal/sph/measure.hpp>

#include <algorithm>

#include "io/formats/whole_file.hpp"
#include "io/run/folder/output_folder.hpp"

namespace shoal::io {

namespace {

const std::vector<std::string> balance_columns = {"time [s]",
                                                  "step",
                                                  "mass [kg]",
                                                  "momentum_x [kg m/s]",
                                                  "momentum_y [kg m/s]",
                                                  "momentum_z [kg m/s]",
                                                  "kinetic [J]",
                                                  "potential [J]",
                                                  "internal [J]",
                                                  "elastic [J]",
                                                  "particles",
                                                  "lost",
                                                  "total [J]",
                                                  "dissipated [J]",
                                                  "density_error",
                                                  "largest_density_error",
                                                  "work of walls [J]",
                                                  "power of walls [W]"};
constexpr const char* added_column = "added [kg]";
constexpr std::size_t total_column = 12, work_column = 16, power_column = 17;

/// Columns of the balance of a case: with open boundaries also what entered and left through them, where programs may change
/// the particles what they add and remove, and with refinement the defects of mass at its boxes.
std::vector<std::string> balance_columns_of(const sph::Case& simulation, bool particles_change) {
  std::vector<std::string> columns = balance_columns;
  if (!simulation.open_boundaries.empty()) columns.insert(columns.end(), {"inflow [kg]", "outflow [kg]"});
  if (particles_change) columns.insert(columns.end(), {added_column, "removed [kg]"});
  for (std::size_t k = 0; k < simulation.refinements.size(); ++k)
    columns.push_back(text("mass_defect_", k + 1, " [kg]"));
  return columns;
}

}  // namespace

std::vector<std::string> probe_table_columns(const sph::Probe& probe, int dimensions) {
  std::vector<std::string> columns = sph::probe_columns(probe, dimensions);
  columns.insert(columns.begin(), "time [s]");
  return columns;
}

std::string probe_file_name(const sph::Probe& probe) {
  require_file_name(probe.name, "probe.name");
  return probe.name + ".csv";
}

std::string fields_file_name(const sph::Case& simulation) {
  return simulation.output.format == sph::FieldFormat::vtp ? "fields.pvd" : "fields.vtkhdf";
}

std::vector<std::string> output_names(const sph::Case& simulation) {
  std::vector<std::string> names = {case_file_name, fields_file_name(simulation), balance_file_name, restart_file_name,
                                    summary_file_name};
  if (simulation.output.isosurface) names.push_back(surface_file_name);
  for (const sph::Probe& probe : simulation.probes) names.push_back(probe_file_name(probe));
  return names;
}

namespace {

/// Number of entries of a file to keep; empty: a new file.
std::optional<std::int64_t> count_in(const std::optional<OutputCounts>& kept, const std::string& file) {
  if (!kept) return {};
  const auto count = kept->find(file);
  require(count != kept->end(), file, ": the restart does not state how much of this file belongs to it.");
  return count->second;
}

/// Returns true if the table of a run that is continued states what programs add and remove.
bool has_added_column(const std::filesystem::path& table) {
  const std::vector<std::string> columns = Csv::columns(table);
  return std::find(columns.begin(), columns.end(), added_column) != columns.end();
}

}  // namespace

Recorder::Recorder(std::filesystem::path folder, const sph::Case& simulation, const std::optional<OutputCounts>& kept,
                   bool particles_change)
    : folder_(std::move(folder)),
      case_(simulation),
      field_writer_(open_fields(folder_, simulation, count_in(kept, fields_file_name(simulation)))),
      particles_change_(kept ? has_added_column(folder_ / balance_file_name) : particles_change),
      balance_(folder_ / balance_file_name, balance_columns_of(simulation, particles_change_),
               count_in(kept, balance_file_name)) {
  if (simulation.output.isosurface)
    surface_writer_ = std::make_unique<SurfaceWriter>(folder_, simulation, count_in(kept, surface_file_name));
  const std::vector<double> first = Csv::first_row(folder_ / balance_file_name);
  if (first.size() >= balance_columns.size()) energy_at_start_ = first[total_column];
  const std::vector<double> last = Csv::last_row(folder_ / balance_file_name);
  if (last.size() >= balance_columns.size()) wall_work_ = {last[0], last[work_column], last[power_column]};
  for (const sph::Probe& probe : simulation.probes) {
    const std::string file = probe_file_name(probe);
    tables_.emplace_back(folder_ / file, probe_table_columns(probe, simulation.dimensions), count_in(kept, file));
  }
}

void Recorder::balance(const sph::Balance& balance) {
  background_.submit([this, balance] { write_balance(balance); }, JobSize::small);
}

void Recorder::fields(std::function<sph::Fields()> fields, const sph::Balance& balance) {
  background_.submit([this, balance, make_fields = std::move(fields)] {
    write_balance(balance);
    const sph::Fields made = make_fields();
    field_writer_->write(made);
    write_surface(made);
  });
}

void Recorder::probes(double time, std::vector<std::size_t> probes, std::vector<double> values) {
  const auto append = [this, time, which = std::move(probes), show = std::move(values)] {
    auto next = show.begin();
    for (const std::size_t probe : which) {
      const auto count = static_cast<std::ptrdiff_t>(sph::probe_columns(case_.probes[probe], case_.dimensions).size());
      std::vector<double> row{time};
      row.insert(row.end(), next, next + count);
      tables_[probe].append_row(row);
      next += count;
    }
  };
  background_.submit(append, JobSize::small);
}

void Recorder::restart(sph::Snapshot snapshot) {
  background_.submit([this, state = std::make_shared<const sph::Snapshot>(std::move(snapshot))] {
    write_restart(folder_ / restart_file_name, {*state, case_.text, synced_counts()});
  });
}

void Recorder::write_fields(const FieldState& state, const sph::Balance& balance) {
  background_.wait();
  try {
    write_balance(balance);
    field_writer_->write(state);
    if (surface_writer_) write_surface(whole_fields(state));
  } catch (...) {
    has_failed_ = true;
    throw;
  }
}

std::filesystem::path Recorder::begin_restart(Restart& restart) {
  background_.wait();
  restart.case_text = case_.text;
  restart.outputs = synced_counts();
  return folder_ / restart_file_name;
}

OutputCounts Recorder::synced_counts() {
  OutputCounts counts{{fields_file_name(case_), field_writer_->count()}};
  field_writer_->sync();
  if (surface_writer_) {
    counts[surface_file_name] = surface_writer_->count();
    surface_writer_->sync();
  }
  const auto add = [&](const Csv& table) {
    sync_to_disk(table.path());
    counts[table.path().filename().string()] = table.row_count();
  };
  add(balance_);
  for (const Csv& table : tables_) add(table);
  return counts;
}

void Recorder::write_surface(const sph::Fields& fields) {
  if (!surface_writer_) return;
  const sph::SurfaceMesh mesh = sph::isosurface(Queue::cpu(), case_, fields, *case_.output.isosurface);
  surface_writer_->write(fields.clock.time, mesh);
}

void Recorder::write_balance(const sph::Balance& balance) {
  const sph::Clock& clock = balance.clock;
  const sph::Vector& momentum = balance.momentum;
  if (!energy_at_start_) {
    energy_at_start_ = balance.total();
    wall_work_.time = clock.time;
  }
  wall_work_.joules += (clock.time - wall_work_.time) * (wall_work_.watts + balance.wall_power) / 2;
  wall_work_.time = clock.time;
  wall_work_.watts = balance.wall_power;
  std::vector<double> more;
  if (!case_.open_boundaries.empty()) more = {balance.inflow, balance.outflow};
  if (particles_change_) more.insert(more.end(), {balance.added, balance.removed});
  more.insert(more.end(), balance.refinement_defect.begin(), balance.refinement_defect.end());
  balance_.append_with(more, clock.time, clock.step, balance.mass, momentum[0], momentum[1], momentum[2],
                       balance.kinetic, balance.potential, balance.internal, balance.elastic, clock.particles,
                       clock.lost, balance.total(), *energy_at_start_ + wall_work_.joules - balance.total(),
                       balance.density_error, balance.largest_density_error, wall_work_.joules, balance.wall_power);
}

}  // namespace shoal::io
