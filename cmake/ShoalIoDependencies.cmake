# SPDX-License-Identifier: Apache-2.0
# What shoal::io is built on: hdf5::hdf5, fmt::fmt, tomlplusplus::tomlplusplus, Threads::Threads; ZLIB::ZLIB if it is
# there. Also installed, for those who link the static library.
find_package(PkgConfig)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB QUIET)

# CMake's own module for HDF5 needs a C compiler, which pkg-config spares the user.
if(PkgConfig_FOUND AND NOT TARGET hdf5::hdf5)
  pkg_check_modules(hdf5 QUIET IMPORTED_TARGET hdf5)
  if(hdf5_FOUND)
    add_library(hdf5::hdf5 ALIAS PkgConfig::hdf5)
  endif()
endif()
if(NOT TARGET hdf5::hdf5)
  enable_language(C)
  find_package(HDF5 REQUIRED COMPONENTS C)
endif()

find_package(tomlplusplus CONFIG QUIET)
if(NOT tomlplusplus_FOUND)
  pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
  add_library(tomlplusplus::tomlplusplus ALIAS PkgConfig::tomlplusplus)
endif()
