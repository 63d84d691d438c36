// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cells/assign_cells.hpp"
#include "core/backends.hpp"
#include "neighbors/periodic/periodic_item.hpp"

namespace shoal::neighbors {

/// Number of dimensions of points: those with coordinates.
template <class Real>
int dimensions_of(const Points<Real>& points) {
  return !points.z.empty() ? 3 : !points.y.empty() ? 2 : 1;
}

/// Points of several systems and their images, in arrays on the queue's device.
template <class Real>
struct ImageArrays {
  cells::PointReader<Real> points{Points<Real>{}};
  int dimensions = 3;
  View<const SystemBlock> blocks;
  const SystemCell* cells = nullptr;         ///< [systems]
  const SystemPlace* places = nullptr;       ///< [systems]
  WrappedPoint* wrapped = nullptr;           ///< [points]
  BlockExtent* extents = nullptr;            ///< [blocks] out
  std::int64_t* first = nullptr;             ///< [points + 1] number of images of each point, then its first image
  ImagePlace* images = nullptr;              ///< Ordered by point, then by shift.
  ImagePoint<Real>* image_points = nullptr;  ///< Points of the images.
  double reach = 0;                          ///< m

  SHOAL_HD Position<Real> position(std::int64_t i) const {
    return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
  }

  /// Wraps point i of a system and adds it to an extent.
  SHOAL_HD void wrap(std::int64_t system, std::int64_t i, BlockExtent& extent) const {
    const Position<Real> original = position(i);
    const double coordinates[3] = {static_cast<double>(original.x), static_cast<double>(original.y),
                                   static_cast<double>(original.z)};
    wrapped[i] = neighbors::wrapped(cells[system], coordinates, extent);
  }

  /// Moves a wrapped point into the place of its system, and counts its images.
  SHOAL_HD void count_images(std::int64_t system, std::int64_t i) const {
    wrapped[i].position[0] += places[system].move;
    std::int64_t count = 0;
    for_each_image(cells[system], places[system], reach, wrapped[i], [&](const PointImage&) { ++count; });
    first[i] = count;
  }

  SHOAL_HD void write_images(std::int64_t system, std::int64_t i) const {
    std::int64_t next = first[i];
    const Position<Real> original = position(i);
    for_each_image(cells[system], places[system], reach, wrapped[i], [&](const PointImage& image) {
      images[next] = image.place;
      image_points[next++] = {{original.x, original.y, original.z},
                              static_cast<std::int32_t>(i),
                              {image.shift[0], image.shift[1], image.shift[2]}};
    });
  }
};

/// Pairs among the candidates of each point, in arrays on the queue's device.
template <class Real>
struct ImagePairs {
  ImageArrays<Real> systems;
  const std::int64_t* first_candidate = nullptr;  ///< [points + 1]
  const std::int32_t* candidates = nullptr;       ///< Numbers of images, ascending for each point.
  ImageRule rule;
  Real limit = 0;                   ///< m², pairs have d² < limit
  std::int64_t* offsets = nullptr;  ///< [points + 1] number of pairs of each point, then its first pair
  PairOutputs<Real> outputs;

  /// Returns the pair of point i, whose position is given, and a candidate.
  SHOAL_HD ImagePair<Real> pair(const ImageTest<Real>& test, std::int64_t i, const Position<Real>& position,
                                std::int64_t candidate) const {
    const ImagePoint<Real> image = systems.image_points[candidates[candidate]];
    ImagePair<Real> pair{};
    pair.j = image.point;
    for (int k = 0; k < 3; ++k) pair.shift[k] = image.shift[k] + systems.wrapped[i].periods[k];
    pair.displacement =
        test.displacement(position, {image.position[0], image.position[1], image.position[2]}, pair.shift);
    pair.squared = PairTest<Real>::squared(pair.displacement);
    return pair;
  }

  SHOAL_HD bool wants(std::int64_t i, const ImagePair<Real>& pair) const {
    return pair.squared < limit && rule.wants(i, pair.j, pair.shift);
  }
};

/// Writes the pairs of sets of equally many points into arrays of fixed size; all arrays are on the queue's device.
struct PairSetWriter {
  std::int64_t sets = 1;                     ///< Number of sets.
  std::int64_t points = 0;                   ///< Number of points of a set.
  std::int64_t capacity = 0;                 ///< Maximum number of pairs of a set.
  std::int64_t pairs = 0;                    ///< Number of pairs of all sets.
  const std::int64_t* offsets = nullptr;     ///< [sets · points + 1]
  const std::int64_t* edge_index = nullptr;  ///< [2 · pairs]
  const std::int32_t* shifts = nullptr;      ///< [3 · pairs]
  std::int32_t* set_edge_index = nullptr;    ///< [sets · 2 · capacity] out
  std::int32_t* set_shifts = nullptr;        ///< [sets · capacity · 3] out
  std::int32_t* set_offsets = nullptr;       ///< [sets · (points + 1)] out

  /// Writes an entry of all sets: that of a pair, or zeros beyond the last pair of its set.
  SHOAL_HD void write_entry(std::int64_t entry) const {
    const std::int64_t set = entry / capacity, p = entry % capacity;
    const std::int64_t first_point = set * points, first = offsets[first_point];
    const bool is_pair = p < offsets[first_point + points] - first;
    for (int end = 0; end < 2; ++end)
      set_edge_index[(2 * set + end) * capacity + p] =
          is_pair ? static_cast<std::int32_t>(edge_index[end * pairs + first + p] - first_point) : 0;
    for (int k = 0; k < 3; ++k) set_shifts[3 * entry + k] = is_pair ? shifts[3 * (first + p) + k] : 0;
  }

  /// Writes an offset of all sets.
  SHOAL_HD void write_offset(std::int64_t offset) const {
    const std::int64_t first_point = offset / (points + 1) * points, i = offset % (points + 1);
    set_offsets[offset] = static_cast<std::int32_t>(offsets[first_point + i] - offsets[first_point]);
  }
};

/// Device-dependent steps of PeriodicNeighbors. They do not wait.
template <class Real>
struct PeriodicBackend {
  std::int64_t block_points;  ///< Maximum number of points of a SystemBlock.
  void (*wrap)(const Queue& queue, const ImageArrays<Real>& systems);
  void (*count_images)(const Queue& queue, const ImageArrays<Real>& systems);
  void (*write_images)(const Queue& queue, const ImageArrays<Real>& systems);
  void (*count_pairs)(const Queue& queue, const ImagePairs<Real>& pairs);
  void (*write_pairs)(const Queue& queue, const ImagePairs<Real>& pairs);
  void (*write_sets)(const Queue& queue, const PairSetWriter& writer);

  static const PeriodicBackend cpu, cuda;
};

}  // namespace shoal::neighbors
