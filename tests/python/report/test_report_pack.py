# SPDX-License-Identifier: Apache-2.0
"""Packed values decode to the original within half a step; colors have equal distances."""

import base64
import zlib

import numpy as np
import pytest
import report_runs  # noqa: F401  puts the package on the path
from shoal.report import colors
from shoal.report.html import pack
from shoal.report.scene.quantities import Quantity


def unpack(packed, states, items):
    """Decoder written from the description in pack.py, independent of its code."""
    data = zlib.decompress(base64.b64decode(packed.text))
    size = packed.bits // 8
    count = states * packed.components * items
    assert len(data) == size * count
    coded = [sum(data[byte * count + k] << (8 * byte) for byte in range(size)) for k in range(count)]
    changes = [c // 2 if c % 2 == 0 else -(c + 1) // 2 for c in coded]
    row = packed.components * items
    q = []
    for k, change in enumerate(changes):
        q.append(((q[k - row] if k >= row else 0) + change) % (1 << packed.bits))
    return np.array(q).reshape(states, packed.components, items)


def random_walk(states=7, items=50, dimensions=2, seed=1):
    steps = np.random.default_rng(seed).normal(size=(states, items, dimensions))
    return steps.cumsum(axis=0).astype(np.float32)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_positions_come_back_within_half_a_step(dimensions):
    positions = random_walk(dimensions=dimensions)
    packed = pack.pack_positions(positions)
    q = unpack(packed, *positions.shape[:2])
    for axis in range(dimensions):
        back = packed.low[axis] + packed.step[axis] * q[:, axis]
        assert abs(back - positions[..., axis]).max() <= 0.5 * packed.step[axis] * (1 + 1e-9)
        assert packed.step[axis] == pytest.approx(np.ptp(positions[..., axis]) / 65534, rel=1e-6)


@pytest.mark.parametrize("bits", [8, 16])
def test_values_come_back_within_half_a_step_and_nothing_as_nothing(bits):
    values = random_walk()[..., 0]
    values[2, 5] = np.nan
    limits = (float(np.nanmin(values)), float(np.nanmax(values)))
    packed = pack.pack_values(Quantity("q", "Q", "", values, "linear", limits), bits)
    q = unpack(packed, *values.shape)[:, 0]
    there = np.isfinite(values)
    assert (q[~there] == 2**bits - 1).all() and (q[there] < 2**bits - 1).all()
    back = packed.low[0] + packed.step[0] * q
    assert abs(back - values)[there].max() <= 0.5 * packed.step[0] * (1 + 1e-9)
    assert packed.step[0] == pytest.approx((limits[1] - limits[0]) / (2**bits - 2), rel=1e-6)


def test_sixteen_bits_hold_values_beyond_the_colors_and_eight_cut_them():
    values = np.array([[0.0, 1.0, 100.0]], np.float32)
    quantity = Quantity("q", "Q", "", values, "linear", (0.0, 2.0))
    for bits, highest in ((16, 100.0), (8, 2.0)):
        packed = pack.pack_values(quantity, bits)
        assert packed.low[0] + packed.step[0] * unpack(packed, 1, 3)[0, 0, 2] == pytest.approx(highest)


def test_logarithms_are_what_is_packed_of_a_logarithmic_quantity():
    values = np.array([[1e-6, 1e-3, 1.0, 0.0]], np.float32)
    packed = pack.pack_values(Quantity("d", "D", "m", values, "log", (1e-6, 1.0)), 8)
    q = unpack(packed, 1, 4)[0, 0]
    assert 10.0 ** (packed.low[0] + packed.step[0] * q[:3]) == pytest.approx([1e-6, 1e-3, 1.0], rel=0.03)
    assert q[3] == 0  # on the wall itself: the lowest color


def test_categories_are_their_numbers():
    values = np.array([[0, 1, 2], [2, np.nan, 0]], np.float32)
    packed = pack.pack_values(Quantity("m", "M", "", values, "categories", (0, 2), ["a", "b", "c"]), 16)
    assert unpack(packed, 2, 3)[:, 0].tolist() == [[0, 1, 2], [2, 255, 0]]


def test_one_value_throughout_is_packed():
    packed = pack.pack_values(Quantity("q", "Q", "", np.full((2, 3), 5, np.float32), "linear", (5.0, 5.0)), 16)
    assert packed.low[0] + packed.step[0] * unpack(packed, 2, 3)[1, 0, 1] == 5


def test_what_stands_still_costs_next_to_nothing():
    still = np.broadcast_to(random_walk(1, 500), (100, 500, 2))
    assert len(pack.pack_positions(still).text) < 1.02 * len(pack.pack_positions(still[:1]).text) + 600


def lightness(rgb):
    """Lightness of OKLab, from Ottosson's definition."""
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    lms = linear @ np.linalg.inv(colors._TO_RGB).T
    return np.cbrt(lms) @ np.linalg.inv(colors._TO_LMS).T


def test_steps_of_the_color_maps_look_equal():
    for scale, part in (("linear", slice(0, 256)), ("diverging", slice(0, 128)), ("diverging", slice(128, 256))):
        lab = lightness(colors.color_map(scale)[part])
        steps = np.linalg.norm(np.diff(lab, axis=0), axis=1)
        assert steps.max() / steps.min() < 1.05, scale


def test_lightness_only_grows_and_falls_alike_from_the_middle():
    assert (np.diff(lightness(colors.color_map("linear"))[:, 0]) > 0).all()
    diverging = lightness(colors.color_map("diverging"))[:, 0]
    assert abs(diverging - diverging[::-1]).max() < 0.03
    assert diverging.argmax() in (127, 128)


def test_no_color_is_cut_to_what_screens_can_show():
    for scale in ("linear", "diverging"):
        rgb = colors.color_map(scale)
        assert rgb.min() > 0 and rgb.max() < 1
    assert len(colors.as_hex(colors.color_map("linear"))) == 6 * 256
