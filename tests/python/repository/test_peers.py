# SPDX-License-Identifier: Apache-2.0
"""The comparison with peers on few points: answers, reports and files, not times."""

import dataclasses
import importlib
import sys
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "benchmarks/peers"), str(ROOT / "tools")]
import codes  # noqa: E402  files of the benchmarks
import compare  # noqa: E402
import dam_break  # noqa: E402
import deposit_codes  # noqa: E402
import float_codes  # noqa: E402
import inputs  # noqa: E402
import result_files  # noqa: E402
import torch_codes  # noqa: E402

HEADER = dict.fromkeys(result_files.FIELDS, "any") | {
    "schema": "1",
    "commit": "0123456789ab",
    "date": "2026-11-23T18:30:00Z",
}


def installed(configurations):
    return [configuration for configuration in configurations if configuration.version()]


def test_inputs_are_the_same_points_in_two_orders():
    shuffled, by_cell = inputs.clouds(500)[2:]
    assert (shuffled.name, by_cell.name) == ("clustered, shuffled", "clustered, sorted")
    assert not numpy.array_equal(shuffled.points, by_cell.points)
    assert numpy.array_equal(numpy.sort(shuffled.points, axis=0), numpy.sort(by_cell.points, axis=0))
    assert [cloud.name for cloud in inputs.clouds(500, ["uniform, sorted"])] == ["uniform, sorted"]
    in_cluster = numpy.all(numpy.abs(shuffled.points - 0.5) <= 0.05, axis=1)
    assert 250 <= in_cluster.sum() <= 255


def test_the_sphere_is_closed():
    vertices, triangles = inputs.dented_sphere(12)
    directed = numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    assert len(numpy.unique(directed, axis=0)) == len(directed)
    assert {tuple(edge) for edge in directed} == {(b, a) for a, b in directed}
    assert set(triangles.ravel()) == set(range(len(vertices)))


def test_points_of_the_boundary_layer_are_outside():
    layer = inputs.walls(300, 24)[0]
    assert numpy.all(numpy.linalg.norm(layer.points, axis=1) > 0.3)
    found = compare.compare(installed(codes.WALL_CODES), layer, 0, 60)
    assert {contestant.result for contestant in found} == {compare.AGREES}


@pytest.mark.parametrize("cloud", inputs.clouds(700), ids=lambda cloud: cloud.name)
def test_codes_agree_on_neighbors(cloud):
    configurations = installed(codes.NEIGHBOR_CODES)
    assert {"shoal", "SciPy cKDTree"} <= {configuration.code for configuration in configurations}
    for contestant in compare.compare(configurations, cloud, 2, 60):
        assert contestant.result == compare.AGREES
        assert len(contestant.seconds) == 2
    distances = numpy.linalg.norm(cloud.points[:, None] - cloud.points[None], axis=2)
    assert contestant.pairs == (distances < cloud.radius).sum() - len(cloud.points)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("cloud", inputs.clouds(700), ids=lambda cloud: cloud.name)
def test_codes_with_tensors_agree(cloud, device):
    pytest.importorskip("torch")
    if device == "cuda" and not torch_codes.has_gpu():
        pytest.skip("PyTorch has no GPU")
    shoal = codes.NEIGHBOR_CODES[:1] if device == "cpu" else []
    configurations = [*shoal, *installed(torch_codes.neighbor_codes(device))]
    for contestant in compare.compare(configurations, cloud, 1, 60):
        assert contestant.result == compare.AGREES


def test_codes_in_single_precision_agree():
    cloud, layer = inputs.clouds(700)[0], inputs.walls(300, 24)[0]
    found = compare.compare([codes.NEIGHBOR_CODES[0], *installed(float_codes.NEIGHBOR_CODES)], cloud, 0, 60)
    found += compare.compare([codes.WALL_CODES[0], *installed(float_codes.WALL_CODES)], layer, 0, 60)
    assert {contestant.result for contestant in found} == {compare.AGREES}


def test_single_precision_has_limits():
    right = codes.Neighbors(numpy.full(1000, 20), numpy.zeros(1000, dtype=int))
    counts = right.counts.copy()
    counts[0] -= 2
    assert float_codes.NeighborsInFloat(counts, right.sums).agrees(right)
    counts[0] -= 1
    assert not float_codes.NeighborsInFloat(counts, right.sums).agrees(right)
    distances = codes.Distances(numpy.array([0.0, 1.0]))
    assert float_codes.DistancesInFloat(distances.values + 1e-6).agrees(distances)
    assert not float_codes.DistancesInFloat(distances.values + 3e-6).agrees(distances)


@pytest.mark.parametrize("particles", inputs.particles(900), ids=lambda particles: particles.name)
def test_codes_agree_on_deposits(particles):
    configurations = installed(deposit_codes.DEPOSIT_CODES)
    assert {configuration.code for configuration in configurations} == {"shoal", "NumPy"}
    for contestant in compare.compare(configurations, particles, 1, 60):
        assert contestant.result == compare.AGREES
        assert contestant.pairs == (particles.cells + 1) ** 3
    add_at = deposit_codes.numpy_add_at(particles)()
    assert add_at.sum() == pytest.approx(particles.values.sum(), rel=1e-13)
    right = deposit_codes.answer(add_at, particles)
    assert not deposit_codes.answer(numpy.where(add_at == add_at.max(), 0, add_at), particles).agrees(right)


