// SPDX-License-Identifier: Apache-2.0
// Names and bounding boxes of bodies and walls, as drawn.
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// "body 0", for messages.
std::string body_name(std::size_t number);
/// "KIND 0" or "KIND "tank"", for messages.
std::string part_name(const char* kind, const std::string& name, std::size_t number);
/// "wall 0" or "wall "tank"", for messages.
std::string wall_name(const Case& simulation, std::size_t number);

/// Axis that a side of a box is across.
/// @throws Error  a side that a case of so many dimensions does not have
int axis_of(Side side, int dimensions);
/// Returns true for the side at the larger coordinate.
bool is_upper(Side side);

/// Returns true if a wall lacks its lower or its upper side along an axis.
bool is_open(const Wall& wall, int axis, bool upper, int dimensions);

/// Bounding box of a shape, or the box where there is none.
Box inner_bounds(const Box& box, const std::optional<Shape>& shape, const Case& simulation);
/// Bounding box of the cells around listed particles.
Box bounds_of(const ParticleList& particles, const Case& simulation);
/// Bounding box of a body.
Box bounds_of(const Body& body, const Case& simulation);
/// Bounding box of a wall with its layers.
Box bounds_of(const Wall& wall, const Case& simulation);

}  // namespace shoal::sph
