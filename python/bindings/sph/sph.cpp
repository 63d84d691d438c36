// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>
#include <shoal/sph.hpp>
#include <shoal/sph/warnings.hpp>

#include "bindings.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "support/interrupts.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

namespace {

sph::Solver open_solver(const Queue& queue, const sph::Case& simulation,
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
    sph::Case description = solver_.simulation();
    io::on_first_rank(ranks_, [&] {
      io::prepare_output(folder, solver_.simulation(), force);
      io::store_inputs(folder, description);
    });
    io::RunOptions options;
    options.ranks = ranks_;
    options.folder = folder;
    options.device = device_of_ranks(queue_, ranks_);
    options.on_warning = [&](const Warning& warning) { interrupts.run([&] { warn(warning); }); };
    bool stop = false;
    options.interrupted = [&] { return stop || !interrupts.may_continue(); };
    OutputCallbackSimulation simulation(solver_, [&] {
      if (callback.is_none()) return;
      interrupts.run([&] { stop = nb::object(callback(self)).is(nb::bool_(false)); });
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
  Queue queue_;
  Communicator ranks_;
  sph::Solver solver_;
  std::unique_ptr<std::atomic_flag> busy_ = std::make_unique<std::atomic_flag>();
};

}  // namespace

void bind_sph(nb::module_& module) {
  bind_sph_reports(module);
  bind_sph_case(module);
  nb::class_<BoundSolver>(module, "Solver", R"(A weakly compressible SPH run.

Parameters
----------
case : shoal.sph.Case
device : str or shoal.mpi.Queue
    "cpu", "cuda", "cuda:1", or "best"; with several ranks "cuda" is a device for each.
threads : int
    Number of threads on the CPU; 0: the default of OpenMP, with several ranks a share of the cores.
restart : str, optional
    Restart file from which the run continues, with the same bits; of any number of ranks.
ranks : shoal.mpi.Ranks, optional
    Ranks that share the run. All make the same calls. Clock, balance and probes are those of the whole run; `fields`
    has this rank's part.

Raises
------
Error
    The case has no particles, or bodies inside walls; the method is not available on this device; there is no
    such file; there are fewer than two layers of cells for each rank.

Examples
--------
>>> solver = shoal.sph.Solver(case)
>>> solver.advance_to(0.5)
>>> solver.fields().pressure.max()

References
----------
Massidda, "SPH code parallelization and validation for free surface flow" (THINS).
)")
      .def(
          "__init__",
          [](BoundSolver* self, const sph::Case& simulation, nb::handle device, int threads,
             const std::optional<std::filesystem::path>& restart, nb::handle several) {
            const Communicator ranks =
                ranks_or_alone(OptionType<std::optional<Communicator>>::read("sph: ranks", several));
            const Queue queue = queue_of(read_device(device), threads, ranks);
            {
              const GilRelease gil_release;
              new (self) BoundSolver(queue, simulation, restart, ranks);
            }
            for (const Warning& warning : sph::warnings(simulation, ranks.size()))
              if (ranks.rank() == 0) warn(warning);
          },
          "case"_a, "device"_a = "best", "threads"_a = 0, "restart"_a = nb::none(), "ranks"_a = nb::none(),
          nb::sig("def __init__(self, case: Case, device: typing.Any = 'best', threads: int = 0, restart: str | "
                  "os.PathLike[str] | None = None, ranks: Ranks | None = None) -> None"))
      .def("advance_to", &BoundSolver::advance_to, "time"_a,
           R"(Runs until `time`, s. Ctrl-C ends the run between two steps, in a valid state.

Raises
------
Error
    The run is unstable: a particle moved further than its support in one step, or is not finite; names step,
    time and particle. `save` then writes the last valid state.
)")
      .def("advance_steps", &BoundSolver::advance_steps, "steps"_a, "Runs a number of steps; Ctrl-C as in advance_to.")
      .def(
          "write",
          [](nb::handle self, const std::filesystem::path& folder, nb::handle callback, bool force) {
            return nb::cast<BoundSolver&>(self).write(self, folder, callback, force);
          },
          "folder"_a, "callback"_a = nb::none(), "force"_a = false,
          nb::sig("def write(self, folder: str | os.PathLike[str], callback: collections.abc.Callable[[Solver], bool | "
                  "None] | None = None, force: bool = False) -> RunReport"),
          R"(Runs to the end of the case and writes fields, probes, balance, restarts and summary into a folder.

On several ranks rank 0 writes; the files have the bytes of one rank's.

The folder also gets copies of the files that the case reads, so that it can be moved and resumed. A lock keeps other
runs out of it.

Parameters
----------
folder : str
    Output folder, like that of ``shoal run --out``.
callback : callable, optional
    Function of this solver, called at every output. The run ends when it returns False. Each rank calls it; that of
    rank 0 decides, and an exception of one rank ends all.
force : bool
    Removes the files of an earlier run.

Returns
-------
RunReport

Raises
------
Error
    The folder has files, is in use by another run, or cannot be written; an error of the run. The last valid state is
    then in restart.h5.
KeyboardInterrupt
    After Ctrl-C; the state is in restart.h5.
)")
      .def("fields", &BoundSolver::fields,
           "Fields: the state of the particles, copied to the host once; on several ranks this rank's part.")
      .def("balance", &BoundSolver::balance, "Balance: mass, momentum and energies.")
      .def("load", &BoundSolver::load,
           R"(Evenness of the ranks, and the share of their ghosts, in the last step.

All ranks call it, also in the callback of `write`, and get the same numbers.

Returns
-------
RankLoad
)")
      .def("measure", &BoundSolver::measure, nb::sig("def measure(self) -> dict[str, dict[str, float]]"),
           R"(Current values of the case's probes.

Returns
-------
dict
    A dict for each probe, by its name: from quantities with their units, like "pressure [Pa]", to numbers.
)")
      .def("save", &BoundSolver::save, "file"_a, nb::sig("def save(self, file: str | os.PathLike[str]) -> None"),
           "Writes a restart file: every bit of the state, of all ranks.")
      .def_prop_ro(
          "clock", [](const BoundSolver& solver) { return solver.solver().clock(); },
          "Clock: time and step of the run.")
      .def_prop_ro(
          "method", [](const BoundSolver& solver) { return solver.solver().method(); },
          "MethodInfo: method that the solver selected.")
      .def_prop_ro(
          "device", [](const BoundSolver& solver) { return solver.queue().name(); }, "str: description of the device.");
}

}  // namespace shoal::python
