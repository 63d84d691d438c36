// SPDX-License-Identifier: Apache-2.0
// Subset of the points of a square lattice: the particles of a body or wall.
#pragma once
#include <shoal/sph/case.hpp>

#include <cstddef>

namespace shoal::sph {

using LatticeIndex = std::array<std::int64_t, 3>;

/// A block of lattice points: first and one past the last index along each axis.
struct Block {
  LatticeIndex first{};
  LatticeIndex end{1, 1, 1};

  bool contains(const LatticeIndex& index) const {
    for (int axis = 0; axis < 3; ++axis)
      if (index[axis] < first[axis] || index[axis] >= end[axis]) return false;
    return true;
  }
  std::int64_t length(int axis) const { return end[axis] - first[axis]; }
  /// @throws Error  more points than can be numbered
  std::int64_t count() const;
};

/// Calls `visit` with each index of a block, x running fastest.
template <class Visit>
void for_each_index(const Block& block, const Visit& visit) {
  LatticeIndex index{};
  for (index[2] = block.first[2]; index[2] < block.end[2]; ++index[2])
    for (index[1] = block.first[1]; index[1] < block.end[1]; ++index[1])
      for (index[0] = block.first[0]; index[0] < block.end[0]; ++index[0]) visit(index);
}

/// The points x = corner + (index + ½) spacing of a block, each taken or not. One byte a point.
class LatticeRegion {
 public:
  LatticeRegion() = default;
  LatticeRegion(const Vector& corner, double spacing, int dimensions, const Block& block, bool taken = false);

  const Block& block() const { return block_; }
  std::int64_t count() const;  ///< number of the points taken
  Vector point(const LatticeIndex& index) const;

  bool has(const LatticeIndex& index) const { return block_.contains(index) && taken_[offset(index)]; }
  void set(const LatticeIndex& index, bool taken) { taken_[offset(index)] = taken; }
  /// Returns true if a point is in the open cell of a lattice point that is taken.
  bool holds(const Vector& point) const;

  template <class Visit>
  void for_each(const Visit& visit) const {
    for_each_index(block_, [&](const LatticeIndex& index) {
      if (taken_[offset(index)]) visit(index);
    });
  }

  /// The box around all cells of the block.
  Box bounds() const;

  /// The points that are not taken, in `block`, and not more than `layers` from one that is along any axis.
  LatticeRegion around(const Block& block, int layers) const;
  /// The points that are taken, and not more than `layers` from one that is not.
  LatticeRegion rind(int layers) const;
  /// The same points in the smallest block that contains them.
  LatticeRegion trimmed() const;

 private:
  std::size_t offset(const LatticeIndex& index) const {
    return static_cast<std::size_t>(((index[2] - block_.first[2]) * block_.length(1) + (index[1] - block_.first[1])) *
                                        block_.length(0) +
                                    (index[0] - block_.first[0]));
  }
  /// The same points in another block.
  LatticeRegion within(const Block& block) const;
  /// Takes the points that are not more than `layers` from one that is taken.
  void grow(int layers);
  void grow_along(int axis, int layers);

  Vector corner_{};
  double spacing_ = 1;
  int dimensions_ = 2;
  Block block_{};
  std::vector<std::uint8_t> taken_;
};

/// The points of the lattice from `corner` that are inside a shape.
/// @param what  the body or wall, for the message
/// @throws Error  the shape has no end along an axis, or there is no point in it
LatticeRegion region_of(const Shape& shape, const Vector& corner, const Case& simulation, const Queue& queue,
                        const std::string& what);

}  // namespace shoal::sph
