# SPDX-License-Identifier: Apache-2.0
"""Text and tables of plans, cases and results."""

from html.parser import HTMLParser

import numpy
import pytest

import shoal
from shoal import _core, _display

GRID = shoal.Grid.fill((0, 0, 0), (1, 1, 1), 0.25)
VELOCITIES = shoal.VelocityGrid(nodes=8, half_width=4)


class Cells(HTMLParser):
    """Texts of a table's cells, after a check that every tag is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        assert tag in ("table", "caption", "b", "tr", "th", "td")
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def tank():
    return shoal.sph.Case(
        title="A <drop> of water",
        run={"duration": 0.1},
        particles={"spacing": 0.05},
        body=[{"material": "water", "box": {"from": [0, 0], "to": [0.2, 0.2]}}],
        material={"water": {"density": 1000, "sound_speed": 50}},
    )


def items():
    """One object of each kind that can be made in a line."""
    points = numpy.random.default_rng(3).random((50, 3))
    mesh, _ = shoal.circle_case(16, 4)
    gas = shoal.Relaxation(VELOCITIES, shoal.Molecules())
    gas.start(shoal.TwoBeams().distribution(VELOCITIES))
    flow = shoal.gas.Gas(VELOCITIES, [0, 1, 2], shoal.Molecules(), model="bgk")
    flow.start(numpy.ones(2), numpy.ones(2))
    solver = shoal.sph.Solver(tank(), device="cpu")
    binned = shoal.Deposit(GRID)
    binned.bin(points)
    return [
        shoal.Cells(GRID),
        shoal.cells(points, GRID),
        shoal.Neighbors(0.1),
        shoal.neighbors(points, 0.1, displacements=True),
        shoal.Deposit(GRID),
        binned,
        shoal.DepositGrid(GRID),
        shoal.WallDistance(mesh),
        shoal.wall_distance(mesh, points[:, :2]),
        shoal.RigidTransform.shift((1, 2, 3)),
        VELOCITIES,
        shoal.Collision(VELOCITIES, shoal.Molecules()),
        gas,
        gas.states()[0],
        flow,
        flow.clock,
        flow.fluxes()[0],
        flow.moments(),
        flow.advance_to_steady(max_iterations=1),
        shoal.gas.GasBoundary(),
        tank(),
        solver,
        solver.fields(),
        solver.balance(),
    ]


@pytest.mark.parametrize("item", items(), ids=lambda item: type(item).__name__)
def test_text_is_a_line_and_the_table_is_small(item):
    name = type(item).__name__
    text = repr(item)
    assert text.startswith(f"{name}(") and text.endswith(")")
    assert isinstance(item, tuple) or ("\n" not in text and "object at 0x" not in text)
    html = item._repr_html_()
    texts = Cells(html).texts
    assert texts[0] == name and len(texts) > 2 and len(html) < 10_000
    assert "object at 0x" not in html


def test_every_class_that_is_listed_exists_and_has_its_facts():
    for name, names in (_display.PLANS | _display.VALUES | _display.SPH).items():
        kind = getattr(_core, name)
        assert all(hasattr(kind, each) for each in names), name
        assert "_repr_html_" in vars(kind)


def test_the_facts_of_a_plan_and_of_a_list():
    plan = shoal.Neighbors(0.2, dtype="float32", device="cpu")
    assert repr(plan).startswith("Neighbors(method=") and "dtype=float32, device=cpu" in repr(plan)
    found = plan.find(numpy.zeros((3, 3), dtype="float32"))
    assert Cells(found._repr_html_()).texts == ["NeighborList", "offsets", "int64 (4,)", "indices", "int32 (6,)"]


def test_text_of_users_is_escaped():
    html = tank()._repr_html_()
    assert "A &lt;drop&gt; of water" in html and "<drop>" not in html
    assert "A <drop> of water" in repr(tank())


def test_a_plan_without_particles_leaves_out_what_it_cannot_state():
    assert "skipped" not in repr(shoal.Deposit(GRID))


def test_a_report_is_shown_in_a_frame(tmp_path):
    pytest.importorskip("h5py")
    import shoal.report

    tank().run(folder=tmp_path / "out", device="cpu")
    shown = shoal.report.show(tmp_path / "out", height=500)
    assert repr(shown) == str(tmp_path / "out" / "report.html") and shown.path.exists()
    html = shown._repr_html_()
    assert html.startswith('<iframe srcdoc="') and html.endswith("height: 500px; border: 0\"></iframe>")
    assert html.count('"') == 4 and "<script" not in html  # all of the page is escaped
    assert shoal.report.show(tmp_path / "out").path == shown.path  # again
