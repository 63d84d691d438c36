# SPDX-License-Identifier: Apache-2.0
"""A report that is open in a headless browser."""

import base64

import numpy as np
import pytest
from shoal.report import write_report

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
