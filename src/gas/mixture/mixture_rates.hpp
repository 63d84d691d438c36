// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <vector>

#include "gas/models/bgk.hpp"
#include "gas/physics/frequency_item.hpp"
#include "gas/physics/moments_item.hpp"
#include "gas/setup/gas_setup.hpp"

namespace shoal::gas {

/// Model of Andries, Aoki and Perthame (2002) for mixtures: each species relaxes to a Maxwellian whose velocity and
/// temperature give the exchange of momentum and energy between the species.
struct Aap : Bgk {
  static constexpr GasModel name = GasModel::aap;
};

/// State of a cell: one of each species.
using SpeciesMoments = std::array<VelocityMoments, 2>;

/// χ between the species: half of the rate κ at which they exchange momentum. For Maxwell molecules κ is their rate, for
/// hard spheres that of two Maxwellians of nearly equal velocity, (4/3) π d² √(8 (T₁ + T₂) / π) with T = k T / m.
double exchange_rate(const Mixture& mixture, const SpeciesMoments& cell);

/// Target and frequency of a species of the model aap,
///
///     ν = n T / μ(T) + χ n′
///     u* = u + (2/ν) a′ χ n′ (u′ − u)
///     T* = T − |u* − u|²/3 + (4/ν) a′ χ n′ [a′ T′ − a T + (a′/3) |u′ − u|²]
///
/// with the mass shares a, T = k T / m, the viscosity μ / m of the species alone, and ′ for the other species.
CellState aap_target(const Mixture& mixture, std::size_t species, const SpeciesMoments& cell, NodeFrequency& frequency);

/// Collision frequency of a species, or a bound of it for hard spheres.
NodeFrequency mixture_frequency(const Mixture& mixture, std::size_t species, const SpeciesMoments& cell);

/// Mean speed of the molecules of a species / their mean collision frequency, m.
double mean_free_path(const Mixture& mixture, std::size_t species, const SpeciesMoments& cell);

/// Calls visit(species, index of a cell of that species, moments of both species) for each own cell of a mixture.
/// @param moments  [layers][2][cells of a layer]
template <class Visit>
void for_each_species(const GasSetup& setup, const std::vector<VelocityMoments>& moments, Visit visit) {
  const auto cells = static_cast<std::size_t>(setup.species_cells());
  for (std::size_t layer = 0; layer < moments.size(); layer += 2 * cells)
    for (std::size_t first = layer; first < layer + cells; ++first)
      for (std::size_t species = 0; species < 2; ++species)
        visit(species, first + species * cells, SpeciesMoments{moments[first], moments[first + cells]});
}

}  // namespace shoal::gas
