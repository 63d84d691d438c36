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
  static constexpr int count = 13;
  double value[count] = {};

  double mass() const { return value[0]; }
  double first(std::size_t axis) const { return value[1 + axis]; }   ///< w
  double second(std::size_t pair) const { return value[4 + pair]; }  ///< w w: xx, yy, zz, xy, xz, yz
  double third(std::size_t axis) const { return value[10 + axis]; }  ///< w w²

  /// Adds a row to the sums.
  /// @param y,z  w_y and w_z of the row
  SHOAL_HD static void add(const RowSums& row, double y, double z, double* sums) {
    const double* s = row.power;
    const double rest = y * y + z * z;
    sums[0] += s[0];
    sums[1] += s[1], sums[2] += y * s[0], sums[3] += z * s[0];
    sums[4] += s[2], sums[5] += y * y * s[0], sums[6] += z * z * s[0];
    sums[7] += y * s[1], sums[8] += z * s[1], sums[9] += y * z * s[0];
    sums[10] += s[3] + rest * s[1];
    sums[11] += y * (s[2] + rest * s[0]);
    sums[12] += z * (s[2] + rest * s[0]);
  }
};

/// Density, velocity, temperature, stress and heat flux from the sums of a cell.
inline VelocityMoments moments_from_sums(const NodeVelocities& nodes, const CellSums& sums) {
  constexpr std::size_t index[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  const double volume = nodes.volume(), n = sums.mass();
  double u[3], u2 = 0;
  for (std::size_t a = 0; a < 3; ++a) u[a] = sums.first(a) / n, u2 += u[a] * u[a];
  VelocityMoments moments;
  moments.density = n * volume;
  double trace = 0, ww = 0;
  for (std::size_t a = 0; a < 3; ++a) ww += sums.second(a);
  for (std::size_t a = 0; a < 3; ++a) {
    double heat = sums.third(a) - u[a] * ww + 2 * n * u[a] * u2;
    for (std::size_t b = 0; b < 3; ++b) {
      const std::size_t ab = index[a][b];
      heat -= 2 * u[b] * sums.second(ab);
      moments.stress[ab] = (sums.second(ab) - n * u[a] * u[b]) * volume;
    }
    moments.heat_flux[a] = heat / 2 * volume;
    moments.velocity[a] = nodes.center[a] + u[a];
    trace += moments.stress[a];
  }
  moments.temperature = trace / (3 * moments.density);
  return moments;
}

/// Sums over the nodes of a face of v_n (1, v, v²/2) f, with v_n the velocity along the axis of the face.
struct FluxSums {
  static constexpr int count = 5;
  double value[count] = {};

  /// Adds a row to the sums.
  /// @param flux, flux_x, flux_xx  sums over the row of v_n f, v_n v_x f and v_n v_x² f
  /// @param y,z  v_y and v_z of the row
  SHOAL_HD static void add(double flux, double flux_x, double flux_xx, double y, double z, double* sums) {
    sums[0] += flux;
    sums[1] += flux_x;
    sums[2] += y * flux;
    sums[3] += z * flux;
    sums[4] += (flux_xx + (y * y + z * z) * flux) / 2;
  }
};

/// State of a cell that determines the target of a model, for host and device; units as in VelocityMoments.
struct CellState {
  double density, velocity[3], temperature, stress[6], heat_flux[3];

  CellState() = default;
  CellState(const VelocityMoments& moments) : density(moments.density), temperature(moments.temperature) {
    for (std::size_t k = 0; k < 3; ++k) velocity[k] = moments.velocity[k], heat_flux[k] = moments.heat_flux[k];
    for (std::size_t k = 0; k < 6; ++k) stress[k] = moments.stress[k];
  }
};

}  // namespace shoal::gas
