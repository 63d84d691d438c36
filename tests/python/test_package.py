# SPDX-License-Identifier: Apache-2.0
"""The package as a whole: its names, its docstrings, its types."""

import importlib.util
import inspect
import os
import pathlib
import re
import subprocess
import sys

import pytest

import shoal

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent


def public():
    """(name, object) of functions, classes and members of classes."""
    for name in shoal.__all__:
        thing = getattr(shoal, name)
        if inspect.ismodule(thing):
            yield from ((f"{name}.{inner}", getattr(thing, inner)) for inner in thing.__all__)
        elif not name.startswith("__"):
            yield name, thing


def members(thing):
    own = vars(thing) if inspect.isclass(thing) else {}
    return {name: member for name, member in own.items() if not name.startswith("_")}


def test_everything_public_has_a_docstring():
    missing = [name for name, thing in public() if not inspect.getdoc(thing)]
    for name, thing in public():
        if not issubclass(thing, tuple) if inspect.isclass(thing) else False:
            missing += [f"{name}.{inner}" for inner, member in members(thing).items() if not inspect.getdoc(member)]
    assert missing == []


def test_every_keyword_is_explained():
    unexplained = []
    for name, thing in public():
        if name.startswith(("cases.", "sph.")) or not hasattr(thing, "__nb_signature__") and not inspect.isclass(thing):
            continue
        call = thing if not inspect.isclass(thing) else thing.__dict__.get("__init__")
        signature = str(getattr(call, "__doc__", "")).split("\n")[0]
        if "*, " not in signature:
            continue
        for keyword in re.findall(r"(\w+): ", signature.split("*, ", 1)[1]):
            explained = re.search(rf"^ *([\w]+, )*{keyword}(, [\w]+)* :", inspect.getdoc(thing), re.MULTILINE)
            if not explained and keyword not in ("stream", "threads", "dimensions"):
                unexplained.append(f"{name}({keyword})")
    assert unexplained == []


def test_defaults_are_shown_in_signatures():
    assert "method: str = 'auto'" in shoal.neighbors.__doc__
    assert "typing.Literal['strict', 'inclusive'] = 'strict'" in shoal.neighbors.__doc__
    assert "step_share: float = 0.5" in shoal.Relaxation.__init__.__doc__


def test_methods_are_those_of_the_library():
    rows = shoal.methods()
    assert {row.operation for row in rows} == {"cells", "neighbors", "deposit", "wall_distance", "collision", "sph"}
    for row in rows:
        assert row.name and row.source and row.device in ("cpu", "cuda")
        if row.name == "serial":
            assert row.deterministic
    assert [row.name for row in shoal.methods("cells")] == [row.name for row in rows if row.operation == "cells"]
    with pytest.raises(shoal.Error, match='unknown operation "cell"; expected one of cells, neighbors'):
        shoal.methods("cell")


def test_a_plan_says_which_method_runs():
    assert shoal.Neighbors(0.1, method="serial").method.name == "serial"


def test_devices_start_with_the_cpu():
    assert shoal.devices()[0] == "cpu" and shoal.device_name("cpu").startswith("cpu, ")


def test_errors_have_their_place_among_pythons():
    assert issubclass(shoal.Error, RuntimeError) and issubclass(shoal.OutOfMemory, shoal.Error)


def test_the_version_is_that_of_the_project():
    stated = re.search(r"project\(shoal VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    assert shoal.__version__ == stated


def test_the_import_is_short():
    """It brings NumPy and the compiled part, and no library that takes long to import."""
    long = ["h5py", "importlib.metadata", "jax", "matplotlib", "meshio", "scipy", "torch"]
    code = f"import numpy, sys; before = set(sys.modules); import shoal; print((set(sys.modules) - before) & set({long}))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


def check_types(folder, *sources):
    """What mypy finds. It finds an installed package itself, and refuses its folder as a place of sources."""
    package = pathlib.Path(shoal.__file__).parent
    environment = dict(os.environ)
    if "site-packages" not in package.parts:
        environment["MYPYPATH"] = str(package.parent)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *map(str, sources)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)


def test_types_are_checked(tmp_path):
    pytest.importorskip("mypy")
    names = ["shoal", "shoal.cases", "shoal.mpi", "shoal.sph", "shoal._plugin", "shoal._toml", "shoal._results", "shoal._core"]
    names += ["shoal.jax"] * bool(importlib.util.find_spec("jax"))
    modules = [option for name in names for option in ("-m", name)]
    for sources in (modules, [HERE / "typed.py"]):
        checked = check_types(tmp_path, *sources)
        assert checked.returncode == 0, checked.stdout


def test_mistakes_are_found_by_the_types(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import shoal\nshoal.Neighbors(0.1, predicate="loose")\nshoal.Neighbors("far")\n')
    checked = check_types(tmp_path, wrong)
    assert checked.returncode == 1 and "wrong.py:2" in checked.stdout and "wrong.py:3" in checked.stdout


def test_the_package_says_what_is_missing_without_its_compiled_part(tmp_path):
    for file in ("__init__.py", "_openmp.py", "_plugin.py", "_results.py", "cases.py", "sph.py", "_toml.py"):
        (tmp_path / "shoal").mkdir(exist_ok=True)
        (tmp_path / "shoal" / file).write_text((ROOT / "python" / "shoal" / file).read_text())
    program = "import shoal\ntry:\n    shoal.neighbors\nexcept ImportError as error:\n    print(error)"
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}
    )
    assert "shoal.neighbors needs the compiled part of shoal. Install it with `pip install .`" in said.stdout


def test_commands_go_to_the_program_of_a_wheel(tmp_path):
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "$@"\nexit 3\n', encoding="utf-8")
    program.chmod(0o755)
    code = f"import pathlib, shoal.__main__ as command; command.PROGRAM = pathlib.Path({str(program)!r}); command.main()"
    done = subprocess.run([sys.executable, "-c", code, "run", "a case.toml"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "run a case.toml\n")


def test_without_the_program_the_package_says_what_is_missing(tmp_path):
    code = f"import pathlib, shoal.__main__ as command; command.PROGRAM = pathlib.Path({str(tmp_path / 'no')!r})"
    code += "; raise SystemExit(command.main())"
    done = subprocess.run([sys.executable, "-c", code, "run"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "unknown command `run`; expected one of: report, plot, movie, view" in done.stderr
    assert "SHOAL_CLI=OFF" in done.stderr
