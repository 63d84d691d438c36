# SPDX-License-Identifier: Apache-2.0
"""The search that compiled programs of XLA call, called as they do it: on the CPU, and on CUDA with a stream and arrays of
PyTorch. test_jax.py has the same search within programs of JAX."""

import numpy
import pytest
import xla_call

import shoal

SKEWED = numpy.array([[[1.0, 0, 0], [0.7, 0.8, 0], [-0.6, 0.9, 0.7]]])
OPTIONS = {"half": False, "include_self": False, "predicate": "strict", "radius": 0.5}


def search(platform, stream=0):
    """The function for a platform. Skips the test if the build has none."""
    capsule = shoal._core.jax_pairs(platform) if hasattr(shoal._core, "jax_pairs") else None
    if capsule is None:
        pytest.skip(f"this build has no function for XLA on {platform}")
    return xla_call.Call(xla_call.address_in_capsule(capsule), stream)


def inputs_of(positions, starts):
    periodic = numpy.ones((1, 3), dtype=bool)
    return [positions, SKEWED.astype(positions.dtype), periodic, numpy.asarray(starts, "int32")]


def outputs_of(positions, capacity):
    sets, points = positions.shape[:-2], positions.shape[-2]
    shapes = [(2, capacity), (capacity, 3), (points + 1,)]
    return [numpy.full((*sets, *shape), -7, "int32") for shape in shapes]


def assert_pairs(outputs, positions, starts, options):
    edge_index, shifts, offsets = (numpy.asarray(part) for part in outputs)
    found = shoal.periodic_neighbors(positions, options["radius"], SKEWED[0], starts=starts, half=options["half"])
    count = found.edge_index.shape[1]
    assert count > 100 and offsets.tolist() == found.offsets.tolist()
    assert (edge_index[:, :count] == found.edge_index).all() and (shifts[:count] == found.shifts).all()
    assert not edge_index[:, count:].any() and not shifts[count:].any()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("half", [False, True])
def test_writes_pairs_on_the_cpu(random, dtype, half):
    positions, starts, options = random.random((40, 3)).astype(dtype), [0, 15, 40], OPTIONS | {"half": half}
    outputs = outputs_of(positions, 5_000)
    assert search("cpu")(inputs_of(positions, starts), outputs, options) == ""
    assert_pairs(outputs, positions, starts, options)


def test_errors_are_those_of_shoal(random):
    positions = random.random((40, 3))
    call = search("cpu")
    assert "expected at most max_pairs = 3" in call(inputs_of(positions, [0, 40]), outputs_of(positions, 3), OPTIONS)
    assert "end at 39" in call(inputs_of(positions, [0, 39]), outputs_of(positions, 3), OPTIONS)
    assert "Wrong number" in call(inputs_of(positions, [0, 40])[:3], outputs_of(positions, 3), OPTIONS)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("own_stream", [False, True])
def test_writes_pairs_in_the_order_of_a_stream(random, dtype, own_stream):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch finds no CUDA device")
    sets = random.random((3, 40, 3)).astype(dtype)
    stream = torch.cuda.Stream() if own_stream else torch.cuda.default_stream()
    call = search("CUDA", stream.cuda_stream)
    with torch.cuda.stream(stream):
        inputs = [torch.from_numpy(part).cuda() for part in inputs_of(sets, [[0, 15, 40]] * 3)]
        inputs[1], inputs[2] = (part.expand(3, *part.shape).contiguous() for part in inputs[1:3])
        outputs = [torch.from_numpy(part).cuda() for part in outputs_of(sets, 5_000)]
        inputs[0].mul_(2).div_(2)  # work that the search must wait for
        assert call(inputs, outputs, OPTIONS, address=lambda array: array.data_ptr()) == ""
        doubled = [part * 2 for part in outputs]  # work that must wait for the search
    stream.synchronize()
    for number in range(3):
        results = [part[number].cpu().numpy() for part in outputs]
        assert_pairs(results, sets[number], [0, 15, 40], OPTIONS)
        assert all((part[number].cpu().numpy() == 2 * result).all() for part, result in zip(doubled, results, strict=True))
