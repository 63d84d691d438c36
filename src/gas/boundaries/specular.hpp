// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

namespace shoal::gas {

/// Wall or plane of symmetry that reflects v_x. The velocity grid is symmetric in v_x, so the reflected velocity is a node.
struct SpecularWall {
  SHOAL_HD void balance(double, double) {}
  SHOAL_HD double entering(double, double reflected) const { return reflected; }
};

}  // namespace shoal::gas
