# SPDX-License-Identifier: Apache-2.0
"""Flows of gas in Python; tests/gas has the tests of the flows themselves."""

import math

import numpy
import pytest

import shoal
from shoal import gas

GRID = shoal.VelocityGrid(nodes=8, half_width=4)
GAS = shoal.Molecules(rate=3)
WALLS = {"left": gas.GasBoundary(temperature=0.9, accommodation=0.7), "right": gas.GasBoundary(temperature=1.1)}


def slab(**options):
    return gas.Gas(GRID, gas.uniform_faces(0, 2, 5), GAS, **({"model": "bgk", "threads": 1} | WALLS | options))


def started(**options):
    flow = slab(**options)
    flow.start(numpy.linspace(1, 1.2, 5), numpy.full(5, 1.05), numpy.tile([0, 0.1, 0], (5, 1)))
    return flow


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-7), ("float32", 1e-4)])
def test_heat_without_collisions_is_that_of_two_half_maxwellians(dtype, tolerance):
    grid = shoal.VelocityGrid(nodes=24, half_width=7)
    temperatures = 0.9, 1.2
    left, right = (gas.GasBoundary(temperature=temperature) for temperature in temperatures)
    flow = gas.Gas(grid, gas.uniform_faces(0, 1, 4), GAS, left=left, right=right, model="none", dtype=dtype)
    flow.start(numpy.ones(4), numpy.ones(4))
    result = flow.advance_to_steady(residual=tolerance / 10)
    assert result.converged and result.iterations == flow.clock.iterations > 0 and flow.clock.time == 0

    # Molecules from each wall fill a half range; both ranges carry the same mass, and the mean density is 1.
    v = grid.axis(0)
    sums = []
    for temperature in temperatures:
        maxwellian = numpy.exp(-(v**2) / (2 * temperature)) / numpy.exp(-(v**2) / (2 * temperature)).sum()
        half = v > 0
        flux = (v * maxwellian)[half].sum()
        sums.append((flux, (v**3 * maxwellian)[half].sum() / 2 / flux + temperature))
    (s1, e1), (s2, e2) = sums
    mass_flux = 2 / (1 / s1 + 1 / s2)
    heat = mass_flux * (e1 - e2)
    for flux in flow.fluxes():
        assert flux.energy == pytest.approx(heat, rel=tolerance)
        assert abs(flux.mass) < tolerance
    moments = flow.moments()
    assert moments.heat_flux.shape == (4, 3) and moments.stress.shape == (4, 6)
    numpy.testing.assert_allclose(moments.heat_flux[:, 0], heat, rtol=10 * tolerance)
    numpy.testing.assert_allclose(moments.density, 1, rtol=tolerance)
    roots = [math.sqrt(temperature / (2 * math.pi)) for temperature in temperatures]
    continuous = 2 / (1 / roots[0] + 1 / roots[1]) * 2 * (temperatures[0] - temperatures[1])
    assert heat == pytest.approx(continuous, rel=0.02)  # of the grid


def test_a_start_has_the_moments_that_it_was_given():
    flow = started()
    moments = flow.moments()
    numpy.testing.assert_allclose(moments.density, numpy.linspace(1, 1.2, 5), rtol=1e-12)
    numpy.testing.assert_allclose(moments.temperature, 1.05, rtol=1e-12)
    numpy.testing.assert_allclose(moments.velocity, numpy.tile([0, 0.1, 0], (5, 1)), atol=1e-13)
    numpy.testing.assert_allclose(flow.f.sum(axis=(1, 2, 3)) * GRID.spacing**3, moments.density, rtol=1e-12)
    assert flow.faces.tolist() == gas.uniform_faces(0, 2, 5).tolist()
    assert flow.device == "cpu" and flow.dtype == "float64"


@pytest.mark.parametrize("layout", [numpy.ascontiguousarray, numpy.asfortranarray], ids=["c", "fortran"])
def test_a_flow_goes_on_from_another_with_the_same_bits(layout):
    whole = started()
    whole.advance_to(0.1)
    f, clock = layout(whole.f), whole.clock
    whole.advance_to(0.2)
    whole.advance_to_steady(max_iterations=3)
    half = slab()
    if layout is numpy.asfortranarray:
        with pytest.raises(shoal.Error, match="C order"):
            half.start_from(f, clock)
        return
    half.start_from(f, clock)
    half.advance_to(0.2)
    half.advance_to_steady(max_iterations=3)
    assert (half.f == whole.f).all()
    for a, b in ((half.clock, whole.clock),):
        assert (a.time, a.steps, a.iterations, a.steady_mass) == (b.time, b.steps, b.iterations, b.steady_mass)
        assert a.transfers[0].energy == b.transfers[0].energy != 0


