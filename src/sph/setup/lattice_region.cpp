// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/lattice_region.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/setup/shape.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// A mask along one line of points: takes those not more than `layers` from one that is taken.
void grow_line(std::uint8_t* first, std::int64_t count, std::int64_t stride, int layers,
               std::vector<std::uint8_t>& grown) {
  grown.assign(static_cast<std::size_t>(count), 0);
  std::int64_t filled = 0;  // grown is complete below
  for (std::int64_t i = 0; i < count; ++i) {
    if (!first[i * stride]) continue;
    const std::int64_t end = std::min(count, i + layers + 1);
    for (std::int64_t k = std::max(filled, i - layers); k < end; ++k) grown[static_cast<std::size_t>(k)] = 1;
    filled = end;
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
    constexpr std::int64_t most = std::int64_t{1} << 34;  // one byte each
    require(length(axis) == 0 || points <= most / length(axis), "sph: the box of a body or wall has ", length(0), " x ",
            length(1), " x ", length(2), " places for particles, expected at most ", most,
            ". Enlarge particles.spacing.");
    points *= length(axis);
  }
  return points;
}

LatticeRegion::LatticeRegion(const Vector& corner, double spacing, int dimensions, const Block& block, bool taken)
    : corner_(corner),
      spacing_(spacing),
      dimensions_(dimensions),
      block_(block),
      taken_(static_cast<std::size_t>(block.count()), taken) {}

std::int64_t LatticeRegion::count() const { return std::count(taken_.begin(), taken_.end(), 1); }

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

LatticeRegion LatticeRegion::within(const Block& block) const {
  LatticeRegion part(corner_, spacing_, dimensions_, block);
  for_each([&](const LatticeIndex& index) {
    if (block.contains(index)) part.set(index, true);
  });
  return part;
}

void LatticeRegion::grow_along(int axis, int layers) {
  const std::int64_t strides[] = {1, block_.length(0), block_.length(0) * block_.length(1)};
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;  // the other axes
#pragma omp parallel
  {
    std::vector<std::uint8_t> grown;
#pragma omp for
    for (std::int64_t line = 0; line < block_.length(a) * block_.length(b); ++line)
      grow_line(taken_.data() + line % block_.length(a) * strides[a] + line / block_.length(a) * strides[b],
                block_.length(axis), strides[axis], layers, grown);
  }
}

void LatticeRegion::grow(int layers) {
  for (int axis = 0; axis < dimensions_; ++axis) grow_along(axis, layers);
}

LatticeRegion LatticeRegion::around(const Block& block, int layers) const {
  LatticeRegion shell = within(block);
  shell.grow(layers);
  for_each([&](const LatticeIndex& index) {
    if (block.contains(index)) shell.set(index, false);
  });
  return shell;
}

LatticeRegion LatticeRegion::rind(int layers) const {
  LatticeRegion outside(corner_, spacing_, dimensions_, padded(block_, 1, dimensions_), true);
  for_each([&](const LatticeIndex& index) { outside.set(index, false); });
  outside.grow(layers);
  LatticeRegion rind = *this;
  for_each([&](const LatticeIndex& index) { rind.set(index, outside.has(index)); });
  return rind;
}

LatticeRegion LatticeRegion::trimmed() const {
  Block used{block_.end, block_.first};
  for_each([&](const LatticeIndex& index) {
    for (int axis = 0; axis < 3; ++axis) {
      used.first[axis] = std::min(used.first[axis], index[axis]);
      used.end[axis] = std::max(used.end[axis], index[axis] + 1);
    }
  });
  return within(used);
}

LatticeRegion region_of(const Shape& shape, const Vector& corner, const Case& simulation, const Queue& queue,
                        const std::string& what) {
  const int dimensions = simulation.dimensions;
  const Block block = block_within(bounds_of(shape, dimensions), corner, simulation, what);
  LatticeRegion region(corner, simulation.spacing, dimensions, block);
  constexpr std::size_t batch = std::size_t{1} << 22;  // points tested at a time
  std::vector<LatticeIndex> indices;
  std::vector<Vector> points;
  const auto test_batch = [&] {
    const std::vector<std::uint8_t> is_inside = inside(shape, dimensions, queue, points);
    for (std::size_t i = 0; i < indices.size(); ++i) region.set(indices[i], is_inside[i] != 0);
    indices.clear();
    points.clear();
  };
  for_each_index(block, [&](const LatticeIndex& index) {
    indices.push_back(index);
    points.push_back(region.point(index));
    if (indices.size() == batch) test_batch();
  });
  test_batch();
  require(region.count() > 0, "sph: ", what, " has no particles: no point of the lattice, ", simulation.spacing,
          " m apart, is inside its ", to_name(shape.kind), ". Make it larger or particles.spacing smaller.");
  return region.trimmed();
}

}  // namespace shoal::sph
