// SPDX-License-Identifier: Apache-2.0
// The ranks of method integer add these sums beside their nodes.
#pragma once
#include "deposit/ranks/shared_nodes.hpp"

namespace shoal::deposit::integer_ranks {

/// Largest size on all ranks. Bits of non-negative doubles have the order of the doubles.
double largest_size(const SharedNodes& shared, double largest);

std::int64_t sum(const SharedNodes& shared, std::int64_t of_rank);

/// Number of particles on all ranks.
/// @param shared  null: on one rank
/// @throws Error  on all ranks: so many that 64 bits may not hold the sums
std::int64_t particles_of_all(const SharedNodes* shared, std::int64_t of_rank);

/// Sum of sizes over all ranks, saturated at 2^63.
std::uint64_t sum_of_sizes(const SharedNodes& shared, std::uint64_t of_rank);

/// Returns true if a rank has recorded a fault, which then goes before exceeded ranges.
bool has_fault(const SharedNodes& shared, const Queue& queue, const Status* status);

}  // namespace shoal::deposit::integer_ranks
