# SPDX-License-Identifier: Apache-2.0
"""Programs that add and remove particles of a running simulation of SPH."""

import numpy
import pytest

import shoal
from shoal.sph import Case, Solver
from water_on_a_bed import SECTIONS, WATER, solver_of

ALL = 80  # particles, with those of the bed
MASS = 10  # kg/m, of a particle


def feed(particles):
    """Adds a row and removes a particle."""
    if particles.clock.step % 8 == 0:
        x = numpy.arange(3) * 0.12
        particles.add((x, numpy.full(3, 1 + 0.02 * particles.clock.step)), numpy.zeros((3, 2)))
    if particles.clock.step == 10:
        particles.remove([4])


def test_particles_are_added_and_removed():
    solver = solver_of(**{"scheme.gravity": [0, -9.81]})
    particles = solver.particles()
    ids = particles.add([[2.0, 2.0], [2.2, 2.0]], numpy.array([[1, 2], [3, 4]], "float32"), material="water")
    assert ids == range(ALL, ALL + 2)
    assert len(particles) == ALL + 2 == solver.clock.particles
    assert (particles.velocity[particles.rows(list(ids))] == [[1, 2], [3, 4]]).all()
    assert particles.remove([81, 3]) == 2
    flags = (particles.id >= 0) & (particles.id < 10)
    assert particles.remove_rows(flags) == 9
    assert particles.remove_rows(numpy.zeros(len(particles), "uint8")) == 0
    low = int(((particles.position[:, 1] <= 0.3) & (particles.wall == 0)).sum())
    assert particles.remove_in([-1, -1], [3, 0.3]) == low > 5
    assert particles.add([[2.0, 2.5]], [[0.0, 0.0]], density=[1001.0]) == range(82, 83)
    balance = solver.balance()
    assert balance.added == pytest.approx(3 * MASS)
    assert balance.removed == pytest.approx((11 + low) * MASS)
    assert balance.mass == pytest.approx((WATER + 3 - 11 - low) * MASS)
    solver.advance_steps(2)
    assert solver.fields().density[-1] == pytest.approx(1001)


def test_views_hold_the_memory():
    particles = solver_of().particles()
    velocity = particles.velocity
    with pytest.raises(shoal.Error, match="views of the particles are still in use"):
        particles.add([[2.0, 2.0]], [[0.0, 0.0]])
    with pytest.raises(shoal.Error, match="views of the particles are still in use"):
        particles.remove([1])
    del velocity
    assert particles.remove([1]) == 1


def test_bad_values_are_errors():
    particles = solver_of().particles()
    with pytest.raises(shoal.Error, match="is nearer than 0.05 m, half a spacing, to a particle of the run"):
        particles.add([[0.06, 0.06]], [[0.0, 0.0]])
    with pytest.raises(shoal.Error, match="is outside the domain"):
        particles.add([[0.06, 7]], [[0.0, 0.0]])
    with pytest.raises(shoal.Error, match='material "mud", expected one of "water"'):
        particles.add([[2.0, 2.0]], [[0.0, 0.0]], material="mud")
    with pytest.raises(shoal.Error, match=r"ids\[0\] = 60 is a particle of a wall"):
        particles.remove([60])
    with pytest.raises(shoal.Error, match="80 in contiguous memory: one for each row"):
        particles.remove_rows(numpy.zeros(3, "uint8"))
    with pytest.raises(shoal.Error, match="reaches from 1.0 m to 0.0 m|reaches from 1 m to 0 m"):
        particles.remove_in([1, 0], [0, 1])
    assert len(particles) == ALL


def test_an_output_folder_has_the_balance_and_a_restart_goes_on(tmp_path):
    solver = solver_of(**{"run.balance_every": 0.02})
    solver.on_step(feed)
    solver.write(tmp_path / "out")
    header, *rows = (tmp_path / "out/balance.csv").read_text().splitlines()
    columns = header.split(",")
    assert columns[-2:] == ["added [kg]", "removed [kg]"]
    last = dict(zip(columns, map(float, rows[-1].split(",")), strict=True))
    balance = solver.balance()
    assert last["added [kg]"] == balance.added > 0 and last["removed [kg]"] == balance.removed > 0
    assert last["mass [kg]"] == pytest.approx(WATER * MASS + balance.added - balance.removed)

    half = solver_of()
    half.on_step(feed)
    half.advance_steps(12)
    half.save(tmp_path / "half.h5")
    rest = Solver(Case(**SECTIONS), device="cpu", restart=tmp_path / "half.h5")
    for run in (half, rest):
        run.on_step(feed)
        run.advance_steps(10)
    a, b = half.fields(), rest.fields()
    assert (a.id == b.id).all() and (a.position == b.position).all()
    assert half.balance().removed == rest.balance().removed


def test_a_plain_run_has_no_columns_of_programs(tmp_path):
    solver_of().write(tmp_path / "out")
    assert "added" not in (tmp_path / "out/balance.csv").read_text().splitlines()[0]
