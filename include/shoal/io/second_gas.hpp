// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

namespace shoal::io {

/// Second gas of a mixture, whose molecules have the model of the first.
struct SecondGas {
  double mass = 1;            ///< kg, or another unit of both masses
  double rate = 1;            ///< m³/s, maxwell
  double diameter = 0;        ///< m, hard_sphere
  double cross_rate = 1;      ///< m³/s, maxwell: of unlike molecules
  double cross_diameter = 0;  ///< m, hard_sphere: of unlike molecules; 0: the mean of both diameters

  Mixture with(const Molecules& first) const;
};

}  // namespace shoal::io
