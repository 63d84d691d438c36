// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/restart.hpp>
#include <shoal/sph.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/text/csv.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/schedule.hpp"
#include "io/run/writer_thread.hpp"

namespace shoal::io {

/// @name Names within an output folder
/// @{
inline constexpr const char* balance_file_name = "balance.csv";
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

  void fields(sph::Fields fields, const sph::Balance& balance);
  void balance(const sph::Balance& balance);
  /// @param values  of the probes of these indices, one after the other
  void probes(double time, std::vector<std::size_t> probes, std::vector<double> values);
  void restart(sph::Snapshot snapshot);
  /// Until all is on disk.
  void wait() { background_.wait(); }

  double busy_seconds() const { return background_.busy_seconds(); }

 private:
  void write_balance(const sph::Balance& balance);

  std::filesystem::path folder_;
  sph::Case case_;
  std::unique_ptr<FieldWriter> field_writer_;
  Csv balance_;
  std::optional<double> energy_at_start_;  ///< J, of the run that all this continues
  struct {
    double time = 0, joules = 0, watts = 0;
  } wall_work_;               ///< of walls that move, up to the last row
  std::vector<Csv> tables_;   ///< of the probes
  Background background_{2};  // last: its thread uses all of the above
};

}  // namespace shoal::io
