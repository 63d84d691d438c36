# SPDX-License-Identifier: Apache-2.0
# Compares the table in docs/methods.md with the output of `shoal methods --markdown`. The page lists the methods of a
# build with CUDA, cuFFT, FFTW and kissfft; the entries of parts that this build lacks are skipped. To write the table instead,
# from a build with all of them:
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
set(absent "")
if(NOT WITH_CUDA)
  list(APPEND absent "\\| cuda \\|")
endif()
if(NOT WITH_CUFFT)
  list(APPEND absent "\\| cufft \\|")
endif()
if(NOT WITH_FFTW)
  list(APPEND absent "\\| fftw \\|")
endif()
if(NOT WITH_KISSFFT)
  list(APPEND absent "\\| kissfft \\|")
endif()
foreach(entry IN LISTS absent)
  string(REGEX REPLACE "\n[^\n]*${entry}[^\n]*" "" table "${table}")
endforeach()
string(STRIP "${table}" table)
if(NOT table STREQUAL printed)
  message(FATAL_ERROR "docs/methods.md is out of date; this build has\n${printed}\nTo update it, see ${CMAKE_CURRENT_LIST_FILE}")
endif()
