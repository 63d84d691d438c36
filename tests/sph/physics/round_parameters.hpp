// SPDX-License-Identifier: Apache-2.0
// Parameters whose pair sums can be computed by hand.
#pragma once
#include "sph/physics/parameters.hpp"

namespace shoal::sph {

/// Parameters with round numbers: h = 1 m, m = 1 kg, ρ₀ = 1 kg/m³, c = 1 m/s, a unit of 2⁻¹⁰ m.
inline Parameters<double, 2> round_parameters() {
  Parameters<double, 2> parameters{};
  parameters.unit = 1.0 / 1024;
  parameters.inverse_unit = 1024;
  parameters.bits = 12;
  parameters.cells[0] = parameters.cells[1] = 8;
  parameters.cell_count = 64;
  parameters.kernel = Kernel::wendland_c2;
  parameters.smoothing_length = parameters.inverse_smoothing_length = 1;
  parameters.support_squared = 4;
  parameters.support_units_squared = 2048.0 * 2048.0;
  parameters.value_scale = parameters.gradient_scale = 1;
  parameters.mass = 1;
  parameters.eos.density = parameters.eos.inverse_density = 1;
  parameters.softening = 0.01;
  return parameters;
}

}  // namespace shoal::sph
