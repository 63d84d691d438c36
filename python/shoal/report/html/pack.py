# SPDX-License-Identifier: Apache-2.0
"""Numbers over time as text for a page: quantized, differences in time, bytes by significance, deflate, base64.

A value v becomes q = round((v - low) / step), so that |low + q step - v| <= step / 2 within the limits; the highest q
of the type marks a missing value. After state 0 only differences to the previous state are stored, modulo the type and
zigzag coded (0, -1, 1, -2 ... become 0, 1, 2, 3 ...). All low bytes precede all high bytes, so that slowly changing
values are long runs of zeros for deflate. assets/unpack.js is the inverse.
"""

import base64
import zlib
from dataclasses import dataclass

import numpy as np


@dataclass
class Packed:
    """Packed array: `text` decodes to [states, components, items]; `low` and `step` have one entry per component."""

    bits: int
    components: int
    low: list
    step: list
    text: str

    def description(self):
        return {"bits": self.bits, "components": self.components, "low": self.low, "step": self.step}


def quantize(values, limits, bits):
    """(q, low, step) of one component; values beyond the limits become the nearest limit, NaN the missing value."""
    most = 2**bits - 2
    low, high = (float(limit) for limit in limits)
    step = (high - low) / most if high > low else 1.0
    present = np.isfinite(values)
    q = np.rint((np.where(present, values, low).astype(np.float64) - low) / step).clip(0, most)
    return np.where(present, q, most + 1).astype(f"u{bits // 8}"), low, step


def deflate(q):
    """Base64 of the deflated differences of an unsigned array along its first axis."""
    signed = np.dtype(f"i{q.dtype.itemsize}")
    change = q.copy()
    change[1:] -= q[:-1]
    change = change.view(signed)
    coded = ((change << 1) ^ (change >> (8 * signed.itemsize - 1))).view(q.dtype)
    planes = [(coded >> (8 * byte)).astype(np.uint8).tobytes() for byte in range(q.dtype.itemsize)]
    return base64.b64encode(zlib.compress(b"".join(planes), 6)).decode()


def pack_positions(positions):
    """Positions [states, items, dimensions] with 16 bits per axis over their box."""
    parts, low, step = [], [], []
    for axis in range(positions.shape[2]):
        along = positions[:, :, axis]
        q, first, width = quantize(along, (np.nanmin(along), np.nanmax(along)), 16)
        parts.append(q)
        low.append(first)
        step.append(width)
    return Packed(16, len(parts), low, step, deflate(np.stack(parts, axis=1)))


def pack_vectors(vectors):
    """Vectors [states, items, dimensions] with 8 bits per component, over the largest magnitude of a component."""
    most = float(np.nanmax(np.abs(vectors), initial=0))
    parts = [quantize(vectors[:, :, axis], (-most, most), 8) for axis in range(vectors.shape[2])]
    text = deflate(np.stack([q for q, _, _ in parts], axis=1))
    return Packed(8, len(parts), [low for _, low, _ in parts], [step for _, _, step in parts], text)


def pack_values(quantity, bits):
    """A quantity with 16 bits over its range or 8 bits over the color limits; its base-10 logarithm on a log scale."""
    values = quantity.values
    limits = quantity.limits
    if quantity.scale == "log":
        values = np.log10(np.maximum(values, np.finfo(np.float32).tiny))
        limits = [np.log10(limit) for limit in limits]
    finite = values[np.isfinite(values)]
    if quantity.scale == "categories":
        q = np.where(np.isfinite(values), values, 255).astype(np.uint8)
        return Packed(8, 1, [0.0], [1.0], deflate(q[:, None, :]))
    if bits == 16 and len(finite):
        limits = (finite.min(), finite.max())
    q, low, step = quantize(values, limits, bits)
    return Packed(bits, 1, [low], [step], deflate(q[:, None, :]))


def pack_array(array, kind):
    """A constant array, as little-endian numbers of a NumPy type."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(array, dtype=kind).tobytes(), 6)).decode()