def test_a_result_is_a_copy():
    flow = started()
    before = flow.f
    kept = before.copy()
    flow.advance_to(0.1)
    assert (before == kept).all() and (flow.f != kept).any()


def test_the_integral_takes_the_options_of_collisions():
    flow = started(model="boltzmann", approach="conservative", stencil="two_pair", directions={"degree": 3})
    flow.advance_to(0.01)
    assert flow.clock.evaluations == 2 * flow.clock.steps > 0
    assert flow.residual() > 0 and all(isinstance(line, str) for line in flow.warnings())


def test_a_gradient_drives_a_flow_against_it():
    flow = gas.Gas(GRID, gas.uniform_faces(0, 1, 5), GAS, model="bgk", pressure_gradient=0.01, threads=1)
    flow.start(numpy.ones(5), numpy.ones(5))
    flow.advance_to_steady(residual=1e-6)
    velocity = flow.moments().velocity
    assert (velocity[:, 1] < -1e-4).all()
    assert numpy.abs(velocity[:, [0, 2]]).max() < 1e-5


def test_the_gas_behind_a_shock_obeys_rankine_and_hugoniot():
    grid = shoal.VelocityGrid(nodes=32, half_width=9.6, center=(1.3, 0, 0))
    speed = 3 * math.sqrt(5 / 3)
    behind = gas.behind_shock(grid, gas.GasBoundary(kind="inflow", velocity=(speed, 0, 0)))
    assert behind.kind == "behind_shock"
    assert behind.density == pytest.approx(3, rel=1e-5)
    assert behind.velocity[0] == pytest.approx(speed / 3, rel=1e-5)
    assert behind.temperature == pytest.approx(11 / 3, rel=1e-5)


def test_each_gas_of_a_mixture_carries_its_mass_through_a_shock():
    grid = shoal.VelocityGrid(nodes=24, half_width=9, center=(1.5, 0, 0))
    mixture = shoal.Mixture(shoal.Molecules(mass=1), shoal.Molecules(mass=0.5), cross_rate=1)
    ahead = gas.GasBoundary(kind="inflow", velocity=(2, 0, 0), density=0.75, second_density=0.25)
    behind = gas.behind_shock(grid, ahead, mixture)
    ratio = 2 / behind.velocity[0]
    assert ratio > 1.5
    assert behind.density == pytest.approx(0.75 * ratio, rel=1e-4)
    assert behind.second_density == pytest.approx(0.25 * ratio, rel=1e-4)


