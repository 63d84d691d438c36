// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/restart.hpp>
#include <shoal/sph.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/background.hpp"
#include "io/csv.hpp"
#include "io/field_writer.hpp"
#include "io/schedule.hpp"

namespace shoal::io {

/// @name Names within an output folder
/// @{
inline constexpr const char* case_file_name = "case.toml";
inline constexpr const char* energy_file_name = "energy.csv";
inline constexpr const char* restart_file_name = "restart.h5";
inline constexpr const char* summary_file_name = "summary.json";
std::string probe_file_name(const sph::Probe& probe);
std::string fields_file_name(const sph::Case& simulation);
/// Every file that a run of `simulation` writes into its folder.
std::vector<std::string> output_names(const sph::Case& simulation);
/// @}

/// All files of a run, written in a thread of their own, in the order in which they are handed in.
/// An error of the thread is thrown by the next call.
class Recorder {
 public:
  /// @param continue_after  s; continues the files that are there, after dropping what is later than this
  Recorder(std::filesystem::path folder, const sph::Case& simulation, std::optional<double> continue_after);

  /// What an event of the schedule asks for.
  void record(const Schedule::Event& event, sph::Fields fields, const sph::Ledger& ledger);
  void restart(sph::Snapshot snapshot);
  /// Until all is on disk.
  void wait() { background_.wait(); }

  double busy_seconds() const { return background_.busy_seconds(); }

 private:
  void write_energy(const sph::Ledger& ledger);
  void write_probe(std::size_t probe, const sph::Fields& fields);

  std::filesystem::path folder_;
  sph::Case case_;
  std::unique_ptr<FieldWriter> fields_;
  Csv energy_;
  std::vector<Csv> probes_;
  Background background_{2};  // last: its thread uses all of the above
};

}  // namespace shoal::io
