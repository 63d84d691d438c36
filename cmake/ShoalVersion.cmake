# SPDX-License-Identifier: Apache-2.0
# What version.cpp tells: version, git commit at configure time, compiler.
include(ShoalCommit)
set(SHOAL_COMMIT unknown)
if(DEFINED ENV{SHOAL_COMMIT})  # for a source tree without its history
  set(SHOAL_COMMIT $ENV{SHOAL_COMMIT})
endif()
shoal_find_commit(SHOAL_COMMIT ${PROJECT_SOURCE_DIR} ${SHOAL_COMMIT})
set_source_files_properties(version.cpp TARGET_DIRECTORY shoal PROPERTIES COMPILE_DEFINITIONS
  "SHOAL_VERSION=\"${PROJECT_VERSION}\";SHOAL_COMMIT=\"${SHOAL_COMMIT}\";SHOAL_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}\"")
set(SHOAL_CONFIGURED_COMMIT ${SHOAL_COMMIT} CACHE INTERNAL "commit at configure time, for benchmarks")
