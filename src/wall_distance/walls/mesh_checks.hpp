// SPDX-License-Identifier: Apache-2.0
// Checks and copies that plans share with the public functions for meshes, and the errors of both.
#pragma once
#include <shoal/wall_distance/wall_arrays.hpp>

#include "wall_distance/walls/face_primitives_item.hpp"

namespace shoal::wall_distance {

/// Number from which on markers are refused.
inline constexpr std::int64_t most_markers = 1'000'000;

/// The arrays of a mesh that has the right number of elements in each of them.
MeshArrays arrays_of(const WallMesh& mesh);

/// Throws unless the mesh has as many coordinates y and z as x, and all of them are valid.
void require_valid_points(const WallMesh& mesh);

/// Throws unless all names differ.
void require_distinct(std::vector<std::string> wall_names);

/// Throws unless counts agree and all arrays are on the queue's device.
template <class Real, class Index>
void require_views(const Queue& queue, const WallArrays<Real, Index>& arrays);

/// Number of faces of arrays that require_views() accepts.
template <class Real, class Index>
std::int64_t face_count(const WallArrays<Real, Index>& arrays) {
  if (arrays.face_start.data == nullptr) return arrays.corners.front().count;
  return arrays.face_start.count > 0 ? arrays.face_start.count - 1 : 0;
}

/// Element of a view of any stride, in host memory.
template <class T>
T element(const View<const T>& view, std::int64_t i) {
  return view.data[i * view.stride];
}

/// Copy of coordinates in host memory, in double precision.
template <class Real>
std::vector<double> coordinates(const View<const Real>& view) {
  std::vector<double> values(static_cast<std::size_t>(view.count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(element(view, static_cast<std::int64_t>(i)));
  return values;
}

/// Names of all walls; a wall without a name gets its number.
/// @param last  largest number of a wall
std::vector<std::string> names_of_walls(std::vector<std::string> given, std::int64_t last);

}  // namespace shoal::wall_distance
