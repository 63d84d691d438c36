// SPDX-License-Identifier: Apache-2.0
// Cell of a system and its inverse, on host and device.
#pragma once
#include <cmath>

#include "core/real.hpp"
#include "core/vector3_item.hpp"

namespace shoal::neighbors {

/// Vectors of a cell, rounded to the precision of the points, as the test of pairs reads them.
struct CellVectors {
  Vector3 vectors[3];  ///< m; 0 without `periodic`
  bool periodic[3];    ///< Vectors along which the points repeat.
};

/// Cell of a system, and its inverse.
struct SystemCell {
  double vectors[3][3] = {};      ///< m; 0 for open directions
  double reciprocal[3][3] = {};   ///< 1/m, in the span of the vectors; 0 for open directions
  double inverse_height[3] = {};  ///< 1/m, 1 / distance of opposite faces
  double inverse_error = 0;       ///< Bound of the relative error of the inverse.
};

/// Faults of a cell. Faults 0, 1 and 2 are vectors that are 0 or not finite.
inline constexpr int dependent_vectors = 3, no_cell_fault = -1;

/// Length of a vector; no number on the way overflows.
SHOAL_HD double length_of(const Vector3& a) {
  const double largest = max(max(std::abs(a[0]), std::abs(a[1])), std::abs(a[2]));
  if (!(largest > 0)) return largest;
  const Vector3 scaled{{a[0] / largest, a[1] / largest, a[2] / largest}};
  return largest * std::sqrt(dot(scaled, scaled));
}

SHOAL_HD Vector3 scaled_by(const Vector3& a, double factor) { return {{a[0] * factor, a[1] * factor, a[2] * factor}}; }

/// Completes unit vectors along the periodic vectors by unit vectors at a right angle to all of them.
SHOAL_HD void complete_directions(Vector3 (&directions)[3], const bool (&periodic)[3]) {
  int last = -1;  // an open direction
  int open = 0;
  for (int k = 0; k < 3; ++k)
    if (!periodic[k]) {
      last = k;
      ++open;
    }
  if (open == 2) {
    const int along = !periodic[(last + 1) % 3] ? (last + 2) % 3 : (last + 1) % 3;
    const Vector3& a = directions[along];
    int least = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(a[k]) < std::abs(a[least])) least = k;
    Vector3 axis{};
    axis[least] = 1;
    const Vector3 normal = cross(a, axis);
    directions[3 - along - last] = scaled_by(normal, 1 / length_of(normal));
  }
  if (open == 0) return;
  const Vector3 normal = cross(directions[(last + 1) % 3], directions[(last + 2) % 3]);
  const double sine = length_of(normal);
  directions[last] = sine > 0 ? scaled_by(normal, 1 / sine) : Vector3{};
}

/// Computes the inverse of a cell. Returns the fault of the cell, or `no_cell_fault`.
SHOAL_HD int invert_cell(const CellVectors& given, SystemCell& cell) {
  constexpr double least_volume = 1e-10;  // in units of the product of the lengths of the vectors
  constexpr double roundings = 64;        // of unit vectors, their products, and the volume
  cell = {};
  Vector3 directions[3] = {};
  double sizes[3] = {};
  for (int k = 0; k < 3; ++k) {
    if (!given.periodic[k]) continue;
    sizes[k] = length_of(given.vectors[k]);
    if (!(sizes[k] > 0 && std::isfinite(sizes[k]))) return k;
    directions[k] = scaled_by(given.vectors[k], 1 / sizes[k]);
  }
  if (!given.periodic[0] && !given.periodic[1] && !given.periodic[2]) return no_cell_fault;
  complete_directions(directions, given.periodic);
  const double volume = dot(directions[0], cross(directions[1], directions[2]));
  if (!(std::abs(volume) > least_volume)) return dependent_vectors;
  cell.inverse_error = roundings * 0x1p-53 / std::abs(volume);
  for (int k = 0; k < 3; ++k) {
    if (!given.periodic[k]) continue;
    const Vector3 normal = cross(directions[(k + 1) % 3], directions[(k + 2) % 3]);
    const Vector3 reciprocal = scaled_by(normal, 1 / (volume * sizes[k]));
    for (int axis = 0; axis < 3; ++axis) {
      cell.vectors[k][axis] = given.vectors[k][axis];
      cell.reciprocal[k][axis] = reciprocal[axis];
    }
    cell.inverse_height[k] = length_of(reciprocal);
  }
  return no_cell_fault;
}

}  // namespace shoal::neighbors
