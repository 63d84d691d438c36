# SPDX-License-Identifier: Apache-2.0
"""Reports in a headless browser: they open without errors and react to pointer, keyboard and touch.

Skipped where there is no Playwright (pip install playwright) or no Chromium (the variable SHOAL_BROWSER may name one).
"""

import base64
import os
import re
import shutil

import numpy as np
import pytest
from report_runs import RelaxationRun, SphRun, WallDistanceRun, write_front, write_surface
from test_live_view import serving

playwright = pytest.importorskip("playwright.sync_api")
from shoal.report import colors, write_report
from shoal.report.html.template import ASSETS

BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


@pytest.fixture(scope="module")
def browser():
    program = os.environ.get("SHOAL_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium was found")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


PIXELS = """(() => {
  const canvas = document.querySelector('canvas'), {width, height} = canvas;
  const copy = Object.assign(document.createElement('canvas'), {width, height}).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  const bytes = copy.getImageData(0, 0, width, height).data;
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return [height, width, btoa(text)];
})()"""


class Page:
    """An open report; closing it checks that the browser logged no error and made no request."""

    def __init__(self, browser, folder, width=900, height=1000, **options):
        self.complaints, self.requests = [], []
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = write_report(folder, force=True).as_uri()
        self.page.goto(self.address)
        self.page.wait_for_selector('[data-ready="yes"]')
        self.root = self.page.locator('[data-role="player"]')

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        self.context.close()
        if not failed:
            assert self.complaints == []
            assert [url for url in self.requests if not url.startswith(("data:", "blob:"))] == [self.address]

    def part(self, role):
        return self.root.locator(f'[data-role="{role}"]')

    @property
    def state(self):
        return int(self.root.get_attribute("data-state"))

    def wait_until(self, holds):
        for _ in range(500):
            if holds():
                return
            self.page.wait_for_timeout(20)
        pytest.fail("did not happen within 10 s")

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        return self.state

    def scrub(self, state):
        self.part("scrub").fill(str(state))

    def pixels(self):
        """Picture as [rows, columns, RGBA]."""
        height, width, text = self.page.evaluate(PIXELS)
        return np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)

    def point_at(self, x, y):
        """Moves the pointer to a position of a 2-D run and returns the text of the tip."""
        view = self.page.evaluate("JSON.parse(document.getElementById('data').textContent).scene.box")
        self.part("canvas").scroll_into_view_if_needed()
        box = self.part("canvas").bounding_box()
        left, below = (40 if box["width"] < 500 else 52), 36
        width, height = box["width"] - left, box["height"] - below
        (x0, y0), (x1, y1) = view["low"], view["high"]
        scale = min(width / (x1 - x0), height / (y1 - y0))
        px = box["x"] + left + width / 2 + (x - (x0 + x1) / 2) * scale
        py = box["y"] + height / 2 - (y - (y0 + y1) / 2) * scale
        self.page.mouse.move(float(px), float(py))
        return self.part("tip").inner_text().split("\n")


def test_the_tip_tells_the_particle_its_place_and_its_value(browser, tmp_path):
    run = SphRun(tmp_path / "out")
    with Page(browser, run.folder) as page:
        page.scrub(4)
        for item in (0, 7, 19):
            x, y, _ = run.positions[4][item]
            lines = page.point_at(x, y)
            value = run.arrays["pressure"][4][item]
            assert lines[-1] == f"particle {item}"
            number, unit = re.fullmatch(r"Pressure ([\d.]+) (k?Pa)", lines[-2]).groups()
            assert float(number) * (1000 if unit == "kPa" else 1) == pytest.approx(value, rel=1e-3)
        assert page.point_at(0.2, -0.1)[-2:] == ["tank", "particle 22"]


def test_particles_have_the_colors_of_their_values(browser, tmp_path):
    run = SphRun(tmp_path / "out")
    with Page(browser, run.folder) as page:
        limits = page.page.evaluate(
            "JSON.parse(document.getElementById('data').textContent).scene.quantities[0].limits"
        )
        picture = page.pixels()[..., :3].reshape(-1, 3)
        seen = {tuple(color) for color in picture}
        share = (run.arrays["pressure"][0][:20] - limits[0]) / (limits[1] - limits[0])
        table = np.rint(255 * colors.color_map("linear")).astype(int)
        expected = [table[int(np.clip(np.rint(255 * s), 0, 255))] for s in share]
        for color in expected:
            assert min(np.abs(np.array(near) - color).max() for near in seen) <= 3


