# SPDX-License-Identifier: Apache-2.0
"""Solvers and operations on ranks have the bits of one rank: the programs of rank_programs.py under mpirun."""

import pathlib
import sys

import numpy
import pytest

import shoal

PROGRAMS = pathlib.Path(__file__).with_name("rank_programs.py")
PASSING = [
    "solver_has_the_rows_of_one_rank",
    "restart_continues_on_any_number_of_ranks",
    "folder_of_a_run_is_that_of_one_rank",
    "callback_of_rank_0_ends_the_run",
    "load_is_that_of_the_summary",
    "program_controls_the_particles_of_its_rank",
    "too_many_ranks_are_an_error_of_all",
    "queue_is_the_device_of_solvers_and_plans",
    "slabs_of_nodes_are_those_of_one_rank",
    "any_partition_has_all_nodes_on_every_rank",
    "particle_of_another_slab_is_an_error_of_all",
    "lists_over_ghosts_are_those_of_one_rank",
    "cells_of_a_gas_are_those_of_one_rank",
    "flow_of_gas_has_the_bits_of_one_rank",
]


@pytest.fixture(scope="module")
def two_ranks(mpirun, tmp_path_factory):
    """Result of all programs, which two ranks run one after the other: a start costs more than most of them."""
    return mpirun([sys.executable, str(PROGRAMS), str(tmp_path_factory.mktemp("programs")), *PASSING], timeout=500)


@pytest.mark.parametrize("program", PASSING)
def test_a_program_of_two_ranks(program, two_ranks):
    passed = [f"<rank {rank} of 2 has passed {program}>" in two_ranks.stdout for rank in range(2)]
    assert all(passed), two_ranks.stdout + two_ranks.stderr


def test_two_ranks_end_without_an_error(two_ranks):
    assert two_ranks.returncode == 0, two_ranks.stdout + two_ranks.stderr


def test_three_ranks_share_a_run(mpirun, tmp_path):
    done = mpirun([sys.executable, str(PROGRAMS), str(tmp_path), PASSING[0]], ranks=3)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("of 3 has passed ") == 3


@pytest.mark.skipif(shoal.devices() == ["cpu"], reason="there is no CUDA device")
def test_ranks_share_a_gpu(mpirun, tmp_path, monkeypatch):
    monkeypatch.setenv("SHOAL_RANKS_SHARE_DEVICES", "1")
    done = mpirun([sys.executable, str(PROGRAMS), str(tmp_path), "gpu_has_the_rows_of_one_rank"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("of 2 has passed ") == 2


def test_an_exception_of_a_callback_on_one_rank_ends_all(mpirun, tmp_path):
    done = mpirun([sys.executable, str(PROGRAMS), str(tmp_path), "callback_that_raises_ends_all"])
    assert done.returncode != 0
    assert "has passed" not in done.stdout
    assert "ValueError: a valve is closed" in done.stderr
    assert "shoal: rank 1 of 2 on " in done.stderr


def test_ranks_are_those_of_the_package():
    case = shoal.sph.Case.read(pathlib.Path(__file__).parents[2] / "cases" / "dam_break" / "case.toml")
    with pytest.raises(shoal.Error, match=r"sph: ranks = 2, expected ranks of shoal.mpi.world\(\) or shoal.mpi.of\(\)"):
        shoal.sph.Solver(case, "cpu", ranks=2)
    with pytest.raises(shoal.Error, match="deposit: ranks = 2, expected ranks"):
        shoal.Deposit(shoal.Grid.fill((0, 0), (1, 1), 0.1), ranks=2)


def test_one_rank_has_all_layers_shares_and_no_ghosts(mpi):
    ranks = shoal.mpi.world()
    assert shoal.mpi.cut_by_weight([3, 1, 2], ranks) == [0, 3]
    assert shoal.mpi.share_of(10, ranks) == slice(0, 10)
    near = shoal.GhostPoints(0.5).find([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    assert [list(column) for column in near.points] == [[0, 1]] * 3
    assert (list(near.number), near.own_begin, near.own_count) == ([0, 1], 0, 2)
    assert shoal.Deposit(shoal.Grid.fill((0, 0), (1, 1), 0.1), ranks=ranks).method.name == "integer"
    case = shoal.sph.Case.read(pathlib.Path(__file__).parents[2] / "cases" / "dam_break" / "case.toml")
    load = shoal.sph.Solver(case, "cpu", ranks=ranks).load()
    assert (load.heaviest, load.halo) == (1, 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_values_of_ghosts_keep_their_type(dtype):
    ghosts = shoal.GhostPoints(0.5, dimensions=1)
    ghosts.find([0.0, 1.0])
    values = ghosts.update(numpy.array([3, 4], dtype))
    assert values.dtype == dtype and list(values) == [3, 4]


def test_values_of_ghosts_are_real_numbers():
    ghosts = shoal.GhostPoints(0.5, dimensions=1)
    ghosts.find([0.0, 1.0])
    with pytest.raises(shoal.Error, match="values has the dtype complex64, expected float32, float64, int32 or int64"):
        ghosts.update(numpy.zeros(2, "complex64"))
    with pytest.raises(shoal.Error, match="3"):
        ghosts.update(numpy.zeros(3))