def test_mean_free_paths_depend_on_their_definition():
    molecules = gas.molecules_of_knudsen("hard_sphere", "hard_sphere", 0.1, length=2)
    assert gas.mean_free_path("hard_sphere", molecules, 1, 1) == pytest.approx(0.2)
    assert gas.mean_free_path("viscosity", molecules, 2, 1) == pytest.approx(
        gas.viscosity(molecules, 1) * math.sqrt(math.pi / 2) / 2
    )
    assert gas.viscosity(shoal.Molecules(rate=4), 3) == pytest.approx(2 * 3 / 4)
    widths = numpy.diff(gas.stretched_faces(0, 1, 4, 2))
    numpy.testing.assert_allclose(widths, [1 / 6, 1 / 3, 1 / 3, 1 / 6])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: slab().advance_to(1), "gas: there is no distribution yet"),
        (lambda: started().advance_to(-1), "gas: cannot advance to -1 s"),
        (lambda: started().advance_to_steady(max_iterations=0), "max_iterations = 0, expected 1 or more"),
        (lambda: started().advance_to_steady(method="leaps"), 'unknown name "leaps"; expected one of marching, sweeps'),
        (lambda: gas.behind_shock(GRID, gas.GasBoundary()), "gas: the boundary ahead of a shock is diffuse"),
        (lambda: slab(model="euler"), 'gas: model: unknown name "euler"; expected one of none, bgk'),
        (lambda: slab(left=3), "gas: left = 3, expected a shoal.gas.GasBoundary"),
        (lambda: slab(right=gas.GasBoundary(kind="periodic")), "periodic"),
        (lambda: gas.Gas(GRID, [0, 1], GAS), "gas: 2 faces of cells, expected 3 or more"),
        (lambda: slab().start(numpy.ones(4), numpy.ones(5)), "density"),
        (lambda: slab().start(numpy.ones(5), numpy.ones(5), numpy.ones(5)), "velocity"),
        (lambda: slab().start(numpy.ones(5), -numpy.ones(5)), "temperature -1"),
        (lambda: slab().start_from(numpy.ones(7)), "gas: f has 7 elements, expected 2560"),
        (lambda: slab().start_from(numpy.full((5, 8, 8, 8), -1.0)), "gas: f is -1 at node 0 of cell 0"),
        (lambda: slab().start_from(numpy.ones((5, 8, 8, 8), dtype="float32")), "float32"),
        (lambda: gas.mean_free_path("free", GAS, 1, 1), 'unknown name "free"; expected one of hard_sphere, bird'),
        (lambda: gas.molecules_of_knudsen("vhs", "bird", 1), "gas: a Knudsen number"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call()


def test_an_unknown_keyword_is_a_type_error():
    with pytest.raises(
        TypeError, match='unknown keyword "limit"; expected one of left, right, bottom, top, model, limiter'
    ):
        slab(limit="mc")


def test_a_plane_has_four_sides():
    x, y = gas.uniform_faces(0, 2, 4), gas.uniform_faces(0, 1, 3)
    lid = gas.GasBoundary(velocity=[0.2, 0, 0])
    hot = gas.GasBoundary(temperature=0.9, last_temperature=1.2)
    flow = gas.Gas(GRID, (x, y), GAS, left=hot, top=lid, model="bgk", threads=1)
    density = numpy.linspace(1, 1.2, 12)
    flow.start(density, numpy.ones(12))
    numpy.testing.assert_allclose(flow.moments().density, density, rtol=1e-12)
    assert flow.f.shape == (12, 8, 8, 8)
    assert [len(along) for along in flow.faces] == [5, 4]
    flow.advance_to(0.1)
    left, right, bottom, top = flow.fluxes()
    assert all(abs(flux.mass) < 1e-13 for flux in (left, right, bottom, top))
    assert top.momentum[0] < 0 < left.momentum[0]
    assert sum(face.momentum[0] for face in flow.side_fluxes(3)) * 0.5 == pytest.approx(top.momentum[0])
    assert flow.moments().velocity[8:, 0].mean() > flow.moments().velocity[:4, 0].mean(), "the row below the lid"
    assert sum(flow.moments().density) == pytest.approx(sum(density), rel=1e-12)


def test_sides_of_a_plane_need_a_plane():
    with pytest.raises(shoal.Error, match="bottom and top are sides of a plane"):
        slab(top=gas.GasBoundary())


HEAVY, LIGHT = shoal.Molecules(rate=3, mass=1), shoal.Molecules(rate=2, mass=0.5)
MIXTURE = shoal.Mixture(HEAVY, LIGHT, cross_rate=2)


def test_a_mixture_has_the_cells_of_both_gases():
    flow = gas.Gas(GRID, gas.uniform_faces(0, 2, 3), MIXTURE, model="aap", threads=1, **WALLS)
    flow.start(numpy.repeat([1, 0.4], 3), numpy.repeat([1, 1.2], 3))
    flow.advance_to(0.2)
    moments = flow.moments()
    assert moments.density.shape == (6,)
    assert moments.density[:3].sum() == pytest.approx(3, rel=1e-13)
    assert moments.density[3:].sum() == pytest.approx(1.2, rel=1e-13)
    assert flow.f.shape == (6, 8, 8, 8)
    assert len(flow.fluxes()) == 4
    again = gas.Gas(GRID, gas.uniform_faces(0, 2, 3), MIXTURE, model="aap", threads=1, **WALLS)
    again.start_from(flow.f, flow.clock)
    again.advance_to(0.3)
    flow.advance_to(0.3)
    assert numpy.array_equal(again.f, flow.f)


def test_a_mixture_in_a_plane_comes_to_the_state_of_its_reservoirs():
    reservoir = gas.GasBoundary(kind="inflow", density=1.2, second_density=0.4)
    grid = shoal.VelocityGrid(nodes=12, half_width=6)
    faces = gas.uniform_faces(0, 1, 3), gas.uniform_faces(0, 1, 2)
    sides = dict.fromkeys(("left", "right", "bottom", "top"), reservoir)
    flow = gas.Gas(grid, faces, MIXTURE, model="aap", threads=1, **sides)
    flow.start(numpy.ones(12), numpy.repeat([1, 1.8], 6))
    assert flow.advance_to_steady(residual=1e-6).converged
    assert flow.moments().density == pytest.approx(numpy.repeat([1.2, 0.4], 6), rel=1e-4)
    assert len(flow.fluxes()) == 8


def test_a_model_of_one_gas_is_named():
    with pytest.raises(shoal.Error, match="the model bgk is for one gas, and this is a mixture"):
        gas.Gas(GRID, gas.uniform_faces(0, 2, 3), MIXTURE, model="bgk")
    with pytest.raises(shoal.Error, match=r"gas: ranks = 2, expected ranks of shoal.mpi.world\(\) or shoal.mpi.of\(\)"):
        slab(ranks=2)
