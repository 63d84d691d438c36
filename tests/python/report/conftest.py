# SPDX-License-Identifier: Apache-2.0
"""A headless browser, for tests of pages.

Tests are skipped where there is no Playwright (pip install playwright) or no Chromium (the variable SHOAL_BROWSER may name
one).
"""

import os
import shutil

import pytest

BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    program = os.environ.get("SHOAL_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium was found")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()