def test_it_plays_and_pauses_and_begins_again(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out", states=12).folder) as page:
        page.part("speed").select_option("15")
        page.part("play").click()
        page.wait_until(lambda: page.state >= 8)
        page.wait_until(lambda: page.state < 5)
        assert page.part("play").get_attribute("aria-label") == "Pause"
        page.part("play").click()
        stopped = page.state
        page.page.wait_for_timeout(200)
        assert page.state == stopped and page.part("play").get_attribute("aria-label") == "Play"


def test_it_scrubs(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out").folder) as page:
        before = page.pixels()
        page.scrub(5)
        assert page.state == 5
        assert page.part("clock").inner_text() == "t = 1.0 s"
        assert page.part("scrub").get_attribute("aria-valuetext") == "t = 1.0 s, state 6 of 6"
        assert "at t = 1.0 s" in page.part("canvas").get_attribute("aria-label")
        assert (page.pixels() != before).any(axis=2).mean() > 0.02


def test_it_switches_the_quantity_and_its_colors(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out").folder) as page:
        before = page.pixels()
        assert "Pressure, kPa" in page.part("bar").inner_text()
        page.part("quantity").select_option("velocity")
        page.page.wait_for_selector('[data-quantity="velocity"]')
        assert "Speed, m/s" in page.part("bar").inner_text()
        other = page.pixels()
        assert (other != before).any(axis=2).mean() > 0.02
        page.root.locator("summary").click()
        assert page.part("unit").inner_text() == "m/s"
        page.part("high").fill("5")
        page.part("high").press("Enter")
        assert (page.pixels() != other).any(axis=2).mean() > 0.02
        page.part("reset").click()
        assert (page.pixels() == other).all()
        page.part("low").fill("9")  # above the upper limit: an error without effect
        page.part("low").press("Enter")
        assert page.part("low").evaluate("(input) => !input.checkValidity()")
        assert (page.pixels() == other).all()


def test_keys_do_it_all(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out", states=31).folder) as page:
        assert page.press("ArrowRight", "ArrowRight") == 2
        assert page.press("ArrowLeft") == 1
        assert page.press("Shift+ArrowRight") == 11
        assert page.press("End") == 30
        assert page.press("ArrowRight") == 30, "does not run over the end"
        assert page.press("Home") == 0
        page.press(" ")
        assert page.root.get_attribute("data-playing") == "yes"
        page.press(" ")
        assert page.root.get_attribute("data-playing") == "no"
        page.press("Home")
        all_of_it = page.pixels()
        page.press("+")
        assert (page.pixels() != all_of_it).any()
        page.press("0")
        assert (page.pixels() == all_of_it).all()
        page.part("scrub").focus()
        assert page.press("ArrowRight", "End", "ArrowLeft") == 29, "the slider itself has focus"
        page.part("quantity").focus()
        page.page.keyboard.press("ArrowDown")
        page.page.wait_for_selector('[data-quantity="velocity"]')
        assert page.state == 29, "arrows belong to the list that has focus"


def test_all_that_works_has_a_name_and_can_be_reached(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out").folder) as page:
        names = page.page.evaluate("""[...document.querySelectorAll('button, select, input, canvas, svg[role], pre')]
            .map((e) => e.getAttribute('aria-label') || e.labels?.[0]?.textContent.trim() || e.textContent.trim())""")
        assert len(names) > 10 and all(names)
        reached = set()
        for _ in range(20):
            page.page.keyboard.press("Tab")
            reached.add(page.page.evaluate("document.activeElement.dataset.role"))
        assert {"theme", "quantity", "nearer", "farther", "fit", "play", "scrub", "speed"} <= reached


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_cut_on_a_phone(browser, tmp_path, width):
    run = SphRun(tmp_path / "out")
    write_front(run.folder, np.linspace(0, 1, 50), np.linspace(2, 3, 50))
    with Page(browser, run.folder, width, 700, is_mobile=True, has_touch=True, device_scale_factor=3) as page:
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        for role in ("quantity", "play", "scrub", "clock", "speed", "nearer"):
            box = page.part(role).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, role
        assert page.part("play").bounding_box()["height"] >= 44
        page.part("play").tap()
        page.wait_until(lambda: page.state > 0)


def test_light_and_dark(browser, tmp_path):
    run = SphRun(tmp_path / "out")
    background = "getComputedStyle(document.body).backgroundColor"
    with Page(browser, run.folder, color_scheme="light") as page:
        light = page.page.evaluate(background)
        page.page.locator('[data-role="theme"]').click()
        dark = page.page.evaluate(background)
    with Page(browser, run.folder, color_scheme="dark") as page:
        assert page.page.evaluate(background) == dark != light
        page.page.locator('[data-role="theme"]').click()
        assert page.page.evaluate(background) == light


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


def test_a_page_that_is_served_follows_the_run(browser, tmp_path):
    run = SphRun(tmp_path / "out", states=4)
    with serving(run.folder, every=0.2) as address:
        page = browser.new_context().new_page()
        page.goto(address)
        state = page.locator('[data-ready="yes"][data-state="3"]')
        state.wait_for()
        page.locator('[data-role="quantity"]').select_option("density")
        SphRun(run.folder, states=6)
        page.locator('[data-ready="yes"][data-state="5"][data-quantity="density"]').wait_for()
        page.keyboard.press("Home")
        page.locator('[data-state="0"]').wait_for()
        SphRun(run.folder, states=7)
        page.locator('[data-role="scrub"][max="6"]').wait_for(state="attached")
        page.locator('[data-ready="yes"][data-state="0"][data-quantity="density"]').wait_for()
        page.context.close()


def test_cells_tell_their_distance(browser, tmp_path):
    run = WallDistanceRun(tmp_path / "out")
    with Page(browser, run.folder) as page:
        page.scrub(1)
        for row in range(3):
            assert (
                page.point_at(1.5, row + 0.5)[-1]
                == f"Distance to the nearest wall {run.distance[1][4 * row + 1]:.4g} m"
            )
        page.part("quantity").select_option("body")
        page.page.wait_for_selector('[data-quantity="body"]')
        assert page.part("bar").inner_text().split() == ["at", "rest", "floor"]
        assert page.point_at(1.5, 0.5)[-1] == "Body with the nearest wall: at rest"
        assert page.point_at(1.5, 1.5)[-1] == "Body with the nearest wall: floor"


def test_a_single_state_needs_no_controls(browser, tmp_path):
    with Page(browser, RelaxationRun(tmp_path / "out").folder) as page:
        assert not page.part("play").is_visible()
        page.page.keyboard.press(" ")
        assert page.state == 0


def test_charts_draw_their_curves_and_follow_the_state(browser, tmp_path):
    with Page(browser, SphRun(tmp_path / "out").folder) as page:
        chart = page.page.locator('[data-chart="0"]')
        assert chart.locator("path.curve[d]").count() == 6  # three curves, and their samples in the key
        marks = set()
        for state in (0, 2, 5):
            page.scrub(state)
            marks.add(chart.locator("path.now").get_attribute("d"))
        assert len(marks) == 3
        chart.scroll_into_view_if_needed()
        box = chart.locator("svg[role]").bounding_box()
        page.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
        tip = chart.locator(".tip").inner_text()
        assert "Kinetic" in tip and "Potential" in tip


def test_text_of_a_case_does_not_run(browser, tmp_path):
    run = SphRun(tmp_path / "out", title="</script><img src=x onerror=alert(2)><b>bold</b>")
    with Page(browser, run.folder) as page:
        assert page.page.locator("h1").inner_text() == "</script><img src=x onerror=alert(2)><b>bold</b>"


def luminance(color):
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_and_lines_stand_out():
    style = (ASSETS / "page.css").read_text()
    blocks = [
        dict(re.findall(r"(--[\w-]+): (#\w{6});", block)) for block in re.findall(r":root[^{]*\{([^}]*)\}", style)
    ]
    assert len(blocks) == 3 and blocks[1] == blocks[2], "dark by choice is as dark by system"
    for colors_of in blocks[:2]:
        paper = colors_of["--paper"]
        for name in ("--ink", "--quiet", "--accent", "--pass", "--fail"):
            assert contrast(colors_of[name], paper) >= 4.5, name
        assert contrast(colors_of["--on-accent"], colors_of["--accent"]) >= 4.5
        for i in range(1, 9):
            assert contrast(colors_of[f"--s{i}"], paper) >= 3, i
