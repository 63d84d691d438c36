# SPDX-License-Identifier: Apache-2.0
"""`shoal view DIR`: the report of a run in the browser, which follows the run while it goes on."""

import argparse
import sys
import threading
import webbrowser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import PathLike
from pathlib import Path

from .report import ReportError
from .report.command import report_text
from .report.reading.run_folder import RunFolder

WATCHED = ("fields.vtkhdf", "fields.pvd", "distance.vtkhdf", "distribution.npy", "summary.json", "*.csv")


class View:
    """The page of a run, made again when the files of the run have changed."""

    def __init__(self, folder, every, megabytes=10.0, most_states=400):
        self.folder, self.every = RunFolder(folder).folder, every
        self.limits = (megabytes, most_states)
        self._making = threading.Lock()
        self._made = (None, "")

    def version(self):
        """Text that is another one after each change of the files."""
        files = sorted(path for pattern in WATCHED for path in self.folder.glob(pattern))
        return ",".join(f"{path.name}:{path.stat().st_size}:{path.stat().st_mtime_ns}" for path in files)

    def page(self):
        with self._making:
            version = self.version()
            if self._made[0] != version:
                live = {"version": version, "every": self.every}
                self._made = (version, report_text(self.folder, None, *self.limits, live=live)[0])
            return self._made[1]


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):  # the name that http.server calls
        view = self.server.view
        try:
            if self.path == "/":
                self._answer(200, "text/html", view.page())
            elif self.path == "/version":
                self._answer(200, "text/plain", view.version())
            else:
                self._answer(404, "text/plain", "shoal view has / and /version")
        except ReportError as error:  # such as a run that has written nothing yet
            self._answer(503, "text/plain", str(error), {"Refresh": f"{view.every}; url=/"})

    def _answer(self, status, kind, text, more=None):
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        for name, value in (more or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass  # requests are not news


def view_server(
    folder: str | PathLike[str], port: int = 0, every: float = 2.0, megabytes: float = 10.0, most_states: int = 400
) -> ThreadingHTTPServer:
    """HTTP server of the report of a run, for this machine alone (127.0.0.1). `serve_forever()` runs it.

    Parameters
    ----------
    folder : path of the output folder of `shoal run`, of a run that goes on or has ended
    port : 0: any that is free; `server_port` of the result is the one taken
    every : s between the looks of an open page for changes
    megabytes, most_states : as of shoal.report.write_report

    Raises
    ------
    ReportError : the folder is not that of a run, or the port is taken
    """
    if not every > 0:
        raise ReportError(f"shoal view: {every} s between two looks, expected more than 0.")
    view = View(folder, every, megabytes, most_states)
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    except (OSError, OverflowError) as error:
        raise ReportError(f"port {port} cannot be had: {error}. Choose another one, or 0 for any.") from error
    server.daemon_threads = True
    server.view = view
    return server


def main(argv=None):
    parser = argparse.ArgumentParser(
        prog="shoal view", description="Shows a run in the browser, and follows it while it goes on. Ctrl-C ends it."
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="output folder of `shoal run`")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="default: any that is free")
    parser.add_argument("--every", type=float, default=2.0, metavar="S", help="s between looks; default: 2")
    parser.add_argument("--megabytes", type=float, default=10.0, metavar="N", help="most of a page; default: 10")
    parser.add_argument("--states", type=int, default=400, metavar="N", help="largest number of states; default: 400")
    parser.add_argument("--open", action="store_true", help="open the browser")
    given = parser.parse_args(argv)
    try:
        server = view_server(given.folder, given.port, given.every, given.megabytes, given.states)
    except ReportError as error:
        print(f"shoal view: {error}", file=sys.stderr)
        return 1
    address = f"http://127.0.0.1:{server.server_port}/"
    print(f"{address}  (Ctrl-C ends)", flush=True)
    if given.open:
        webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    server.server_close()
    return 0
