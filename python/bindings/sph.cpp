// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>
#include <shoal/sph.hpp>
#include <shoal/sph/warnings.hpp>

#include "bindings.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "support/host_arrays.hpp"
#include "support/interrupts.hpp"
#include "support/overrides.hpp"

namespace shoal::python {

namespace {

sph::Solver open_solver(const Queue& queue, const sph::Case& simulation,
                        const std::optional<std::filesystem::path>& restart) {
  if (!restart) return {queue, simulation};
  return {queue, simulation, io::read_restart(*restart).snapshot};
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

 private:
  std::function<void()> on_output_;
};

class BoundSolver {
 public:
  BoundSolver(const Queue& queue, const sph::Case& simulation, const std::optional<std::filesystem::path>& restart)
      : queue_(queue), solver_(open_solver(queue, simulation, restart)) {}

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
    interrupts.raise();
  }

  /// Advances a few steps at a time, to check for Ctrl-C between them.
  void advance_steps(std::int64_t steps) {
    require(steps >= 0, "sph: steps = ", steps, ", expected at least 0.");
    const BusyGuard guard("sph", *busy_);
    Interrupts interrupts;
    {
      const GilRelease gil_release;
      constexpr std::int64_t batch = 16;
      for (std::int64_t left = steps; left > 0 && interrupts.may_continue(); left -= batch)
        solver_.advance_steps(std::min(left, batch));
    }
    interrupts.raise();
  }

  io::RunReport write(nb::handle self, const std::filesystem::path& folder, nb::handle callback, bool force) {
    const BusyGuard guard("sph", *busy_);
    Interrupts interrupts;
    io::prepare_output(folder, solver_.simulation(), force);
    sph::Case description = solver_.simulation();
    io::store_inputs(folder, description);
    io::RunOptions options;
    options.folder = folder;
    options.device = queue_.name();
    options.on_warning = [&](const Warning& warning) { interrupts.run([&] { warn(warning); }); };
    bool stop = false;
    options.interrupted = [&] { return stop || !interrupts.may_continue(); };
    OutputCallbackSimulation simulation(solver_, [&] {
      if (!callback.is_none()) interrupts.run([&] { stop = nb::object(callback(self)).is(nb::bool_(false)); });
    });
    io::RunReport report;
    {
      const GilRelease gil_release;
      report = io::run(simulation, description, options);
    }
    interrupts.raise();
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
      io::write_restart(file, {solver_.snapshot(), solver_.simulation().text});
      return true;
    });
  }

  sph::Fields fields() const {
    return compute_report([&] { return solver_.fields(); });
  }
  sph::Balance balance() const {
    return compute_report([&] { return solver_.balance(); });
  }
  const sph::Solver& solver() const { return solver_; }
  const Queue& queue() const { return queue_; }

 private:
  Queue queue_;
  sph::Solver solver_;
  std::unique_ptr<std::atomic_flag> busy_ = std::make_unique<std::atomic_flag>();
};

/// Property that returns a member of Fields as a read-only array [n] or [n, 3], without a copy: the fields are a copy of
/// the solver's state, which a written array would not change.
template <class T>
auto column(std::vector<T> sph::Fields::*member, std::size_t columns = 1) {
  return [member, columns](nb::handle self) {
    const std::vector<T>& values = nb::cast<const sph::Fields&>(self).*member;
    std::vector<std::size_t> shape = {values.size() / columns};
    if (columns > 1) shape.push_back(columns);
    return view_of(values, shape, self);
  };
}

