// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/io/overrides.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>
#include <shoal/sph/case.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Table of the kinds of case file: functions that read, describe, check and run each kind. Host only.
namespace shoal::io {

/// Reference of one key of a case file.
struct KeyInfo {
  std::string kind;     ///< kind of case that has the key: "sph"
  std::string section;  ///< section heading: "[run]", "[[body]]", "[material.NAME]", or "" for the top of the file
  std::string name;     ///< key name, dotted for inline tables: "duration", "box.from"
  std::string type;     ///< value type: "number", "text", "point", or the list of accepted names
  std::string unit;     ///< unit of the value: "m"; empty if dimensionless
  bool required = false;
  std::string default_value;  ///< default value as TOML; empty if there is none
  std::string meaning;        ///< description of the value, one line
};

/// Case file and overrides of its values.
struct CaseSource {
  std::filesystem::path file;
  Overrides overrides = {};
};

/// Files that a new run writes.
struct RunTarget {
  std::filesystem::path folder;
  bool force = false;                   ///< true: replace the output of an earlier run and an existing log
  std::filesystem::path json_log = {};  ///< RunOptions::json_log of the run; empty: none
};

/// Run to continue from the restart file in its folder.
struct ResumeSource {
  std::filesystem::path folder;          ///< output folder of the run
  std::optional<double> until = {};      ///< end time of the run, s; by default the duration of the case
  std::filesystem::path case_file = {};  ///< case file to compare with that of the restart; empty: no comparison
  std::filesystem::path json_log = {};   ///< RunOptions::json_log of the run, which is continued; empty: none
};

/// Text result of a run of any kind of case.
struct RunOutcome {
  bool interrupted = false;
  std::string summary;       ///< summary of the run, a few lines
  std::string interruption;  ///< restart file and the command that continues the run; empty unless interrupted
};

/// Case that is set up on a device and ready to run.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;

  /// Returns the warnings about the case. Warnings about the state of the run follow through RunOptions::on_warning.
  virtual std::vector<Warning> warnings() { return {}; }
  /// Runs to the end of the case, an error or an interruption, and writes the output.
  /// @throws Error  an error of the operation or of an output, on all ranks; files that were complete before remain
  /// @throws OutOfMemory  also on one rank alone, which must then end the others: mpi::abort_on_exception()
  virtual RunOutcome run(const RunOptions& options) = 0;
};

/// Restart file that is open, whatever the kind of its case.
struct RestartFile;

/// Kind of case file: an entry of case_kinds(). A function pointer is null if the kind lacks that operation.
struct CaseKind {
  const char* name;     ///< value of the key `kind`
  const char* command;  ///< subcommand of the command line that takes files of this kind: "run", "validate"

  /// Returns all keys, grouped by section.
  std::vector<KeyInfo> (*keys)();
  /// Reads a case without setting it up. Returns its probes, which a validation knows by their places.
  std::vector<sph::Probe> (*probes)(const CaseSource& source) = nullptr;
  /// Reads a case and sets it up on the CPU. Returns a description of the run.
  std::string (*check)(const CaseSource& source) = nullptr;
  /// Reads a case, sets it up on a device and prepares the output folder. On several ranks all call it, then PreparedRun::run
  /// with the same ranks; rank 0 writes.
  /// @throws Error  on all ranks
  std::unique_ptr<PreparedRun> (*open)(const Queue& queue, const CaseSource& source, const RunTarget& target,
                                       const Communicator& ranks) = nullptr;
  /// Sets up the continuation of a run from its restart file, whose rows may come from any number of ranks.
  std::unique_ptr<PreparedRun> (*resume)(const Queue& queue, const ResumeSource& source, const RestartFile& restart,
                                         const Communicator& ranks) = nullptr;
};

/// Returns all kinds of case file.
std::span<const CaseKind* const> case_kinds();

/// Returns the kind of a case file.
/// @throws Error  the file cannot be read, a syntax error, no key `kind`, or an unknown kind
const CaseKind& case_kind(const CaseSource& source);

/// Returns the kind of a case file that describes a single run.
/// @throws Error  the errors of case_kind(); files of this kind belong to another subcommand
const CaseKind& runnable_case_kind(const CaseSource& source);

/// Reads a case of any kind that describes a single run. Returns its probes; kinds without probes have none.
/// @throws Error  those of runnable_case_kind() and of the kind
std::vector<sph::Probe> probes_of(const CaseSource& source);

/// Reads a case of any kind that describes a single run, sets it up and prepares the output folder: CaseKind::open().
/// @throws Error  those of runnable_case_kind() and of the kind
std::unique_ptr<PreparedRun> prepare_run(const Queue& queue, const CaseSource& source, const RunTarget& target,
                                         const Communicator& ranks = Communicator::alone());

/// Sets up the continuation of a run from restart.h5 in its output folder. Any number of ranks continues it.
/// @throws Error  no complete restart file; the case differs from that of the restart
std::unique_ptr<PreparedRun> prepare_resume(const Queue& queue, const ResumeSource& source,
                                            const Communicator& ranks = Communicator::alone());

/// Returns the reference of all keys of all kinds of case file, grouped by section.
std::vector<KeyInfo> case_keys();

}  // namespace shoal::io
