# SPDX-License-Identifier: Apache-2.0
# MPI and NCCL for ranks: MPI::MPI_CXX and NCCL::NCCL where they are found, SHOAL_WITH_MPI and SHOAL_WITH_NCCL. Also
# installed, for those who link the static library. SHOAL_MPI and SHOAL_NCCL say whether to look: ON, OFF, or AUTO.
# NCCL_ROOT is the folder with NCCL's include and lib, as the Python package nvidia-nccl has it in nvidia/nccl.
set(SHOAL_WITH_MPI OFF)
set(SHOAL_WITH_NCCL OFF)

if(NOT SHOAL_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON)  # the interface of C alone
  find_package(MPI 3.0 QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(SHOAL_WITH_MPI ON)
  endif()
endif()
if(SHOAL_MPI STREQUAL "ON" AND NOT SHOAL_WITH_MPI)
  message(FATAL_ERROR "shoal: SHOAL_MPI is ON, and CMake's FindMPI finds no MPI 3 for C++. Install one (Debian: "
                      "libopenmpi-dev, openmpi-bin), name its compiler with -DMPI_CXX_COMPILER=..., or set SHOAL_MPI=OFF: "
                      "then shoal runs as one rank.")
endif()

# The Python package has no link libnccl.so, and its folder is on no path.
if(SHOAL_WITH_MPI AND SHOAL_WITH_CUDA AND NOT SHOAL_NCCL STREQUAL "OFF")
  set(nccl_of_python "")
  if(Python_EXECUTABLE)
    execute_process(COMMAND ${Python_EXECUTABLE} -c "import nvidia.nccl; print(nvidia.nccl.__path__[0])"
                    OUTPUT_VARIABLE nccl_of_python OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(nccl_hints ${NCCL_ROOT} $ENV{NCCL_ROOT} ${nccl_of_python})
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${nccl_hints} PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${nccl_hints} PATH_SUFFIXES lib lib64)
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(SHOAL_WITH_NCCL ON)
    if(NOT TARGET NCCL::NCCL)
      add_library(NCCL::NCCL UNKNOWN IMPORTED)
      set_target_properties(NCCL::NCCL PROPERTIES
        IMPORTED_LOCATION ${NCCL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${NCCL_INCLUDE_DIR})
    endif()
  endif()
endif()
if(SHOAL_NCCL STREQUAL "ON" AND NOT SHOAL_WITH_NCCL)
  message(FATAL_ERROR "shoal: SHOAL_NCCL is ON, and there is no NCCL with MPI (${SHOAL_WITH_MPI}) and CUDA "
                      "(${SHOAL_WITH_CUDA}). Name its folder with -DNCCL_ROOT=..., or set SHOAL_NCCL=OFF: then GPUs "
                      "exchange through memory of the host.")
endif()
message(STATUS "shoal: ranks are ${SHOAL_WITH_MPI} (MPI), ${SHOAL_WITH_NCCL} (NCCL)")
