// SPDX-License-Identifier: Apache-2.0
// A solver as Python sees it: calls without Python's lock, Ctrl-C, and callbacks.
#pragma once
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>
#include <shoal/sph.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "core/device/queue_order.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "sph/bound_particles.hpp"
#include "support/interrupts.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

inline sph::Solver open_solver(const Queue& queue, const sph::Case& simulation,
                               const std::optional<std::filesystem::path>& restart, const Communicator& ranks) {
  if (!restart) return {queue, simulation, ranks};
  return {queue, simulation, io::read_restart(*restart, ranks).snapshot, ranks};
}

/// Simulation that calls a function before it writes fields.
class OutputCallbackSimulation : public io::SolverSimulation {
 public:
  OutputCallbackSimulation(sph::Solver& solver, std::function<void()> on_output)
      : SolverSimulation(solver), on_output_(std::move(on_output)) {}

  sph::Fields fields() const override {
    on_output_();
    return SolverSimulation::fields();
  }
  std::function<sph::Fields()> fields_later() const override {
    on_output_();
    return SolverSimulation::fields_later();
  }

 private:
  std::function<void()> on_output_;
};

class BoundSolver {
 public:
  BoundSolver(const Queue& queue, const sph::Case& simulation, const std::optional<std::filesystem::path>& restart,
              const Communicator& ranks)
      : queue_(queue), ranks_(ranks), solver_(open_solver(queue, simulation, restart, ranks)) {}

 private:
  /// Computes a report. Callbacks may request reports between two steps of a run, so the solver may be in use.
  template <class Compute>
  auto compute_report(Compute compute) const {
    const GilRelease gil_release;
    return compute();
  }

 public:
  void advance_to(double time) {
    const BusyGuard guard("sph", *busy_);
    Interrupts interrupts;
    const Steps steps(*this, interrupts);
    {
      const GilRelease gil_release;
      solver_.advance_to(time, [&](const sph::Clock&) { return interrupts.may_continue(); });
    }
    raise_on_all(ranks_, interrupts);
  }

  /// Advances a few steps at a time, to check for Ctrl-C between them.
  void advance_steps(std::int64_t steps) {
    require(steps >= 0, "sph: steps = ", steps, ", expected at least 0.");
    const BusyGuard guard("sph", *busy_);
    Interrupts interrupts;
    const Steps running(*this, interrupts);
    {
      const GilRelease gil_release;
      constexpr std::int64_t batch = 16;
      for (std::int64_t left = steps; left > 0 && all_may_continue(ranks_, interrupts); left -= batch)
        solver_.advance_steps(std::min(left, batch));
    }
    raise_on_all(ranks_, interrupts);
  }

  io::RunReport write(nb::handle self, const std::filesystem::path& folder, nb::handle callback, bool force) {
    const BusyGuard guard("sph", *busy_);
    Interrupts interrupts;
    const Steps steps(*this, interrupts);
    sph::Case description = solver_.simulation();
    io::on_first_rank(ranks_, [&] {
      io::prepare_output(folder, solver_.simulation(), force);
      io::store_inputs(folder, description);
    });
    io::RunOptions options;
    options.ranks = ranks_;
    options.folder = folder;
    options.particles_change = !callback_.is_none() || !callback.is_none();
    options.device = device_of_ranks(queue_, ranks_);
    options.on_warning = [&](const Warning& warning) { interrupts.run([&] { warn(warning); }); };
    bool stop = false;
    options.interrupted = [&] { return stop || !interrupts.may_continue(); };
    OutputCallbackSimulation simulation(solver_, [&] {
      if (callback.is_none()) return;
      interrupts.run([&] {
        const CallbackScope scope(*this);
        stop = nb::object(callback(self)).is(nb::bool_(false));
      });
      // The ranks cannot write a last state together if the callback has ended between calls of all ranks.
      if (ranks_.size() > 1 && interrupts.has_error()) {
        const GilAcquire gil;
        interrupts.raise();
      }
    });
    io::RunReport report;
    {
      const GilRelease gil_release;
      report = io::run(simulation, description, options);
    }
    raise_on_all(ranks_, interrupts);
    return report;
  }

  BoundParticles particles(nb::handle self, nb::handle library) {
    const UnlessCalledBack guard(*this);
    return {solver_.particles(), nb::borrow(self), exports_, read_library(library, queue_)};
  }

  void on_step(nb::handle callback, std::int64_t every, nb::handle library) {
    const UnlessCalledBack guard(*this);
    const Library chosen = read_library(library, queue_);
    require(callback.is_none() || PyCallable_Check(callback.ptr()), "sph: callback = ", text_of(nb::borrow(callback)),
            ", expected a function of the particles, or None.");
    sph::StepCallback call;
    if (!callback.is_none()) call = [this, chosen](sph::Particles& particles) { return call_back(particles, chosen); };
    solver_.on_step(std::move(call), every);
    callback_ = nb::borrow(callback);
  }

