# SPDX-License-Identifier: Apache-2.0
# What shoal::io is built on: hdf5::hdf5, fmt::fmt, tomlplusplus::tomlplusplus, ZLIB::ZLIB, Threads::Threads; and
# CGNS::CGNS if it is there. Also installed, for those who link the static library.
find_package(PkgConfig)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB 1.2.9 REQUIRED)  # the first with crc32_z

# CMake's own module for HDF5 needs a C compiler, which pkg-config spares the user. Debian has a module for each build of
# HDF5; the plain name is that of the build which the system prefers.
if(PkgConfig_FOUND AND NOT TARGET hdf5::hdf5)
  set(hdf5_modules hdf5)
  if(SHOAL_PARALLEL_HDF5 STREQUAL "ON")
    list(PREPEND hdf5_modules hdf5-mpi)
  elseif(SHOAL_PARALLEL_HDF5 STREQUAL "OFF")
    list(PREPEND hdf5_modules hdf5-serial)
  endif()
  pkg_search_module(hdf5 QUIET IMPORTED_TARGET ${hdf5_modules})
  if(hdf5_FOUND)
    add_library(hdf5::hdf5 ALIAS PkgConfig::hdf5)
  endif()
endif()
if(NOT TARGET hdf5::hdf5)
  enable_language(C)
  if(SHOAL_PARALLEL_HDF5 STREQUAL "ON")
    set(HDF5_PREFER_PARALLEL ON)
  endif()
  find_package(HDF5 REQUIRED COMPONENTS C)
endif()

find_package(tomlplusplus CONFIG QUIET)
if(NOT tomlplusplus_FOUND)
  pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
  add_library(tomlplusplus::tomlplusplus ALIAS PkgConfig::tomlplusplus)
endif()

# Meshes in CGNS. The library has no package file before version 4, and 3.4 is the first with the calls for mixed elements.
find_path(CGNS_INCLUDE_DIR cgnslib.h)
find_library(CGNS_LIBRARY cgns)
mark_as_advanced(CGNS_INCLUDE_DIR CGNS_LIBRARY)
if(CGNS_INCLUDE_DIR AND CGNS_LIBRARY AND NOT TARGET CGNS::CGNS)
  file(STRINGS ${CGNS_INCLUDE_DIR}/cgnslib.h cgns_version REGEX "#define CGNS_VERSION +[0-9]+")
  string(REGEX REPLACE ".* ([0-9]+).*" "\\1" cgns_version "${cgns_version}")
  if(cgns_version GREATER_EQUAL 3400)
    add_library(CGNS::CGNS UNKNOWN IMPORTED)
    set_target_properties(CGNS::CGNS PROPERTIES
      IMPORTED_LOCATION ${CGNS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${CGNS_INCLUDE_DIR}
      INTERFACE_LINK_LIBRARIES hdf5::hdf5)  # a static CGNS stands before it
  endif()
endif()
