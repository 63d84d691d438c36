// SPDX-License-Identifier: Apache-2.0
#include <shoal/gas.hpp>

#include "bindings.hpp"
#include "collision/collision_options.hpp"
#include "gas/bound_gas.hpp"
#include "gas/gas_options.hpp"

namespace shoal::python {

namespace {

const Options<GasGradients>& gradient_options() {
  static const auto table = Options<GasGradients>()
                                .add("pressure_gradient", &GasGradients::pressure)
                                .add("temperature_gradient", &GasGradients::temperature)
                                .add("base_density", &GasGradients::base_density)
                                .add("base_temperature", &GasGradients::base_temperature);
  return table;
}

const Options<GasKeywords>& gas_keywords() {
  static const auto flow_options = Options<GasOptions>()
                                       .add("model", &GasOptions::model)
                                       .add("limiter", &GasOptions::limiter)
                                       .add("prandtl", &GasOptions::prandtl)
                                       .add("step_share", &GasOptions::step_share)
                                       .add_members(&GasOptions::gradients, gradient_options())
                                       .add_members(&GasOptions::collision, collision_options());
  static const auto table = Options<GasKeywords>()
                                .add("left", &GasKeywords::left)
                                .add("right", &GasKeywords::right)
                                .add("bottom", &GasKeywords::bottom)
                                .add("top", &GasKeywords::top)
                                .add_members(&GasKeywords::options, flow_options)
                                .add("ranks", &GasKeywords::ranks);
  return table;
}

const Options<SteadyOptions>& steady_options() {
  static const auto table = Options<SteadyOptions>()
                                .add("method", &SteadyOptions::method)
                                .add("continuation", &SteadyOptions::continuation)
                                .add("correction", &SteadyOptions::correction)
                                .add("correction_sweeps", &SteadyOptions::correction_sweeps)
                                .add("anderson", &SteadyOptions::anderson)
                                .add("residual", &SteadyOptions::residual)
                                .add("max_iterations", &SteadyOptions::max_iterations);
  return table;
}

constexpr const char* gas_parameters =
    R"(Flow of a rarefied gas along x or in a plane, df/dt + v_x df/dx + v_y df/dy = Q(f, f).

Finite volumes of second order with a limiter; explicit steps of second order in time, or an iteration to the steady
state. Same bits on every run and for any number of threads. Cost of a stage: O(cells nodes**3), and one evaluation of
Q for "boltzmann". Memory: five copies of f, six of a plane, four on CUDA. On CPU or CUDA.

Parameters
----------
grid : VelocityGrid
faces : sequence of float, or a pair of them
    m [cells + 1], ascending; at least two cells. `uniform_faces` and `stretched_faces` return some. A pair, along x and
    along y, makes a plane: cell (i, j) is the element j * columns + i of arrays.
molecules : Molecules or Mixture
    A mixture has arrays of two cells for each cell: those of its first gas, then those of the second.
left, right : GasBoundary
    Boundaries at the first and at the last x; default: diffuse walls at rest with a temperature of 1.
bottom, top : GasBoundary, optional
    Those of a plane at the first and at the last y, with the same default.
model : {"none", "bgk", "es_bgk", "shakhov", "boltzmann", "aap"}
    Collision term: the integral, a model equation, or nothing (free-molecular flow). Mixtures have "aap", and "boltzmann"
    with approach "spectral".
limiter : {"none", "minmod", "van_leer", "mc"}
    Limiter of the slopes of f; "none" is of first order.
prandtl : float
    "es_bgk" (2/3 to 1), "shakhov".
step_share : float
    Time step over the longest that keeps f positive; above 0, at most 1.
pressure_gradient, temperature_gradient : float
    1/m, of ln p and ln T along y: small gradients that drive a flow between the ends, as in the linearized equation.
base_density, base_temperature : float
    1/m3 and m2/s2, of the gas at rest to which these gradients belong.
)";

constexpr const char* gas_ranks_parameter = R"(ranks : shoal.mpi.Ranks, optional
    Ranks that share the cells of a line, or the rows of a plane. All make the same calls with the same arguments; `f` is
    that of `own_cells`, and moments, fluxes and residual are those of the whole flow.
)";

