// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>

#include <string>

#include "io/run/progress/monitor.hpp"
#include "io/run/schedule.hpp"

namespace shoal::io {

/// One run of a case, as the driver sees it: the steps that differ between kinds of case.
class CaseRun {
 public:
  virtual ~CaseRun() = default;

  /// Position of the run, for the progress line and the log.
  virtual RunPosition position() const = 0;
  /// End of the progress line, such as the drift of a conserved quantity.
  virtual std::string note() const = 0;

  /// Prepares the first step. Returns what the log's first line reports besides device and duration.
  virtual JsonObject start() = 0;
  /// Advances to `time`, to the step nearest to it, or until `monitor` asks to stop.
  virtual void advance_to(double time, RunMonitor& monitor) = 0;
  /// Writes the output that is due at an event. The run has reached its time.
  virtual void record(const Schedule::Event& event, RunMonitor& monitor) = 0;
  /// Writes the output of the end, also of an interrupted run.
  virtual void finish(RunMonitor& monitor) = 0;
  /// Summary of the whole run, for summary.json and the log.
  virtual JsonObject summary() const = 0;
  /// Saves the state that an error left. Returns the error's message, and where that state is.
  virtual std::string after_error(const std::string& message) = 0;
};

/// Runs a case from event to event of its schedule, and writes case.toml, summary.json and the log.
/// @param result  has name, device, duration and files; `interrupted` and `wall` are set
/// @throws Error  an error of the run, with the message of CaseRun::after_error()
void drive(CaseRun& run, Schedule schedule, const std::string& case_text, const RunOptions& options,
           RunMonitor& monitor, RunResult& result);

/// Result of a run before it starts: name, device, duration of the case and files.
RunResult run_result(const RunOptions& options, double duration, std::vector<std::string> files);

}  // namespace shoal::io