  void drive(const std::string& wall, nb::handle velocity, nb::handle angular_velocity) {
    const UnlessCalledBack guard(*this);
    solver_.drive(wall, OptionType<sph::Vector>::read("sph: velocity", velocity),
                  OptionType<sph::Vector>::read("sph: angular_velocity", angular_velocity));
  }
  void release(const std::string& wall) {
    const UnlessCalledBack guard(*this);
    solver_.release(wall);
  }
  void push(const std::string& wall, nb::handle force, nb::handle moment) {
    const UnlessCalledBack guard(*this);
    solver_.push(wall, OptionType<sph::Vector>::read("sph: force", force),
                 OptionType<sph::Vector>::read("sph: moment", moment));
  }

  /// Python objects that this one refers to, for the search of cycles.
  nb::object& callback() { return callback_; }

  nb::dict measure() const {
    const std::vector<sph::Probe>& probes = solver_.simulation().probes;
    const std::vector<double> values = compute_report([&] { return solver_.measure(probes); });
    nb::dict named;
    std::size_t next = 0;
    for (const sph::Probe& probe : probes) {
      const std::vector<std::string> columns = sph::probe_columns(probe, solver_.simulation().dimensions);
      nb::dict numbers;
      for (const std::string& column : columns) numbers[column.c_str()] = values.at(next++);
      named[probe.name.c_str()] = numbers;
    }
    return named;
  }

  void save(const std::filesystem::path& file) const {
    compute_report([&] {
      io::write_restart(file, {solver_.snapshot(), solver_.simulation().text}, ranks_);
      return true;
    });
  }

  sph::Fields fields() const {
    return compute_report([&] { return solver_.fields(); });
  }
  sph::Balance balance() const {
    return compute_report([&] { return solver_.balance(); });
  }
  sph::RankLoad load() const {
    return compute_report([&] { return solver_.load(); });
  }
  const sph::Solver& solver() const { return solver_; }
  const Queue& queue() const { return queue_; }

 private:
  /// Scope in which Python code that this solver calls may control it.
  class CallbackScope {
   public:
    explicit CallbackScope(BoundSolver& solver) : solver_(solver) { solver_.is_calling_back_ = true; }
    ~CallbackScope() { solver_.is_calling_back_ = false; }
    CallbackScope(const CallbackScope&) = delete;

   private:
    BoundSolver& solver_;
  };

  /// Exclusive use of the solver, which its callbacks have already.
  class UnlessCalledBack {
   public:
    explicit UnlessCalledBack(BoundSolver& solver) {
      if (!solver.is_calling_back_) guard_.emplace("sph", *solver.busy_);
    }

   private:
    std::optional<BusyGuard> guard_;
  };

  /// Scope of a call that makes steps. Errors of callbacks go to its interrupts.
  class Steps {
   public:
    Steps(BoundSolver& solver, Interrupts& interrupts) : solver_(solver) {
      solver_.ranks_.agree([&] { solver_.begin_steps(); });
      solver_.interrupts_ = &interrupts;
    }
    ~Steps() { solver_.interrupts_ = nullptr; }
    Steps(const Steps&) = delete;

   private:
    BoundSolver& solver_;
  };

  /// Lets steps follow the work of other libraries on the legacy default stream, which may read views.
  void begin_steps() {
    if (!queue_.on_cpu()) enqueue_wait(queue_, Queue::cuda(queue_.device().index, nullptr));
    const bool memory_stays = solver_.simulation().open_boundaries.empty() && ranks_.size() == 1;
    require(memory_stays || exports_.use_count() == 1,
            "sph: arrays that are views of the particles are still in use, and their memory moves where particles "
            "enter or change their rank. Delete them before the next step, or copy what you keep.");
  }

  /// @return  false: the run ends before the step
  bool call_back(const sph::Particles& particles, Library library) {
    bool continues = true;
    interrupts_->run([&] {
      const CallbackScope scope(*this);
      const nb::object argument = nb::cast(BoundParticles(particles, nb::find(*this), exports_, library));
      continues = !nb::object(callback_(argument)).is(nb::bool_(false));
    });
    if (interrupts_->has_error()) return false;
    begin_steps();
    return continues;
  }

  Queue queue_;
  Communicator ranks_;
  sph::Solver solver_;
  nb::object callback_ = nb::none();
  Interrupts* interrupts_ = nullptr;  ///< those of the call that makes steps; else null
  bool is_calling_back_ = false;
  std::shared_ptr<int> exports_ = std::make_shared<int>();
  std::unique_ptr<std::atomic_flag> busy_ = std::make_unique<std::atomic_flag>();
};

}  // namespace shoal::python
