// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

namespace shoal {

/// Coordinates of n points: three views of n elements, m. In two dimensions z stays empty.
template <class Real>
struct Points {
  View<const Real> x;
  View<const Real> y;
  View<const Real> z = {};

  std::int64_t count() const { return x.count; }
};

}  // namespace shoal
