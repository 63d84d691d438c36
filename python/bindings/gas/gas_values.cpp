// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "gas/gas_options.hpp"
#include "support/host_arrays.hpp"

namespace shoal::python {

namespace {

const Options<GasBoundary>& boundary_options() {
  static const auto table = Options<GasBoundary>()
                                .add("kind", &GasBoundary::kind)
                                .add("temperature", &GasBoundary::temperature)
                                .add("velocity", &GasBoundary::velocity)
                                .add("density", &GasBoundary::density)
                                .add("accommodation", &GasBoundary::accommodation)
                                .add("last_temperature", &GasBoundary::last_temperature)
                                .add("second_density", &GasBoundary::second_density);
  return table;
}

void bind_boundary(nb::module_& module) {
  nb::class_<GasBoundary>(module, "GasBoundary", R"(Boundary at one end of a line of cells, or at one side of a plane.

Parameters
----------
kind : {"diffuse", "specular", "inflow", "periodic", "behind_shock"}
    Wall that emits a Maxwellian with the mass that arrives; smooth wall or plane of symmetry; reservoir; joined ends;
    reservoir behind a normal shock, which holds the shock in place while a steady state is sought.
temperature : float
    m2/s2, k T / m, diffuse, inflow, behind_shock.
velocity : sequence of float
    m/s, diffuse (0 normal to the wall), inflow, behind_shock.
density : float
    1/m3, inflow, behind_shock.
accommodation : float
    diffuse: share of molecules that the wall emits; it reflects the others specularly.
last_temperature : float, optional
    m2/s2, diffuse side of a plane: temperature at its last end, linear from `temperature` at its first end.
second_density : float
    1/m3, inflow of a mixture: density of the second gas, whose k T and velocity are those of the first.
)")
      .def(
          "__init__",
          [](GasBoundary* self, const nb::kwargs& keywords) {
            new (self) GasBoundary(read_options("gas_boundary", keywords, boundary_options()));
          },
          "keywords"_a, nb::sig(signature("def __init__(self, *, ", boundary_options().signature(), ") -> None")))
      .def_prop_ro(
          "kind", [](const GasBoundary& boundary) { return std::string(to_name(boundary.kind)); }, "str")
      .def_ro("temperature", &GasBoundary::temperature, "float: m2/s2, k T / m.")
      .def_ro("velocity", &GasBoundary::velocity, "list of float: m/s.")
      .def_ro("density", &GasBoundary::density, "float: 1/m3.")
      .def_ro("accommodation", &GasBoundary::accommodation, "float: share of molecules that a wall emits.")
      .def_ro("second_density", &GasBoundary::second_density, "float: 1/m3, of the second gas of a mixture.")
      .def_ro("last_temperature", &GasBoundary::last_temperature, "float or None: m2/s2, at the last end of a side.");
}

void bind_results(nb::module_& module) {
  nb::class_<GasFlux>(
      module, "GasFlux",
      "Flux along the axis through one end of a line or a side of a plane, or what flowed through it, per "
      "mass of a molecule. That of a side has one power of m more.")
      .def_ro("mass", &GasFlux::mass, "float: int v_n f, 1/m2/s.")
      .def_ro("momentum", &GasFlux::momentum, "list of float: int v_n v f, 1/m/s2.")
      .def_ro("energy", &GasFlux::energy, "float: int v_n v**2/2 f, 1/s3.");
  nb::class_<GasClock>(module, "GasClock", "Position of a flow in time and on the way to a steady state.")
      .def_ro("time", &GasClock::time, "float: s.")
      .def_ro("steps", &GasClock::steps, "int: time steps, and iterations to a steady state.")
      .def_ro("iterations", &GasClock::iterations, "int: iterations to a steady state.")
      .def_ro("evaluations", &GasClock::evaluations, "int: evaluations of Q.")
      .def_ro("steady_mass", &GasClock::steady_mass, "float: 1/m2, mass that the iteration keeps; 0: none has begun.")
      .def_ro("second_steady_mass", &GasClock::second_steady_mass,
              "float: 1/m2, as steady_mass, of the second gas of a mixture.")
      .def_ro(
          "transfers", &GasClock::transfers,
          "list of GasFlux: what flowed through the left, right, bottom and top side, integrated over time; then the "
          "same of the second gas of a plane.");
  nb::class_<SteadyResult>(module, "SteadyResult", "Result of an iteration to a steady state.")
      .def_ro("converged", &SteadyResult::converged, "bool: the residual was reached.")
      .def_ro("iterations", &SteadyResult::iterations,
              "int: steps or sweeps of this call; all those of the continuation count as one.")
      .def_ro("residual", &SteadyResult::residual, "float: residual at the end.");
}

void bind_functions(nb::module_& module) {
  module.def(
      "uniform_faces",
      [](double first, double last, int cells) { return copy_of(gas::uniform_faces(first, last, cells)); }, "first"_a,
      "last"_a, "cells"_a, nb::sig("def uniform_faces(first: float, last: float, cells: int) -> typing.Any"),
      "Faces of cells of equal width: float64 [cells + 1], m.");
  module.def(
      "stretched_faces",
      [](double first, double last, int cells, double wall_ratio) {
        return copy_of(gas::stretched_faces(first, last, cells, wall_ratio));
      },
      "first"_a, "last"_a, "cells"_a, "wall_ratio"_a,
      nb::sig("def stretched_faces(first: float, last: float, cells: int, wall_ratio: float) -> typing.Any"),
      "Faces of cells whose widths grow from both ends to the middle: float64 [cells + 1], m. `wall_ratio` is the "
      "width "
      "of a cell over that of its neighbor toward the end.");
  module.def("behind_shock", &gas::behind_shock, "velocities"_a, "ahead"_a, "mixture"_a.none() = nb::none(),
             "Reservoir of kind behind_shock from that ahead of a normal shock, an inflow along x that is faster than "
             "sound: the conditions of Rankine and Hugoniot for the sums over the nodes of a velocity grid. With a "
             "mixture each gas carries its own mass.");
  module.def(
      "viscosity", &gas::viscosity, "molecules"_a, "temperature"_a,
      "Viscosity over the mass of a molecule, 1/m/s, at a temperature k T / m, m2/s2: exact for Maxwell molecules "
      "and hard spheres, the first Sonine approximation for vhs and vss (Chapman and Cowling 1970).");
  const std::string definition_hint = "definition: " + OptionType<MeanFreePath>::name();
  module.def(
      "mean_free_path",
      [](nb::handle definition, const Molecules& molecules, double density, double temperature) {
        return gas::mean_free_path(OptionType<MeanFreePath>::read("mean_free_path: definition", definition), molecules,
                                   density, temperature);
      },
      "definition"_a, "molecules"_a, "density"_a, "temperature"_a,
      nb::sig(signature("def mean_free_path(", definition_hint,
                        ", molecules: Molecules, density: float, temperature: float) -> float")),
      "Mean free path, m, at a density, 1/m3, and a temperature k T / m, m2/s2. Publications differ in the definition: "
      "docs/gas.md.");
  module.def(
      "molecules_of_knudsen",
      [](nb::handle model, nb::handle definition, double knudsen, double length, double density, double temperature) {
        const std::string name = "molecules_of_knudsen: ";
        return gas::molecules_of_knudsen(OptionType<MoleculeModel>::read(name + "model", model),
                                         OptionType<MeanFreePath>::read(name + "definition", definition), knudsen,
                                         length, density, temperature);
      },
      "model"_a, "definition"_a, "knudsen"_a, "length"_a = 1.0, "density"_a = 1.0, "temperature"_a = 1.0,
      nb::sig(signature("def molecules_of_knudsen(model: ", OptionType<MoleculeModel>::name(), ", ", definition_hint,
                        ", knudsen: float, length: float = 1.0, density: float = 1.0, temperature: float = 1.0) -> "
                        "Molecules")),
      "Molecules (maxwell or hard_sphere) whose mean free path at a density, 1/m3, and a temperature k T / m, m2/s2, "
      "is "
      "knudsen * length, m.");
}

}  // namespace

void bind_gas_values(nb::module_& module) {
  bind_boundary(module);
  bind_results(module);
  bind_functions(module);
}

}  // namespace shoal::python
