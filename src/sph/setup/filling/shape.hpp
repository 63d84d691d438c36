// SPDX-License-Identifier: Apache-2.0
// What shapes hold, and how far they reach.
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// The box around a shape. Half-spaces have no end along most axes: ±infinity there.
Box bounds_of(const Shape& shape, int dimensions);

/// [points] 1 for points inside, 0 for the others.
std::vector<std::uint8_t> inside(const Shape& shape, int dimensions, const Queue& queue,
                                 const std::vector<Vector>& points);

/// Largest number of levels of shapes within shapes.
inline constexpr int deepest_shape = 64;

/// @param what   the body or wall, for the message
/// @param depth  level of the shape within others; 1 for the shape of a body
/// @throws Error  a number that makes no sense, a part that is missing, a surface of other dimensions, too many levels
void require_valid(const Shape& shape, int dimensions, const std::string& what, int depth = 1);

}  // namespace shoal::sph
