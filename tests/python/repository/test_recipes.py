# SPDX-License-Identifier: Apache-2.0
"""Recipes of packages agree with the project: version, options, requirements."""

import os
import pathlib
import re
import runpy
import subprocess
import sys
import types

import pytest

ROOT = pathlib.Path(__file__).parents[3]
VERSION = re.search(r"project\(shoal VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_all_state_the_version_of_the_project():
    stated = runpy.run_path(str(ROOT / "tools/release"))["stated_versions"]()
    assert stated == dict.fromkeys(stated, VERSION)
    assert re.search(rf"^## (Unreleased|\[{re.escape(VERSION)}\] - )", text("CHANGELOG.md"), re.MULTILINE)


PAPERS = [
    "THINS project: Intermediary report on the SPH code parallelization and validation for free surface flow",
    "CSE 6230: GPU Extension for PySPH NNPS",
    "CUDA accelerated Lagrangian interpolation to Cartesian grid",
    "GPU acceleration of wall distance calculation for computational fluid dynamics codes",
    "Parallelization of algorithms for solving the Boltzmann equation for GPU-based computations",
]


def test_the_citation_names_the_five_papers():
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load(text("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0" and citation["license"] == "Apache-2.0"
    assert [work["title"] for work in citation["references"]] == PAPERS
    for work in [citation, *citation["references"]]:
        assert work["authors"]


def test_methods_of_malkov_and_ivanov_have_the_title_of_the_citation():
    notes = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "src/collision/methods").rglob("*.c*"))]
    sources = [" ".join(note.replace("\n//", " ").split()) for note in notes if "Malkov and Ivanov, " in note]
    assert len(sources) >= 11
    for source in sources:
        assert f'Malkov and Ivanov, "{PAPERS[4]}"' in source


def conda_recipes():
    """Returns the recipes that rattler-build makes, by their MPI."""
    rattler_build = pytest.importorskip("rattler_build")
    folder = ROOT / "packaging/conda"
    variants = rattler_build.VariantConfig.from_file(str(folder / "variants.yaml"))
    rendered = rattler_build.Stage0Recipe.from_file(str(folder / "recipe.yaml")).render(variants)
    return {variant.variant["mpi"]: variant.recipe.to_dict() for variant in rendered}


def commands_of(recipe):
    """Returns the commands of the tests of a conda package."""
    return [line for test in recipe["tests"] for line in test.get("script", [])]


def known_options():
    """Returns the CMake files that declare the options of a build."""
    return "".join(path.read_text() for path in [*(ROOT / "cmake").glob("*.*"), ROOT / "python/CMakeLists.txt"])


def test_the_conda_recipe_asks_for_what_the_package_needs():
    recipe = conda_recipes()["nompi"]
    build = re.search(r"requires = \[(.*)\]", text("pyproject.toml")).group(1)
    needed = set(re.findall(r'"([\w-]+) ', build))
    if "SHOAL_PYTHON_ABI3=OFF" in recipe["build"]["script"]:
        needed.discard("nanobind-backend")  # a module for one Python holds nanobind's compiled part
    assert needed <= {requirement.split()[0] for requirement in recipe["requirements"]["host"]}
    assert (ROOT / "packaging/conda" / recipe["source"][0]["path"] / "CMakeLists.txt").exists()


def test_the_variants_of_the_conda_recipe_have_their_mpi():
    recipes = conda_recipes()
    assert {"nompi", "openmpi", "mpich"} == set(recipes)
    for mpi, recipe in recipes.items():
        by_mpi = "ON" if recipe["context"]["with_mpi"] else "OFF"  # scripts are rendered when they run
        script = recipe["build"]["script"].replace('${{ "ON" if with_mpi else "OFF" }}', by_mpi)
        defined = dict(re.findall(r"--config-settings=cmake\.define\.(\w+)=(\S+)", script))
        assert all(option in known_options() for option in defined), defined
        with_mpi = mpi != "nompi"
        assert defined["SHOAL_MPI"] == ("ON" if with_mpi else "OFF")
        requirements = recipe["requirements"]
        assert [mpi in requirements[part] for part in ("host", "run")] == [with_mpi, with_mpi]
        assert ("mpi4py" in requirements["run"]) == with_mpi
        assert any("mpiexec" in command for command in commands_of(recipe)) == with_mpi
        assert defined["SHOAL_CLI"] == "ON" and "cli11" in requirements["host"]
        assert recipe["build"]["string"].startswith(f"mpi_{mpi}_h" if with_mpi else "nompi_h")
        assert recipe["build"]["string"].endswith(f"_{recipe['build']['number']}")
    numbers = {mpi: recipe["build"]["number"] for mpi, recipe in recipes.items()}
    assert max(numbers, key=numbers.get) == "nompi"  # which conda prefers


