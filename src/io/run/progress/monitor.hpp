// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>
#include <shoal/io/stopwatch.hpp>

#include "io/run/progress/progress.hpp"
#include "io/run/progress/run_log.hpp"

namespace shoal::io {

/// Progress line, log and interruption of a run. All ranks make the same calls; rank 0 prints, writes and decides.
class RunMonitor {
 public:
  RunMonitor(const RunOptions& options, const RunResult& result, const ProgressUnits& units);

  /// Updates progress line and log at intervals. Returns false if the user interrupted the run.
  bool keep_going(const RunPosition& position, const std::string& note);
  bool interrupted() const { return interrupted_; }

  void log(const char* event, const RunPosition& position, const JsonObject& more = {});
  /// Reports a warning about the state of the run.
  void warn(const RunPosition& position, const Warning& warning);
  /// Ends the progress line, so that other output begins on a new line.
  void end_line() { progress_.finish(); }

  const Communicator& ranks() const { return options_.ranks; }

 private:
  void write_log(const char* event, const RunPosition& position, const JsonObject& more) {
    log_.write(event, position, units_.items, more);
  }
  bool update(const RunPosition& position, const std::string& note);

  const RunOptions& options_;
  ProgressUnits units_;
  RunLog log_;
  Progress progress_;
  Stopwatch since_log_;
  bool interrupted_ = false;
};

}  // namespace shoal::io
