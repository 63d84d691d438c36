# SPDX-License-Identifier: Apache-2.0
"""A scene as the numbers that the page has inside."""

import numpy as np

from ..scene.cells import Cells
from ..scene.view import TILT, TURN
from .pack import pack_array, pack_positions, pack_values, pack_vectors


def numbers(values):
    """Numbers with six digits; null for NaN and infinity."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values]


class SceneData:
    """A scene for the page: `data` for the script, `blocks` of packed numbers by name."""

    def __init__(self, scene, bits):
        self.blocks = {}
        cells = isinstance(scene, Cells)
        items = scene.quantities[0].values.shape[1] if cells else scene.positions.shape[1]
        self.data = {
            "kind": "cells" if cells else "particles",
            "what": "Cells" if cells else "Particles",
            "dimensions": scene.dimensions,
            "times": numbers(scene.times),
            "items": items,
            "box": dict(zip(("low", "high"), scene.box)),
            "view": {"turn": TURN, "tilt": TILT},
            "quantities": [self._quantity(quantity, bits) for quantity in scene.quantities],
        }
        if cells:
            self._add_cells(scene)
        else:
            self._add_particles(scene)

    def _quantity(self, quantity, bits):
        packed = pack_values(quantity, bits)
        self.blocks[f"values-{quantity.name}"] = packed.text
        return {
            "name": quantity.name, "label": quantity.label, "unit": quantity.unit, "scale": quantity.scale,
            "limits": [float(limit) for limit in quantity.limits], "categories": quantity.categories,
            "packed": packed.description(),
        }  # fmt: skip

    def _add_particles(self, scene):
        packed = pack_positions(scene.positions)
        self.blocks["positions"] = packed.text
        self.blocks["parts"] = pack_array(scene.part, "<u2")
        self.blocks["ids"] = pack_array(scene.ids, "<i4")
        axes = [["x", "m"], ["y", "m"], ["z", "m"]][: scene.dimensions]
        self.data |= {"packed": packed.description(), "spacing": scene.spacing, "axes": axes}
        self.data["parts"] = [vars(part) for part in scene.parts]
        if scene.has_arrows:
            arrows = pack_vectors(scene.velocity)
            self.blocks["arrows"] = arrows.text
            self.data["arrows"] = arrows.description() | {"speed": scene.speed}
        if scene.surface is not None:
            self._add_surface(scene.surface)

    def _add_surface(self, surface):
        points = np.concatenate(surface.points)
        packed = pack_positions(points[None]) if len(points) else pack_positions(np.zeros((1, 1, 3)))
        corners = np.concatenate(surface.corners).ravel()
        self.blocks["surface-points"] = packed.text
        self.blocks["surface-corners"] = pack_array(np.diff(corners, prepend=0), "<i4")  # differences are short
        self.data["surface"] = packed.description() | {
            "points": len(points),
            "first_point": np.cumsum([0] + [len(each) for each in surface.points]).tolist(),
            "first_corner": np.cumsum([0] + [each.size for each in surface.corners]).tolist(),
        }

    def _add_cells(self, scene):
        self.blocks["points"] = pack_array(scene.points, "<f4")
        self.blocks["corners"] = pack_array(scene.corners, "<i4")
        self.blocks["starts"] = pack_array(scene.starts, "<i4")
        if scene.owners is not None:
            self.blocks["owners"] = pack_array(scene.owners, "<i4")
        self.data |= {"owned": scene.owners is not None, "axes": scene.axes}
