// SPDX-License-Identifier: Apache-2.0
#include "neighbors/periodic/system_cell.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "core/vector.hpp"

namespace shoal::neighbors {

namespace {

/// Least volume of a cell in units of the product of the lengths of its vectors.
constexpr double least_volume = 1e-10;

Vector scaled(const Vector& a, double factor) { return {a[0] * factor, a[1] * factor, a[2] * factor}; }

double length(const Vector& a) { return std::hypot(a[0], a[1], a[2]); }

std::string vector_text(const Vector& a) { return text("(", a[0], ", ", a[1], ", ", a[2], ")"); }

/// Returns a number rounded to `Real`. In loops that g++ 12 vectorizes it leaves out the rounding of a value that is not
/// volatile.
template <class Real>
double rounded_to(double value) {
  const volatile Real rounded = static_cast<Real>(value);
  return static_cast<double>(rounded);
}

/// Returns the unit vectors of the periodic vectors, completed by unit vectors at a right angle to all of them.
std::array<Vector, 3> directions_of(const std::array<Vector, 3>& vectors, const std::array<bool, 3>& periodic) {
  std::array<Vector, 3> directions{};
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < 3; ++k)
    periodic[k] ? void(directions[k] = scaled(vectors[k], 1 / length(vectors[k]))) : open.push_back(k);
  if (open.size() == 2) {
    const Vector& along = directions[3 - open[0] - open[1]];
    std::size_t least = 0;
    for (const std::size_t k : {1u, 2u})
      if (std::abs(along[k]) < std::abs(along[least])) least = k;
    Vector axis{};
    axis[least] = 1;
    const Vector normal = cross(along, axis);
    directions[open[0]] = scaled(normal, 1 / length(normal));
  }
  if (!open.empty()) {
    const std::size_t last = open.back();
    const Vector normal = cross(directions[(last + 1) % 3], directions[(last + 2) % 3]);
    const double sine = length(normal);
    directions[last] = sine > 0 ? scaled(normal, 1 / sine) : Vector{};
  }
  return directions;
}

}  // namespace

std::string message_start(std::int64_t system) {
  return system < 0 ? std::string("neighbors: ") : text("neighbors: system ", system, ": ");
}

template <class Real>
SystemCell system_cell(const PeriodicCell& cell, std::int64_t system) {
  std::array<Vector, 3> vectors{};
  std::string names;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!cell.periodic[k]) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) vectors[k][axis] = rounded_to<Real>(cell.vectors[k][axis]);
    const double size = length(vectors[k]);
    require(std::isfinite(size) && size > 0, message_start(system), "cell vector ", k, " is ",
            vector_text(cell.vectors[k]), " m, expected a finite vector that is not 0. Pass the vector, or make this ",
            "direction open.");
    names += text(names.empty() ? "" : ", ", vector_text(cell.vectors[k]));
  }
  SystemCell result;
  if (names.empty()) return result;
  const std::array<Vector, 3> directions = directions_of(vectors, cell.periodic);
  const double volume = dot(directions[0], cross(directions[1], directions[2]));
  require(std::abs(volume) > least_volume, message_start(system), "the cell vectors ", names,
          " m are linearly dependent, expected vectors that span a cell. Correct them, or make a direction open.");
  for (std::size_t k = 0; k < 3; ++k) {
    if (!cell.periodic[k]) continue;
    const Vector normal = cross(directions[(k + 1) % 3], directions[(k + 2) % 3]);
    const Vector reciprocal = scaled(normal, 1 / (volume * length(vectors[k])));
    std::copy(vectors[k].begin(), vectors[k].end(), result.vectors[k]);
    std::copy(reciprocal.begin(), reciprocal.end(), result.reciprocal[k]);
    result.inverse_height[k] = length(reciprocal);
  }
  return result;
}

template SystemCell system_cell<float>(const PeriodicCell&, std::int64_t);
template SystemCell system_cell<double>(const PeriodicCell&, std::int64_t);

}  // namespace shoal::neighbors