@pytest.mark.parametrize("variant", ["nompi", "openmpi"])
def test_the_python_commands_of_the_conda_recipe_run(variant, request):
    commands = [line for line in commands_of(conda_recipes()[variant]) if not line.endswith("shoal info")]
    assert any("python -c" in command for command in commands)
    if variant != "nompi":
        pytest.importorskip("mpi4py")
        request.getfixturevalue("mpirun")
    folder = pathlib.Path(sys.executable).parent
    environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
    script = ["bash", "-e", "-c", "\n".join(commands)]
    done = subprocess.run(script, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr


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
        return names | {"when": lambda _: Condition()}


def stand_in(monkeypatch, name, **contents):
    """Makes a module with these contents importable under a name, and empty packages above it."""
    parts = name.split(".")
    for end in range(1, len(parts)):
        monkeypatch.setitem(sys.modules, ".".join(parts[:end]), types.ModuleType(parts[end - 1]))
    module = types.ModuleType(name)
    vars(module).update(contents)
    monkeypatch.setitem(sys.modules, name, module)


def test_the_spack_recipe_runs_and_sets_options_that_exist(monkeypatch):
    recipe = Recipe()
    stand_in(monkeypatch, "spack.package", **recipe.names())
    for kind in ("CMake", "Cuda"):
        module = f"spack_repo.builtin.build_systems.{kind.lower()}"
        stand_in(monkeypatch, module, **{f"{kind}Package": type(f"{kind}Package", (), {"cuda_arch_values": ["90"]})})
    repository = ROOT / "packaging/spack/spack_repo/shoal"
    assert text("packaging/spack/spack_repo/shoal/repo.yaml").split() == ["repo:", "namespace:", "shoal", "api:", "v2.0"]
    package = runpy.run_path(str(repository / "packages/shoal/package.py"))["Shoal"]
    assert ("depends_on", ("nccl cuda_arch=90",), {"when": "+nccl cuda_arch=90"}) in recipe.directives
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
    for option in package.cmake_args(Build()):
        assert option in known_options(), option


CONTAINERS = ["Dockerfile", "cuda.Dockerfile"]


def instructions_of(container):
    """Returns the stages of a Dockerfile, each a list of pairs (instruction, its text)."""
    joined = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", text(f"packaging/container/{container}")))
    stages = []
    for instruction, content in re.findall(r"(?m)^([A-Z]+) (.*)$", joined):
        if instruction == "FROM":
            stages.append([])
        stages[-1].append((instruction, content))
    return stages


def installed_by(stage):
    """Returns the packages that a stage installs."""
    commands = " && ".join(content for instruction, content in stage if instruction == "RUN").split(" && ")
    lists = [re.sub(r".*apt-get install((?: --[\w-]+)*) ", "", each) for each in commands if "apt-get install" in each]
    return set(" ".join(lists).split())


def packages_of(group):
    """Returns a list of packages in tools/common.sh."""
    return set(re.search(rf"packages_{group}=\(([^)]*)\)", text("tools/common.sh")).group(1).split())


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_container_builds_from_what_the_tools_install(container):
    build, *others = instructions_of(container)
    assert installed_by(build) == packages_of("build") - {"libfftw3-dev"} | {"dpkg-dev", "file"}
    for stage in others:
        assert installed_by(stage) <= {"/package/shoal.deb", "libcufft-12-8", "python3"} | packages_of("plot")
    copied = [content.split()[:-1] for instruction, content in build if instruction == "COPY"]
    for source in [name for names in copied for name in names]:
        assert (ROOT / source).exists(), source
    options = re.findall(r"-D(SHOAL_\w+)", " ".join(content for _, content in build))
    assert options and all(option in known_options() for option in options)


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_container_runs_the_command_line_as_a_user(container):
    stages = instructions_of(container)
    named = {content.split(" AS ")[1]: stage for stage in stages for _, content in stage[:1] if " AS " in content}
    for stage in stages[1:]:
        inherited = named.get(stage[0][1].split(" AS ")[0], [])
        last = dict([*inherited, *stage])
        assert (last["USER"], last["ENTRYPOINT"], last["WORKDIR"]) == ("shoal", '["shoal"]', "/data")


def test_the_containers_build_from_the_same_sources():
    copied = [[content for instruction, content in instructions_of(name)[0] if instruction == "COPY"] for name in CONTAINERS]
    assert copied[0] == copied[1]
