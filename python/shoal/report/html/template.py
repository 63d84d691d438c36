# SPDX-License-Identifier: Apache-2.0
"""Templates of the page."""

import html
import re
from pathlib import Path

ASSETS = Path(__file__).with_name("assets")

escape = html.escape


def fill(template, values):
    """Template of the folder `assets` with values in place of {{name}}; values are not expanded again."""
    text = (ASSETS / template).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda field: values[field[1]], text)
