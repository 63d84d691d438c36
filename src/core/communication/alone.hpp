// SPDX-License-Identifier: Apache-2.0
// A group of one rank: pieces that it sends to itself are copied.
#pragma once
#include <memory>

#include "core/communication/rank_group.hpp"

namespace shoal {

std::shared_ptr<RankGroup> make_alone();

}  // namespace shoal
