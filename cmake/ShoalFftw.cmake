# SPDX-License-Identifier: Apache-2.0
# FFTW 3 in both precisions: PkgConfig::fftw3 and PkgConfig::fftw3f where they are found, and SHOAL_WITH_FFTW. Also
# installed, for those who link the static library.
find_package(PkgConfig QUIET)
set(SHOAL_WITH_FFTW OFF)
if(PkgConfig_FOUND)
  pkg_check_modules(fftw3 QUIET IMPORTED_TARGET fftw3)
  pkg_check_modules(fftw3f QUIET IMPORTED_TARGET fftw3f)
  if(fftw3_FOUND AND fftw3f_FOUND)
    set(SHOAL_WITH_FFTW ON)
  endif()
endif()
