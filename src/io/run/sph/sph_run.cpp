// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/run.hpp>

#include <shoal/io/stopwatch.hpp>
#include <shoal/sph/warnings.hpp>

#include <algorithm>
#include <limits>
#include <memory>

#include "core/text.hpp"
#include "io/run/driver.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/ranks/rank_recorder.hpp"
#include "io/run/sph/sph_summary.hpp"

namespace shoal::io {

namespace {

constexpr ProgressUnits units{};

RunPosition position_of(const sph::Clock& clock) {
  return {clock.time, clock.step, clock.dt, clock.particles, clock.lost};
}

/// Adds the time and launches of a kernel to its totals.
void add_profile(std::vector<sph::KernelProfile>& totals, const sph::KernelProfile& kernel) {
  auto total =
      std::find_if(totals.begin(), totals.end(), [&](const auto& profile) { return profile.name == kernel.name; });
  if (total == totals.end()) total = totals.insert(totals.end(), {.name = kernel.name});
  total->seconds += kernel.seconds;
  total->launches += kernel.launches;
}

/// Run of kind = "sph": profiles of the first steps, restarts, and a writer thread for the output.
class SphRun : public CaseRun {
 public:
  SphRun(Simulation& simulation, const sph::Case& description, const RunOptions& options)
      : simulation_(simulation),
        case_(description),
        options_(options),
        lock_(make_on_first_rank<FolderLock>(options.ranks, options.folder)),
        resumed_at_(options.resume ? std::optional(simulation.clock().time) : std::nullopt),
        recorder_(options.ranks, options.folder, description, options.resume, options.particles_change) {
    static_cast<RunResult&>(report_) = run_result(options, description.duration, output_names(description));
    report_.ranks = options.ranks.size();
  }

  RunReport run() {
    RunMonitor monitor(options_, report_, units);
    drive(*this, Schedule(case_, resumed_at_.value_or(-1)), case_.text, options_, monitor, report_);
    return report_;
  }

  RunPosition position() const override { return position_of(simulation_.clock()); }
  std::string note() const override {
    return report_.ranks == 1 ? drift_text(report_) : drift_text(report_) + "   " + load_text(report_.load);
  }

  JsonObject start() override {
    report_.first = report_.last = timed(report_.collecting, [&] { return simulation_.balance(); });
    report_.warnings = sph::warnings(case_, report_.ranks);
    return JsonObject().add("warnings", warning_texts(report_.warnings));
  }

  void advance_to(double time, RunMonitor& monitor) override {
    std::int64_t before = -1;
    while (!monitor.interrupted() && !restart_is_due_ && simulation_.clock().time < time &&
           simulation_.clock().step != before) {
      before = simulation_.clock().step;
      if (before == report_.first.clock.step)  // excluded: the first step also allocates memory and fills caches
        solve(monitor, [&](const auto& observe) { simulation_.profile(1, time, observe); });
      else if (report_.profiled_steps < steps_to_profile_)
        profile(time, monitor);
      else
        solve(monitor, [&](const auto& observe) { simulation_.advance_to(time, observe); });
    }
  }

  void record(const Schedule::Event& event, RunMonitor& monitor) override {
    if (!event.probes.empty()) record_probes(event.probes);
    if (event.fields)
      record_fields(monitor);
    else if (event.balance)
      record_balance(monitor);
  }

  void save_if_due(RunMonitor& monitor) override {
    if (restart_is_due_) save_restart(monitor);
  }

  void finish(RunMonitor& monitor) override {
    if (monitor.interrupted()) update_balance(monitor);
    update_load(simulation_.clock().step);
    save_restart(monitor);
    timed(report_.waiting, [&] { recorder_.wait(); });
    report_.writing = recorder_.busy_seconds();
  }

  JsonObject summary() const override { return report_json(report_); }

  std::string after_error(const std::string& message, bool can_save) override {
    std::string whole = message;
    const auto also = [&whole](auto&& work) {
      try {
        work();
      } catch (const Error& error) {
        if (whole.find(error.what()) == std::string::npos) whole += std::string("\nAlso: ") + error.what();
      }
    };
    also([&] { recorder_.wait(); });  // queued output of the writer thread
    const std::filesystem::path file = options_.folder / restart_file_name;
    if (can_save && !recorder_.has_failed()) {
      also([&] {
        sph::Snapshot snapshot = simulation_.snapshot();
        const std::int64_t step = snapshot.clock.step;
        recorder_.restart(std::move(snapshot));
        recorder_.wait();
        whole += text("\nThe state of step ", step, " is in ", file.string(), ".");
      });
    } else {
      whole += std::filesystem::exists(file)
                   ? text("\nThe restart before this error is in ", file.string(), ", with all output up to its time.")
                   : "\nThe run had not written a restart yet. Run the case again.";
    }
    return whole;
  }

