// SPDX-License-Identifier: Apache-2.0
#include "deposit/ranks/integer_ranks.hpp"

#include <array>
#include <bit>

#include "core/text.hpp"
#include "deposit/sums/fixed_point_item.hpp"

namespace shoal::deposit::integer_ranks {

double largest_size(const SharedNodes& shared, double largest) {
  std::array<std::uint64_t, 1> word{std::bit_cast<std::uint64_t>(largest)};
  shared.group().all_max(word);
  return std::bit_cast<double>(word[0]);
}

std::int64_t sum(const SharedNodes& shared, std::int64_t of_rank) {
  std::array<std::int64_t, 1> word{of_rank};
  shared.group().all_sum(word);
  return word[0];
}

std::int64_t particles_of_all(const SharedNodes* shared, std::int64_t of_rank) {
  constexpr std::int64_t most = 4294967295;  // each has at most 2^31 steps of SizeSteps
  if (shared == nullptr) return of_rank;
  const std::int64_t total = sum(*shared, of_rank);
  require(total <= most, "deposit: ", total, " particles on all ranks, method `integer` adds at most ", most,
          ". Use another method.");
  return total;
}

std::uint64_t sum_of_sizes(const SharedNodes& shared, std::uint64_t of_rank) {
  // Words are added in halves, so that the sum over ranks does not wrap.
  std::array<std::int64_t, 2> halves{static_cast<std::int64_t>(of_rank & 0xffffffffu),
                                     static_cast<std::int64_t>(of_rank >> 32)};
  shared.group().all_sum(halves);
  const auto low = static_cast<std::uint64_t>(halves[0]);
  const auto high = static_cast<std::uint64_t>(halves[1]);
  return high >> 31 != 0 ? std::uint64_t{1} << 63 : add_sizes(high << 32, low);
}

bool has_fault(const SharedNodes& shared, const Queue& queue, const Status* status) {
  Status recorded;
  copy_bytes(queue, &recorded, Device{}, status, queue.device(), sizeof recorded);
  std::array<std::uint64_t, 1> word{recorded.first != Status::none ? std::uint64_t{1} : 0};
  shared.group().all_max(word);
  return word[0] != 0;
}

}  // namespace shoal::deposit::integer_ranks
