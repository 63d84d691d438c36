// SPDX-License-Identifier: Apache-2.0
#include "neighbors/periodic/bins/bin_search.hpp"

#include <algorithm>
#include <cmath>

#include "neighbors/periodic/system_cell.hpp"

namespace shoal::neighbors {

namespace {

/// Returns true if bins of a cell are compact, and a point is compared with others in one shift at most, on average.
bool has_useful_bins(const SystemCell& cell, double radius) {
  constexpr double largest_volume = 4;  // of a bin, in units of the product of its heights
  constexpr double largest_part = 1;
  double part = 1;
  const auto row = [&](int k) { return Vector3{{cell.vectors[k][0], cell.vectors[k][1], cell.vectors[k][2]}}; };
  double volume = std::abs(dot(row(0), cross(row(1), row(2))));
  for (const double inverse_height : cell.inverse_height) {
    if (!(inverse_height > 0)) return false;
    volume *= inverse_height;
    part *= 3 / std::max(1.0, std::floor(1 / (radius * inverse_height)));
  }
  return part <= largest_part && volume <= largest_volume;
}

}  // namespace

template <class Real>
bool find_in_bins(Scratch& scratch, const Points<Real>& points, double radius, Real limit, const ImageRule& rule,
                  const PeriodicCell& cell, View<std::int64_t> offsets, const MakeRoom<Real>& make_room) {
  const BinBackend<Real>& steps = backend<BinBackend<Real>>(scratch.queue());
  if (points.count() < steps.least_points || points.count() > steps.most_points) return false;
  BinnedSystem<Real> system{.points = cells::PointReader<Real>(points),
                            .dimensions = dimensions_of(points),
                            .count = points.count(),
                            .cell = {},
                            .radius = radius,
                            .limit = limit,
                            .rule = rule,
                            .offsets = offsets};
  if (invert_cell(cell_vectors<Real>(cell), system.cell) != no_cell_fault || !has_useful_bins(system.cell, radius))
    return false;
  return steps.find(scratch, system, make_room);
}

template bool find_in_bins<float>(Scratch&, const Points<float>&, double, float, const ImageRule&, const PeriodicCell&,
                                  View<std::int64_t>, const MakeRoom<float>&);
template bool find_in_bins<double>(Scratch&, const Points<double>&, double, double, const ImageRule&,
                                   const PeriodicCell&, View<std::int64_t>, const MakeRoom<double>&);

}  // namespace shoal::neighbors
