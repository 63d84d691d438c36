# SPDX-License-Identifier: Apache-2.0
# Tests start MPI programs with this, also as root, in a container, and with more ranks than cores.
set(shoal_mpirun ${MPIEXEC_EXECUTABLE})
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpirun_version ERROR_QUIET)
if(mpirun_version MATCHES "Open MPI|OpenRTE")
  list(APPEND shoal_mpirun --oversubscribe --bind-to none)
endif()
list(APPEND shoal_mpirun ${MPIEXEC_NUMPROC_FLAG})
set(shoal_mpirun_environment OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none SHOAL_RANKS_TIMEOUT=60)
if(SHOAL_SANITIZE)
  # Open MPI keeps memory of plugins that it has unloaded, which no suppression can name.
  list(APPEND shoal_mpirun_environment ASAN_OPTIONS=detect_leaks=0)
endif()

# shoal_test_under_mpirun(<test> <ranks> <command>...): a test of the label `ranks`, on at most two processors.
function(shoal_test_under_mpirun name count)
  add_test(NAME ${name} COMMAND ${shoal_mpirun} ${count} ${ARGN})
  set(processors 2)
  if(count EQUAL 1)
    set(processors 1)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS ranks TIMEOUT 120 PROCESSORS ${processors}
                       ENVIRONMENT "${shoal_mpirun_environment}")
endfunction()
