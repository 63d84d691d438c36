// SPDX-License-Identifier: Apache-2.0
#include "io/run/progress/monitor.hpp"

namespace shoal::io {

RunMonitor::RunMonitor(const RunOptions& options, const RunResult& result, const ProgressUnits& units)
    : options_(options),
      units_(units),
      log_(options.json_log, options.append_log || options.resume.has_value()),
      progress_(options.progress, result.name, result.device, result.duration, units) {}

bool RunMonitor::keep_going(const RunPosition& position, const std::string& note) {
  progress_.update(position, note);
  constexpr double seconds_between_log_lines = 1;
  if (since_log_.seconds() >= seconds_between_log_lines) {
    since_log_ = {};
    log("progress", position,
        JsonObject()
            .add("evaluations_per_second", progress_.evaluations_per_second())
            .add("seconds_left", progress_.seconds_left()));
  }
  if (options_.interrupted && options_.interrupted()) interrupted_ = true;
  return !interrupted_;
}

void RunMonitor::warn(const RunPosition& position, const Warning& warning) {
  end_line();
  if (options_.on_warning) options_.on_warning(warning);
  log("warning", position, JsonObject().add("message", warning.text()));
}

}  // namespace shoal::io
