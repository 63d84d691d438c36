// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>
#include <shoal/io/run.hpp>
#include <shoal/sph.hpp>
#include <shoal/sph/warnings.hpp>

#include "bindings.hpp"
#include "support/host_arrays.hpp"
#include "support/overrides.hpp"

namespace shoal::python {

namespace {

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

}  // namespace

void bind_sph_reports(nb::module_& module) {
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
                          "arrays, a copy of the state.\n\nOn several ranks each has a part of the ids: row i of a "
                          "rank is row first + i of all. The parts of all ranks, in their order, are the rows of one "
                          "rank.")
      .def_ro("clock", &sph::Fields::clock, "Clock")
      .def_ro("first", &sph::Fields::first, "int: number of rows on the ranks before this one; 0 on one rank.")
      .def_ro("total", &sph::Fields::total, "int: number of rows on all ranks; n on one rank.")
      .def_prop_ro("id", column(&sph::Fields::id), nb::sig("def id(self) -> typing.Any"), "array: int64 [n].")
      .def_prop_ro("material", column(&sph::Fields::material), nb::sig("def material(self) -> typing.Any"),
                   "array: uint8 [n], number of the material.")
      .def_prop_ro("wall", column(&sph::Fields::wall), nb::sig("def wall(self) -> typing.Any"),
                   "array: uint8 [n], 1 for particles of walls.")
      .def_prop_ro("wall_number", column(&sph::Fields::wall_number), nb::sig("def wall_number(self) -> typing.Any"),
                   "array: int32 [n], number of the wall in the case; -1 for fluid.")
      .def_prop_ro("body", column(&sph::Fields::body), nb::sig("def body(self) -> typing.Any"),
                   "array: int32 [n], number of the body in the case in which the particle started; -1 for walls.")
      .def_prop_ro("position", column(&sph::Fields::position, 3), nb::sig("def position(self) -> typing.Any"),
                   "array: float64 [n, 3], m.")
      .def_prop_ro("velocity", column(&sph::Fields::velocity, 3), nb::sig("def velocity(self) -> typing.Any"),
                   "array: float32 [n, 3], m/s.")
      .def_prop_ro("density", column(&sph::Fields::density), nb::sig("def density(self) -> typing.Any"),
                   "array: float32 [n], kg/m3.")
      .def_prop_ro("pressure", column(&sph::Fields::pressure), nb::sig("def pressure(self) -> typing.Any"),
                   "array: float32 [n], Pa.")
      .def_prop_ro("energy", column(&sph::Fields::energy), nb::sig("def energy(self) -> typing.Any"),
                   "array: float32 [n], J/kg.")
      .def_prop_ro("viscosity", column(&sph::Fields::viscosity), nb::sig("def viscosity(self) -> typing.Any"),
                   "array: float32 [n], Pa s, of the last stage; 0 of walls; empty if all materials are newtonian.")
      .def_prop_ro("vorticity", column(&sph::Fields::vorticity, 3), nb::sig("def vorticity(self) -> typing.Any"),
                   "array: float32 [n, 3], 1/s, curl of the velocity of the fluid, in 2-D along z; 0 of walls; empty "
                   "unless the case has run.vorticity.");

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
      .def_ro("refinement_defect", &sph::Balance::refinement_defect,
              "list of float: kg, of each refinement: mass of its fluid in its box less that of the coarser fluid "
              "there that\n"
              "follows it.")
      .def_ro("inflow", &sph::Balance::inflow, "float: kg that entered through open boundaries since the start.")
      .def_ro("outflow", &sph::Balance::outflow, "float: kg that left through them.")
      .def_ro("added", &sph::Balance::added, "float: kg that programs added since the start.")
      .def_ro("removed", &sph::Balance::removed, "float: kg that programs removed.")
      .def_ro("density_error", &sph::Balance::density_error, "float: root mean square of rho / rho_0 - 1.")
      .def_ro("largest_density_error", &sph::Balance::largest_density_error, "float: maximum of abs(rho / rho_0 - 1).");

  nb::class_<sph::RankLoad>(module, "RankLoad", "Load of the ranks of a run.")
      .def_ro("heaviest", &sph::RankLoad::heaviest,
              "float: largest work of a rank, relative to the mean of all ranks; 1 on one rank. Ten particles of a "
              "repulsive or adami wall count as one other.")
      .def_ro(
          "halo", &sph::RankLoad::halo,
          "float: ghosts of all ranks, copies of particles of other ranks, relative to all particles; 0 on one rank.")
      .def("__repr__", [](const sph::RankLoad& load) {
        return text("<heaviest rank ", load.heaviest, " x mean, halo ", load.halo, ">");
      });

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

void bind_sph_case(nb::module_& module) {
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

}  // namespace shoal::python
