# SPDX-License-Identifier: Apache-2.0
"""Collisions and relaxation of two gases."""

import numpy
import pytest

import shoal

GRID = shoal.VelocityGrid(nodes=16, half_width=6.5)
HEAVY, LIGHT = shoal.Molecules(rate=1, mass=1), shoal.Molecules(rate=0.7, mass=0.5)
MIXTURE = shoal.Mixture(HEAVY, LIGHT, cross_rate=0.8)
SPECTRAL = {"approach": "spectral", "directions": {"degree": 5}, "radii": 6, "projection": "maxwellian"}


def maxwellians():
    v = GRID.axis(0)
    z, y, x = numpy.meshgrid(v, v, v, indexing="ij")

    def gas(density, drift, temperature):
        square = (x - drift) ** 2 + y**2 + z**2
        return density * numpy.exp(-square / (2 * temperature)) / (2 * numpy.pi * temperature) ** 1.5

    return numpy.stack([gas(1, 0.2, 1), gas(0.6, -0.3, 1.6)])


def test_collisions_keep_the_mass_of_each_gas_and_the_momentum_of_both():
    q = shoal.collision(maxwellians(), GRID, MIXTURE, **SPECTRAL)
    assert q.shape == (2, 16, 16, 16)
    mass = q.sum(axis=(1, 2, 3))
    momentum = (q * GRID.axis(0)).sum(axis=(1, 2, 3)) * [1, 0.5]
    size = numpy.abs(q).sum()
    assert mass == pytest.approx([0, 0], abs=1e-14 * size)
    assert momentum.sum() == pytest.approx(0, abs=1e-13 * size)
    assert abs(momentum[0]) > 0.01 * size


def test_relaxation_brings_velocities_together():
    gases = shoal.Relaxation(GRID, MIXTURE, negative="accept", **SPECTRAL)
    gases.start(maxwellians())
    apart = [gases.states()[k].moments.velocity[0] for k in (0, 1)]
    gases.advance_to(0.5)
    states = gases.states()
    assert len(states) == 2
    assert gases.f.shape == (2, 16, 16, 16)
    exact = (apart[0] - apart[1]) * numpy.exp(-0.8 * (0.6 / 3 + 2 / 3) * 0.5)
    assert states[0].moments.velocity[0] - states[1].moments.velocity[0] == pytest.approx(exact, rel=0.02)
    assert states[1].moments.density == pytest.approx(0.6, rel=1e-2)


def test_one_array_of_each_gas():
    plan = shoal.Collision(GRID, MIXTURE, **SPECTRAL)
    assert [cell.density for cell in plan.moments(maxwellians())] == pytest.approx([1, 0.6], rel=1e-2)
    with pytest.raises(shoal.Error, match="for each of two species"):
        plan.evaluate(maxwellians()[0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: shoal.Collision(GRID, MIXTURE), "a mixture needs approach spectral, got conservative"),
        (lambda: shoal.Collision(GRID, shoal.Mixture(HEAVY, LIGHT), **SPECTRAL), "cross_rate of the mixture is 0 m3/s"),
        (
            lambda: shoal.Collision(GRID, shoal.Mixture(HEAVY, shoal.Molecules(), cross_rate=1), **SPECTRAL),
            "mass of the molecules of species 1 is 0",
        ),
    ],
)
def test_bad_mixtures_are_named(make, message):
    with pytest.raises(shoal.Error, match=message):
        make()


def test_unknown_keywords_are_named():
    with pytest.raises(TypeError, match="cross_diameter"):
        shoal.Mixture(HEAVY, LIGHT, crossrate=1)
