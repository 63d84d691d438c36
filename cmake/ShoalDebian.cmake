# SPDX-License-Identifier: Apache-2.0
# Run by cpack before it packs: a .deb has zsh's completion where Debian's zsh looks for that of packages.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(zsh ${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}/share/zsh)
  file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
endif()
