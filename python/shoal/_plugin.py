# SPDX-License-Identifier: Apache-2.0
"""Compiled part of the package: that of an installed plugin with CUDA methods, or the package's own.

A plugin, as the extras `cuda12` and `cuda13` install it, is a folder beside the package with a compiled part and a program.
Both take the place of those of the package. The variable SHOAL_PLUGIN names one plugin, or is "none".
"""

import importlib
import importlib.util
import os
import sys
import warnings
from pathlib import Path

PLUGINS = ("shoal_cuda13", "shoal_cuda12")

loaded: Path | None = None  # folder of the plugin whose compiled part is in use
failure = ""  # reason why an installed plugin is not in use


def folder() -> Path | None:
    """Folder of the plugin to use. None: there is no plugin, or SHOAL_PLUGIN is "none"."""
    chosen = os.environ.get("SHOAL_PLUGIN")
    for name in PLUGINS if chosen is None else (chosen,):
        spec = None if name == "none" else importlib.util.find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            if (Path(place) / "_core.abi3.so").exists():
                return Path(place)
    if chosen not in (None, "none"):
        raise ImportError(f"SHOAL_PLUGIN is {chosen}, which is not installed; expected one of {', '.join(PLUGINS)}, or none.")
    return None


def load_compiled_part() -> None:
    """Imports shoal._core. A plugin that cannot be loaded is a warning, and the package's own part takes its place."""
    global loaded, failure
    plugin = folder()
    if plugin is not None:
        try:
            _load(plugin / "_core.abi3.so")
            loaded = plugin
            return
        except ImportError as error:
            failure = (
                f"{plugin.name} is installed and cannot be loaded: {error}. There are no CUDA methods. Install it with what "
                f"it needs by `pip install 'shoal[{plugin.name.removeprefix('shoal_')}]'`, or set SHOAL_PLUGIN=none."
            )
            warnings.warn(f"shoal: {failure}", RuntimeWarning, stacklevel=3)
    importlib.import_module("._core", __package__)


def _load(file: Path) -> None:
    name = f"{__package__}._core"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no module of this Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    setattr(sys.modules[__package__], "_core", module)


def cuda_status() -> str:
    """State of the CUDA methods of this installation and machine.

    Returns
    -------
    str
        The first GPU, as "cuda:0 NVIDIA H200"; or the reason why plans run on CPUs only: an installation without CUDA
        methods, a plugin that cannot be loaded, no driver, no GPU.
    """
    from . import _core

    if failure:
        return failure
    if not any(method.device == "cuda" for method in _core.methods()):
        return (
            "This installation has no CUDA methods. `pip install 'shoal[cuda13]'` adds those of its plugin for drivers of "
            "CUDA 13, `shoal[cuda12]` for those of CUDA 12."
        )
    try:
        return _core.device_name("cuda:0")
    except _core.Error as error:
        return str(error)
