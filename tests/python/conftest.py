# SPDX-License-Identifier: Apache-2.0
"""Arrays of every installed library, on every available device."""

import importlib.util
import os
import shutil
import subprocess
import time

import numpy
import pytest

import shoal


class Library:
    """Arrays of one library on one device: construction and inspection."""

    def __init__(self, name, device):
        self.name, self.device = name, device

    def __str__(self):
        return f"{self.name}-{self.device}"

    def open(self):
        """Skips the test if the library or its device is missing."""
        if self.name != "numpy":
            self.module = pytest.importorskip(self.name)
        if self.name == "jax":
            self.module.config.update("jax_enable_x64", True)
        if self.device == "cuda" and not self.has_cuda():
            pytest.skip(f"{self.name} finds no CUDA device")
        return self

    def has_cuda(self):
        if not any(device.startswith("cuda") for device in shoal.devices()):
            return False  # of a build without CUDA
        if self.name == "torch":
            return self.module.cuda.is_available()
        if self.name == "jax":
            return self.module.default_backend() == "gpu"
        try:
            return self.module.cuda.runtime.getDeviceCount() > 0
        except self.module.cuda.runtime.CUDARuntimeError:
            return False

    def array(self, values):
        values = numpy.asarray(values)
        if self.name == "cupy":
            return self.module.asarray(values)
        if self.name == "torch":
            return self.module.tensor(values, device=self.device)
        if self.name == "jax":
            return self.module.device_put(values, self.module.devices("gpu" if self.device == "cuda" else "cpu")[0])
        return values

    def values(self, array):
        """Values as a NumPy array, after a check of the array's type."""
        module = type(array).__module__.split(".")[0]
        assert module.startswith(self.name), f"{type(array)} is not of {self.name}"
        if self.name == "cupy":
            return array.get()
        return array.cpu().numpy() if self.name == "torch" else numpy.asarray(array)


LIBRARIES = [
    Library("numpy", "cpu"),
    Library("torch", "cpu"),
    Library("jax", "cpu"),
    Library("cupy", "cuda"),
    Library("torch", "cuda"),
    Library("jax", "cuda"),
]


@pytest.fixture(params=LIBRARIES, ids=str)
def library(request):
    return request.param.open()


@pytest.fixture(params=["float32", "float64"])
def dtype(request):
    return request.param


@pytest.fixture
def random():
    return numpy.random.default_rng(20)


def has(module):
    return importlib.util.find_spec(module) is not None


MPIRUN_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "SHOAL_RANKS_TIMEOUT": "60",
}


def reason_without_mpi():
    """Returns what a build without MPI says; empty in one with it."""
    try:
        shoal.mpi.world()
    except shoal.Error as error:
        return str(error)
    return ""


@pytest.fixture(scope="session")
def mpi():
    """Skips the test in a build without MPI."""
    if reason_without_mpi():
        pytest.skip(reason_without_mpi())


@pytest.fixture(scope="session")
def mpirun(mpi):
    """Runs a command as several ranks. The result has the seconds until all ranks have ended, too."""
    if not shutil.which("mpirun"):
        pytest.skip("there is no mpirun")

    def run(command, ranks=2, timeout=100):
        start = time.monotonic()
        done = subprocess.run(
            ["mpirun", "-n", str(ranks), *command],
            env=dict(os.environ, **MPIRUN_ENVIRONMENT),
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        done.seconds = time.monotonic() - start
        return done

    return run