void bind_reports(nb::module_& module) {
  nb::class_<sph::Clock>(module, "Clock", "Time and step of a run.")
      .def_ro("time", &sph::Clock::time, "float: s.")
      .def_ro("step", &sph::Clock::step, "int")
      .def_ro("dt", &sph::Clock::dt, "float: s, length of the last step.")
      .def_ro("next_dt", &sph::Clock::next_dt, "float: s, length that the step control suggests for the next step.")
      .def_ro("particles", &sph::Clock::particles, "int: number of particles within the domain.")
      .def_ro("lost", &sph::Clock::lost, "int: number of particles that left the domain.")
      .def("__repr__", [](const sph::Clock& clock) {
        return text("<t = ", clock.time, " s, step ", clock.step, ", ", clock.particles, " particles>");
      });

  nb::class_<sph::Fields>(module, "Fields",
                          "Fields of the particles within the domain, in the order of their ids: read-only host "
                          "arrays, a copy of the state.")
      .def_ro("clock", &sph::Fields::clock, "Clock")
      .def_prop_ro("id", column(&sph::Fields::id), nb::sig("def id(self) -> typing.Any"), "array: int64 [n].")
      .def_prop_ro("material", column(&sph::Fields::material), nb::sig("def material(self) -> typing.Any"),
                   "array: uint8 [n], number of the material.")
      .def_prop_ro("wall", column(&sph::Fields::wall), nb::sig("def wall(self) -> typing.Any"),
                   "array: uint8 [n], 1 for particles of walls.")
      .def_prop_ro("position", column(&sph::Fields::position, 3), nb::sig("def position(self) -> typing.Any"),
                   "array: float64 [n, 3], m.")
      .def_prop_ro("velocity", column(&sph::Fields::velocity, 3), nb::sig("def velocity(self) -> typing.Any"),
                   "array: float32 [n, 3], m/s.")
      .def_prop_ro("density", column(&sph::Fields::density), nb::sig("def density(self) -> typing.Any"),
                   "array: float32 [n], kg/m3.")
      .def_prop_ro("pressure", column(&sph::Fields::pressure), nb::sig("def pressure(self) -> typing.Any"),
                   "array: float32 [n], Pa.")
      .def_prop_ro("energy", column(&sph::Fields::energy), nb::sig("def energy(self) -> typing.Any"),
                   "array: float32 [n], J/kg.");

  nb::class_<sph::Balance>(module, "Balance", "Totals over the fluid particles within the domain.")
      .def_ro("clock", &sph::Balance::clock, "Clock")
      .def_ro("mass", &sph::Balance::mass, "float: kg (per meter of depth in 2-D).")
      .def_ro("momentum", &sph::Balance::momentum, "list of float: kg m/s.")
      .def_ro("kinetic", &sph::Balance::kinetic, "float: J.")
      .def_ro("potential", &sph::Balance::potential, "float: J.")
      .def_ro("internal", &sph::Balance::internal, "float: J; 0 unless the case integrates energy.")
      .def_ro("elastic", &sph::Balance::elastic, "float: J.")
      .def_prop_ro("total", &sph::Balance::total, "float: J, sum of all four energies.")
      .def_ro("wall_power", &sph::Balance::wall_power, "float: W, power of moving walls on the fluid.")
      .def_ro("density_error", &sph::Balance::density_error, "float: root mean square of rho / rho_0 - 1.")
      .def_ro("largest_density_error", &sph::Balance::largest_density_error, "float: maximum of abs(rho / rho_0 - 1).");

  nb::class_<io::RunReport>(module, "RunReport", "Results of a run.")
      .def_ro("interrupted", &io::RunReport::interrupted, "bool: True if the run ended early.")
      .def_ro("name", &io::RunReport::name, "str: name of the output folder.")
      .def_ro("device", &io::RunReport::device, "str: description of the device.")
      .def_ro("first", &io::RunReport::first, "Balance: state at the start of this run.")
      .def_ro("last", &io::RunReport::last, "Balance: state at the end of this run.")
      .def_ro("wall", &io::RunReport::wall, "float: s, wall time of the run.")
      .def_ro("solving", &io::RunReport::solving, "float: s, wall time of the solver.")
      .def_ro("mass_drift", &io::RunReport::mass_drift, "float: change of the mass relative to the start.")
      .def_prop_ro(
          "warnings", [](const io::RunReport& report) { return warning_texts(report.warnings); },
          "list of str: warnings about the case and about the run.")
      .def_ro("files", &io::RunReport::files, "list of str: files in the output folder.")
      .def("__str__", &io::summary_text);
}

