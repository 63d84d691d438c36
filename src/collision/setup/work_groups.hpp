// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "collision/ranks/rank_groups.hpp"
#include "collision/setup/collision_setup.hpp"
#include "collision/setup/work_group_count.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

#ifndef __CUDACC__  // nvcc compiles without OpenMP, and only methods of the CPU sum groups

/// Adds the sums of all work groups for some numbers.
template <class Real>
void add_work_groups(const Queue& queue, const Real* all_groups, std::int64_t count, Range part, Real* q) {
#pragma omp parallel for num_threads(queue.threads())
  for (std::int64_t i = part.begin; i < part.end; ++i) {
    Real sum = all_groups[i];
    for (int group = 1; group < work_groups; ++group) sum += all_groups[group * count + i];
    q[i] = sum;
  }
}

/// Adds the contributions of all work groups, which ranks share out.
/// @param q          [count] sum of all groups, overwritten
/// @param add_group  add_group(group, group_q) adds the contribution of a group to its own Q
template <class Real, class AddGroup>
void sum_work_groups(const CollisionSetup& setup, Scratch& scratch, std::int64_t count, Real* q, AddGroup add_group) {
  ScratchFrame frame(scratch);
  Real* all_groups = frame.array<Real>(work_groups * count).data;
  const auto add_part = [&](Range part) { add_work_groups(scratch.queue(), all_groups, count, part, q); };
  const auto sum_group = [&](int group) {
    Real* group_q = all_groups + group * count;
    std::fill_n(group_q, count, Real(0));
    add_group(group, group_q);
  };
  const int ranks = setup.ranks.size();
#pragma omp parallel for num_threads(scratch.queue().threads()) schedule(dynamic, 1)
  for (int group = setup.ranks.rank(); group < work_groups; group += ranks) sum_group(group);
  if (ranks == 1)
    add_part({0, count});
  else
    RankGroups<Real>(setup, work_groups, count).add(all_groups, add_part, q);
}

/// Adds the contributions of all work groups on the calling thread, with the bits of sum_work_groups().
/// @param group_sum  [count] overwritten
/// @param q          [count] sum of all groups, overwritten
template <class Real, class AddGroup>
void sum_work_groups_on_thread(std::int64_t count, Real* group_sum, Real* q, AddGroup add_group) {
  std::fill_n(q, count, Real(0));
  add_group(0, q);
  for (int group = 1; group < work_groups; ++group) {
    std::fill_n(group_sum, count, Real(0));
    add_group(group, group_sum);
    for (std::int64_t i = 0; i < count; ++i) q[i] += group_sum[i];
  }
}

#endif

}  // namespace shoal::collision
