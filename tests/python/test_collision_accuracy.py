# SPDX-License-Identifier: Apache-2.0
"""The table of accuracy: that its quantities are what it says, on few nodes."""

import sys
from pathlib import Path

import numpy
import pytest

import shoal

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks/python"))
import collision_accuracy as accuracy  # noqa: E402  a file of the benchmarks


def test_names_the_directions_that_it_takes():
    grid = shoal.VelocityGrid(nodes=8, half_width=5.5)
    for directions, degree in accuracy.DEGREES.items():
        plan = shoal.Collision(grid, shoal.Molecules(rate=1), directions={"degree": degree})
        assert len(plan.directions[0]) == directions


def test_exact_rates_are_those_of_a_converged_approach():
    error, v4, stress_xx, stress_xy, energy = accuracy.measured({"approach": "carleman"}, 32, 16)
    assert error < 2e-6
    assert v4 == pytest.approx(15 * 2 * (1 - accuracy.K) ** 2 / 6, rel=1e-3)
    assert [stress_xx, stress_xy] == pytest.approx([-0.5, -0.5], rel=1e-3)
    assert abs(energy) < 1e-4


def test_the_change_of_an_exact_solution_is_its_derivative():
    grid = shoal.VelocityGrid(nodes=6, half_width=3)
    solution = shoal.BkwSolution(amplitude=1 - accuracy.K)
    coarse, fine = (accuracy.change(solution, grid, step) for step in (0.02, 0.01))
    assert numpy.abs(coarse - fine).max() < 1e-9 * numpy.abs(fine).max()


def test_writes_a_row_for_each_configuration(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(accuracy, "configurations", lambda: [("carleman", {"approach": "carleman"}, 8, 6)])
    accuracy.main(tmp_path / "table.csv")
    lines = (tmp_path / "table.csv").read_text().splitlines()
    assert lines[0] == ",".join(accuracy.COLUMNS)
    assert lines[1].startswith("exact,,,,0,0.5728")
    assert lines[2].startswith("carleman,box,8,6,")
    assert len(lines) == 3
