// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/range.hpp"

namespace shoal::wall_distance {

/// Sum of work(range) over chunks of n points, which threads take one after another.
/// @param work  must not throw
template <class Work>
std::invoke_result_t<const Work&, Range> sum_over_chunks(int threads, std::int64_t n, const Work& work) {
  constexpr std::int64_t chunk = 512;
  std::invoke_result_t<const Work&, Range> sum{};
#pragma omp parallel num_threads(threads)
  {
    auto thread_sum = decltype(sum){};
#pragma omp for schedule(dynamic)
    for (std::int64_t begin = 0; begin < n; begin += chunk)
      thread_sum += work(Range{begin, std::min(n, begin + chunk)});
#pragma omp critical(shoal_wall_distance_sum)
    sum += thread_sum;
  }
  return sum;
}

}  // namespace shoal::wall_distance
