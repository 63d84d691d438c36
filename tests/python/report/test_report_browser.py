# SPDX-License-Identifier: Apache-2.0
"""Reports in a headless browser: they open without errors and react to pointer, keyboard and touch."""

import re

import numpy as np
import pytest
from browser_page import Page
from report_runs import RelaxationRun, SphRun, WallDistanceRun, write_front
from shoal.report import colors
from shoal.report.html.template import ASSETS


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
