# SPDX-License-Identifier: Apache-2.0
# The header kissfft.hh: SHOAL_KISSFFT_INCLUDE, the folder that has kissfft/kissfft.hh, and SHOAL_WITH_KISSFFT. It is
# compiled into the library, so users of an installed shoal do not need it. SHOAL_KISSFFT says whether to look: ON, OFF,
# or AUTO.
set(SHOAL_WITH_KISSFFT OFF)
if(NOT SHOAL_KISSFFT STREQUAL "OFF")
  find_path(SHOAL_KISSFFT_INCLUDE kissfft/kissfft.hh)
  mark_as_advanced(SHOAL_KISSFFT_INCLUDE)
  if(SHOAL_KISSFFT_INCLUDE)
    set(SHOAL_WITH_KISSFFT ON)
  endif()
endif()
if(SHOAL_KISSFFT STREQUAL "ON" AND NOT SHOAL_WITH_KISSFFT)
  message(FATAL_ERROR "shoal: SHOAL_KISSFFT is ON, and kissfft/kissfft.hh is not found. Install kissfft 131 (Debian: "
                      "libkissfft-dev), or set SHOAL_KISSFFT=OFF: then collision has no method `kissfft`.")
endif()
