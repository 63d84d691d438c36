# SPDX-License-Identifier: Apache-2.0
"""Choice of the compiled part: a plugin with CUDA methods, or the package's own."""

import os
import pathlib
import subprocess
import sys

import pytest

import shoal

PACKAGE = pathlib.Path(shoal.__file__).parent
OWN = next(PACKAGE.glob("_core*.so"))  # an installed plugin may be loaded in its place


def run(code, folder, **variables):
    """What a program prints whose PYTHONPATH begins with a folder."""
    path = os.pathsep.join([str(folder), str(PACKAGE.parent)])
    environment = {name: value for name, value in os.environ.items() if name != "SHOAL_PLUGIN"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment | {"PYTHONPATH": path} | variables
    )
    return done.stdout + done.stderr


@pytest.fixture
def plugin(tmp_path):
    """A folder with a plugin that holds another copy of the compiled part."""
    folder = tmp_path / "shoal_cuda13"
    (folder / "bin").mkdir(parents=True)
    (folder / "_core.abi3.so").symlink_to(OWN)
    if (libraries := PACKAGE.parent / "shoal.libs").exists():  # beside the package in an installed wheel
        (tmp_path / "shoal.libs").symlink_to(libraries)
    program = folder / "bin/shoal"
    program.write_text('#!/bin/sh\necho "the plugin runs $@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


def test_a_plugin_takes_the_place_of_the_packages_own_part(plugin):
    said = run("import shoal; print(shoal._core.__file__, shoal._plugin.loaded, shoal.Neighbors.__module__)", plugin.parent)
    assert said.split() == [str(plugin / "_core.abi3.so"), str(plugin), "shoal._core"]
    said = run("import shoal; print(shoal.neighbors([[0, 0], [1, 0]], radius=2).indices)", plugin.parent)
    assert said.strip() == "[1 0]"


def test_the_command_line_is_that_of_the_plugin(plugin):
    code = "import shoal.__main__ as command; command.main(['run', 'case.toml'])"
    assert run(code, plugin.parent) == "the plugin runs run case.toml\n"


def test_the_variable_chooses(plugin):
    code = "import shoal; print(shoal._core.__file__)"
    assert run(code, plugin.parent, SHOAL_PLUGIN="none").strip() == str(OWN)
    assert run(code, plugin.parent, SHOAL_PLUGIN="shoal_cuda13").strip() == str(plugin / "_core.abi3.so")
    said = run(code, plugin.parent, SHOAL_PLUGIN="shoal_cuda99")
    assert "SHOAL_PLUGIN is shoal_cuda99, which is not installed; expected one of shoal_cuda13, shoal_cuda12, or none." in said


def test_a_plugin_that_cannot_be_loaded_is_a_warning(plugin):
    (plugin / "_core.abi3.so").unlink()
    (plugin / "_core.abi3.so").write_bytes(b"no library")
    said = run("import shoal; print(shoal._core.__file__); print(shoal.cuda_status())", plugin.parent)
    first, *_ = said.splitlines()
    assert first == str(OWN)
    assert said.count("shoal_cuda13 is installed and cannot be loaded: ") == 2  # the warning and the status
    assert "RuntimeWarning" in said and "pip install 'shoal[cuda13]'" in said


def test_the_status_is_a_gpu_or_the_reason_for_none():
    status = shoal.cuda_status()
    if len(shoal.devices()) > 1:
        assert status == shoal.device_name("cuda:0")
    elif any(method.device == "cuda" for method in shoal.methods()):
        assert "no usable CUDA device" in status
    else:
        assert status.startswith("This installation has no CUDA methods. `pip install 'shoal[cuda13]'` adds those")
