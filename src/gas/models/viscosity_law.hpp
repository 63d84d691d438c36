// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include <cmath>

namespace shoal::gas {

/// Viscosity of molecules over their mass as a function of the temperature k T / m, as viscosity() returns it.
struct ViscosityLaw {
  double factor = 0;    ///< Viscosity at a temperature of 1 m²/s², 1/(m s).
  double exponent = 0;  ///< 1/2 for hard spheres, 1 for Maxwell molecules

  double at(double temperature) const { return factor * std::pow(temperature, exponent); }
};

/// @throws Error  those of viscosity() about the molecules
ViscosityLaw viscosity_law(const Molecules& molecules);

}  // namespace shoal::gas
