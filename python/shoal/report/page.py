# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML file from the contents of a report: style, script and data are inside."""

import html
import json
import re
from pathlib import Path

import numpy as np

from . import colors
from .charts import Chart
from .pack import pack_array, pack_positions, pack_values
from .scene import Cells
from .units import grouped, shown
from .view import TILT, TURN

ASSETS = Path(__file__).with_name("page")
SCRIPTS = [
    "text.js",
    "unpack.js",
    "raster.js",
    "view.js",
    "picture.js",
    "colors.js",
    "charts.js",
    "player.js",
    "main.js",
]
MOST_SAMPLES = 1500  # per curve: more than the pixels across a chart

escape = html.escape


def fill(template, values):
    """Template of the folder `page` with values in place of {{name}}; values are not expanded again."""
    text = (ASSETS / template).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda field: values[field[1]], text)


def json_text(data):
    """JSON that is safe within a script element for any strings."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _numbers(values):
    """Numbers with six digits; null for NaN and infinity."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values]


def thinned(x, y, most=MOST_SAMPLES):
    """A curve with at most about `most` samples that keeps the smallest and the largest value of each interval."""
    if len(x) <= most:
        return x, y
    edges = np.linspace(0, len(x), most // 2 + 1).astype(int)
    kept = {0, len(x) - 1}
    for first, last in zip(edges[:-1], edges[1:]):
        stretch = np.nan_to_num(y[first:last])
        kept |= {first + int(stretch.argmin()), first + int(stretch.argmax())}
    kept = sorted(kept)
    return x[kept], y[kept]


def chart_data(chart: Chart):
    series = []
    for each in chart.series:
        x, y = each.x, each.y
        if each.style != "marks":
            x, y = thinned(np.asarray(x, float), np.asarray(y, float))
        series.append({"label": each.label, "style": each.style, "x": _numbers(x), "y": _numbers(y)})
    return {
        "title": chart.title, "x_label": chart.x_label, "y_label": chart.y_label, "series": series,
        "per_second": chart.per_second, "x_limits": list(map(float, chart.x_limits)), "y_limits": list(chart.y_limits),
    }  # fmt: skip


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
            "times": _numbers(scene.times),
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
        self.blocks["walls"] = pack_array(scene.wall, "u1")
        self.blocks["ids"] = pack_array(scene.ids, "<i4")
        axes = [["x", "m"], ["y", "m"], ["z", "m"]][: scene.dimensions]
        self.data |= {"packed": packed.description(), "spacing": scene.spacing, "axes": axes}

    def _add_cells(self, scene):
        self.blocks["points"] = pack_array(scene.points, "<f4")
        self.blocks["corners"] = pack_array(scene.corners, "<i4")
        self.blocks["starts"] = pack_array(scene.starts, "<i4")
        if scene.owners is not None:
            self.blocks["owners"] = pack_array(scene.owners, "<i4")
        self.data |= {"owned": scene.owners is not None, "axes": scene.axes}


def player_html(scene, data):
    low, high = data["box"]["low"], data["box"]["high"]
    aspect = max(0.8, min(4.0, (high[0] - low[0]) / (high[1] - low[1])))
    options = "".join(f'<option value="{escape(q.name)}">{escape(q.label)}</option>' for q in scene.quantities)
    choice = f'<label class="choice">Color by<select data-role="quantity">{options}</select></label>'
    flat = scene.dimensions == 2
    switches = []
    if data["kind"] == "particles" and scene.wall.any():
        checked = " checked" if flat else ""
        switches.append(f'<label><input type="checkbox" data-role="walls"{checked}>Walls</label>')
    if not flat:
        switches.append(
            '<label>Cut from the front <input type="range" data-role="cut" min="0" max="100" value="0"></label>'
        )
    count = len(scene.times)
    return fill("player.html", {
        "choice": choice if len(scene.quantities) > 1 else "",
        "stage": "flat" if flat else "space",
        "aspect": f"{aspect:.3f}",
        "what": data["what"],
        "single": "hidden" if count < 2 else "",
        "last": str(count - 1),
        "clock": escape(f"t = {shown(float(scene.times[0]), 's')}"),
        "speeds": _speeds(count),
        "switches": "\n".join(switches),
        "hint": _hint(flat, count),
        "caption": escape(_caption(scene)),
    })  # fmt: skip


def _speeds(count):
    """Options for states per second; the default plays a run in about 3.4 s."""
    rates = [5, 10, 15, 20, 30, 60]
    start = min(rates[:-1], key=lambda rate: abs(rate - count / 3.4))
    return "".join(f'<option value="{rate}"{" selected" * (rate == start)}>{rate} states/s</option>' for rate in rates)


def _hint(flat, count):
    keys = "<kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> zoom."
    if count > 1:
        steps = "<kbd>←</kbd> <kbd>→</kbd> step, <kbd>Shift</kbd> with them by 10"
        keys = f"<kbd>Space</kbd> plays, {steps}, <kbd>Home</kbd> <kbd>End</kbd> go to the ends, {keys}"
    return f"{keys} Drag to {'move' if flat else 'turn'}, Ctrl and wheel to zoom."


def _caption(scene):
    count = len(scene.times)
    states = "1 state" if count == 1 else f"{count} states"
    if isinstance(scene, Cells) and scene.owners is not None:
        return f"Values of nodes, {states}."
    if isinstance(scene, Cells):
        return f"{grouped(len(scene.starts) - 1)} cells, {states}."
    walls = int(scene.wall.sum())
    part = f", {grouped(walls)} of them walls" if walls else ""
    return f"{grouped(len(scene.ids))} particles{part}, {states}. A color means the same value in all states."


def chart_html(chart, number):
    note = f'<figcaption class="note">{escape(chart.note)}</figcaption>' if chart.note else ""
    return (
        f'<figure class="chart" data-chart="{number}"><h3>{escape(chart.title)}</h3><div class="key"></div>'
        f'<p class="y-label">{escape(chart.y_label)}</p><div class="plot"><div class="tip" hidden></div></div>'
        f"{note}</figure>"
    )


def _table(head, rows):
    """HTML table of rows of cells; a cell is text, or (class, text)."""

    def cells(row, tag):
        return "".join(
            f'<{tag} class="{cell[0]}">{escape(cell[1])}</{tag}>'
            if isinstance(cell, tuple)
            else f"<{tag}>{escape(cell)}</{tag}>"
            for cell in row
        )

    body = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{cells(head, "th")}</tr></thead><tbody>{body}</tbody></table></div>'


def _section(title, *parts):
    return f"<section>\n<h2>{title}</h2>\n" + "\n".join(part for part in parts if part) + "\n</section>"


def _charts(charts, first):
    """HTML of charts; `first` is the number of the first one among all charts of the page."""
    figures = "".join(chart_html(chart, first + i) for i, chart in enumerate(charts))
    return f'<div class="charts">{figures}</div>' if charts else ""


def _verdict_html(verdicts):
    rows = [
        (what, ("number", value), ("number", expected), ("pass", "✓ pass") if passed else ("fail", "✗ fail"))
        for what, value, expected, passed in verdicts.rows
    ]
    head = ("Quantity", ("number", "This run"), ("number", "Reference"), "")
    return f"<h3>{verdicts.passed} of {len(verdicts.rows)} values within their tolerance</h3>" + _table(head, rows)


def _balance_html(balance):
    def share(row):
        if not np.isfinite(row.share):
            return ""
        return f"{shown(row.share, '', 2)} of the start" if row.share else "none"

    rows = []
    for row in balance.rows:
        texts = (shown(row.first, row.unit, 6), shown(row.last, row.unit, 6), share(row))
        rows.append((row.name, *(("number", text) for text in texts)))
    return _table(("", ("number", "Start"), ("number", "End"), ("number", "Change")), rows) if rows else ""


def _shades(parts):
    """Styles of the parts: different colors, and shades of the first color for parts of the solver."""
    within = sum(label.startswith("Solver: ") for label in parts)
    shades = [f"background:var(--s1);opacity:{max(0.25, 0.8**i):.2f}" for i in range(within)]
    return shades + [f"background:var(--s{i % 8 + 1})" for i in range(bool(within), len(parts))]


def _timing_html(timing):
    if not timing.parts:
        return ""
    total = sum(timing.parts.values()) or 1.0
    bars, rows = [], []
    for (label, spent), shade in zip(timing.parts.items(), _shades(timing.parts)):
        bars.append(f'<span style="flex:{spent / total:.5f} 0 0;{shade}" title="{escape(label)}"></span>')
        share = f"{100 * spent / total:.1f} %" if spent / total >= 0.0005 else "< 0.1 %"
        rows.append(f'<tr><td><i class="swatch" style="{shade}"></i>{escape(label)}</td>'
                    f'<td class="number">{shown(spent, "s", 3)}</td><td class="number">{share}</td></tr>')  # fmt: skip
    for label, spent in timing.parallel.items():
        rows.append(f'<tr><td>{escape(label)}</td><td class="number">{shown(spent, "s", 3)}</td><td></td></tr>')
    head = '<tr><th>Part</th><th class="number">Time</th><th class="number">Share</th></tr>'
    return (
        f'<div class="stack" role="img" aria-label="Shares of the wall time, as in the table">{"".join(bars)}</div>'
        f'<div class="scroll"><table><thead>{head}</thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _case_html(text):
    lines = []
    for line in text.rstrip().splitlines():
        shown_line = escape(line)
        if line.startswith("["):
            shown_line = f'<span class="head">{shown_line}</span>'
        elif re.search(r"  # [^\"']*$", line):
            before, comment = line.rsplit("  # ", 1)
            shown_line = f'{escape(before)}  <span class="comment"># {escape(comment)}</span>'
        lines.append(shown_line)
    return f'<pre id="case-text" tabindex="0" aria-label="Case file">{chr(10).join(lines)}</pre>'


def _figures_html(figures):
    entries = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(text)}</dd></div>" for label, text in figures)
    return f'<dl class="figures">{entries}</dl>' if figures else ""


def _subtitle(contents):
    folder = contents.folder
    device = folder.summary.get("device")
    return " · ".join(part for part in (folder.name, device) if part)


def _block(name, text):
    return f'<script type="text/plain" id="block-{escape(name)}">{text}</script>'


def page_html(contents, bits=16):
    """HTML of the page, with the values of its scene in 16 or 8 bits."""
    scene = SceneData(contents.scene, bits) if contents.scene is not None else None
    sections = [player_html(contents.scene, scene.data) if scene else "", _figures_html(contents.figures)]
    if contents.measured or contents.verdicts:
        verdicts = _verdict_html(contents.verdicts) if contents.verdicts else ""
        sections.append(_section("Results", _charts(contents.measured, 0), verdicts))
    if contents.balance.rows or contents.balance.charts:
        charts = _charts(contents.balance.charts, len(contents.measured))
        sections.append(_section("Conservation", charts, _balance_html(contents.balance)))
    if contents.timing.parts:
        wall = shown(contents.timing.wall, "s", 3)
        sections.append(_section(f"Where {wall} went", _timing_html(contents.timing)))
    if contents.machine:
        rows = "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>" for label, text in contents.machine)
        sections.append(_section("Machine", f'<dl class="machine">{rows}</dl>'))
    sections.append(_section("Case", _case_html(contents.folder.case_text)))
    data = {
        "scene": scene.data if scene else None,
        "charts": [chart_data(chart) for chart in contents.all_charts],
        "maps": {scale: colors.as_hex(colors.color_map(scale)) for scale in ("sequential", "diverging")},
        "category_colors": colors.CATEGORY_COLORS,
    }
    blocks = scene.blocks if scene else {}
    return fill("page.html", {
        "title": escape(contents.folder.title),
        "style": (ASSETS / "page.css").read_text(encoding="utf-8"),
        "subtitle": escape(_subtitle(contents)),
        "notices": "".join(f'<p class="notice">{escape(notice)}</p>' for notice in contents.notices),
        "sections": "\n".join(section for section in sections if section),
        "footer": "Made by <code>shoal report</code>. This file needs no network and no other file.",
        "data": json_text(data),
        "blocks": "\n".join(_block(name, text) for name, text in blocks.items()),
        "script": "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS),
    })  # fmt: skip
