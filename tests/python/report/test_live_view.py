# SPDX-License-Identifier: Apache-2.0
"""`shoal view`: the page of a run that goes on, as a server gives it to a browser."""

import contextlib
import json
import re
import threading
import urllib.error
import urllib.request

import pytest
from report_runs import SphRun
from shoal.report import ReportError
from shoal.view import main, view_server


@contextlib.contextmanager
def serving(folder, **options):
    server = view_server(folder, **options)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def text_of(address):
    with urllib.request.urlopen(address, timeout=20) as answer:
        return answer.read().decode()


def data_of(page):
    return json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_follows_the_files(tmp_path):
    run = SphRun(tmp_path / "out", states=4)
    with serving(run.folder, every=0.5) as address:
        first, version = data_of(text_of(f"{address}/")), text_of(f"{address}/version")
        assert len(first["scene"]["times"]) == 4
        assert first["live"] == {"version": version, "every": 0.5}
        assert text_of(f"{address}/version") == version, "nothing has changed"
        SphRun(run.folder, states=6)
        assert text_of(f"{address}/version") != version
        assert len(data_of(text_of(f"{address}/"))["scene"]["times"]) == 6


def test_nothing_else_is_served(tmp_path):
    run = SphRun(tmp_path / "out")
    with serving(run.folder) as address:
        for path in ("/case.toml", "/../secret", "/fields.vtkhdf"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                text_of(address + path)
        (run.folder / "summary.json").write_text("{")
        with pytest.raises(urllib.error.HTTPError, match="503") as refused:
            text_of(f"{address}/")
        assert "summary.json: truncated or damaged" in refused.value.read().decode()
        assert refused.value.headers["Refresh"] == "2.0; url=/", "the browser asks again"


def test_reports_that_are_files_do_not_look_for_changes(tmp_path):
    from shoal.report import write_report

    page = write_report(SphRun(tmp_path / "out").folder).read_text(encoding="utf-8")
    assert data_of(page)["live"] is None


def test_bad_arguments_are_refused(tmp_path, capsys):
    run = SphRun(tmp_path / "out")
    with serving(run.folder) as address:
        port = address.rsplit(":", 1)[1]
        assert main([str(run.folder), "--port", port]) == 1
        assert f"port {port} cannot be had" in capsys.readouterr().err
    for options, message in (({"port": 70000}, "port 70000 cannot be had"), ({"every": 0}, "expected more than 0")):
        with pytest.raises(ReportError, match=message):
            view_server(run.folder, **options)
    assert main([str(tmp_path / "missing")]) == 1
    assert "there is no such folder" in capsys.readouterr().err


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
