# SPDX-License-Identifier: Apache-2.0
"""The player of the page: the picture of the states, and what controls it."""

from ..scene.cells import Cells
from ..units import grouped, shown
from .template import escape, fill


def player_html(scene, data):
    low, high = data["box"]["low"], data["box"]["high"]
    aspect = max(0.8, min(4.0, (high[0] - low[0]) / (high[1] - low[1])))
    options = "".join(f'<option value="{escape(q.name)}">{escape(q.label)}</option>' for q in scene.quantities)
    choice = f'<label class="choice">Color by<select data-role="quantity">{options}</select></label>'
    flat = scene.dimensions == 2
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
        "switches": "\n".join(_switches(scene, flat)),
        "hint": _hint(flat, count),
        "caption": escape(_caption(scene)),
    })  # fmt: skip


def _switches(scene, flat):
    """Controls of what a picture of particles shows."""
    if isinstance(scene, Cells):
        return
    if len(scene.parts) > 1:
        boxes = []
        for number, part in enumerate(scene.parts):
            checked = " checked" if flat or not part.wall or part.moves else ""
            box = f'<input type="checkbox" data-role="part" data-part="{number}"{checked}>'
            boxes.append(f"<label>{box}{escape(part.name)}</label>")
        yield f'<span class="parts" role="group" aria-label="Parts">{"".join(boxes)}</span>'
    if not flat:
        yield fill("space.html", {})
        if scene.surface is not None:
            yield '<label><input type="checkbox" data-role="surface">Surface in place of the fluid</label>'
    if scene.has_arrows:
        yield '<label><input type="checkbox" data-role="arrows">Arrows of the velocity</label>'


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
