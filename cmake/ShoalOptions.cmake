# SPDX-License-Identifier: Apache-2.0
# What a user may choose, and what every target of ours shares.

option(SHOAL_IO "Build the io library: case files, fields, probes, restart (HDF5, toml++, fmt)" ${PROJECT_IS_TOP_LEVEL})
option(SHOAL_CLI "Build the command line; needs SHOAL_IO (CLI11)" ${PROJECT_IS_TOP_LEVEL})
option(SHOAL_C "Build the C interface; its Fortran module is tested where a Fortran compiler is found" ${PROJECT_IS_TOP_LEVEL})
option(SHOAL_PYTHON "Build the Python package; needs SHOAL_IO (nanobind)" OFF)
option(SHOAL_TESTS "Build the tests (GoogleTest)" OFF)
option(SHOAL_UNITY_TESTS "Compile the tests of a folder in batches of several files, in about half the time" ON)
option(SHOAL_BENCHMARKS "Build shoal-bench, which repeats the papers' comparisons; needs SHOAL_IO (CLI11). With Google \
Benchmark, if it is found, also the benchmarks of the operations" OFF)
set(SHOAL_FFTW "AUTO" CACHE STRING "Fourier methods of collision on the CPU by FFTW 3 (GPL): ON, OFF, or AUTO, if it is found")
set(SHOAL_KISSFFT "AUTO" CACHE STRING "Fourier methods of collision on the CPU by kissfft (BSD): ON, OFF, or AUTO, if it is found")
set(SHOAL_MPI "AUTO" CACHE STRING "Ranks with MPI, as the library shoal_mpi: ON, OFF, or AUTO, if MPI is found")
set(SHOAL_NCCL "AUTO" CACHE STRING "Ranks exchange between GPUs by NCCL; needs MPI and CUDA: ON, OFF, or AUTO, if it is found")
set(SHOAL_PARALLEL_HDF5 "AUTO" CACHE STRING "All ranks write large files by a parallel HDF5; needs MPI: ON, OFF, or AUTO, if the HDF5 that is found is parallel")
set_property(CACHE SHOAL_FFTW SHOAL_KISSFFT SHOAL_MPI SHOAL_NCCL SHOAL_PARALLEL_HDF5 PROPERTY STRINGS AUTO ON OFF)
option(SHOAL_WERROR "Treat warnings as errors, as continuous integration does" OFF)
option(SHOAL_QUICK_CUDA "Compile CUDA methods quickly, into slow code, where no GPU runs them (nvcc 13)" OFF)
set(SHOAL_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=: \"address,undefined\" or \"thread\"")

option(SHOAL_FUZZ "Build libFuzzer for the readers, with AddressSanitizer and UndefinedBehaviorSanitizer (clang)" OFF)

if(SHOAL_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SHOAL_FUZZ=ON needs clang, but the compiler is ${CMAKE_CXX_COMPILER_ID}. Set CMAKE_CXX_COMPILER.")
  endif()
  set(SHOAL_SANITIZE "fuzzer-no-link,address,undefined,float-cast-overflow")
endif()
if(SHOAL_CLI AND NOT SHOAL_IO)
  message(FATAL_ERROR "SHOAL_CLI=ON needs SHOAL_IO=ON.")
endif()
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

include(GNUInstallDirs)

# C++20, our include paths and our flags for one target; -ffp-contract=off is a promise of ours (same bits on every
# device), so it holds for whoever builds us.
function(shoal_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -ffp-contract=off -fno-math-errno -fno-trapping-math>
    $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall,-Wextra,-ffp-contract=off>
    $<$<AND:$<BOOL:${SHOAL_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>
    $<$<AND:$<BOOL:${SHOAL_WERROR}>,$<COMPILE_LANGUAGE:CUDA>>:-Werror=all-warnings>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Where g++ knows the registers of a function that it calls, it can leave out the vzeroupper of a variant for wide vectors.
    # Code for plain x86-64 is then up to 40 times slower (docs/decisions/0001-cpu-variants.md).
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-ipa-ra>)
    # g++ collects garbage from 128 MB on, a tenth of the time of a build. From 500 MB on, the largest file here needs 1.3 GB.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-heapsize=500000>")
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 reports overlapping and overflowing copies in std::string's operator+ that do not happen (GCC bug 105651).
    # Which ones it reports depends even on the length of the checkout's path.
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Members `cpu` and `cuda` of backends are instantiated beside the functions that they list (src/core/backends.hpp).
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-undefined-var-template>)
  endif()
  if(SHOAL_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SHOAL_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all>)
    target_link_options(${target} PUBLIC -fsanitize=${SHOAL_SANITIZE})
  endif()
endfunction()
