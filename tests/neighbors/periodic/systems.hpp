// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/periodic.hpp>

#include "support/distributions.hpp"

namespace shoal::testing_support {

inline constexpr std::array<bool, 3> everywhere{true, true, true};

/// Systems of different sizes, cells and places: periodic, in part, open, empty, and of one point.
template <class Real>
struct Systems {
  Distribution<Real> points{"systems", {}, {}, {}};
  std::vector<std::int64_t> starts{0};
  std::vector<PeriodicCell> cells;

  Systems() {
    const PeriodicCell shapes[] = {{{{{1, 0, 0}, {0.7, 0.8, 0}, {-0.6, 0.9, 0.7}}}, everywhere},
                                   {},
                                   {{{{0.3, 0, 0}, {0, 0.4, 0}, {0, 0.1, 0.5}}}, everywhere},
                                   {{{{1, 0, 0}, {}, {0, 0.2, 1}}}, {true, false, true}}};
    for (unsigned s = 0; s < 40; ++s) {
      const std::int64_t n = s % 7 == 3 ? 0 : s % 7 == 4 ? 1 : 5 + s;
      const auto system = uniform<Real>(n, s);
      const double far = s % 3 == 0 ? 20.0 * s : -0.5;
      for (std::size_t i = 0; i < system.x.size(); ++i) points.add(system.x[i] + far, system.y[i] - far, system.z[i]);
      starts.push_back(starts.back() + n);
      cells.push_back(shapes[s % 4]);
    }
  }

  Points<Real> part(std::size_t s) const {
    const auto view = [&](const std::vector<Real>& axis) {
      return View<const Real>(axis.data() + starts[s], starts[s + 1] - starts[s]);
    };
    return {view(points.x), view(points.y), view(points.z)};
  }
};

}  // namespace shoal::testing_support
