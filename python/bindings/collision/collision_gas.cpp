// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision.hpp>

#include "bindings.hpp"
#include "support/host_arrays.hpp"

namespace shoal::python {

namespace {

const Options<VelocityGrid>& grid_options() {
  static const auto table = Options<VelocityGrid>()
                                .add("nodes", &VelocityGrid::nodes)
                                .add("half_width", &VelocityGrid::half_width)
                                .add("center", &VelocityGrid::center);
  return table;
}

const Options<Molecules>& molecule_options() {
  static const auto table = Options<Molecules>()
                                .add("model", &Molecules::model)
                                .add("rate", &Molecules::rate)
                                .add("diameter", &Molecules::diameter)
                                .add("viscosity_exponent", &Molecules::viscosity_exponent)
                                .add("reference_temperature", &Molecules::reference_temperature)
                                .add("mass", &Molecules::mass)
                                .add("scattering_exponent", &Molecules::scattering_exponent);
  return table;
}

/// Keywords of Mixture.
struct MixtureKeywords {
  double cross_rate = 0, cross_diameter = 0;
  std::array<double, 2> support_radius = {};
};

const Options<MixtureKeywords>& mixture_keywords() {
  static const auto table = Options<MixtureKeywords>()
                                .add("cross_rate", &MixtureKeywords::cross_rate)
                                .add("cross_diameter", &MixtureKeywords::cross_diameter)
                                .add("support_radius", &MixtureKeywords::support_radius);
  return table;
}

Mixture mixture_of(const Molecules& first, const Molecules& second, const MixtureKeywords& keywords) {
  Mixture mixture(first, second);
  mixture.cross_rate = keywords.cross_rate;
  mixture.cross_diameter = keywords.cross_diameter;
  mixture.support_radius = keywords.support_radius;
  return mixture;
}

}  // namespace

void bind_collision_gas(nb::module_& module) {
  nb::class_<VelocityGrid>(module, "VelocityGrid",
                           R"(Uniform velocity grid: a cube of nodes**3 cells with one node at the center of each cell.

Parameters
----------
nodes : int
    Nodes along each axis, 8 to 128.
half_width : float
    m/s, distance from the center to each face.
center : sequence of float
    m/s.
)")
      .def(
          "__init__",
          [](VelocityGrid* self, const nb::kwargs& keywords) {
            new (self) VelocityGrid(read_options("velocity_grid", keywords, grid_options()));
          },
          "keywords"_a, nb::sig(signature("def __init__(self, *, ", grid_options().signature(), ") -> None")))
      .def_ro("nodes", &VelocityGrid::nodes, "int: nodes along each axis.")
      .def_ro("half_width", &VelocityGrid::half_width, "float: m/s.")
      .def_ro("center", &VelocityGrid::center, "list of float: m/s.")
      .def_prop_ro("spacing", &VelocityGrid::spacing, "float: m/s between nodes.")
      .def_prop_ro("node_count", &VelocityGrid::node_count, "int: nodes**3.")
      .def(
          "axis",
          [](const VelocityGrid& grid, int axis) {
            require(axis >= 0 && axis < 3, "velocity_grid: axis = ", axis, ", expected 0, 1 or 2.");
            std::vector<double> values;
            for (int i = 0; i < grid.nodes; ++i) values.push_back(grid.velocity(axis, i));
            return copy_of(values);
          },
          "axis"_a, nb::sig("def axis(self, axis: int) -> typing.Any"),
          "The velocities of the nodes along an axis (0 is x): float64 [nodes], m/s.");
  nb::class_<Molecules>(module, "Molecules", R"(Molecules of a gas. The model ignores parameters that it does not use.

Parameters
----------
model : {"maxwell", "hard_sphere", "vhs", "vss"}
    Scattering model.
rate : float
    m3/s, maxwell: collision frequency of a molecule per density.
diameter : float
    m, all but maxwell; for vhs and vss at the reference temperature.
viscosity_exponent : float
    vhs, vss: from 1/2 (hard spheres) to 1 (Maxwell).
reference_temperature : float
    K, vhs, vss.
mass : float
    kg, vhs, vss, mixtures.
scattering_exponent : float
    vss: 1 is isotropic.

References
----------
Bird (1994), "Molecular gas dynamics and the direct simulation of gas flows", chapter 2.
)")
      .def(
          "__init__",
          [](Molecules* self, const nb::kwargs& keywords) {
            new (self) Molecules(read_options("molecules", keywords, molecule_options()));
          },
          "keywords"_a, nb::sig(signature("def __init__(self, *, ", molecule_options().signature(), ") -> None")));
  nb::class_<Mixture>(
      module, "Mixture",
      R"(Two gases of Maxwell molecules or of hard spheres on one velocity grid, with approach "spectral".

Parameters
----------
first, second : Molecules
    Of one model, with their masses: kg, or another unit of both.
cross_rate : float
    m3/s, maxwell: collision frequency of a molecule per density of the other gas.
cross_diameter : float
    m, hard_sphere: of unlike molecules; 0: the mean of both diameters.
support_radius : sequence of float
    m/s, of each gas: distance from the center of the grid beyond which f is negligible; 0: half of `cutoff`.

Examples
--------
>>> mixture = shoal.Mixture(shoal.Molecules(mass=1), shoal.Molecules(mass=0.5), cross_rate=1)
>>> q = shoal.collision(f, grid, mixture, approach="spectral")
)")
      .def(
          "__init__",
          [](Mixture* self, const Molecules& first, const Molecules& second, const nb::kwargs& keywords) {
            new (self) Mixture(mixture_of(first, second, read_options("mixture", keywords, mixture_keywords())));
          },
          "first"_a, "second"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, first: Molecules, second: Molecules, *, ",
                            mixture_keywords().signature(), ") -> None")));
  nb::class_<VelocityMoments>(module, "VelocityMoments", "Moments of a distribution, with c = v - u.")
      .def_ro("density", &VelocityMoments::density, "float: 1/m3, int f.")
      .def_ro("velocity", &VelocityMoments::velocity, "list of float: m/s, u.")
      .def_ro("temperature", &VelocityMoments::temperature, "float: m2/s2, k T / m.")
      .def_ro("stress", &VelocityMoments::stress, "list of float: 1/m/s2, int c c f: xx, yy, zz, xy, xz, yz.")
      .def_ro("heat_flux", &VelocityMoments::heat_flux, "list of float: 1/s3, int c c**2/2 f.");
  nb::class_<CollisionDefects>(module, "CollisionDefects", "Conservation defects int (1, v, v**2) Q, zero in theory.")
      .def_ro("mass", &CollisionDefects::mass, "float")
      .def_ro("momentum", &CollisionDefects::momentum, "list of float")
      .def_ro("energy", &CollisionDefects::energy, "float")
      .def_ro("mass_transferred", &CollisionDefects::mass_transferred,
              "float: int abs(Q), to which the mass defect compares.")
      .def_ro("momentum_transferred", &CollisionDefects::momentum_transferred, "float: int abs(v Q).")
      .def_ro("energy_transferred", &CollisionDefects::energy_transferred, "float: int v**2 abs(Q).");
}

}  // namespace shoal::python
