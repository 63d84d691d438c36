// SPDX-License-Identifier: Apache-2.0
#include <shoal/sph/warnings.hpp>

#include "sph/bound_solver.hpp"

namespace shoal::python {

namespace {

/// Cycles through the callback, which may refer to the solver.
/// @{
int traverse(PyObject* self, visitproc visit, void* arg) {  // the names that Py_VISIT takes
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<BoundSolver>(self)->callback().ptr());
  return 0;
}
int clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<BoundSolver>(self)->callback() = nb::none();
  return 0;
}
PyType_Slot cycle_slots[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)}, {Py_tp_clear, reinterpret_cast<void*>(clear)}, {0, nullptr}};
/// @}

}  // namespace

void bind_sph(nb::module_& module) {
  bind_sph_reports(module);
  bind_sph_case(module);
  bind_sph_particles(module);
  nb::class_<BoundSolver>(module, "Solver", nb::type_slots(cycle_slots), R"(A weakly compressible SPH run.

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
      .def(
          "particles",
          [](nb::handle self, nb::handle library) { return nb::cast<BoundSolver&>(self).particles(self, library); },
          "library"_a = nb::none(),
          nb::sig("def particles(self, library: typing.Literal['numpy', 'cupy', 'torch', 'jax'] | None = None) -> "
                  "Particles"),
          R"(The particles at the present time: arrays on their device, and what can be set of them. See docs/sph_control.md.

Parameters
----------
library : str, optional
    Library of the arrays: "numpy", "cupy", "torch" or "jax". Default: NumPy on the CPU; on CUDA arrays with
    `__dlpack__`, for ``cupy.from_dlpack`` and ``torch.from_dlpack``.

On several ranks these are the particles that this rank steps.
)")
      .def(
          "on_step", &BoundSolver::on_step, "callback"_a.none(), "every"_a = 1, "library"_a = nb::none(),
          nb::sig("def on_step(self, callback: collections.abc.Callable[[Particles], bool | None] | None, every: int = "
                  "1, library: typing.Literal['numpy', 'cupy', 'torch', 'jax'] | None = None) -> None"),
          R"(Calls a function before each step whose number is a multiple of `every`, in all that advances the run.

On CUDA steps are then launched `every` at a time, and the host waits for them; nothing is copied.

Parameters
----------
callback : callable or None
    Function of the particles at the start of the step; returning False ends the run before it, an exception too. On several
    ranks all call it, and one that ends the run ends it for all. It may also call `drive`, `push` and the reports of this solver. None: removes the function.
every : int
    Steps from one call to the next.
library : str, optional
    Library of the arrays, as in `particles`.

Raises
------
Error
    `every` is less than 1.
)")
      .def("drive", &BoundSolver::drive, "wall"_a, "velocity"_a, "angular_velocity"_a = nb::make_tuple(0, 0, 0),
           nb::sig("def drive(self, wall: str, velocity: collections.abc.Sequence[float], angular_velocity: "
                   "collections.abc.Sequence[float] = (0, 0, 0)) -> None"),
           R"(Lets a rigid body move with given velocities, whatever acts on it, until the next call or `release`.

A restart holds the velocities, but not that they are given.

Parameters
----------
wall : str
    Name of the wall that the body is.
velocity : sequence of float
    m/s, of the center of mass.
angular_velocity : sequence of float
    degrees/s; along z in 2-D.
)")
      .def("release", &BoundSolver::release, "wall"_a,
           "Lets a driven body move freely again, with its velocities, but 0 along locked axes.")
      .def("push", &BoundSolver::push, "wall"_a, "force"_a, "moment"_a = nb::make_tuple(0, 0, 0),
           nb::sig("def push(self, wall: str, force: collections.abc.Sequence[float], moment: "
                   "collections.abc.Sequence[float] = (0, 0, 0)) -> None"),
           R"(Adds a load to those of a rigid body in all steps, until it is set again. A restart does not hold it.

Parameters
----------
wall : str
    Name of the wall that the body is.
force : sequence of float
    N (2-D: N/m).
moment : sequence of float
    N m about the center of mass; along z in 2-D.
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
