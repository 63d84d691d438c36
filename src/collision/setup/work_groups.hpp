// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/memory/scratch.hpp"

namespace shoal {

/// Work is dealt out to so many groups, each with a Q of its own, which are added in order at the end: the same bits
/// for any number of threads.
inline constexpr int collision_groups = 16;

/// @param q    [count] the sum of all groups, overwritten
/// @param add  add(group, own) adds a group's work to its own q
template <class Real, class Add>
void add_all_groups(Scratch& scratch, std::int64_t count, Real* q, Add add) {
  ScratchFrame frame(scratch);
  Real* of_group = frame.array<Real>(collision_groups * count).data;
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic, 1)
  for (int group = 0; group < collision_groups; ++group) {
    Real* own = of_group + group * count;
    std::fill_n(own, count, Real(0));
    add(group, own);
  }
#pragma omp parallel for num_threads(scratch.queue().threads())
  for (std::int64_t i = 0; i < count; ++i) {
    Real sum = of_group[i];
    for (int group = 1; group < collision_groups; ++group) sum += of_group[group * count + i];
    q[i] = sum;
  }
}

}  // namespace shoal
