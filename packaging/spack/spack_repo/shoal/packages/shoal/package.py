# SPDX-License-Identifier: Apache-2.0
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Shoal(CMakePackage, CudaPackage):
    """The operations that dominate the run time of fluid-simulation codes, on many-core CPUs and on GPUs: neighbor
    lists, deposition, wall distances, the Boltzmann collision integral, smoothed particle hydrodynamics."""

    license("Apache-2.0")

    # The checkout that contains this recipe.
    version("develop", git=os.path.abspath(os.path.join(os.path.dirname(__file__), *[".."] * 6)))

    variant("shared", default=False, description="Build shared libraries")
    variant("io", default=True, description="Case files, fields, meshes and restarts, and the command line")
    variant("fftw", default=True, description="Fourier methods of collision on the CPU by FFTW (GPL)")
    variant("cgns", default=False, when="+io", description="Meshes of CGNS")
    variant("python", default=False, description="The Python package")
    variant("mpi", default=False, description="Ranks: several GPUs and nodes, by MPI")
    variant("nccl", default=False, when="+mpi+cuda", description="Exchange between GPUs by NCCL")

    conflicts("cuda_arch=none", when="+cuda", msg="Name the architecture of the GPU: cuda_arch=90")
    conflicts("+python", when="~io")
    conflicts("%gcc@:11", msg="C++20 needs GCC 12 or newer")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("fftw@3: precision=float,double", when="+fftw")
    depends_on("mpi@3:", when="+mpi")
    depends_on("nccl@2.7:", when="+nccl")
    for arch in CudaPackage.cuda_arch_values:
        depends_on(f"nccl cuda_arch={arch}", when=f"+nccl cuda_arch={arch}")
    with when("+io"):
        depends_on("hdf5~mpi")
        depends_on("tomlplusplus")
        depends_on("fmt@9:")
        depends_on("zlib-api")
        depends_on("cgns@3.4:+hdf5~mpi", when="+cgns")
        depends_on("cli11@2:", type="build")
    with when("+python"):
        extends("python@3.11:")
        depends_on("py-nanobind@2.10:", type="build")
        depends_on("py-numpy@1.26:", type="run")
        depends_on("py-mpi4py", when="+mpi", type="run")

    def cmake_args(self):
        args = [
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("SHOAL_IO", "io"),
            self.define_from_variant("SHOAL_CLI", "io"),
            self.define_from_variant("SHOAL_CUDA", "cuda"),
            self.define_from_variant("SHOAL_FFTW", "fftw"),
            self.define("SHOAL_KISSFFT", False),  # Spack has no package of it
            self.define_from_variant("SHOAL_PYTHON", "python"),
            self.define("SHOAL_PYTHON_ABI3", False),
            self.define_from_variant("SHOAL_MPI", "mpi"),
            self.define("SHOAL_NCCL", self.spec.satisfies("+nccl")),
            self.define("SHOAL_WERROR", False),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        if self.spec.satisfies("+nccl"):
            args.append(self.define("NCCL_ROOT", self.spec["nccl"].prefix))
        if self.spec.satisfies("+io~cgns"):
            args.append(self.define("CGNS_LIBRARY", ""))  # leaves out the one of the system
        if self.spec.satisfies("+python"):
            args.append(self.define("SHOAL_PYTHON_FOLDER", python_platlib))
        return args
