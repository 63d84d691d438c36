// SPDX-License-Identifier: Apache-2.0
// Slabs of which no cut is between layers that belong together.
#pragma once
#include <shoal/ranks/slabs.hpp>

#include <cstdint>
#include <span>

namespace shoal {

/// The same as cut_by_weight() for layers of which some have one rank.
/// @param together  layers that one rank has, in any order; they may overlap
/// @throws Error  as there, and if there are no such cuts: names the layers that stay together
Slabs cut_together(std::span<const std::int64_t> weight, int ranks, int least, std::span<const Share> together);

/// The same as move_toward() for such slabs. A cut stays where it is if it would end between layers that stay together, and if
/// a slab would then be thinner than any slab before.
Slabs move_together(const Slabs& present, const Slabs& wanted, std::span<const Share> together);

}  // namespace shoal
