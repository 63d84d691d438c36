// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gas/boundaries/behind_shock.hpp"
#include "gas/boundaries/diffuse.hpp"
#include "gas/boundaries/inflow.hpp"
#include "gas/boundaries/specular.hpp"
#include "gas/models/viscosity_law.hpp"
#include "gas/physics/maxwellian_item.hpp"
#include "gas/setup/cell_lines.hpp"
#include "gas/setup/cell_slab.hpp"

namespace shoal::gas {

using MassOfSpecies = std::array<double, 2>;  ///< m⁻², in a plane m⁻¹; the second one is that of a mixture

/// Law of a boundary, the same at all its faces.
using BoundaryLaw = std::variant<DiffuseWall, SpecularWall, Inflow, BehindShock>;

/// Face of a boundary cell with the Maxwellian of what enters there.
struct BoundaryFace {
  DiscreteMaxwellian maxwellian = {};  ///< unused by SpecularWall
  double unit_flux = 0;  ///< sum of the speed along the axis times Maxwellian over nodes that enter the gas
};

/// Cell of a species, with its number among the cells of all ranks.
struct SpeciesCell {
  std::size_t species;
  std::int64_t cell;
};

/// Checked arguments of a flow and the quantities that follow from them. Sides are in the order first and last end along
/// x, first and last end along y. Ranks share the cells of a line, or the rows of a plane: they cut the last axis.
struct GasSetup {
  using AxisFaces = std::vector<std::vector<double>>;

  VelocityGrid velocities;
  NodeVelocities nodes;
  AxisFaces faces;                      ///< [dimensions] positions of the faces of all ranks, m
  std::vector<GasBoundary> boundaries;  ///< [2 × dimensions]
  Molecules molecules;
  GasOptions options;
  std::optional<Mixture> mixture;
  ViscosityLaw viscosity_law = {};  ///< Viscosity of the one gas of a model.

  Communicator ranks;
  CellSlab slab;

  std::vector<CellLines> lines;              ///< [dimensions] of stored cells
  std::vector<BoundaryLaw> laws;             ///< [2 × dimensions]; unused if periodic, and at a cut
  std::vector<BoundaryFace> boundary_faces;  ///< Faces of all sides; unused if periodic, and at a cut.
  std::vector<double> source;                ///< [nodes] S of the gradients; empty without

  /// @throws Error  an argument is out of range, or two of them contradict each other
  GasSetup(const VelocityGrid& grid, const AxisFaces& cell_faces, const std::vector<GasBoundary>& all_boundaries,
           const Molecules& gas_molecules, const GasOptions& gas_options, const Communicator& all_ranks,
           const std::optional<Mixture>& gas_mixture = {});

  std::size_t dimensions() const { return faces.size(); }
  std::size_t species() const { return mixture ? 2 : 1; }
  /// Cell in messages: "cell 3", or "cell 3 of species 1".
  std::string cell_name(const SpeciesCell& cell) const;
  /// Species and cell with a number among those of all layers.
  SpeciesCell cell_of(std::int64_t number) const;
  std::int64_t number_of(const SpeciesCell& cell) const;
  /// Values of all cells of each species, from those of all layers.
  template <class Value>
  std::vector<Value> by_species(const std::vector<Value>& values) const {
    std::vector<Value> result;
    result.reserve(values.size());
    const auto cells = static_cast<std::int64_t>(values.size() / species());
    for (std::size_t k = 0; k < species(); ++k)
      for (std::int64_t cell = 0; cell < cells; ++cell)
        result.push_back(values[static_cast<std::size_t>(number_of({k, cell}))]);
    return result;
  }
  /// Number of sides: those of each species.
  std::size_t sides() const { return species() * boundaries.size(); }
  /// Axis along which ranks share the cells.
  std::size_t cut_axis() const { return dimensions() - 1; }
  /// Number of cells along an axis, of all ranks.
  std::int64_t cells_along(std::size_t axis) const { return static_cast<std::int64_t>(faces[axis].size()) - 1; }
  /// Number of cells of a species in a layer, and of all cells there: those of species 0, then those of species 1.
  std::int64_t species_cells() const { return dimensions() == 1 ? 1 : cells_along(0); }
  std::int64_t layer_cells() const { return static_cast<std::int64_t>(species()) * species_cells(); }
  /// Number of own cells. They follow each other in the order of all cells.
  std::int64_t cells() const { return slab.count * layer_cells(); }
  /// Number of the first own cell among those of all ranks.
  std::int64_t first_cell() const { return slab.first * layer_cells(); }
  std::int64_t all_cells() const { return slab.slabs.layers() * layer_cells(); }
  /// Number of stored cells, own ones and ghosts, and the index of the first own one.
  std::int64_t stored_cells() const { return slab.stored() * layer_cells(); }
  std::int64_t own_begin() const { return slab.ghosts[0] * layer_cells(); }
  std::int64_t node_count() const { return nodes.count(); }
  /// Length of a line, or of the longer side of a plane, m.
  double length() const;
  /// Width of a cell of all ranks along an axis, m. Those of species 1 follow those of species 0.
  double width(std::size_t axis, std::int64_t cell) const;
  /// Size of a cell of all ranks: its width, m, or its area, m².
  double size(std::int64_t cell) const;
  /// Size of a face of a side of a species, on a line of all ranks: 1, or its width, m.
  double face_size(std::size_t side, std::int64_t line) const;
  bool periodic(std::size_t axis) const { return boundaries[2 * axis].kind == GasBoundaryKind::periodic; }
  /// Returns true if the collision term accepts a negative f. The target of Shakhov's model is negative in strong shocks.
  bool accepts_negative() const {
    return options.model == GasModel::shakhov ||
           (options.model == GasModel::boltzmann && options.collision.negative == NegativeDistribution::accept);
  }
  /// Returns true if the collision term has inverse collisions.
  bool has_inverse_collisions() const {
    return options.model == GasModel::boltzmann && options.collision.approach == CollisionApproach::conservative &&
           options.collision.symmetrized;
  }
  /// Mass of both species in masses of a molecule of species 0; of one gas its mass.
  double total_mass(const MassOfSpecies& mass) const;
  /// Total mass of the line beyond that of the gas ahead of a shock, m⁻².
  double excess_mass(const MassOfSpecies& mass) const;
  bool has_shock() const { return boundaries[1].kind == GasBoundaryKind::behind_shock; }
  /// ν of sweeps / collision frequency. Any ν has the same steady state. A shock needs iterations in proportion to ν, and
  /// changes stay stable where ν is above one half of the rate at which they decay. That is at most the collision frequency, and
  /// for the stress of ES-BGK 1/Pr of it. Between walls a smaller ν lets the errors of old slopes last longer.
  double sweep_share() const {
    return has_shock() ? (options.model == GasModel::es_bgk ? 0.6 / options.prandtl : 0.6) : 1;
  }
  /// Returns true if no mass enters or leaves.
  bool closed() const;
  /// Discrete Maxwellian of a state.
  /// @param what  owner of the state, for the message
  /// @throws Error  the velocity grid cannot represent the state
  DiscreteMaxwellian maxwellian(double density, const std::array<double, 3>& velocity, double temperature,
                                const std::string& what) const;

 private:
  void add_lines(std::size_t axis);
  void add_boundary(std::size_t side);
  double temperature_at(std::size_t side, std::int64_t line) const;
  BoundaryFace boundary_face(std::size_t side, std::size_t species, double temperature) const;
  std::vector<double> gradient_source() const;
};

}  // namespace shoal::gas
