// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

namespace shoal::gas {

/// Reservoir whose molecules enter with a Maxwellian of given density. Molecules that arrive are lost in it.
struct Inflow {
  SHOAL_HD void balance(double, double) {}
  SHOAL_HD double entering(double maxwellian, double) const { return maxwellian; }
};

}  // namespace shoal::gas
