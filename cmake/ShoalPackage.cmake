# SPDX-License-Identifier: Apache-2.0
# `cpack -G DEB` in a build folder makes a package for Debian and Ubuntu of what `cmake --install` installs: library,
# headers, command line, manual page and completion. `cpack -G TGZ` makes an archive of the same.
set(CPACK_PACKAGE_VENDOR "The shoal authors")
set(CPACK_PACKAGE_CONTACT "The shoal authors")
set(CPACK_PACKAGE_DESCRIPTION "Neighbor lists, binning, deposition, wall distances, the Boltzmann collision integral and \
smoothed particle hydrodynamics, with the same answers on CPUs and GPUs.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(TARGET shoal_cli)
  # For `shoal report`, `plot`, `movie` and `view`.
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-h5py, python3-matplotlib")
  set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/debian/prerm)
  set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
endif()
if(TARGET shoal_described)
  set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/ShoalDebian.cmake)
endif()
# What find_package(shoal COMPONENTS io) asks for; the command line needs none of it.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libhdf5-dev, libtomlplusplus-dev, libfmt-dev, zlib1g-dev")
if(SHOAL_WITH_CGNS)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", libcgns-dev")
endif()
if(SHOAL_WITH_FFTW)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS ", libfftw3-dev")
endif()
include(CPack)
