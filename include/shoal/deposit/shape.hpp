// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>

namespace shoal::deposit {

/// Shape of a particle along each axis: the B-spline that gives the weights of the nodes around it. The weights add up to
/// 1 and keep the first moment, Σ w x_n = x_p.
///
/// With the distance d of a node from the particle in cells, in units of the spacing:
///
///     cic   1 − |d|                                       for |d| ≤ 1     2 nodes
///     tsc   3/4 − d²,  (3/2 − |d|)² / 2                   for |d| ≤ 1/2, 3/2     3 nodes
///     pcs   (4 − 6 d² + 3 |d|³) / 6,  (2 − |d|)³ / 6      for |d| ≤ 1, 2     4 nodes
///
/// Source: Hockney and Eastwood (1988), "Computer Simulation Using Particles"; `pcs` as in Sefusatti, Crocce, Scoccimarro
/// and Couchman (2016), "Accurate estimators of correlation functions in Fourier space".
enum class DepositShape {
  cic,  ///< cloud in cell: linear; the weights have a kink at nodes
  tsc,  ///< triangular-shaped cloud: quadratic, with a continuous first derivative
  pcs   ///< piecewise cubic spline, with a continuous second derivative
};

}  // namespace shoal::deposit

namespace shoal {
using deposit::DepositShape;

template <>
inline constexpr auto enumerator_names<DepositShape> = std::array<std::string_view, 3>{"cic", "tsc", "pcs"};
}  // namespace shoal
