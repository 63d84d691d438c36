// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Number of work groups of the CPU methods. Each group has its own Q, and the groups are added in order, so that the
/// result has the same bits for any number of threads.
inline constexpr int work_groups = 16;

#ifndef __CUDACC__  // nvcc compiles without OpenMP, and only methods of the CPU sum groups

/// Adds the contributions of all work groups.
/// @param q          [count] sum of all groups, overwritten
/// @param add_group  add_group(group, group_q) adds the contribution of a group to its own Q
template <class Real, class AddGroup>
void sum_work_groups(Scratch& scratch, std::int64_t count, Real* q, AddGroup add_group) {
  ScratchFrame frame(scratch);
  Real* all_groups = frame.array<Real>(work_groups * count).data;
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic, 1)
  for (int group = 0; group < work_groups; ++group) {
    Real* group_q = all_groups + group * count;
    std::fill_n(group_q, count, Real(0));
    add_group(group, group_q);
  }
#pragma omp parallel for num_threads(scratch.queue().threads())
  for (std::int64_t i = 0; i < count; ++i) {
    Real sum = all_groups[i];
    for (int group = 1; group < work_groups; ++group) sum += all_groups[group * count + i];
    q[i] = sum;
  }
}

#endif

}  // namespace shoal::collision
