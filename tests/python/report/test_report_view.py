# SPDX-License-Identifier: Apache-2.0
"""View of 3-D scenes: `shoal plot` in Python, and the page of a report in JavaScript."""

import json
import math
import re
import shutil
import subprocess

import numpy as np
import pytest
from shoal.report.html.template import ASSETS
from shoal.report.scene.view import TILT, TURN, view_axes

DIRECTIONS = [(TURN, TILT), (0.0, 0.0), (2.5, -0.7), (-4.0, 1.5)]
SCRIPT = (ASSETS / "view.js").read_text(encoding="utf-8")


def script_axes(turn, tilt):
    """The axes that page/view.js computes: its formulas are expressions of Python, too."""
    factors = re.search(r"const \[ct, st, cp, sp\] = (\[.*\]);", SCRIPT)[1].replace("this.", "")
    names = {"Math": math, "turn": turn, "tilt": tilt}
    names |= zip(("ct", "st", "cp", "sp"), eval(factors, {}, names), strict=True)
    formulas = dict(re.findall(r"this\.(right|up|away) = (\[.*?\]);", SCRIPT))
    return np.array([eval(formulas[axis], {}, names) for axis in ("right", "up", "away")])


@pytest.mark.parametrize("axes_of", [view_axes, script_axes])
@pytest.mark.parametrize(("turn", "tilt"), DIRECTIONS)
def test_the_axes_are_orthonormal_and_right_handed(axes_of, turn, tilt):
    right, up, away = axes_of(turn, tilt)
    assert np.allclose(axes_of(turn, tilt) @ axes_of(turn, tilt).T, np.eye(3), atol=1e-14)
    assert np.allclose(np.cross(right, up), -away, atol=1e-14)


@pytest.mark.parametrize("axes_of", [view_axes, script_axes])
def test_the_first_view_is_from_above(axes_of):
    right, up, away = axes_of(TURN, TILT)
    assert right[2] == 0, "the horizon is level"
    assert up[2] > 0.9, "z points upward"
    assert away[2] < -0.4, "the eye is above the box"
    assert up @ [away[0], away[1], 0] > 0.3, "what lies on the floor farther away is higher in the picture"


def test_page_and_plot_have_the_same_axes():
    for turn, tilt in DIRECTIONS:
        assert np.allclose(script_axes(turn, tilt), view_axes(turn, tilt), atol=1e-15)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_the_page_draws_points_in_these_axes():
    box = {"low": [0, 0, 0], "high": [2, 1, 1]}
    points = [[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0.5, 0.5]]
    code = f"""{SCRIPT}
const view = new OrbitView({json.dumps(box)}, {json.dumps({"turn": TURN, "tilt": TILT})});
view.resize(800, 600);
console.log(JSON.stringify({json.dumps(points)}.map((point) => view.flat(...point, []))));"""
    printed = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True).stdout
    drawn = np.array(json.loads(printed))
    expected = (np.array(points) - [1, 0.5, 0.5]) @ view_axes(TURN, TILT).T
    assert np.allclose(drawn[:, 2], expected[:, 2])
    assert np.allclose(drawn[:, :2] / drawn[:, 3:], expected[:, :2])
