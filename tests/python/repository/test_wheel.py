# SPDX-License-Identifier: Apache-2.0
"""packaging/wheel/complete.py: licenses and list of libraries in a wheel."""

import base64
import csv
import hashlib
import importlib.util
import json
import pathlib
import sys
import zipfile

import pytest

ROOT = pathlib.Path(__file__).parents[3]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("complete", ROOT / "packaging/wheel/complete.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["complete"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "shoal-1.2.3-cp311-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        program = zipfile.ZipInfo("shoal/bin/shoal", (2026, 1, 2, 0, 0, 0))
        program.external_attr = 0o100755 << 16
        archive.writestr(program, "program")
        metadata = "Name: shoal\nLicense-Expression: Apache-2.0\nLicense-File: LICENSE\n\nDescription\n"
        archive.writestr("shoal-1.2.3.dist-info/METADATA", metadata)
        archive.writestr("shoal-1.2.3.dist-info/RECORD", "out of date")
    return path


def library(script, folder, name, license):
    text = folder / f"license of {name}"
    text.write_text(f"the terms of {name}", encoding="utf-8")
    return script.Library(name, license, "4.5", f"pkg:deb/debian/{name}@4.5?arch=source", (text,))


def test_licenses_and_libraries_are_added(script, wheel, tmp_path):
    inside, beside = library(script, tmp_path, "one", "MIT"), library(script, tmp_path, "two", "Zlib")
    script.complete(wheel, [inside], [beside])
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
        assert archive.getinfo("shoal/bin/shoal").external_attr >> 16 == 0o100755
    metadata = files["shoal-1.2.3.dist-info/METADATA"].decode()
    assert "License-Expression: Apache-2.0 AND MIT AND Zlib\n" in metadata
    assert metadata.endswith("\n\nDescription\n")
    for name in ("one", "two"):
        file = f"libraries/{name}/license of {name}"
        assert f"License-File: {file}\n" in metadata
        assert files[f"shoal-1.2.3.dist-info/licenses/{file}"].decode() == f"the terms of {name}"
    components = json.loads(files["shoal-1.2.3.dist-info/sboms/shoal.cdx.json"])["components"]
    assert [(each["name"], each["version"]) for each in components] == [("one", "4.5")]  # auditwheel lists the other

    rows = {row[0]: row[1:] for row in csv.reader(files["shoal-1.2.3.dist-info/RECORD"].decode().splitlines())}
    assert rows.keys() == files.keys()
    for name, (digest, size) in rows.items():
        if not name.endswith("RECORD"):
            expected = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
            assert (digest, int(size)) == (f"sha256={expected}", len(files[name]))


def test_a_library_without_license_is_an_error(script, wheel):
    nameless = script.Library("one", "MIT", "4.5", "pkg:pypi/one@4.5", ())
    with pytest.raises(SystemExit, match="one: no file with its license was found"):
        script.complete(wheel, [nameless], [])
