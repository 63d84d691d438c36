// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/lattice_region.hpp"

#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <cmath>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "sph/setup/filling/shape.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Takes the points of a row that are not more than `layers` from one that is taken.
/// @param length  number of points
/// @param mask    bits of the last word that are points
void grow_row(std::uint64_t* row, std::int64_t words, std::int64_t length, int layers, std::uint64_t mask) {
  for (std::int64_t step = 0; step < std::min<std::int64_t>(layers, length); ++step) {
    std::uint64_t previous = 0;
    for (std::int64_t k = 0; k < words; ++k) {
      const std::uint64_t present = row[k], next = k + 1 < words ? row[k + 1] : 0;
      row[k] = present | present << 1 | previous >> 63 | present >> 1 | next << 63;
      previous = present;
    }
    row[words - 1] &= mask;
  }
}

/// The same for a line of words across the rows, 64 lines of points at a time.
void grow_line(std::uint64_t* first, std::int64_t count, std::int64_t stride, int layers,
               std::vector<std::uint64_t>& grown) {
  grown.assign(static_cast<std::size_t>(count), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t word = first[i * stride];
    if (word == 0) continue;
    const std::int64_t end = std::min(count, i + layers + 1);
    for (std::int64_t k = std::max<std::int64_t>(0, i - layers); k < end; ++k)
      grown[static_cast<std::size_t>(k)] |= word;
  }
  for (std::int64_t i = 0; i < count; ++i) first[i * stride] = grown[static_cast<std::size_t>(i)];
}

Block padded(Block block, int layers, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis) {
    block.first[axis] -= layers;
    block.end[axis] += layers;
  }
  return block;
}

/// The points of the lattice that may be within `bounds`.
Block block_within(const Box& bounds, const Vector& corner, const Case& simulation, const std::string& what) {
  Block block;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    require(std::isfinite(bounds.from[axis]) && std::isfinite(bounds.to[axis]), "sph: ", what, " has no end along ",
            axis_names[axis], ". Make it an intersection with a box.");
    const double first = std::floor((bounds.from[axis] - corner[axis]) / simulation.spacing);
    const double end = std::ceil((bounds.to[axis] - corner[axis]) / simulation.spacing);
    constexpr double most = 1e12;  // indices are exact in double, and can be multiplied by small numbers
    require(std::abs(first) < most && std::abs(end) < most, "sph: ", what, " goes from particle ", first, " to ", end,
            " along ", axis_names[axis], ", expected numbers below ", most,
            ". Enlarge particles.spacing = ", simulation.spacing, " m.");
    block.first[axis] = static_cast<std::int64_t>(first);
    block.end[axis] = static_cast<std::int64_t>(end);
    block.end[axis] = std::max(block.end[axis], block.first[axis]);
  }
  return block;
}

}  // namespace

std::int64_t Block::count() const {
  std::int64_t points = 1;
  for (int axis = 0; axis < 3; ++axis) {
    constexpr std::int64_t most = std::int64_t{1} << 37;  // one bit each
    require(length(axis) == 0 || points <= most / length(axis), "sph: the box of a body or wall has ", length(0), " x ",
            length(1), " x ", length(2), " places for particles, expected at most ", most,
            ". Enlarge particles.spacing.");
    points *= length(axis);
  }
  return points;
}

LatticeRegion::LatticeRegion(const Vector& corner, double spacing, int dimensions, const Block& block, bool taken)
    : corner_(corner), spacing_(spacing), dimensions_(dimensions), block_(block) {
  if (block.count() == 0) return;
  words_.assign(static_cast<std::size_t>(row_count() * words_of_row()), taken ? ~std::uint64_t{0} : 0);
  if (!taken) return;
  for (std::int64_t row = 1; row <= row_count(); ++row)
    words_[static_cast<std::size_t>(row * words_of_row() - 1)] = last_mask();
}

std::uint64_t LatticeRegion::last_mask() const {
  const std::int64_t unused = words_of_row() * word_bits - block_.length(0);
  return ~std::uint64_t{0} >> unused;
}

std::int64_t LatticeRegion::count() const {
  std::int64_t count = 0;
  for (std::int64_t plane = 0; plane < planes(); ++plane) count += this->count(plane);
  return count;
}

std::int64_t LatticeRegion::count(std::int64_t plane) const {
  const std::int64_t words = rows_of_plane() * words_of_row();
  std::int64_t count = 0;
  for (std::int64_t k = plane * words; k < (plane + 1) * words; ++k)
    count += std::popcount(words_[static_cast<std::size_t>(k)]);
  return count;
}

Vector LatticeRegion::point(const LatticeIndex& index) const {
  Vector point{};
  for (int axis = 0; axis < dimensions_; ++axis)
    point[axis] = corner_[axis] + (static_cast<double>(index[axis]) + 0.5) * spacing_;
  return point;
}

bool LatticeRegion::holds(const Vector& point) const {
  constexpr double most = 0.5 - 1e-6;  // spacings: neighbors of another lattice may be half a spacing away
  LatticeIndex index{};
  for (int axis = 0; axis < dimensions_; ++axis) {
    const double place = (point[axis] - corner_[axis]) / spacing_ - 0.5;
    const double nearest = std::round(place);
    if (!(std::abs(place - nearest) < most)) return false;
    index[axis] = static_cast<std::int64_t>(nearest);
  }
  return has(index);
}

