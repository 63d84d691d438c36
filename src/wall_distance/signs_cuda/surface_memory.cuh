// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "wall_distance/signs/corner_table_item.hpp"
#include "wall_distance/signs/shells.hpp"
#include "wall_distance/signs/surface_item.hpp"

namespace shoal::wall_distance {

/// A Shell whose numbers grow by atomics.
struct GrowingShell {
  std::int32_t body, first;
  double volume, size;
  unsigned long long lower[3], upper[3];  ///< sortable
};

/// Findings that the host reads.
struct SurfaceReport {
  unsigned long long largest;  ///< bits of the largest absolute coordinate, which have the order of the numbers
  std::int64_t vertices;       ///< number of vertices
  std::int32_t faults;         ///< 1: the walls are not closed
  std::int32_t shells;         ///< number of shells
  std::int32_t crowded;        ///< number of vertices with many corners
};

/// Temporary arrays of closed_surface_on_device() in one block. Arrays of different stages overlap. Corner c is corner c % 3 of
/// primitive c / 3; corners of one body with equal coordinates are one vertex.
class SurfaceMemory {
 public:
  static constexpr std::int32_t crowded_corners = 64;  ///< a vertex with more corners is crowded

  SurfaceMemory(const Queue& queue, std::int64_t primitives) {
    place_all(primitives);
    block_ = Array<std::byte>(queue, used_);
    place_all(primitives);
  }

  SurfaceReport* report;
  std::uint32_t* vertex;  ///< [corners] vertex of each corner
  std::uint32_t* sorted;  ///< [corners] vertices, ascending
  std::int32_t* corners;  ///< [corners] vertex after vertex; the corners of each ascend
  std::int32_t* start;    ///< [vertices + 1] position of the first corner of each vertex in `corners`
  std::int32_t* link;     ///< [primitives] see ConnectedParts

  std::uint32_t* slots;    ///< [CornerTable::size_for(corners)]
  std::uint32_t* slot;     ///< [corners] slot, then first corner of the vertex of each corner
  std::int32_t* is_first;  ///< [corners] 1: the corner is the first one of its vertex
  std::int64_t* number;    ///< [corners + 1] number of first corners before each corner
  std::int32_t* in_order;  ///< [corners] 0, 1, 2, ...

  std::int32_t* shell;    ///< [primitives] number of the shell of each first primitive
  GrowingShell* growing;  ///< [shells]
  Shell* shells;          ///< [shells]

  OutwardNormal* weighted;  ///< [corners] weighted normals of `corners`
  std::int32_t* crowded;    ///< [SurfaceReport::crowded] vertices with many corners

 private:
  template <class T>
  void place(T*& array, std::int64_t count) {
    constexpr std::int64_t alignment = 256;
    array = reinterpret_cast<T*>(block_.data() + used_);
    used_ += (count * static_cast<std::int64_t>(sizeof(T)) + alignment - 1) / alignment * alignment;
  }

  void place_all(std::int64_t primitives) {
    const std::int64_t all_corners = 3 * primitives,
                       most_shells = primitives / 2 + 1;  // a closed shell has two primitives
    used_ = 0;
    place(report, 1);
    for (std::uint32_t** array : {&vertex, &sorted}) place(*array, all_corners);
    place(corners, all_corners);
    place(start, all_corners + 1);
    place(link, primitives);
    const std::int64_t shared = used_;
    place(slots, static_cast<std::int64_t>(CornerTable::size_for(static_cast<std::uint64_t>(all_corners))));
    place(slot, all_corners);
    for (std::int32_t** array : {&is_first, &in_order}) place(*array, all_corners);
    place(number, all_corners + 1);
    std::int64_t largest = used_;
    used_ = shared;
    place(shell, primitives);
    place(growing, most_shells);
    place(shells, most_shells);
    largest = std::max(largest, used_);
    used_ = shared;
    place(weighted, all_corners);
    place(crowded, all_corners / crowded_corners);
    used_ = std::max(largest, used_);
  }

  Array<std::byte> block_;
  std::int64_t used_ = 0;
};

}  // namespace shoal::wall_distance
