// SPDX-License-Identifier: Apache-2.0
// Sums of contacts over all ranks.
#pragma once
#include <span>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "sph/physics/bodies/contact_item.hpp"

namespace shoal::sph {

/// Sums of all ranks in place of those of this rank. Collective.
inline void add_ranks(const Communicator& ranks, std::vector<ContactSums>& sums) {
  if (!sums.empty())
    ranks.group().all_sum(std::span(sums.data()->term->fold, sums.size() * contact_terms * ExactSum::folds));
}

}  // namespace shoal::sph
