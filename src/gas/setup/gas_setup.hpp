// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "gas/boundaries/behind_shock.hpp"
#include "gas/boundaries/diffuse.hpp"
#include "gas/boundaries/inflow.hpp"
#include "gas/boundaries/specular.hpp"
#include "gas/physics/maxwellian_item.hpp"
#include "gas/physics/transport_item.hpp"

namespace shoal::gas {

/// Boundary with the Maxwellian that it needs.
struct BoundaryState {
  std::variant<DiffuseWall, SpecularWall, Inflow, BehindShock> law;
  DiscreteMaxwellian maxwellian = {};  ///< unused by SpecularWall
  double unit_flux = 0;                ///< sum of |v_x| Maxwellian over the nodes that enter the gas
};

/// Checked arguments of a flow and the quantities that follow from them.
struct GasSetup {
  VelocityGrid velocities;
  NodeVelocities nodes;
  std::vector<double> faces;
  std::array<GasBoundary, 2> boundaries;
  Molecules molecules;
  GasOptions options;

  std::vector<CellShape> shapes;                 ///< Shape of each cell.
  std::array<BoundaryState, 2> boundary_states;  ///< unused if periodic
  std::vector<double> source;                    ///< [nodes] S of the gradients; empty without
  int first_forward = 0;                         ///< Index along x of the first node with v_x > 0.

  /// @throws Error  an argument is out of range, or two of them contradict each other
  GasSetup(const VelocityGrid& grid, const std::vector<double>& cell_faces,
           const std::array<GasBoundary, 2>& both_boundaries, const Molecules& gas_molecules,
           const GasOptions& gas_options);

  std::int64_t cells() const { return static_cast<std::int64_t>(shapes.size()); }
  std::int64_t node_count() const { return nodes.count(); }
  double length() const { return faces.back() - faces.front(); }
  bool periodic() const { return boundaries[0].kind == GasBoundaryKind::periodic; }
  /// Returns true if the collision term accepts a negative f. The target of Shakhov's model is negative in strong shocks.
  bool accepts_negative() const {
    return options.model == GasModel::shakhov ||
           (options.model == GasModel::boltzmann && options.collision.negative == NegativeDistribution::accept);
  }
  /// Mass of the line beyond that of the gas ahead of a shock, m⁻².
  double excess_mass(double mass) const { return mass - boundaries[0].density * length(); }
  /// ν of sweeps / collision frequency. Any ν has the same steady state. A shock needs iterations in proportion to ν, and
  /// changes that decay at the collision frequency stay stable above one half. Between walls a smaller ν lets the errors of
  /// old slopes last longer.
  double sweep_share() const { return boundaries[1].kind == GasBoundaryKind::behind_shock ? 0.6 : 1; }
  /// Returns true if no mass enters or leaves.
  bool closed() const;
  /// Largest |v_x| of a node.
  double largest_speed() const;
  /// Discrete Maxwellian of a state.
  /// @param what  owner of the state, for the message
  /// @throws Error  the velocity grid cannot represent the state
  DiscreteMaxwellian maxwellian(double density, const std::array<double, 3>& velocity, double temperature,
                                const std::string& what) const;

 private:
  std::vector<double> gradient_source() const;
};

}  // namespace shoal::gas