 private:
  /// Takes the remaining profiled steps toward `time`.
  void profile(double time, RunMonitor& monitor) {
    const std::int64_t before = simulation_.clock().step;
    solve(monitor, [&](const auto& observe) {
      for (const sph::KernelProfile& kernel :
           simulation_.profile(steps_to_profile_ - report_.profiled_steps, time, observe))
        add_profile(report_.kernels, kernel);
    });
    report_.profiled_steps += simulation_.clock().step - before;
  }

  /// Runs the solver until it is done, a restart is due or the user interrupts the run.
  template <class Work>
  void solve(RunMonitor& monitor, const Work& work) {
    const auto observe = [&](const sph::Clock& clock) {
      if (clock.step >= load_step_ + steps_between_loads) update_load(clock.step);
      if (!monitor.keep_going(position_of(clock), note())) return false;
      restart_is_due_ =
          decided_by_first_rank(options_.ranks, [&] { return since_restart_.seconds() > seconds_between_restarts(); });
      return !restart_is_due_;
    };
    const sph::Clock before = simulation_.clock();
    timed(report_.solving, [&] { work(observe); });
    const sph::Clock after = simulation_.clock();
    report_.particle_steps += static_cast<double>((after.step - before.step) * after.particles);
  }

  void record_probes(const std::vector<std::size_t>& indices) {
    std::vector<sph::Probe> probes;
    for (const std::size_t probe : indices) probes.push_back(case_.probes[probe]);
    std::vector<double> values = timed(report_.collecting, [&] { return simulation_.measure(probes); });
    timed(report_.waiting, [&] { recorder_.probes(simulation_.clock().time, indices, std::move(values)); });
  }

  void record_fields(RunMonitor& monitor) {
    std::function<sph::Fields()> fields = timed(report_.collecting, [&] { return simulation_.fields_later(); });
    update_balance(monitor);
    monitor.log("output", position_of(report_.last.clock), balance_json());
    timed(report_.waiting, [&] { recorder_.fields(std::move(fields), report_.last); });
  }

  void record_balance(RunMonitor& monitor) {
    update_balance(monitor);
    timed(report_.waiting, [&] { recorder_.balance(report_.last); });
  }

  double seconds_between_restarts() const {
    if (options_.restart_every) return *options_.restart_every;
    const double minutes = case_.output.restart_every;
    return minutes > 0 ? 60 * minutes : std::numeric_limits<double>::infinity();
  }

  void update_load(std::int64_t step) {
    if (report_.ranks > 1) report_.load = simulation_.load();
    load_step_ = step;
  }

  void update_balance(RunMonitor& monitor) {
    report_.last = timed(report_.collecting, [&] { return simulation_.balance(); });
    set_drifts(report_, case_);
    for (const Warning& warning : sph::warnings(case_, report_.last)) add_warning(warning, monitor);
  }

  /// Reports a warning when it applies for the first time. The summary has the values at the largest one.
  void add_warning(const Warning& warning, RunMonitor& monitor) {
    const auto has_name = [&](const Warning& earlier) { return earlier.name == warning.name; };
    const auto earlier = std::find_if(report_.warnings.begin(), report_.warnings.end(), has_name);
    if (earlier == report_.warnings.end()) {
      report_.warnings.push_back(warning);
      monitor.warn(position(), warning);
    } else if (warning.value > earlier->value) {
      *earlier = warning;
    }
  }

  JsonObject balance_json() const {
    const sph::Balance& balance = report_.last;
    JsonObject json;
    json.add("mass", balance.mass).add("kinetic", balance.kinetic).add("potential", balance.potential);
    json.add("internal", balance.internal).add("elastic", balance.elastic).add("mass_drift", report_.mass_drift);
    return json;
  }

  void save_restart(RunMonitor& monitor) {
    sph::Snapshot snapshot = timed(report_.collecting, [&] { return simulation_.snapshot(); });
    const sph::Clock clock = snapshot.clock;
    timed(report_.waiting, [&] { recorder_.restart(std::move(snapshot)); });
    monitor.log("restart", position_of(clock));
    since_restart_ = {};
    restart_is_due_ = false;
  }

  static constexpr std::int64_t steps_between_loads = 100;  // as many as between two balances of ranks

  Simulation& simulation_;
  const sph::Case& case_;
  const RunOptions& options_;
  std::unique_ptr<FolderLock> lock_;  ///< null on other ranks than 0
  std::optional<double> resumed_at_;
  const std::int64_t steps_to_profile_ =
      simulation_.profiles_for_free() ? std::numeric_limits<std::int64_t>::max() : 20;
  RankRecorder recorder_;
  RunReport report_;
  std::int64_t load_step_ = -steps_between_loads;  ///< step of RunReport::load
  Stopwatch since_restart_;
  bool restart_is_due_ = false;
};

}  // namespace

RunReport run(Simulation& simulation, const sph::Case& description, const RunOptions& options) {
  return SphRun(simulation, description, options).run();
}

RunReport run(sph::Solver& solver, const RunOptions& options) {
  SolverSimulation simulation(solver);
  return run(simulation, solver.simulation(), options);
}

}  // namespace shoal::io
