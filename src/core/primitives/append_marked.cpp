// SPDX-License-Identifier: Apache-2.0
#include "core/primitives/append_marked.hpp"

#include <array>
#include <cstddef>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace shoal {

namespace {

std::int32_t* append_one_by_one(const std::int32_t* numbers, const std::int32_t* marks, std::int64_t count,
                                std::int32_t* end) {
  for (std::int64_t j = 0; j < count; ++j) {
    *end = numbers[j];  // the next number overwrites it if this one is not marked
    end += marks[j];
  }
  return end;
}

#if defined(__x86_64__)

/// Lanes of the set bits of a byte, the lowest first.
constexpr std::array<std::array<std::uint8_t, 8>, 256> lanes_of_byte() {
  std::array<std::array<std::uint8_t, 8>, 256> lanes{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::size_t next = 0;
    for (std::uint8_t lane = 0; lane < 8; ++lane)
      if (byte >> lane & 1) lanes[byte][next++] = lane;
  }
  return lanes;
}
alignas(64) constexpr std::array<std::array<std::uint8_t, 8>, 256> marked_lanes = lanes_of_byte();

__attribute__((target("avx2,popcnt"))) std::int32_t* append_with_avx2(const std::int32_t* numbers,
                                                                      const std::int32_t* marks, std::int64_t count,
                                                                      std::int32_t* end) {
  for (std::int64_t j = 0; j < count; j += append_group) {
    const __m256i group_marks = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(marks + j));
    const auto byte =
        static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(group_marks, 31))));
    const __m256i lanes =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(marked_lanes[byte].data())));
    const __m256i group = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers + j));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(end), _mm256_permutevar8x32_epi32(group, lanes));
    end += _mm_popcnt_u32(byte);
  }
  return end;
}

// Numbers are compressed in a register: some processors compress to memory one by one.
__attribute__((target("avx512f,avx512vl,popcnt"))) std::int32_t* append_with_avx512(const std::int32_t* numbers,
                                                                                    const std::int32_t* marks,
                                                                                    std::int64_t count,
                                                                                    std::int32_t* end) {
  for (std::int64_t j = 0; j < count; j += append_group) {
    const __m256i group_marks = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(marks + j));
    const __mmask8 mask = _mm256_test_epi32_mask(group_marks, group_marks);
    const __m256i group = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers + j));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(end), _mm256_maskz_compress_epi32(mask, group));
    end += _mm_popcnt_u32(mask);
  }
  return end;
}

#endif

using Append = std::int32_t* (*)(const std::int32_t*, const std::int32_t*, std::int64_t, std::int32_t*);

Append fastest_append() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return append_with_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) return append_with_avx2;
#endif
  return append_one_by_one;
}

const Append append = fastest_append();

}  // namespace

std::int32_t* append_marked(const std::int32_t* numbers, const std::int32_t* marks, std::int64_t count,
                            std::int32_t* end) {
  return append(numbers, marks, count, end);
}

}  // namespace shoal
