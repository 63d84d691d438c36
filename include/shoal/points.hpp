// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

namespace shoal {

/// Coordinates of n points: views of n elements, m. In two dimensions z stays empty, in one dimension y, too.
template <class Real>
struct Points {
  View<const Real> x;
  View<const Real> y = {};
  View<const Real> z = {};
  View<const Real> radius = {};  ///< m, where an operation asks for one a point

  std::int64_t count() const { return x.count; }
};

}  // namespace shoal
