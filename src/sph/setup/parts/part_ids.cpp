// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/parts/part_ids.hpp"

#include <algorithm>

#include "sph/setup/parts/case_parts.hpp"

namespace shoal::sph {

PartIds::PartIds(const CaseParts& parts) : bodies_(static_cast<std::int32_t>(parts.bodies.size())) {
  std::int64_t count = 0;
  for (const auto* kind : {&parts.bodies, &parts.walls})
    for (const Part& part : *kind) ends_.push_back(count += part.count());
}

std::int32_t PartIds::body(std::int64_t id) const {
  const std::int32_t part = part_of(id);
  return part < bodies_ ? part : -1;
}

std::int32_t PartIds::wall(std::int64_t id) const { return id < count() ? std::max(part_of(id) - bodies_, -1) : -1; }

std::int32_t PartIds::part_of(std::int64_t id) const {
  return static_cast<std::int32_t>(std::upper_bound(ends_.begin(), ends_.end(), id) - ends_.begin());
}

}  // namespace shoal::sph
