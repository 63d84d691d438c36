// SPDX-License-Identifier: Apache-2.0
// The allocation functions of the test program. In a file of their own, since compilers that see them in line take `free`
// for a mismatch of `new`.
#include "sph/ranks/failing_allocation.hpp"

#include <cstdlib>
#include <new>

namespace shoal::testing_support {

thread_local int allocations_left = -1;

}  // namespace shoal::testing_support

void* operator new(std::size_t bytes) {
  int& left = shoal::testing_support::allocations_left;
  if (bytes >= 1024 && left == 0) throw std::bad_alloc();
  if (bytes >= 1024 && left > 0) --left;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
