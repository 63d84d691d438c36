# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML file from the contents of a report: style, script and data are inside."""

import json
import re

import numpy as np

from .. import colors
from ..curves.charts import Chart
from ..units import shown
from .player import player_html
from .scene_data import SceneData, numbers
from .template import ASSETS, escape, fill

SCRIPTS = [
    "text.js",
    "unpack.js",
    "raster.js",
    "view.js",
    "picture.js",
    "colors.js",
    "charts.js",
    "player.js",
    "live.js",
    "main.js",
]
MOST_SAMPLES = 1500  # per curve: more than the pixels across a chart


def json_text(data):
    """JSON that is safe within a script element for any strings."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


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
        series.append({"label": each.label, "style": each.style, "x": numbers(x), "y": numbers(y)})
    return {
        "title": chart.title, "x_label": chart.x_label, "y_label": chart.y_label, "series": series,
        "per_second": chart.per_second, "x_limits": list(map(float, chart.x_limits)), "y_limits": list(chart.y_limits),
    }  # fmt: skip


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


def page_html(contents, bits=16, live=None):
    """HTML of the page, with the values of its scene in 16 or 8 bits. `live`: of a page that `shoal view` serves."""
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
        "live": live,
        "charts": [chart_data(chart) for chart in contents.all_charts],
        "maps": {scale: colors.as_hex(colors.color_map(scale)) for scale in ("sequential", "diverging")},
        "category_colors": colors.CATEGORY_COLORS,
    }
    blocks = scene.blocks if scene else {}
    return fill("page.html", {
        "title": escape(contents.folder.title),
        "connect": "'self'" if live else "'none'",  # what the page may fetch from
        "style": (ASSETS / "page.css").read_text(encoding="utf-8"),
        "subtitle": escape(_subtitle(contents)),
        "notices": "".join(f'<p class="notice">{escape(notice)}</p>' for notice in contents.notices),
        "sections": "\n".join(section for section in sections if section),
        "footer": "Made by <code>shoal report</code>. This file needs no network and no other file.",
        "data": json_text(data),
        "blocks": "\n".join(_block(name, text) for name, text in blocks.items()),
        "script": "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS),
    })  # fmt: skip
