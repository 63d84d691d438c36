// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

namespace shoal::neighbors {

/// Test of a pair of points in a periodic cell; the formula stands at `PeriodicNeighbors`.
template <class Real>
struct ImageTest {
  Real vectors[3][3] = {};  ///< m, vectors of the cell; 0 for open directions

  /// Returns the vector from point i to the image of point j with the given shift.
  SHOAL_HD Position<Real> displacement(const Position<Real>& i, const Position<Real>& j,
                                       const std::int32_t (&shift)[3]) const {
    return {component(j.x - i.x, shift, 0), component(j.y - i.y, shift, 1), component(j.z - i.z, shift, 2)};
  }

 private:
  SHOAL_HD Real component(Real difference, const std::int32_t (&shift)[3], int axis) const {
    Real sum = difference;
    for (int k = 0; k < 3; ++k) sum = std::fma(static_cast<Real>(shift[k]), vectors[k][axis], sum);
    return sum;
  }
};

/// Pairs that a list wants, whatever their distance.
struct ImageRule {
  bool include_self = false;
  bool half = false;

  SHOAL_HD bool wants(std::int64_t i, std::int64_t j, const std::int32_t (&shift)[3]) const {
    const std::int32_t first = shift[0] != 0 ? shift[0] : shift[1] != 0 ? shift[1] : shift[2];
    if (i == j && first == 0) return include_self;
    return !half || j > i || (j == i && first > 0);
  }
};

}  // namespace shoal::neighbors
