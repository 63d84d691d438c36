// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <shoal/openmp.hpp>

#include <cstdlib>

namespace shoal {

void limit_openmp_spinning(char** argv) {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
  setenv("GOMP_SPINCOUNT", "10000", 1);
  execv("/proc/self/exe", argv);  // returns only without /proc; then the program goes on with the default
}

}  // namespace shoal
