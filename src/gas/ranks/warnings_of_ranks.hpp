// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/warning.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal::gas {

/// Warnings of all ranks, in the order of ranks, equal ones once. All ranks call it.
inline std::vector<Warning> warnings_of_ranks(const Communicator& ranks, std::vector<Warning> own_warnings) {
  if (ranks.size() == 1) return own_warnings;
  RankGroup& group = ranks.group();
  std::vector<Warning> warnings;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const bool sends = rank == ranks.rank();
    std::uint64_t count = own_warnings.size();
    group.broadcast(&count, sizeof count, rank);
    for (std::uint64_t i = 0; i < count; ++i) {
      Warning warning = sends ? own_warnings[i] : Warning{};
      group.broadcast(&warning.value, sizeof warning.value, rank);
      group.broadcast(&warning.limit, sizeof warning.limit, rank);
      for (std::string* text : {&warning.name, &warning.message, &warning.remedy}) {
        std::uint64_t size = text->size();
        group.broadcast(&size, sizeof size, rank);
        text->resize(size);
        group.broadcast(text->data(), size, rank);
      }
      const auto is_equal = [&](const Warning& known) { return known.text() == warning.text(); };
      if (std::none_of(warnings.begin(), warnings.end(), is_equal)) warnings.push_back(std::move(warning));
    }
  }
  return warnings;
}

}  // namespace shoal::gas
