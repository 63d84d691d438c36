// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

namespace shoal {

/// Coordinates of n points: views of n elements, m. In two dimensions z is empty, in one dimension also y.
template <class Real>
struct Points {
  View<const Real> x;
  View<const Real> y = {};
  View<const Real> z = {};
  View<const Real> radius = {};  ///< m, one per point, for operations that need it

  std::int64_t count() const { return x.count; }
};

}  // namespace shoal
