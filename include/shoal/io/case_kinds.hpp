// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Table of the kinds of case file: how each is read, described, checked and run. Host only.
namespace shoal::io {

/// Reference of one key of a case file.
struct KeyInfo {
  std::string kind;  ///< kind of case that has the key: "sph"
  std::string
      section;       ///< heading of its section: "[run]", "[[body]]", "[material.NAME]", or "" for the top of the file
  std::string name;  ///< "duration", "box.from"
  std::string type;  ///< "number", "text", "point", or the names that the key takes
  std::string unit;  ///< "m", or empty
  bool required = false;
  std::string default_value;  ///< as TOML; empty if there is none
  std::string meaning;        ///< one line
};

/// A case file and the values that replace its own.
struct CaseSource {
  std::filesystem::path file;
  std::vector<std::string> overrides = {};  ///< "key=value", as read_case() takes them
};

/// Run to continue from the restart file in its folder.
struct ResumeSource {
  std::filesystem::path folder;          ///< output folder of the run
  std::optional<double> until = {};      ///< s, end of the run; by default the case's duration
  std::filesystem::path case_file = {};  ///< case file that the run must have begun with; empty: not compared
};

/// Result of a run of any kind of case, as text.
struct RunOutcome {
  bool interrupted = false;
  std::string summary;       ///< a few lines
  std::string interruption;  ///< if interrupted: where the state is, and how to continue
};

/// A case that is set up on a device and ready to run.
class PreparedRun {
 public:
  virtual ~PreparedRun() = default;

  /// Returns a line for each thing about the case that the user should know.
  virtual std::vector<std::string> warnings() { return {}; }
  /// Runs to the end of the case, to an error or to an interruption, and writes the output.
  /// @throws Error  an error of the operation or of an output; output that was written before stays
  virtual RunOutcome run(const RunOptions& options) = 0;
};

/// One kind of case file: an entry of case_kinds(). A function is null where a kind has no such operation.
struct CaseKind {
  const char* name;     ///< value of the key `kind`
  const char* command;  ///< subcommand of the command line that takes files of this kind: "run", "validate"

  /// Returns all keys, section by section.
  std::vector<KeyInfo> (*keys)();
  /// Reads a case and sets it up on the CPU. Returns a description of what would run.
  std::string (*check)(const CaseSource& source) = nullptr;
  /// Reads a case, sets it up on a device and prepares the folder for its output.
  /// @param force  replaces the output of an earlier run
  std::unique_ptr<PreparedRun> (*open)(const Queue& queue, const CaseSource& source,
                                       const std::filesystem::path& folder, bool force) = nullptr;
  /// Sets up the continuation of a run from its restart file.
  std::unique_ptr<PreparedRun> (*resume)(const Queue& queue, const ResumeSource& source,
                                         const Restart& restart) = nullptr;
};

/// All kinds of case file.
std::span<const CaseKind* const> case_kinds();

/// The kind of a case file.
/// @throws Error  the file cannot be read, syntax, no key `kind`, unknown name
const CaseKind& case_kind(const CaseSource& source);

/// The kind of a case file that one run is made of.
/// @throws Error  also if files of this kind are for another subcommand
const CaseKind& runnable_case_kind(const CaseSource& source);

/// Sets up the continuation of a run from restart.h5 in its folder.
/// @throws Error  no whole restart file; the case differs from the one that the run began with
std::unique_ptr<PreparedRun> prepare_resume(const Queue& queue, const ResumeSource& source);

/// All keys that case files may have, kind by kind and section by section.
std::vector<KeyInfo> case_keys();

}  // namespace shoal::io
