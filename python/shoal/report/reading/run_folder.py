# SPDX-License-Identifier: Apache-2.0
"""Output folder of a run: its case, its summary and its files. docs/output.md has the layout."""

import json
import tomllib
from functools import cached_property
from pathlib import Path

from ..errors import ReportError
from .tables import read_table
from .types import CASE, SPH_CASE, SUMMARY, require_types

KINDS = ("sph", "wall_distance", "relaxation", "gas")


class RunFolder:
    """Output folder of a run, finished or not."""

    def __init__(self, folder):
        self.folder = Path(folder)
        file = self.folder / "case.toml"
        if not self.folder.is_dir():
            raise ReportError(
                f"{folder}: there is no such folder; expected the output folder of a run, as out/dam_break."
            )
        if not file.is_file():
            raise ReportError(
                f"{folder} is not the output folder of a run: it has no case.toml. "
                "Expected the folder that `shoal run CASE --out DIR` writes."
            )
        try:
            self.case_text = file.read_text(encoding="utf-8")
            self.case = tomllib.loads(self.case_text)
        except (OSError, RecursionError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ReportError(f"{file}: not a case file: {error}.") from error
        require_types(file, self.case, CASE)
        self.kind = self.case.get("kind", "sph")
        if self.kind not in KINDS:
            raise ReportError(f"{file}: unknown kind `{self.kind}`; expected one of: {', '.join(KINDS)}.")
        if self.kind == "sph":
            require_types(file, self.case, SPH_CASE)

    @property
    def name(self):
        return self.summary.get("name") or self.folder.resolve().name

    @property
    def title(self):
        return self.case.get("title") or self.name

    @cached_property
    def summary(self):
        """Content of summary.json, or {} if the run has not ended."""
        file = self.folder / "summary.json"
        if not file.exists():
            return {}
        try:
            summary = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, RecursionError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ReportError(f"{file}: truncated or damaged: {error}. Delete it to report without it.") from error
        require_types(file, summary, SUMMARY)
        return summary

    def has(self, name):
        return (self.folder / name).exists()

    def table(self, name):
        return read_table(self.folder / name)

    def probes(self, kind):
        """[(keys of the probe in the case, times in s, values)] of the probes of one kind with more than one row."""
        signals = []
        for probe in self.case.get("probe", []):
            name = f"{probe.get('name', kind)}.csv"
            if probe["kind"] == kind and self.has(name):
                columns = self.table(name)
                if len(columns) >= 2 and len(columns[0].values) > 1:
                    signals.append((probe, columns[0].values, columns[1].values))
        return signals
