// SPDX-License-Identifier: Apache-2.0
#include "io/run/driver.hpp"

#include <shoal/io/output_file.hpp>
#include <shoal/io/text.hpp>

#include <utility>

#include "io/formats/whole_file.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

namespace {

/// Runs from event to event. Until an event is recorded, `pending` holds it.
void follow(CaseRun& run, Schedule& schedule, RunMonitor& monitor, std::optional<Schedule::Event>& pending) {
  while (!monitor.interrupted()) {
    pending = schedule.next();
    if (!pending) return;
    std::int64_t step = -1;
    while (step != run.position().step && !monitor.interrupted()) {
      step = run.position().step;
      run.advance_to(pending->time, monitor);
      const bool is_reached = schedule.reached(*pending, run.position().time);
      if (is_reached) run.record(*pending, monitor);
      if (is_reached) pending.reset();
      run.save_if_due(monitor);
      if (is_reached) break;
    }
    monitor.keep_going(run.position(), run.note());
  }
}

bool is_lack_of_memory(const Error& error) { return dynamic_cast<const OutOfMemory*>(&error) != nullptr; }

/// Returns true if this rank alone lacks memory. All other errors of a run are those of all ranks.
bool is_of_one_rank(const Communicator& ranks, const Error& error) {
  return is_lack_of_memory(error) && !ranks.agreed(error.what());
}

}  // namespace

void drive(CaseRun& run, Schedule schedule, const std::string& case_text, const RunOptions& options,
           RunMonitor& monitor, RunResult& result) {
  const Stopwatch watch;
  std::optional<Schedule::Event> pending;
  bool has_started = false;
  try {
    on_first_rank(options.ranks, [&] { write_whole_text(options.folder / case_file_name, case_text); });
    const JsonObject more = run.start();
    monitor.log(options.resume ? "resume" : "start", run.position(),
                JsonObject().add("device", result.device).add("duration", result.duration).add(more));
    has_started = true;
    follow(run, schedule, monitor, pending);
    run.finish(monitor);
    monitor.end_line();
    result.interrupted = monitor.interrupted();
    result.wall = watch.seconds();
    on_first_rank(options.ranks,
                  [&] { write_whole_text(options.folder / summary_file_name, run.summary().line() + "\n"); });
    monitor.log(result.interrupted ? "interrupted" : "end", run.position(), run.summary());
  } catch (const Error& error) {
    monitor.end_line();
    if (is_of_one_rank(options.ranks, error)) throw;  // the others wait for this rank; its caller ends them
    const bool has_state = options.ranks.size() == 1 || !is_lack_of_memory(error);  // it may be in the middle of a step
    const bool is_recorded = has_started && (!pending || !schedule.reached(*pending, run.position().time));
    std::string message = run.after_error(error.what(), has_state && is_recorded);
    try {
      monitor.log("error", run.position(), JsonObject().add("message", message));
    } catch (const Error& log_error) {
      if (message.find(log_error.what()) == std::string::npos) message += std::string("\nAlso: ") + log_error.what();
    }
    options.ranks.agree([&] { throw Error(message); });
  }
}

RunResult run_result(const RunOptions& options, double duration, std::vector<std::string> files) {
  return {.name = printable(folder_name(options.folder)),
          .device = options.device,
          .duration = duration,
          .files = std::move(files),
          .warnings = {}};
}

}  // namespace shoal::io
