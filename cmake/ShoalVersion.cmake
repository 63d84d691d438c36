# SPDX-License-Identifier: Apache-2.0
# What version.cpp tells: version, git commit at configure time, compiler.
set(SHOAL_COMMIT unknown)
if(DEFINED ENV{SHOAL_COMMIT})  # for a source tree without its history
  set(SHOAL_COMMIT $ENV{SHOAL_COMMIT})
endif()
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 --exclude=*
                  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE commit RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(SHOAL_COMMIT ${commit})
  endif()
endif()
set_source_files_properties(version.cpp TARGET_DIRECTORY shoal PROPERTIES COMPILE_DEFINITIONS
  "SHOAL_VERSION=\"${PROJECT_VERSION}\";SHOAL_COMMIT=\"${SHOAL_COMMIT}\";SHOAL_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}\"")
