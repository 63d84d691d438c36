// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/restart.hpp>
#include <shoal/sph.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/formats/text/csv.hpp"
#include "io/run/fields/field_writer.hpp"
#include "io/run/fields/surface_writer.hpp"
#include "io/run/schedule.hpp"
#include "io/run/writer_thread.hpp"

namespace shoal::io {

/// Names and units of the columns in the table of a probe.
std::vector<std::string> probe_table_columns(const sph::Probe& probe, int dimensions);

/// @name Names of files in an output folder
/// @{
inline constexpr const char* balance_file_name = "balance.csv";
std::string probe_file_name(const sph::Probe& probe);
std::string fields_file_name(const sph::Case& simulation);
/// Returns the names of all files that a run of `simulation` writes into its folder.
std::vector<std::string> output_names(const sph::Case& simulation);
/// @}

/// Output files of a run, written by a separate thread in the order of the calls. The next call throws an error of the
/// thread.
class Recorder {
 public:
  /// Opens the output files.
  /// @param kept               continues the existing files after these numbers of entries; empty: new files
  /// @param particles_change   the balance states what programs add and remove
  /// @throws Error  an existing file has fewer entries
  Recorder(std::filesystem::path folder, const sph::Case& simulation, const std::optional<OutputCounts>& kept,
           bool particles_change = false);

  /// @param fields  called once, in the thread of the output
  void fields(std::function<sph::Fields()> fields, const sph::Balance& balance);
  void balance(const sph::Balance& balance);
  /// Appends a row to the table of each due probe.
  /// @param probes  indices of the due probes
  /// @param values  concatenated values of these probes
  void probes(double time, std::vector<std::size_t> probes, std::vector<double> values);
  /// Writes a restart file that claims all output of the calls before, after that output is on the disk.
  void restart(sph::Snapshot snapshot);
  /// Returns true if an output failed. What followed it was dropped.
  bool has_failed() const { return has_failed_ || background_.has_failed(); }
  /// Waits until all output is on disk.
  void wait() { background_.wait(); }

  double busy_seconds() const { return background_.busy_seconds(); }

  /// @name Parts of the output of several ranks, in the calling thread and after all output of the calls before
  /// @{
  void write_fields(const FieldState& state, const sph::Balance& balance);
  /// Forces all output to the disk, and adds case and counts to the restart that claims it. Returns the file to write.
  std::filesystem::path begin_restart(Restart& restart);
  /// @}

 private:
  void write_balance(const sph::Balance& balance);
  /// Writes the isosurface of a state, if the case has it.
  void write_surface(const sph::Fields& fields);
  /// Forces all output to the disk. Returns the numbers of entries.
  OutputCounts synced_counts();

  std::filesystem::path folder_;
  sph::Case case_;
  std::unique_ptr<FieldWriter> field_writer_;
  std::unique_ptr<SurfaceWriter> surface_writer_;  ///< null unless the case has an isosurface
  bool particles_change_;
  Csv balance_;
  std::optional<double> energy_at_start_;  ///< J, total energy at the start of the original run, also after a resume
  struct {
    double time = 0, joules = 0, watts = 0;
  } wall_work_;               ///< work and power of moving walls up to the last row
  std::vector<Csv> tables_;   ///< tables of the probes
  bool has_failed_ = false;   ///< an output of write_fields() failed
  Background background_{2};  // last member, because its thread uses all members above
};

}  // namespace shoal::io
