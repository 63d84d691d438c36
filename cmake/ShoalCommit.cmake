# SPDX-License-Identifier: Apache-2.0
# The commit of a source tree. Included, it defines shoal_find_commit; as a script it writes a header with the commit, and
# leaves one alone that has it already:
#
#   cmake -DSOURCE=FOLDER -DFALLBACK=COMMIT -DHEADER=FILE -P ShoalCommit.cmake

# shoal_find_commit(<variable> <source> <fallback>): the commit, with "-dirty" after changes of a tracked file.
# Result files are not counted, so that measurements of one commit can replace them one by one. A tree of `git archive` has
# its commit in a file, also within the repository of another project. Without either it is <fallback>.
function(shoal_find_commit variable source fallback)
  set(${variable} ${fallback} PARENT_SCOPE)
  if(EXISTS ${source}/cmake/commit.txt)
    file(STRINGS ${source}/cmake/commit.txt archived REGEX "^[0-9a-f]+$")
    if(archived)
      string(SUBSTRING ${archived} 0 12 archived)
      set(${variable} ${archived} PARENT_SCOPE)
      return()
    endif()
  endif()
  find_package(Git QUIET)
  if(NOT Git_FOUND)
    return()
  endif()
  set(in_source WORKING_DIRECTORY ${source} RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit ${in_source})
  if(failed)
    return()
  endif()
  execute_process(
    COMMAND ${GIT_EXECUTABLE} --no-optional-locks status --porcelain --untracked-files=no -- . ":(exclude)benchmarks/results"
    OUTPUT_VARIABLE changes ${in_source})
  if(changes)
    string(APPEND commit -dirty)
  endif()
  set(${variable} ${commit} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND HEADER)
  shoal_find_commit(commit "${SOURCE}" "${FALLBACK}")
  file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\ninline constexpr char shoal_build_commit[] = \"${commit}\";\n")
endif()