void bind_case(nb::module_& module) {
  nb::class_<sph::Case>(module, "Case", "A case of weakly compressible SPH; see shoal.sph.Case.")
      .def(
          "__init__",
          [](sph::Case* self, const std::string& source, const std::string& name, bool is_file,
             const std::vector<std::string>& values) {
            const io::Overrides overrides = python_overrides(values);
            new (self) sph::Case(is_file ? io::read_case(source, overrides) : io::parse_case(source, name, overrides));
          },
          "source"_a, "name"_a, "is_file"_a, "overrides"_a)
      .def_ro("title", &sph::Case::title, "str")
      .def_ro("text", &sph::Case::text, "str: the case as TOML, with every value.")
      .def_ro("dimensions", &sph::Case::dimensions, "int: 2 or 3.")
      .def_ro("spacing", &sph::Case::spacing, "float: m, distance of neighboring particles.")
      .def_ro("smoothing", &sph::Case::smoothing, "float: smoothing length / spacing.")
      .def_ro("duration", &sph::Case::duration, "float: s.")
      .def_prop_ro(
          "warnings", [](const sph::Case& simulation) { return warning_texts(sph::warnings(simulation)); },
          "list of str: doubts about the case, as in `shoal check`; each names the number and the remedy.")
      .def_prop_ro(
          "output_every", [](const sph::Case& simulation) { return simulation.output.every; },
          "float: s, interval of outputs; 0: only the first and the last state.")
      .def_prop_ro(
          "output_at", [](const sph::Case& simulation) { return simulation.output.times; },
          "list of float: s, times of outputs in place of `output_every`.");
}

}  // namespace

void bind_sph(nb::module_& module) {
  bind_reports(module);
  bind_case(module);
  nb::class_<BoundSolver>(module, "Solver", R"(A weakly compressible SPH run.

Parameters
----------
case : shoal.sph.Case
device : str
    "cpu", "cuda", "cuda:1", or "best".
threads : int
    Number of threads on the CPU; 0: the default of OpenMP.
restart : str, optional
    Restart file from which the run continues, with the same bits.

Raises
------
Error
    The case has no particles, or bodies inside walls; the method is not available on this device; there is no
    such file.

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
             const std::optional<std::filesystem::path>& restart) {
            const Queue queue = queue_of(text_of(nb::borrow(device)), threads);
            {
              const GilRelease gil_release;
              new (self) BoundSolver(queue, simulation, restart);
            }
            for (const Warning& warning : sph::warnings(simulation)) warn(warning);
          },
          "case"_a, "device"_a = "best", "threads"_a = 0, "restart"_a = nb::none(),
          nb::sig("def __init__(self, case: Case, device: typing.Any = 'best', threads: int = 0, restart: str | "
                  "os.PathLike[str] | None = None) -> None"))
      .def("advance_to", &BoundSolver::advance_to, "time"_a,
           R"(Runs until `time`, s. Ctrl-C ends the run between two steps, in a valid state.

Raises
------
Error
    The run is unstable: a particle moved further than its support in one step, or is not finite; names step,
    time and particle. `save` then writes the last valid state.
)")
      .def("advance_steps", &BoundSolver::advance_steps, "steps"_a, "Runs a number of steps.")
      .def(
          "write",
          [](nb::handle self, const std::filesystem::path& folder, nb::handle callback, bool force) {
            return nb::cast<BoundSolver&>(self).write(self, folder, callback, force);
          },
          "folder"_a, "callback"_a = nb::none(), "force"_a = false,
          nb::sig("def write(self, folder: str | os.PathLike[str], callback: collections.abc.Callable[[Solver], bool | "
                  "None] | None = None, force: bool = False) -> RunReport"),
          R"(Runs to the end of the case and writes fields, probes, balance, restarts and summary into a folder.

The folder also gets copies of the files that the case reads, so that it can be moved and resumed. A lock keeps other
runs out of it.

Parameters
----------
folder : str
    Output folder, like that of ``shoal run --out``.
callback : callable, optional
    Function of this solver, called at every output. The run ends when it returns False.
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
      .def("fields", &BoundSolver::fields, "Fields: the state of the particles, copied to the host once.")
      .def("balance", &BoundSolver::balance, "Balance: mass, momentum and energies.")
      .def("measure", &BoundSolver::measure, nb::sig("def measure(self) -> dict[str, dict[str, float]]"),
           R"(Current values of the case's probes.

Returns
-------
dict
    A dict for each probe, by its name: from quantities with their units, like "pressure [Pa]", to numbers.
)")
      .def("save", &BoundSolver::save, "file"_a, nb::sig("def save(self, file: str | os.PathLike[str]) -> None"),
           "Writes a restart file: every bit of the state.")
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
