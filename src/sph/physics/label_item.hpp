// SPDX-License-Identifier: Apache-2.0
// Labels pack the tag and id of a particle into one number.
#pragma once
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal::sph {

constexpr int label_tag_shift = 56;
SHOAL_HD std::int64_t make_label(std::int64_t id, std::uint8_t tag) {
  return id | (static_cast<std::int64_t>(tag) << label_tag_shift);
}
SHOAL_HD std::int64_t id_of_label(std::int64_t label) { return label & ((std::int64_t{1} << label_tag_shift) - 1); }
SHOAL_HD std::uint8_t tag_of_label(std::int64_t label) {
  return static_cast<std::uint8_t>(static_cast<std::uint64_t>(label) >> label_tag_shift);
}

/// Label of a particle that has left its rank, and of a free place. Those of walls are negative, too.
constexpr std::int64_t gone_label = -1;

}  // namespace shoal::sph