Box LatticeRegion::bounds() const {
  Box box;
  for (int axis = 0; axis < dimensions_; ++axis) {
    box.from[axis] = corner_[axis] + static_cast<double>(block_.first[axis]) * spacing_;
    box.to[axis] = corner_[axis] + static_cast<double>(block_.end[axis]) * spacing_;
  }
  return box;
}

template <class Visit>
void LatticeRegion::for_each_at_once(const Visit& visit) const {
#pragma omp parallel for
  for (std::int64_t row = 0; row < row_count(); ++row) for_each_in_row(row, visit);
}

LatticeRegion LatticeRegion::within(const Block& block) const {
  LatticeRegion part(corner_, spacing_, dimensions_, block);
  for_each_at_once([&](const LatticeIndex& index) {
    if (block.contains(index)) part.take(index);
  });
  return part;
}

void LatticeRegion::grow_rows(int layers) {
#pragma omp parallel for
  for (std::int64_t row = 0; row < row_count(); ++row)
    grow_row(words_.data() + row * words_of_row(), words_of_row(), block_.length(0), layers, last_mask());
}

void LatticeRegion::grow_across(int axis, int layers) {
  const std::int64_t words = words_of_row(), plane = words * block_.length(1);
  const std::int64_t stride = axis == 1 ? words : plane;
  const std::int64_t others = axis == 1 ? block_.length(2) : block_.length(1);
  const std::int64_t stride_of_others = axis == 1 ? plane : words;
#pragma omp parallel
  {
    std::vector<std::uint64_t> grown;
#pragma omp for
    for (std::int64_t line = 0; line < words * others; ++line)
      grow_line(words_.data() + line % words + line / words * stride_of_others, block_.length(axis), stride, layers,
                grown);
  }
}

void LatticeRegion::grow(int layers) {
  if (words_.empty()) return;
  grow_rows(layers);
  for (int axis = 1; axis < dimensions_; ++axis) grow_across(axis, layers);
}

LatticeRegion LatticeRegion::around(const Block& block, int layers) const {
  LatticeRegion shell = within(block);
  shell.grow(layers);
  for_each_at_once([&](const LatticeIndex& index) {
    if (block.contains(index)) shell.leave_out(index);
  });
  return shell;
}

LatticeRegion LatticeRegion::rind(int layers) const {
  LatticeRegion outside(corner_, spacing_, dimensions_, padded(block_, 1, dimensions_), true);
  for_each_at_once([&](const LatticeIndex& index) { outside.leave_out(index); });
  outside.grow(layers);
  LatticeRegion rind(corner_, spacing_, dimensions_, block_);
  for_each_at_once([&](const LatticeIndex& index) {
    if (outside.has(index)) rind.take(index);
  });
  return rind;
}

LatticeRegion LatticeRegion::trimmed() const {
  Block used{block_.end, block_.first};
  for (std::int64_t plane = 0; plane < planes(); ++plane)
    for_each(plane, [&](const LatticeIndex& index) {
      for (int axis = 0; axis < 3; ++axis) {
        used.first[axis] = std::min(used.first[axis], index[axis]);
        used.end[axis] = std::max(used.end[axis], index[axis] + 1);
      }
    });
  return within(used);
}

void LatticeRegion::join(const Communicator& ranks) {
  // The sum of words that have no bit in common is their union.
  ranks.group().all_sum({reinterpret_cast<std::int64_t*>(words_.data()), words_.size()});
}

namespace {

/// Takes the points of some planes that are inside a shape.
void take_inside(const Shape& shape, const Share& planes, int dimensions, const Queue& queue, LatticeRegion& region) {
  constexpr std::size_t batch = std::size_t{1} << 22;  // points tested at a time
  std::vector<LatticeIndex> indices;
  std::vector<Vector> points;
  const auto test_batch = [&] {
    const std::vector<std::uint8_t> is_inside = inside(shape, dimensions, queue, points);
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (is_inside[i]) region.take(indices[i]);
    indices.clear();
    points.clear();
  };
  for (std::int64_t plane = planes.first; plane < planes.first + planes.count; ++plane)
    region.for_each_index(plane, [&](const LatticeIndex& index) {
      indices.push_back(index);
      points.push_back(region.point(index));
      if (indices.size() == batch) test_batch();
    });
  test_batch();
}

}  // namespace

LatticeRegion region_of(const Shape& shape, const Vector& corner, const Case& simulation, const Queue& queue,
                        const Communicator& ranks, const std::string& what) {
  const int dimensions = simulation.dimensions;
  LatticeRegion region;
  ranks.agree([&] {
    const Block block = block_within(bounds_of(shape, dimensions), corner, simulation, what);
    region = LatticeRegion(corner, simulation.spacing, dimensions, block);
    take_inside(shape, share_of(region.planes(), ranks), dimensions, queue, region);
  });
  region.join(ranks);
  ranks.agree([&] {
    require(region.count() > 0, "sph: ", what, " has no particles: no point of the lattice, ", simulation.spacing,
            " m apart, is inside its ", to_name(shape.kind), ". Make it larger or particles.spacing smaller.");
    region = region.trimmed();
  });
  return region;
}

}  // namespace shoal::sph
