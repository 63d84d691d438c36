// SPDX-License-Identifier: Apache-2.0
// Subset of the points of a square lattice: the particles of a body or wall.
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/sph/case.hpp>

#include <bit>
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

/// The points x = corner + (index + ½) spacing of a block, each taken or not. One bit a point.
///
/// A plane has the points of one index along the last axis; in 1-D all points are one plane. Threads and ranks may change
/// different planes at the same time.
class LatticeRegion {
 public:
  LatticeRegion() = default;
  LatticeRegion(const Vector& corner, double spacing, int dimensions, const Block& block, bool taken = false);

  const Block& block() const { return block_; }
  std::int64_t planes() const { return dimensions_ == 1 ? 1 : block_.length(dimensions_ - 1); }
  std::int64_t count() const;                    ///< number of the points taken
  std::int64_t count(std::int64_t plane) const;  ///< number of those in a plane
  Vector point(const LatticeIndex& index) const;

  bool has(const LatticeIndex& index) const {
    return block_.contains(index) && (word(index) >> bit_of(index) & 1) != 0;
  }
  void take(const LatticeIndex& index) { word(index) |= std::uint64_t{1} << bit_of(index); }
  void leave_out(const LatticeIndex& index) { word(index) &= ~(std::uint64_t{1} << bit_of(index)); }
  /// Returns true if a point is in the open cell of a lattice point that is taken.
  bool holds(const Vector& point) const;

  /// Calls visit(index) for the points of a plane that are taken, x running fastest.
  template <class Visit>
  void for_each(std::int64_t plane, const Visit& visit) const {
    for (std::int64_t row = plane * rows_of_plane(); row < (plane + 1) * rows_of_plane(); ++row)
      for_each_in_row(row, visit);
  }
  /// Calls visit(index) for all indices of the block in a plane.
  template <class Visit>
  void for_each_index(std::int64_t plane, const Visit& visit) const {
    for (std::int64_t row = plane * rows_of_plane(); row < (plane + 1) * rows_of_plane(); ++row)
      for (LatticeIndex index = first_of_row(row); index[0] < block_.end[0]; ++index[0]) visit(index);
  }

  /// The box around all cells of the block.
  Box bounds() const;

  /// The points that are not taken, in `block`, and not more than `layers` from one that is along any axis.
  LatticeRegion around(const Block& block, int layers) const;
  /// The points that are taken, and not more than `layers` from one that is not.
  LatticeRegion rind(int layers) const;
  /// The same points in the smallest block that contains them.
  LatticeRegion trimmed() const;

  /// The same block without points.
  LatticeRegion emptied() const { return {corner_, spacing_, dimensions_, block_}; }

  /// Takes the points that the regions of other ranks have. Collective. Each point is taken on one rank at most.
  void join(const Communicator& ranks);

 private:
  std::int64_t row_count() const { return block_.length(1) * block_.length(2); }
  std::int64_t rows_of_plane() const { return dimensions_ == 3 ? block_.length(1) : 1; }
  std::int64_t words_of_row() const { return (block_.length(0) + word_bits - 1) / word_bits; }
  LatticeIndex first_of_row(std::int64_t row) const {
    return {block_.first[0], block_.first[1] + row % block_.length(1), block_.first[2] + row / block_.length(1)};
  }
  std::size_t offset(const LatticeIndex& index) const {
    const std::int64_t row = (index[2] - block_.first[2]) * block_.length(1) + (index[1] - block_.first[1]);
    return static_cast<std::size_t>(row * words_of_row() + (index[0] - block_.first[0]) / word_bits);
  }
  int bit_of(const LatticeIndex& index) const { return static_cast<int>((index[0] - block_.first[0]) % word_bits); }
  std::uint64_t& word(const LatticeIndex& index) { return words_[offset(index)]; }
  const std::uint64_t& word(const LatticeIndex& index) const { return words_[offset(index)]; }

  template <class Visit>
  void for_each_in_row(std::int64_t row, const Visit& visit) const {
    LatticeIndex index = first_of_row(row);
    const std::uint64_t* const words = words_.data() + row * words_of_row();
    for (std::int64_t k = 0; k < words_of_row(); ++k)
      for (std::uint64_t rest = words[k]; rest != 0; rest &= rest - 1) {
        index[0] = block_.first[0] + k * word_bits + std::countr_zero(rest);
        visit(index);
      }
  }
  /// Calls visit(index) for the points taken, rows at the same time.
  template <class Visit>
  void for_each_at_once(const Visit& visit) const;
  /// Bits of the last word of a row that are points.
  std::uint64_t last_mask() const;
  /// The same points in another block.
  LatticeRegion within(const Block& block) const;
  /// Takes the points that are not more than `layers` from one that is taken.
  void grow(int layers);
  void grow_rows(int layers);
  void grow_across(int axis, int layers);

  static constexpr std::int64_t word_bits = 64;

  Vector corner_{};
  double spacing_ = 1;
  int dimensions_ = 2;
  Block block_{};
  std::vector<std::uint64_t> words_;  ///< [rows][words of a row]
};

/// The points of the lattice from `corner` that are inside a shape. Collective: ranks share the tests of points.
/// @param what  the body or wall, for the message
/// @throws Error  the shape has no end along an axis, or there is no point in it
LatticeRegion region_of(const Shape& shape, const Vector& corner, const Case& simulation, const Queue& queue,
                        const Communicator& ranks, const std::string& what);

}  // namespace shoal::sph
