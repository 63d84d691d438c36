# SPDX-License-Identifier: Apache-2.0
# FFTW 3 in both precisions: PkgConfig::fftw3 and PkgConfig::fftw3f where they are found, and SHOAL_WITH_FFTW. Also
# installed, for those who link the static library. SHOAL_FFTW says whether to look: ON, OFF, or AUTO.
find_package(PkgConfig QUIET)
set(SHOAL_WITH_FFTW OFF)
if(PkgConfig_FOUND AND NOT SHOAL_FFTW STREQUAL "OFF")
  pkg_check_modules(fftw3 QUIET IMPORTED_TARGET fftw3)
  pkg_check_modules(fftw3f QUIET IMPORTED_TARGET fftw3f)
  if(fftw3_FOUND AND fftw3f_FOUND)
    set(SHOAL_WITH_FFTW ON)
  endif()
endif()
if(SHOAL_FFTW STREQUAL "ON" AND NOT SHOAL_WITH_FFTW)
  message(FATAL_ERROR "shoal: SHOAL_FFTW is ON, and pkg-config does not find both fftw3 and fftw3f. Install FFTW 3 in both "
                      "precisions with its pkg-config files, or set SHOAL_FFTW=OFF: then collision has no method `fftw`.")
endif()
