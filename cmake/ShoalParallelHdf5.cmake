# SPDX-License-Identifier: Apache-2.0
# Sets SHOAL_WITH_PARALLEL_HDF5: the HDF5 of ShoalIoDependencies.cmake is built with the MPI of ShoalMpi.cmake, so that all
# ranks may open a file together. SHOAL_PARALLEL_HDF5 says whether to use it: ON, OFF, or AUTO.
include(CheckCXXSourceCompiles)

# shoal_check_macro(<variable> <target> <header> <macro>): whether the header of a library defines the macro.
function(shoal_check_macro variable target header macro)
  get_target_property(CMAKE_REQUIRED_INCLUDES ${target} INTERFACE_INCLUDE_DIRECTORIES)
  set(CMAKE_REQUIRED_QUIET ON)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  check_cxx_source_compiles("#include <${header}>
    #ifndef ${macro}
    #error
    #endif" ${variable})
endfunction()

set(SHOAL_WITH_PARALLEL_HDF5 OFF)
set(reason "SHOAL_MPI is off")
if(SHOAL_WITH_MPI)
  shoal_check_macro(shoal_hdf5_is_parallel hdf5::hdf5 H5pubconf.h H5_HAVE_PARALLEL)
  set(reason "the HDF5 that was found is not parallel")
  if(shoal_hdf5_is_parallel)
    shoal_check_macro(shoal_mpi_is_open_mpi MPI::MPI_CXX mpi.h OPEN_MPI)
    shoal_check_macro(shoal_hdf5_is_of_open_mpi hdf5::hdf5 hdf5.h OPEN_MPI)
    set(reason "the HDF5 that was found is built with another MPI")
    if(shoal_mpi_is_open_mpi STREQUAL shoal_hdf5_is_of_open_mpi AND NOT SHOAL_PARALLEL_HDF5 STREQUAL "OFF")
      set(SHOAL_WITH_PARALLEL_HDF5 ON)
    endif()
  endif()
endif()
if(SHOAL_PARALLEL_HDF5 STREQUAL "ON" AND NOT SHOAL_WITH_PARALLEL_HDF5)
  message(FATAL_ERROR "shoal: SHOAL_PARALLEL_HDF5 is ON, and ${reason}. Install one of this MPI (Debian, Open MPI: "
                      "libhdf5-openmpi-dev), or set SHOAL_PARALLEL_HDF5=OFF: then rank 0 writes the files of all ranks.")
endif()
message(STATUS "shoal: parallel HDF5 is ${SHOAL_WITH_PARALLEL_HDF5}")
