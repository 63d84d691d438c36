// SPDX-License-Identifier: Apache-2.0
#include "io/run/driver.hpp"

#include <utility>

#include "io/run/output_folder.hpp"

namespace shoal::io {

namespace {

void follow(CaseRun& run, Schedule& schedule, RunMonitor& monitor) {
  while (!monitor.interrupted()) {
    const std::optional<Schedule::Event> event = schedule.next();
    if (!event) return;
    run.advance_to(event->time, monitor);
    if (schedule.reached(*event, run.position().time)) run.record(*event, monitor);
    monitor.keep_going(run.position(), run.note());
  }
}

}  // namespace

void drive(CaseRun& run, Schedule schedule, const std::string& case_text, const RunOptions& options,
           RunMonitor& monitor, RunResult& result) {
  const Stopwatch watch;
  try {
    write_text(options.folder / case_file_name, case_text);
    const JsonObject more = run.start();
    monitor.log(options.resume ? "resume" : "start", run.position(),
                JsonObject().add("device", result.device).add("duration", result.duration).add(more));
    follow(run, schedule, monitor);
    run.finish(monitor);
    monitor.end_line();
    result.interrupted = monitor.interrupted();
    result.wall = watch.seconds();
    write_text(options.folder / summary_file_name, run.summary().line() + "\n");
    monitor.log(result.interrupted ? "interrupted" : "end", run.position(), run.summary());
  } catch (const Error& error) {
    monitor.end_line();
    std::string message = run.after_error(error.what());
    try {
      monitor.log("error", run.position(), JsonObject().add("message", message));
    } catch (const Error& log_error) {
      if (message.find(log_error.what()) == std::string::npos) message += std::string("\nAlso: ") + log_error.what();
    }
    throw Error(message);
  }
}

RunResult run_result(const RunOptions& options, double duration, std::vector<std::string> files) {
  return {.name = name_of(options.folder), .device = options.device, .duration = duration, .files = std::move(files)};
}

}  // namespace shoal::io