def wrong(configuration):
    """The configuration with an answer that lacks a neighbor."""

    def answer(returned, data):
        right = configuration.answer(returned, data)
        return codes.Neighbors(right.counts - (numpy.arange(len(right.counts)) == 3), right.sums)

    return dataclasses.replace(configuration, answer=answer)


def memory_for_nothing():
    raise MemoryError("no memory")


def test_reports_what_differs_and_what_is_missing_or_slow():
    shoal, _, scipy, *_ = codes.NEIGHBOR_CODES
    missing = dataclasses.replace(scipy, package="a-package-that-nobody-has")
    broken = dataclasses.replace(scipy, ready=lambda cloud: importlib.import_module("a_module_that_nobody_has"))
    failing = dataclasses.replace(scipy, ready=lambda cloud: memory_for_nothing)
    cloud = inputs.clouds(300)[0]
    contestants = compare.compare([shoal, wrong(scipy), missing, broken, failing], cloud, 2, 60)
    assert [contestant.result for contestant in contestants[:2]] == ["agrees", "differs from shoal"]
    assert [contestant.result for contestant in contestants[2:]] == ["not installed", "not installed", "failed"]
    assert [len(contestant.seconds) for contestant in contestants] == [2, 0, 0, 0, 0]
    with pytest.raises(MemoryError):
        compare.compare([failing, shoal], cloud, 2, 60)
    assert compare.compare([shoal, scipy], cloud, 2, 0)[1].result == "left out: too slow"
    records = list(compare.rows("neighbors", "", contestants, cloud))
    assert [bool(record["time [ms]"]) for record in records] == [True, False, False, False, False]


def test_writes_result_files(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(result_files, "origin_here", lambda program, command: HEADER | {"command": " ".join(command)})
    words = "--sizes 200 --around 12 --rounds 1 --build none --out".split()
    assert compare.main([*words, str(tmp_path)]) == 0
    all_codes = (codes.NEIGHBOR_CODES, deposit_codes.DEPOSIT_CODES, codes.WALL_CODES)
    for operation, configurations in zip(compare.OPERATIONS, all_codes, strict=True):
        file = result_files.read(tmp_path / operation / "200.csv")
        assert file.header["command"].startswith("compare.py --sizes 200")
        assert {record["code"] for record in file.records} >= {configuration.code for configuration in configurations}
        assert {record["input"] for record in file.records if record["result"] == "agrees"} == {
            record["input"] for record in file.records
        }
    assert "not installed" in capsys.readouterr().out


def test_measures_the_chosen_codes_and_inputs(tmp_path, monkeypatch):
    monkeypatch.setattr(result_files, "origin_here", lambda program, command: HEADER)
    words = "--sizes 100 200 --rounds 1 --operations neighbors --codes matscipy --build none --out".split()
    assert compare.main([*words, str(tmp_path), "--inputs", "uniform, shuffled"]) == 0
    for points in (100, 200):
        records = result_files.read(tmp_path / f"neighbors/{points}.csv").records
        assert {record["code"] for record in records} == {"shoal", "matscipy"}
        assert {record["input"] for record in records} == {"uniform, shuffled"}


def test_refuses_files_of_changed_sources(tmp_path, monkeypatch):
    dirty = HEADER | {"commit": "0123456789ab-dirty"}
    monkeypatch.setattr(result_files, "origin_here", lambda program, command: dirty)
    words = "--sizes 200 --around 12 --rounds 1 --operations neighbors --build none --out".split()
    with pytest.raises(result_files.ResultError, match="differ from their commit"):
        compare.main([*words, str(tmp_path)])
    assert compare.main([*words, str(tmp_path), "--allow-dirty"]) == 0
    assert result_files.read(tmp_path / "neighbors/200.csv").header["commit"] == "0123456789ab-dirty"


def test_the_dam_break_falls_from_given_particles(monkeypatch):
    class Other(dam_break.Shoal):
        code = "PySPH"

        def __init__(self, spacing, fluid, wall):
            super().__init__(spacing)
            assert len(fluid) == 10 * 20 and fluid.min() > 0 and wall.min() < 0

    monkeypatch.setattr(dam_break, "PySph", Other)
    ours, theirs = dam_break.compare(0.1, 3, 1)
    assert ours["result"] == "agrees" and ours["points"] == theirs["points"] > 200
    assert dam_break.Shoal(0.1).run(3)[2] == pytest.approx([0, -1], abs=0.1)
    monkeypatch.setattr(dam_break, "MOST_DIFFERENCE", -1)
    assert {(record["time [ms]"], record["result"]) for record in dam_break.compare(0.1, 3, 1)} == {("", "differs from shoal")}
