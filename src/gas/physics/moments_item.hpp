// SPDX-License-Identifier: Apache-2.0
// Sums over the velocity nodes of a cell. A row is the nodes of equal v_y and v_z.
#pragma once
#include <shoal/collision.hpp>
#include <shoal/item/host_device.hpp>

#include "collision/distribution/distribution_item.hpp"

namespace shoal::gas {

using collision::NodeVelocities;

/// Sums of f w^k over a row, k = 0 to 3, with w = v_x − center.
struct RowSums {
  double power[4];
};

/// Moments of a cell about the center of the velocity grid, in units of nodes.
struct CellSums {
  double mass = 0;
  double first[3] = {};   ///< w
  double second[6] = {};  ///< w w: xx, yy, zz, xy, xz, yz
  double third[3] = {};   ///< w w²

  /// @param y,z  w_y and w_z of the row
  SHOAL_HD void add(const RowSums& row, double y, double z) {
    const double* s = row.power;
    const double rest = y * y + z * z;
    mass += s[0];
    first[0] += s[1], first[1] += y * s[0], first[2] += z * s[0];
    second[0] += s[2], second[1] += y * y * s[0], second[2] += z * z * s[0];
    second[3] += y * s[1], second[4] += z * s[1], second[5] += y * z * s[0];
    third[0] += s[3] + rest * s[1];
    third[1] += y * (s[2] + rest * s[0]);
    third[2] += z * (s[2] + rest * s[0]);
  }
};

/// Density, velocity, temperature, stress and heat flux from the sums of a cell.
inline VelocityMoments moments_from_sums(const NodeVelocities& nodes, const CellSums& sums) {
  constexpr int index[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  const double volume = nodes.volume(), n = sums.mass;
  double u[3], u2 = 0;
  for (int a = 0; a < 3; ++a) u[a] = sums.first[a] / n, u2 += u[a] * u[a];
  VelocityMoments moments;
  moments.density = n * volume;
  double trace = 0, ww = 0;
  for (int a = 0; a < 3; ++a) ww += sums.second[a];
  for (std::size_t a = 0; a < 3; ++a) {
    double heat = sums.third[a] - u[a] * ww + 2 * n * u[a] * u2;
    for (std::size_t b = 0; b < 3; ++b) {
      const auto ab = static_cast<std::size_t>(index[a][b]);
      heat -= 2 * u[b] * sums.second[ab];
      moments.stress[ab] = (sums.second[ab] - n * u[a] * u[b]) * volume;
    }
    moments.heat_flux[a] = heat / 2 * volume;
    moments.velocity[a] = nodes.center[a] + u[a];
    trace += moments.stress[a];
  }
  moments.temperature = trace / (3 * moments.density);
  return moments;
}

/// Sums over the nodes of a boundary of v_x (1, v, v²/2) f, of one row.
struct FluxSums {
  double value[5] = {};

  /// @param flux, flux_x, flux_xx  sums over the row of v_x f, v_x² f and v_x³ f
  /// @param y,z  v_y and v_z of the row
  SHOAL_HD void add(double flux, double flux_x, double flux_xx, double y, double z) {
    value[0] += flux;
    value[1] += flux_x;
    value[2] += y * flux;
    value[3] += z * flux;
    value[4] += (flux_xx + (y * y + z * z) * flux) / 2;
  }
};

}  // namespace shoal::gas
