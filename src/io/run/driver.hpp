// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>

#include <string>

#include "io/run/progress/monitor.hpp"
#include "io/run/schedule.hpp"

namespace shoal::io {

/// Interface between the driver and one run: the operations that differ between kinds of case.
class CaseRun {
 public:
  virtual ~CaseRun() = default;

  /// Returns the position of the run, for the progress line and the log.
  virtual RunPosition position() const = 0;
  /// Returns the end of the progress line, such as the drift of a conserved quantity.
  virtual std::string note() const = 0;

  /// Prepares the first step. Returns members for the first line of the log, besides device and duration.
  virtual JsonObject start() = 0;
  /// Advances to `time`, to the step nearest to it, or until a restart is due or `monitor` requests a stop.
  virtual void advance_to(double time, RunMonitor& monitor) = 0;
  /// Writes the output that is due at an event. The run has reached the time of the event.
  virtual void record(const Schedule::Event& event, RunMonitor& monitor) = 0;
  /// Writes a restart if one is due. All output up to the position of the run was passed to record().
  virtual void save_if_due(RunMonitor&) {}
  /// Writes the final output, also of an interrupted run.
  virtual void finish(RunMonitor& monitor) = 0;
  /// Returns the summary of the whole run, for summary.json and the log.
  virtual JsonObject summary() const = 0;
  /// Saves the state after an error. Returns the error message with the location of that state.
  /// @param can_save  the run has a state, and all output up to its position was passed to record()
  virtual std::string after_error(const std::string& message, bool can_save) = 0;
};

/// Runs a case from event to event of its schedule, and writes case.toml, summary.json and the log. On several ranks all
/// make the same calls, and all functions of `run` throw the same errors on all ranks.
/// @param result  name, device, duration and files on input; drive() sets `interrupted` and `wall`
/// @throws Error  an error of the run, with the message of CaseRun::after_error()
void drive(CaseRun& run, Schedule schedule, const std::string& case_text, const RunOptions& options,
           RunMonitor& monitor, RunResult& result);

/// Returns the initial result of a run: name, device, duration of the case and files.
RunResult run_result(const RunOptions& options, double duration, std::vector<std::string> files);

}  // namespace shoal::io
