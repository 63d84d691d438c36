// SPDX-License-Identifier: Apache-2.0
#include <omp.h>
#include <sched.h>
#include <unistd.h>
#include <shoal/openmp.hpp>

#include <cstdlib>
#include <vector>

namespace shoal {

namespace {

/// Lets the main thread run on all processors again where OMP_PROC_BIND has bound it to the first place. A program that
/// starts itself again would keep this place alone.
void release_main_thread() {
  if (omp_get_proc_bind() == omp_proc_bind_false) return;
  cpu_set_t processors;
  CPU_ZERO(&processors);
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    for (const int number : numbers)
      if (number < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(number), &processors);
  }
  if (CPU_COUNT(&processors) > 0) sched_setaffinity(0, sizeof processors, &processors);
}

}  // namespace

void limit_openmp_spinning(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  release_main_thread();
  execv("/proc/self/exe", argv);  // returns only without /proc; then the program goes on with the default
}

}  // namespace shoal
