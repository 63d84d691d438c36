// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/run.hpp>

#include <shoal/io/stopwatch.hpp>

#include <limits>

#include "core/text.hpp"
#include "io/run/output_folder.hpp"
#include "io/run/progress/progress.hpp"
#include "io/run/progress/run_log.hpp"
#include "io/run/recorder.hpp"
#include "io/run/schedule.hpp"
#include "io/run/sph_summary.hpp"
#include "sph/stepping/kernel_profiles.hpp"

namespace shoal::io {

namespace {

/// The loop of a run: to the next event, collect, hand to the writer thread.
class Run {
 public:
  Run(Simulation& simulation, const sph::Case& description, const RunOptions& options)
      : simulation_(simulation),
        case_(description),
        options_(options),
        resumed_at_(options.resume ? std::optional(simulation.clock().time) : std::nullopt),
        recorder_(options.folder, description, resumed_at_),
        log_(options.json_log, options.resume),
        progress_(options.progress, name_of(options.folder), options.device, description.duration) {
    report_.name = name_of(options.folder);
    report_.device = options.device;
    report_.duration = description.duration;
  }

  RunReport go() {
    try {
      write_text(options_.folder / case_file_name, case_.text);
      begin();
      Schedule schedule(case_, resumed_at_.value_or(-1));
      while (!report_.interrupted) {
        const std::optional<Schedule::Event> event = schedule.next();
        if (!event) break;
        advance(event->time);
        if (schedule.reached(*event, simulation_.clock().time)) record(*event);
      }
      end();
    } catch (const Error& error) {
      fail(error.what());
    }
    return report_;
  }

 private:
  enum class Stop { none, interrupt, restart };

  void begin() {
    report_.first = report_.last = timed(report_.collecting, [&] { return simulation_.ledger(); });
    log_.write(options_.resume ? "resume" : "start", report_.first.clock,
               JsonObject().add("device", options_.device).add("duration", case_.duration));
  }

  /// To `time`, or to the step nearest to it, or until the run is interrupted.
  void advance(double time) {
    std::int64_t before = -1;
    while (!report_.interrupted && simulation_.clock().time < time && simulation_.clock().step != before) {
      before = simulation_.clock().step;
      if (before == report_.first.clock.step)  // fills caches and makes room: says nothing of the steps to come
        solve([&](const auto& observe) { simulation_.profile(1, time, observe); });
      else if (report_.profiled_steps < steps_to_profile_)
        profile(time);
      else
        solve([&](const auto& observe) { simulation_.advance_to(time, observe); });
    }
  }

  /// As many steps toward `time` as are still to be looked into.
  void profile(double time) {
    const std::int64_t before = simulation_.clock().step;
    solve([&](const auto& observe) {
      for (const sph::KernelProfile& kernel :
           simulation_.profile(steps_to_profile_ - report_.profiled_steps, time, observe)) {
        sph::KernelProfile& all = sph::profile_of(report_.kernels, kernel.name);
        all.seconds += kernel.seconds;
        all.launches += kernel.launches;
      }
    });
    report_.profiled_steps += simulation_.clock().step - before;
  }

  /// Lets the solver work until it is done, or until there is a reason to stop, which an observer finds.
  template <class Work>
  void solve(const Work& work) {
    Stop stop = Stop::none;
    const auto observe = [&](const sph::Clock& clock) {
      show(clock);
      if (options_.interrupted && options_.interrupted())
        stop = Stop::interrupt;
      else if (since_restart_.seconds() > seconds_between_restarts())
        stop = Stop::restart;
      return stop == Stop::none;
    };
    const sph::Clock before = simulation_.clock();
    timed(report_.solving, [&] { work(observe); });
    const sph::Clock after = simulation_.clock();
    report_.particle_steps += static_cast<double>((after.step - before.step) * after.particles);
    if (stop == Stop::restart) save_restart();
    report_.interrupted = stop == Stop::interrupt;
  }

  void record(const Schedule::Event& event) {
    if (!event.probes.empty()) record_probes(event.probes);
    if (event.fields)
      record_fields();
    else if (event.ledger)
      record_ledger();
    show(simulation_.clock());
    if (options_.interrupted && options_.interrupted()) report_.interrupted = true;
  }

