// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include "core/memory/block_copy.hpp"
#include "gas/setup/gas_setup.hpp"

namespace shoal::gas {

/// Order of f of a mixture: by layers, [own layers][2][cells of a layer × nodes], in which ranks cut it; and by species,
/// [2][own cells × nodes], in which it has the order of Collision and of users.
template <class Real>
class SpeciesOrder {
 public:
  SpeciesOrder(const Queue& queue, const GasSetup& setup)
      : queue_(queue),
        layers_(static_cast<std::size_t>(setup.slab.count)),
        block_(setup.species_cells() * setup.node_count()) {}

  void to_species(const Real* by_layers, Real* by_species) const {
    for (std::int64_t k = 0; k < 2; ++k)
      copy_blocks(queue_, by_species + k * of_species(), packed(), by_layers + k * block_, apart(), layers_);
  }
  void to_layers(const Real* by_species, Real* by_layers) const {
    for (std::int64_t k = 0; k < 2; ++k)
      copy_blocks(queue_, by_layers + k * block_, apart(), by_species + k * of_species(), packed(), layers_);
  }

 private:
  std::int64_t of_species() const { return static_cast<std::int64_t>(layers_) * block_; }
  std::size_t bytes() const { return static_cast<std::size_t>(block_) * sizeof(Real); }
  Blocks packed() const { return {bytes(), bytes()}; }
  Blocks apart() const { return {bytes(), 2 * bytes()}; }

  Queue queue_;
  std::size_t layers_;
  std::int64_t block_;  ///< nodes of a species in a layer
};

}  // namespace shoal::gas
