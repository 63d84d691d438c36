// SPDX-License-Identifier: Apache-2.0
// The state in which functions for wide vectors leave the registers of x86-64.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

namespace shoal::testing_support {

/// True if the second 16 bytes of all vector registers are zero, as after the instruction vzeroupper, which functions for AVX2 and
/// AVX-512 execute before they return. After a function without it, code for plain x86-64 is up to 40 times slower,
/// until something else clears the registers.
inline bool upper_registers_are_zero() {
#if defined(__x86_64__) && defined(__GNUC__)
  if (!__builtin_cpu_supports("avx")) return true;
  std::array<std::uint64_t, 32> halves{};
#define SHOAL_STORE_UPPER_HALF(number) "vextractf128 $1, %%ymm" #number ", 16*" #number "(%0)\n\t"
  asm volatile(SHOAL_STORE_UPPER_HALF(0) SHOAL_STORE_UPPER_HALF(1) SHOAL_STORE_UPPER_HALF(2) SHOAL_STORE_UPPER_HALF(3)
                   SHOAL_STORE_UPPER_HALF(4) SHOAL_STORE_UPPER_HALF(5) SHOAL_STORE_UPPER_HALF(6)
                       SHOAL_STORE_UPPER_HALF(7) SHOAL_STORE_UPPER_HALF(8) SHOAL_STORE_UPPER_HALF(9)
                           SHOAL_STORE_UPPER_HALF(10) SHOAL_STORE_UPPER_HALF(11) SHOAL_STORE_UPPER_HALF(12)
                               SHOAL_STORE_UPPER_HALF(13) SHOAL_STORE_UPPER_HALF(14) SHOAL_STORE_UPPER_HALF(15)
               :
               : "r"(halves.data())
               : "memory");
#undef SHOAL_STORE_UPPER_HALF
  return std::all_of(halves.begin(), halves.end(), [](std::uint64_t half) { return half == 0; });
#else
  return true;
#endif
}

}  // namespace shoal::testing_support