  void record_probes(const std::vector<std::size_t>& which) {
    std::vector<sph::Probe> probes;
    for (const std::size_t probe : which) probes.push_back(case_.probes[probe]);
    std::vector<double> values = timed(report_.collecting, [&] { return simulation_.measure(probes); });
    timed(report_.waiting, [&] { recorder_.probes(simulation_.clock().time, which, std::move(values)); });
  }

  void record_fields() {
    sph::Fields fields = timed(report_.collecting, [&] { return simulation_.fields(); });
    take_stock();
    log_.write("output", report_.last.clock, totals_as_json());
    timed(report_.waiting, [&] { recorder_.fields(std::move(fields), report_.last); });
  }

  void record_ledger() {
    take_stock();
    timed(report_.waiting, [&] { recorder_.ledger(report_.last); });
  }

  double seconds_between_restarts() const {
    if (options_.restart_every) return *options_.restart_every;
    const double minutes = case_.output.checkpoint_every;
    return minutes > 0 ? 60 * minutes : std::numeric_limits<double>::infinity();
  }

  void take_stock() {
    report_.last = timed(report_.collecting, [&] { return simulation_.ledger(); });
    set_drifts(report_, case_);
  }

  JsonObject totals_as_json() const {
    const sph::Ledger& ledger = report_.last;
    JsonObject json;
    json.add("mass", ledger.mass).add("kinetic", ledger.kinetic).add("potential", ledger.potential);
    json.add("internal", ledger.internal).add("elastic", ledger.elastic).add("mass_drift", report_.mass_drift);
    return json;
  }

  void show(const sph::Clock& clock) {
    progress_.update(clock, drift_text(report_));
    constexpr double seconds_between_log_lines = 1;
    if (since_log_.seconds() < seconds_between_log_lines) return;
    since_log_ = {};
    log_.write("progress", clock,
               JsonObject()
                   .add("evaluations_per_second", progress_.evaluations_per_second())
                   .add("seconds_left", progress_.seconds_left()));
  }

  void save_restart() {
    sph::Snapshot snapshot = timed(report_.collecting, [&] { return simulation_.snapshot(); });
    const sph::Clock clock = snapshot.clock;
    timed(report_.waiting, [&] { recorder_.restart(std::move(snapshot)); });
    log_.write("restart", clock);
    since_restart_ = {};
  }

  void end() {
    if (report_.interrupted) take_stock();
    save_restart();
    timed(report_.waiting, [&] { recorder_.wait(); });
    progress_.finish();
    report_.files = output_names(case_);
    report_.writing = recorder_.busy_seconds();
    report_.wall = watch_.seconds();
    write_text(options_.folder / summary_file_name, report_json(report_).line() + "\n");
    log_.write(report_.interrupted ? "interrupted" : "end", report_.last.clock, report_json(report_));
  }

  /// Saves what there is to save and throws `message` with the name of the restart file added.
  [[noreturn]] void fail(std::string message) {
    progress_.finish();
    const auto also = [&message](auto&& work) {
      try {
        work();
      } catch (const Error& error) {
        if (message.find(error.what()) == std::string::npos) message += std::string("\nAlso: ") + error.what();
      }
    };
    also([&] { recorder_.wait(); });  // what is on its way to the disk
    also([&] {
      sph::Snapshot snapshot = simulation_.snapshot();
      const std::int64_t step = snapshot.clock.step;
      recorder_.restart(std::move(snapshot));
      recorder_.wait();
      message += text("\nThe state of step ", step, " is in ", (options_.folder / restart_file_name).string(), ".");
    });
    also([&] { log_.write("error", simulation_.clock(), JsonObject().add("message", message)); });
    throw Error(message);
  }

  Simulation& simulation_;
  const sph::Case& case_;
  const RunOptions& options_;
  std::optional<double> resumed_at_;
  const std::int64_t steps_to_profile_ =
      simulation_.profiles_for_free() ? std::numeric_limits<std::int64_t>::max() : 20;
  Recorder recorder_;
  RunLog log_;
  Progress progress_;
  RunReport report_;
  Stopwatch watch_, since_restart_, since_log_;
};

}  // namespace

RunReport run(Simulation& simulation, const sph::Case& description, const RunOptions& options) {
  return Run(simulation, description, options).go();
}

RunReport run(sph::Solver& solver, const RunOptions& options) {
  SolverSimulation simulation(solver);
  return run(simulation, solver.simulation(), options);
}

}  // namespace shoal::io
