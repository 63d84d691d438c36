# SPDX-License-Identifier: Apache-2.0
"""Recipes of packages agree with the project: version, options, requirements."""

import pathlib
import re
import runpy
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).parents[3]
VERSION = re.search(r"project\(shoal VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_all_state_the_version_of_the_project():
    stated = {
        "CITATION.cff": re.search(r"^version: (\S+)", text("CITATION.cff"), re.MULTILINE),
        "packaging/conda/meta.yaml": re.search(r'set version = "([^"]+)"', text("packaging/conda/meta.yaml")),
    }
    assert {name: found and found.group(1) for name, found in stated.items()} == dict.fromkeys(stated, VERSION)
    assert re.search(rf"^## (Unreleased|{re.escape(VERSION)})", text("CHANGELOG.md"), re.MULTILINE)


def test_the_citation_is_one():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0" and citation["license"] == "Apache-2.0"
    for work in [citation, *citation["references"]]:
        assert work["title"] and work["authors"]


def test_the_conda_recipe_asks_for_what_the_package_needs():
    yaml, jinja2 = pytest.importorskip("yaml"), pytest.importorskip("jinja2")
    rendered = jinja2.Template(text("packaging/conda/meta.yaml")).render(PYTHON="python", compiler="{}_compiler".format)
    recipe = yaml.safe_load(rendered)
    build = re.search(r"requires = \[(.*)\]", text("pyproject.toml")).group(1)
    hosts = " ".join(recipe["requirements"]["host"])
    for needed in re.findall(r'"([\w-]+) ', build):
        assert needed in hosts
    assert (ROOT / "packaging/conda" / recipe["source"]["path"] / "CMakeLists.txt").exists()


class Recipe:
    """Replacement of spack.package that records the directives of a recipe."""

    def __init__(self):
        self.directives = []

    def names(self):
        def noted(kind):
            return lambda *words, **more: self.directives.append((kind, words, more))

        class Condition:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                return None

        names = {kind: noted(kind) for kind in ("license", "version", "variant", "conflicts", "depends_on", "extends")}
        return names | {"when": lambda _: Condition(), "CMakePackage": type("CMakePackage", (), {}),
                        "CudaPackage": type("CudaPackage", (), {})}  # fmt: skip


def test_the_spack_recipe_runs_and_sets_options_that_exist(monkeypatch):
    recipe, module = Recipe(), types.ModuleType("spack.package")
    vars(module).update(recipe.names())
    monkeypatch.setitem(sys.modules, "spack", types.ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", module)
    package = runpy.run_path(str(ROOT / "packaging/spack/packages/shoal/package.py"))["Shoal"]
    (source,) = [more["git"] for kind, _, more in recipe.directives if kind == "version"]
    assert pathlib.Path(source) == ROOT

    class Spec:
        variants = {"cuda_arch": types.SimpleNamespace(value="90")}

        def satisfies(self, _):
            return True

        def __getitem__(self, name):
            return types.SimpleNamespace(prefix=name)

    class Build:
        python_platlib = "platlib"

        def define(self, name, value):
            return name

        def define_from_variant(self, name, variant):
            assert (name, variant) and variant in [*variants, "cuda"]
            return name

        spec = Spec()

    variants = [words[0] for kind, words, _ in recipe.directives if kind == "variant"]
    package.cmake_args.__globals__["python_platlib"] = "platlib"
    known = "".join(path.read_text() for path in [*(ROOT / "cmake").iterdir(), ROOT / "python/CMakeLists.txt"])
    for option in package.cmake_args(Build()):
        assert option in known, option
