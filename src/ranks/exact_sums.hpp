// SPDX-License-Identifier: Apache-2.0
// Sums over items of the host, of all ranks.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "core/range.hpp"
#include "ranks/exact_sum_item.hpp"

namespace shoal {

/// Calls work(task) for task = 0, 1, ..., tasks - 1 on several threads, in any order; no more threads than tasks.
void run_tasks(int threads, std::int64_t tasks, const std::function<void(std::int64_t)>& work);

/// Calls visit(group, i, result) for the items of all groups on several threads, each with a result of its own, and
/// merge(result of the group, result of a thread) in any order.
template <class Result, class Visit, class Merge>
std::vector<Result> reduce_groups(int threads, std::int64_t groups, std::int64_t n, const Visit& visit,
                                  const Merge& merge) {
  const std::int64_t parts = (n + host_task_size - 1) / host_task_size;
  std::vector<Result> results(static_cast<std::size_t>(groups));
  std::mutex merging;
  run_tasks(threads, groups * parts, [&](std::int64_t task) {
    const std::int64_t group = task / parts;
    const Range range = part_range(n, task % parts, parts);
    Result result{};
    for (std::int64_t i = range.begin; i < range.end; ++i) visit(group, i, result);
    const std::lock_guard lock(merging);
    merge(results[static_cast<std::size_t>(group)], result);
  });
  return results;
}

/// Sums of `count` quantities, and the largest magnitude of a term of each.
template <std::size_t count>
struct GroupSums {
  std::array<double, count> sum{};
  std::array<double, count> largest{};
};

/// Magnitudes and whole-number sums of the groups over all ranks: what a device or the host has of its own terms.
template <std::size_t count>
std::vector<GroupSums<count>> group_sums(const std::vector<std::array<std::uint64_t, count>>& largest,
                                         const std::vector<std::array<ExactSum, count>>& sums) {
  std::vector<GroupSums<count>> values(sums.size());
  for (std::size_t group = 0; group < values.size(); ++group)
    for (std::size_t k = 0; k < count; ++k) {
      values[group].sum[k] = sums[group][k].value(SumUnit(largest[group][k]));
      values[group].largest[k] = std::bit_cast<double>(largest[group][k]);
    }
  return values;
}

/// @name Results of all ranks in place of those of this rank. Collective.
/// @{
template <std::size_t count>
void take_largest(const Communicator& ranks, std::vector<std::array<std::uint64_t, count>>& largest) {
  if (!largest.empty()) ranks.group().all_max(std::span(largest.data()->data(), largest.size() * count));
}
template <std::size_t count>
void add_ranks(const Communicator& ranks, std::vector<std::array<ExactSum, count>>& sums) {
  if (!sums.empty()) ranks.group().all_sum(std::span(sums.data()->data()->fold, sums.size() * count * ExactSum::folds));
}
/// @}

/// Sums of `count` quantities over n items of each rank, for each of several groups of quantities: the same bits for any
/// number of threads and ranks, and for any order of the items. Collective.
///
/// Error: at most 2^-66 of the largest term for each item.
/// Cost: two passes over the items for each group.
/// @param terms  terms(group, i, values) sets the values of item i, which are 0 before; it runs on several threads
template <std::size_t count, class Terms>
std::vector<GroupSums<count>> exact_sums(const Communicator& ranks, int threads, std::int64_t groups, std::int64_t n,
                                         const Terms& terms) {
  using Values = std::array<double, count>;
  using Magnitudes = std::array<std::uint64_t, count>;
  using Sums = std::array<ExactSum, count>;
  std::vector<Magnitudes> largest = reduce_groups<Magnitudes>(
      threads, groups, n,
      [&](std::int64_t group, std::int64_t i, Magnitudes& magnitudes) {
        Values values{};
        terms(group, i, values);
        for (std::size_t k = 0; k < count; ++k) magnitudes[k] = std::max(magnitudes[k], magnitude_bits(values[k]));
      },
      [](Magnitudes& merged, const Magnitudes& part) {
        for (std::size_t k = 0; k < count; ++k) merged[k] = std::max(merged[k], part[k]);
      });
  take_largest(ranks, largest);

  std::vector<std::array<SumUnit, count>> units(largest.size());
  for (std::size_t group = 0; group < units.size(); ++group)
    for (std::size_t k = 0; k < count; ++k) units[group][k] = SumUnit(largest[group][k]);
  std::vector<Sums> sums = reduce_groups<Sums>(
      threads, groups, n,
      [&](std::int64_t group, std::int64_t i, Sums& part) {
        Values values{};
        terms(group, i, values);
        for (std::size_t k = 0; k < count; ++k) part[k].add(values[k], units[static_cast<std::size_t>(group)][k]);
      },
      [](Sums& total, const Sums& part) {
        for (std::size_t k = 0; k < count; ++k) total[k].add(part[k]);
      });
  add_ranks(ranks, sums);
  return group_sums(largest, sums);
}

}  // namespace shoal
