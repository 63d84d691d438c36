// SPDX-License-Identifier: Apache-2.0
#include "io/recorder.hpp"

namespace shoal::io {

namespace {

const std::vector<std::string> energy_columns = {
    "time [s]",    "step",          "mass [kg]",    "momentum_x [kg m/s]", "momentum_y [kg m/s]", "momentum_z [kg m/s]",
    "kinetic [J]", "potential [J]", "internal [J]", "elastic [J]",         "particles",           "lost"};

/// What a probe shows, for the header of its table.
std::string quantity(sph::ProbeKind kind) {
  return kind == sph::ProbeKind::surge_front ? "front [m]" : "pressure [Pa]";
}

}  // namespace

std::string probe_file_name(const sph::Probe& probe) { return probe.name + ".csv"; }

std::string fields_file_name(const sph::Case& simulation) {
  return simulation.output.format == sph::FieldFormat::vtp ? "fields.pvd" : "fields.vtkhdf";
}

std::vector<std::string> output_names(const sph::Case& simulation) {
  std::vector<std::string> names = {case_file_name, fields_file_name(simulation), energy_file_name, restart_file_name,
                                    summary_file_name};
  for (const sph::Probe& probe : simulation.probes) names.push_back(probe_file_name(probe));
  return names;
}

Recorder::Recorder(std::filesystem::path folder, const sph::Case& simulation, std::optional<double> continue_after)
    : folder_(std::move(folder)),
      case_(simulation),
      field_writer_(open_fields(folder_, simulation, continue_after)),
      energy_(folder_ / energy_file_name, energy_columns, continue_after) {
  for (const sph::Probe& probe : simulation.probes)
    tables_.emplace_back(folder_ / probe_file_name(probe), std::vector<std::string>{"time [s]", quantity(probe.kind)},
                         continue_after);
}

void Recorder::fields(sph::Fields fields, const sph::Ledger& ledger) {
  background_.submit([this, ledger, state = std::make_shared<const sph::Fields>(std::move(fields))] {
    write_energy(ledger);
    field_writer_->write(*state);
  });
}

void Recorder::probes(double time, std::vector<std::size_t> probes, std::vector<double> values) {
  background_.submit([this, time, which = std::move(probes), show = std::move(values)] {
    for (std::size_t i = 0; i < which.size(); ++i) tables_[which[i]].append(time, show[i]);
  });
}

void Recorder::restart(sph::Snapshot snapshot) {
  auto restart = std::make_shared<const Restart>(Restart{std::move(snapshot), case_.text});
  background_.submit([this, restart] { write_restart(folder_ / restart_file_name, *restart); });
}

void Recorder::write_energy(const sph::Ledger& ledger) {
  const sph::Clock& clock = ledger.clock;
  const sph::Vector& momentum = ledger.momentum;
  energy_.append(clock.time, clock.step, ledger.mass, momentum[0], momentum[1], momentum[2], ledger.kinetic,
                 ledger.potential, ledger.internal, ledger.elastic, clock.particles, clock.lost);
}

}  // namespace shoal::io
