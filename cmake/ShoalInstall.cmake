# SPDX-License-Identifier: Apache-2.0
# find_package(shoal) and pkg-config for the installed libraries. Both are relocatable.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/shoal)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# One export file a component, so that find_package(shoal) needs nothing that only `io` needs.
function(shoal_install target)
  install(TARGETS ${target} EXPORT ${target} FILE_SET HEADERS)
  install(EXPORT ${target} FILE ${target}-targets.cmake NAMESPACE shoal:: DESTINATION ${package_folder})
endfunction()

shoal_install(shoal)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(SHOAL_WITH_CGNS OFF)
if(TARGET shoal_io)
  get_target_property(io_libraries shoal_io LINK_LIBRARIES)
  if("CGNS::CGNS" IN_LIST io_libraries)
    set(SHOAL_WITH_CGNS ON)
  endif()
  set_target_properties(shoal_io PROPERTIES EXPORT_NAME io)
  shoal_install(shoal_io)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/ShoalIoDependencies.cmake DESTINATION ${package_folder})
endif()
if(TARGET shoal_c)
  set_target_properties(shoal_c PROPERTIES EXPORT_NAME c)
  shoal_install(shoal_c)
  install(FILES fortran/shoal.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/shoal/fortran)
endif()
if(TARGET shoal_mpi)
  set_target_properties(shoal_mpi PROPERTIES EXPORT_NAME mpi)
  shoal_install(shoal_mpi)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/ShoalMpi.cmake DESTINATION ${package_folder})
endif()
if(TARGET shoal_cli)
  install(TARGETS shoal_cli)
  # What `shoal report`, `plot`, `movie` and `view` run: pure Python, with the reference curves that it draws beside a run's own.
  install(DIRECTORY python/shoal DESTINATION ${CMAKE_INSTALL_DATADIR}/shoal/python
    FILES_MATCHING REGEX "\\.(py|html|css|js)$" PATTERN __pycache__ EXCLUDE)
  install(DIRECTORY cases DESTINATION ${CMAKE_INSTALL_DATADIR}/shoal)
endif()
if(TARGET shoal_cli AND NOT CMAKE_CROSSCOMPILING)
  # The command line describes itself, so that manual page and completion cannot lag behind it.
  set(described ${PROJECT_BINARY_DIR}/described)
  add_custom_command(OUTPUT ${described}/shoal.1 ${described}/shoal.bash ${described}/_shoal ${described}/shoal.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${described}
    COMMAND shoal_cli manual > ${described}/shoal.1
    COMMAND shoal_cli completion bash > ${described}/shoal.bash
    COMMAND shoal_cli completion zsh > ${described}/_shoal
    COMMAND shoal_cli completion fish > ${described}/shoal.fish
    DEPENDS shoal_cli VERBATIM)
  add_custom_target(shoal_described ALL DEPENDS ${described}/shoal.1)
  install(FILES ${described}/shoal.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${described}/shoal.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME shoal)
  install(FILES ${described}/_shoal DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${described}/shoal.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/shoal-config.cmake.in ${PROJECT_BINARY_DIR}/shoal-config.cmake
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/shoal-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/shoal-config.cmake ${PROJECT_BINARY_DIR}/shoal-config-version.cmake
              ${CMAKE_CURRENT_LIST_DIR}/ShoalFftw.cmake
        DESTINATION ${package_folder})

# pkg-config. A static library hands the libraries it needs to its user; a shared one keeps them to itself.
file(RELATIVE_PATH SHOAL_PC_PREFIX /${pkgconfig_folder} /)
set(SHOAL_PC_NEEDS "-fopenmp")
if(SHOAL_WITH_CUDA)
  string(APPEND SHOAL_PC_NEEDS " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt -ldl -lpthread")
endif()
if(SHOAL_WITH_CUFFT)
  string(APPEND SHOAL_PC_NEEDS " -lcufft")
endif()
if(SHOAL_WITH_FFTW)
  string(APPEND SHOAL_PC_NEEDS " -lfftw3 -lfftw3f")
endif()
get_target_property(library_type shoal TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(SHOAL_PC_LIBS " ${SHOAL_PC_NEEDS}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/shoal.pc.in ${PROJECT_BINARY_DIR}/shoal.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/shoal.pc DESTINATION ${pkgconfig_folder})
if(TARGET shoal_mpi)
  # The libraries are named by -L and -l: CMake sorts whole paths of a .pc before the library that needs them.
  set(SHOAL_MPI_PC_NEEDS "")
  foreach(library IN LISTS MPI_CXX_LIBRARIES NCCL_LIBRARY)
    cmake_path(GET library PARENT_PATH folder)
    cmake_path(GET library FILENAME file)
    if(folder AND NOT file MATCHES "mpi_cxx")
      string(APPEND SHOAL_MPI_PC_NEEDS " -L${folder} -l:${file}")
    endif()
  endforeach()
  if(library_type STREQUAL "STATIC_LIBRARY")
    set(SHOAL_MPI_PC_LIBS "${SHOAL_MPI_PC_NEEDS}")
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/shoal_mpi.pc.in ${PROJECT_BINARY_DIR}/shoal_mpi.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/shoal_mpi.pc DESTINATION ${pkgconfig_folder})
endif()
