// SPDX-License-Identifier: Apache-2.0
#include "io/run/progress/monitor.hpp"

#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

RunMonitor::RunMonitor(const RunOptions& options, const RunResult& result, const ProgressUnits& units)
    : options_(options),
      units_(units),
      progress_(options.progress, result.name, result.device, result.duration, units) {
  on_first_rank(ranks(), [&] { log_ = RunLog(options.json_log, options.append_log || options.resume.has_value()); });
}

void RunMonitor::log(const char* event, const RunPosition& position, const JsonObject& more) {
  on_first_rank(ranks(), [&] { write_log(event, position, more); });
}

bool RunMonitor::keep_going(const RunPosition& position, const std::string& note) {
  interrupted_ = decided_by_first_rank(ranks(), [&] { return update(position, note); });
  return !interrupted_;
}

/// Shows the position. Returns true if the run was interrupted.
bool RunMonitor::update(const RunPosition& position, const std::string& note) {
  progress_.update(position, note);
  constexpr double seconds_between_log_lines = 1;
  if (since_log_.seconds() >= seconds_between_log_lines) {
    since_log_ = {};
    write_log("progress", position,
              JsonObject()
                  .add("evaluations_per_second", progress_.evaluations_per_second())
                  .add("seconds_left", progress_.seconds_left()));
  }
  return interrupted_ || (options_.interrupted && options_.interrupted());
}

void RunMonitor::warn(const RunPosition& position, const Warning& warning) {
  on_first_rank(ranks(), [&] {
    end_line();
    if (options_.on_warning) options_.on_warning(warning);
    write_log("warning", position, JsonObject().add("message", warning.text()));
  });
}

}  // namespace shoal::io