void bind_flow(nb::module_& module) {
  nb::class_<BoundGas> plan(module, "Gas",
                            signature(gas_parameters, collision_parameters, gas_ranks_parameter, context_parameters,
                                      R"(
Examples
--------
>>> faces = shoal.gas.stretched_faces(0, 1, 32, 1.1)
>>> molecules = shoal.gas.molecules_of_knudsen("hard_sphere", "hard_sphere", 0.1)
>>> flow = shoal.gas.Gas(grid, faces, molecules, right=shoal.gas.GasBoundary(temperature=1.1), model="shakhov")
>>> flow.start(numpy.ones(32), numpy.ones(32))
>>> flow.advance_to_steady(residual=1e-5).converged
>>> flow.moments().temperature

References
----------
docs/theory/gas.md.
)"));
  plan.def(
          "__init__",
          [](BoundGas* self, const VelocityGrid& grid, nb::handle faces, const CollidingGas& molecules,
             const nb::kwargs& keywords) {
            GasKeywords options;
            ContextOptions context;
            read_options(BoundGas::operation, keywords, gas_keywords(), options, context_options(), context);
            new (self) BoundGas(make_context(BoundGas::operation, context, ranks_or_alone(options.ranks)), grid,
                                axis_faces(faces), molecules, options);
          },
          "grid"_a, "faces"_a, "molecules"_a, "keywords"_a,
          nb::sig(
              signature("def __init__(self, grid: VelocityGrid, faces: typing.Any, molecules: Molecules | Mixture, *, ",
                        gas_keywords().signature(), ", ", context_options().signature(), ") -> None")))
      .def(
          "start", &BoundGas::start, "density"_a.none(), "temperature"_a.none(), "velocity"_a = nb::none(),
          nb::sig("def start(self, density: typing.Any, temperature: typing.Any, velocity: typing.Any = None) -> None"),
          R"(Starts from discrete Maxwellians with these moments, and sets the time to 0.

Parameters
----------
density : array [cells]
    float64, 1/m3. These arrays are on the host, whatever the device of the flow.
temperature : array [cells]
    float64, m2/s2, k T / m.
velocity : array [cells, 3], optional
    float64, m/s; default: at rest.

Raises
------
Error
    Another number of elements; the velocity grid cannot represent a state.
)")
      .def("start_from", &BoundGas::start_from, "f"_a.none(), "clock"_a = GasClock{},
           nb::sig("def start_from(self, f: typing.Any, clock: GasClock = ...) -> None"),
           R"(Copies f and goes on from a position in time; with `f` and `clock` of another flow to the same bits.

Parameters
----------
f : array [own cells, n, n, n]
    s3/m6, f[cell, z, y, x] in C order, of the plan's dtype; on one rank of all cells.
clock : GasClock
    `clock` of the flow to continue; default: time 0.

Raises
------
Error
    Another number of elements; f is not finite, or negative where the collision term does not accept that.
)")
      .def("advance_to", &BoundGas::advance_to, "time"_a,
           R"(Advances to `time`, s, which the last step reaches exactly. Ctrl-C ends it between two steps.

Raises
------
Error
    Not started, `time` is in the past, the state became invalid (names the first cell).
)")
      .def(
          "advance_to_steady",
          [](BoundGas& flow, const nb::kwargs& keywords) {
            return flow.advance_to_steady(read_options(BoundGas::operation, keywords, steady_options()));
          },
          "keywords"_a,
          nb::sig(signature("def advance_to_steady(self, *, ", steady_options().signature(), ") -> SteadyResult")),
          R"(Iterates to the steady state. The time stays. Ctrl-C ends it between two iterations.

Parameters
----------
method : {"marching", "sweeps"}
    Steps in time, each cell with its own longest step; or sweeps along each velocity from wall to wall.
continuation : {"none", "bgk", "shakhov", "aap", "carleman"}
    Cheaper collision term whose steady state, to a residual of 1e-3, the iteration of model "boltzmann" begins with; "aap"
    for mixtures.
correction : {"none", "bgk", "shakhov", "aap", "carleman"}
    Cheaper collision term P of a defect correction, which saves evaluations of the integral Q: each iteration takes sweeps of
    P(f) + Q(f0) - P(f0) from its f0. For the method "sweeps"; "aap" for mixtures.
correction_sweeps : int
    Number of sweeps of each correction.
anderson : int
    Number of previous iterations that Anderson's acceleration combines, 0 to 50; it keeps twice as many copies of f, and
    forgets them after twice as many iterations. 0: none.
residual : float
    Residual at which the iteration ends.
max_iterations : int
    Number of iterations after which it ends without.

Raises
------
Error
    An option is out of range; the errors of `advance_to`.
)")
      .def(
          "residual", [](BoundGas& flow) { return flow.get([](auto& gas) { return gas.residual(); }); },
          "Share of molecules that changes in the time in which a molecule crosses the line, in the worst cell.")
      .def("moments", &BoundGas::moments, nb::sig("def moments(self) -> shoal._results.GasMoments"),
           "Density to heat flux of each cell, float64.")
      .def(
          "fluxes", [](BoundGas& flow) { return flow.get([](auto& gas) { return gas.fluxes(); }); },
          "list of GasFlux: through the first and the last face, positive along x; or through the left, right, bottom "
          "and "
          "top side of a plane, for each meter along z.")
      .def(
          "side_fluxes",
          [](BoundGas& flow, int side) { return flow.get([=](auto& gas) { return gas.side_fluxes(side); }); }, "side"_a,
          "list of GasFlux: through each face of a side, for each unit of its area. 0 to 3: left, right, bottom, top.")
      .def("warnings", &BoundGas::warnings,
           "Warnings about cells wider than a mean free path, and those of the collision integral.")
      .def_prop_ro("f", &BoundGas::f, nb::sig("def f(self) -> typing.Any"),
                   "array: the distribution of the own cells, [cells, z, y, x], s3/m6. Each call returns a new array.")
      .def_prop_ro(
          "own_cells",
          [](BoundGas& flow) {
            const Share cells = flow.get([](auto& gas) { return gas.own_cells(); });
            return nb::steal(
                PySlice_New(nb::int_(cells.first).ptr(), nb::int_(cells.first + cells.count).ptr(), nullptr));
          },
          nb::sig("def own_cells(self) -> slice"), "slice: cells of this rank, of each gas; all on one rank.")
      .def_prop_ro("faces", &BoundGas::faces, nb::sig("def faces(self) -> typing.Any"),
                   "array, or a pair of them for a plane: faces of the cells, float64 [cells + 1], m.")
      .def_prop_ro(
          "clock", [](BoundGas& flow) { return flow.get([](auto& gas) { return gas.clock(); }); },
          "GasClock: position in time and on the way to a steady state.");
  bind_context_members<BoundGas>(plan);
}

}  // namespace

void bind_gas(nb::module_& module) {
  bind_gas_values(module);
  bind_flow(module);
}

}  // namespace shoal::python
