# SPDX-License-Identifier: Apache-2.0
"""What the picture of a report can show, in a headless browser: parts, cuts and slices, the surface, arrows."""

from browser_page import Page
from report_runs import SphRun, write_surface
from shoal.report.html.template import ASSETS


def test_space_can_be_walked_around_and_cut(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out", dimensions=3).folder) as page:
        before = page.pixels()
        box = page.part("canvas").bounding_box()
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.page.mouse.move(*middle)
        page.page.mouse.down()
        page.page.mouse.move(middle[0] + 120, middle[1], steps=4)
        page.page.mouse.up()
        turned = page.pixels()
        assert (turned != before).any(axis=2).mean() > 0.02
        page.page.mouse.down()
        page.page.mouse.move(middle[0] + 120, middle[1] + 40, steps=4)
        page.page.mouse.up()
        assert (page.pixels() != turned).any(axis=2).mean() > 0.02
        page.press("0")
        assert (page.pixels() == before).all()
        page.root.locator("summary").click()
        page.part("cut").fill("60")
        cut = page.pixels()
        assert (cut[..., 3] > 0).sum() < (before[..., 3] > 0).sum()
        page.part("cut").fill("0")
        page.root.get_by_label("tank").check()
        assert (page.pixels() != before).any(axis=2).mean() > 0.005


def test_parts_are_shown_one_by_one(browser, tmp_path):
    run = SphRun(tmp_path / "out")
    with Page(browser, run.folder) as page:
        page.root.locator("summary").click()
        assert page.root.get_by_role("group", name="Parts").inner_text().split() == ["fluid", "tank"]
        (x, y, _), (wall_x, wall_y, _) = run.positions[0][[7, 22]]
        for name, hidden, shown in (("fluid", (x, y), (wall_x, wall_y)), ("tank", (wall_x, wall_y), (x, y))):
            page.root.get_by_label(name).uncheck()
            page.point_at(*hidden)
            assert not page.part("tip").is_visible()
            page.point_at(*shown)
            assert page.part("tip").is_visible()
            page.root.get_by_label(name).check()


def test_a_slice_shows_one_layer(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out", dimensions=3).folder) as page:
        page.root.locator("summary").click()
        whole = (page.pixels()[..., 3] > 0).sum()
        seen = {}
        for axis in "xyz":
            page.part("slice").select_option(f"across {axis}")
            for place in ("0", "50", "100"):
                page.part("place").fill(place)
                seen[axis, place] = (page.pixels()[..., 3] > 0).sum()
        assert all(count < whole for count in seen.values())
        assert seen["z", "0"] != seen["z", "100"]
        page.part("slice").select_option("none")
        assert (page.pixels()[..., 3] > 0).sum() == whole
        assert page.part("place").is_disabled()


def test_the_surface_takes_the_place_of_the_fluid(browser, tmp_path):
    run = SphRun(tmp_path / "out", dimensions=3)
    corner = ([[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0, 0, 0.4]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    write_surface(run.folder, run.times, *corner)
    with Page(browser, run.folder) as page:
        page.root.locator("summary").click()
        before = page.pixels()
        page.part("surface").check()
        page.wait_until(lambda: (page.pixels() != before).any())
        pixels = page.pixels().astype(int)
        red, green, blue = (pixels[..., k] for k in range(3))
        blueish = (blue > 1.5 * red) & (blue > green) & (red > 0)  # #4f9fd8 in some light
        assert blueish.mean() > 0.01
        page.part("surface").uncheck()
        assert (page.pixels() == before).all()


def test_arrows_point_where_particles_move(browser, tmp_path):
    run = SphRun(tmp_path / "out")
    with Page(browser, run.folder) as page:
        page.root.locator("summary").click()
        page.scrub(5)
        before = page.pixels()
        page.part("arrows").check()
        page.wait_until(lambda: (page.pixels() != before).any(axis=2).mean() > 0.002)
        picture = (ASSETS / "picture.js").read_text()
        flat, space = page.page.evaluate(f"(() => {{ {picture}" + """
          const scene = {items: 2, arrows: {low: [-1, -1, -1], step: [1, 1, 1]}};
          const of = (more) => Picture.prototype.velocityOf.call({...more, scene: {...scene, ...more.scene}, state: 0}, 1);
          const behind = {right: [0, 1, 0], up: [0, 0, 1]};
          return [{flat: true, dimensions: 2, velocity: [0, 3, 0, 2]}, {dimensions: 3, velocity: [0, 3, 0, 2, 0, 5]}].map(
            ({flat, dimensions, velocity}) => of({flat, velocity, view: behind, scene: {dimensions}}));
        })()""")
        assert flat == [2, -1], "v = (2, 1): to the right, and upward"
        assert space == [1, -4], "v = (2, 1, 4), with y to the right and z upward"
        page.part("arrows").uncheck()
        assert (page.pixels() == before).all()
