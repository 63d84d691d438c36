# SPDX-License-Identifier: Apache-2.0
"""packaging/wheel/complete.py: licenses, list of libraries and requirements in a wheel."""

import base64
import csv
import hashlib
import importlib.util
import json
import pathlib
import re
import sys
import tomllib
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


def metadata_of(script, path, inside):
    script.complete(path, inside, [])
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        return archive.read(next(name for name in names if name.endswith("METADATA"))).decode(), names


def test_shoal_and_its_plugin_require_each_other_in_one_version(script, tmp_path):
    written = {}
    for name, lines in {
        "shoal": "Requires-Dist: numpy>=1.26\nProvides-Extra: cuda13\nRequires-Dist: shoal-cuda13; extra == 'cuda13'\n",
        "shoal_cuda13": "Requires-Dist: nvidia-cufft<13,>=12\n",
    }.items():
        path = tmp_path / f"{name}-1.2.3-cp311-abi3-linux_x86_64.whl"
        with zipfile.ZipFile(path, "w") as archive:
            metadata = f"Name: {name}\nLicense-Expression: Apache-2.0\n{lines}\nDescription\n"
            archive.writestr(f"{name}-1.2.3.dist-info/METADATA", metadata)
            archive.writestr(f"{name}-1.2.3.dist-info/RECORD", "out of date")
        written[name] = metadata_of(script, path, [library(script, tmp_path, "one", "MIT")])
    metadata, _ = written["shoal"]
    assert "Requires-Dist: shoal-cuda13==1.2.3; extra == 'cuda13'\n" in metadata
    assert "Requires-Dist: numpy>=1.26\n" in metadata
    metadata, names = written["shoal_cuda13"]
    assert "Requires-Dist: nvidia-cufft<13,>=12\n" in metadata and "\nRequires-Dist: shoal==1.2.3\n" in metadata
    assert {f"shoal_cuda13-1.2.3.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")} <= set(names)
    assert "shoal_cuda13-1.2.3.dist-info/sboms/shoal_cuda13.cdx.json" in names


def test_the_license_of_cuda_is_that_of_the_toolkit(script, tmp_path):
    compiler = tmp_path / "bin/nvcc"
    compiler.parent.mkdir()
    compiler.write_text("#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n", encoding="utf-8")
    compiler.chmod(0o755)
    assert script.from_cuda(tmp_path).texts == ()  # which complete() refuses
    text = tmp_path / "dist-info/nvidia_cuda_runtime-13.0.96.dist-info/licenses/License.txt"
    text.parent.mkdir(parents=True)
    text.write_text("terms", encoding="utf-8")
    found = script.from_cuda(tmp_path)
    assert (found.version, found.texts) == ("13.0.88", (text,))
    (tmp_path / "EULA.txt").write_text("terms", encoding="utf-8")
    assert script.from_cuda(tmp_path).texts == (tmp_path / "EULA.txt",)


def test_the_plugins_differ_in_the_version_of_cuda_alone():
    of_13, of_12 = ((ROOT / f"packaging/wheel/cuda{version}/pyproject.toml").read_text() for version in (13, 12))
    expected = of_13.replace("cuda13", "cuda12").replace("CUDA 13", "CUDA 12").replace("CUDA :: 13", "CUDA :: 12")
    assert of_12 == expected.replace("nvidia-cufft >= 12, < 13", "nvidia-cufft-cu12 >= 11, < 12")
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert (extras["cuda13"], extras["cuda12"]) == (["shoal-cuda13"], ["shoal-cuda12"])


@pytest.mark.parametrize("project", ["pyproject.toml", *(f"packaging/wheel/cuda{v}/pyproject.toml" for v in (12, 13))])
def test_the_page_on_pypi_has_no_paths_of_the_repository(project):
    path = ROOT / project
    page = path.parent / tomllib.loads(path.read_text(encoding="utf-8"))["project"]["readme"]
    targets = re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8"))
    assert [target for target in targets if not target.startswith("https://")] == []
