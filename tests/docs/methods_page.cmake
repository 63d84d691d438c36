# SPDX-License-Identifier: Apache-2.0
# Compares the table in docs/methods.md with what `shoal methods --markdown` prints; a build without CUDA knows only the
# rows of the CPU. To write the table instead, from a build with CUDA:
#
#   cmake -DSHOAL=build/cuda/cli/shoal -DUPDATE=ON -P tests/docs/methods_page.cmake
if(NOT PAGE)
  set(PAGE ${CMAKE_CURRENT_LIST_DIR}/../../docs/methods.md)
endif()
execute_process(COMMAND ${SHOAL} methods --markdown OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${printed}" printed)

file(READ ${PAGE} page)
string(FIND "${page}" "| operation |" start)
string(SUBSTRING "${page}" 0 ${start} preamble)
if(UPDATE)
  file(WRITE ${PAGE} "${preamble}${printed}\n")
  return()
endif()

string(SUBSTRING "${page}" ${start} -1 table)
if(NOT WITH_CUDA)
  string(REGEX REPLACE "\n[^\n]*\\| cuda \\|[^\n]*" "" table "${table}")
endif()
string(STRIP "${table}" table)
if(NOT table STREQUAL printed)
  message(FATAL_ERROR "docs/methods.md is out of date; this build has\n${printed}\nTo update it, see ${CMAKE_CURRENT_LIST_FILE}")
endif()
