// SPDX-License-Identifier: Apache-2.0
// Weights of particles and of layers of cells, by which cuts between the ranks of a CUDA run move.
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <cstdint>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "sph/ranks/agree_on_memory.hpp"
#include "sph/stepping/cuda/ranks/rank_kernels.cuh"
#include "sph/tuning.hpp"

namespace shoal::sph {

/// Weights of the particles of a rank. Walls whose density does not change cost less than other particles.
template <class Memory, class Cells, class Real, int dimensions>
class LayerWeights {
 public:
  LayerWeights(const Queue& queue, const Setup<Real, dimensions>& setup, Memory& memory)
      : queue_(queue),
        ranks_(setup.ranks),
        less_per_wall_(evolves_density(setup.parameters.walls) ? 0 : inactive_walls_per_particle - 1),
        memory_(memory),
        layer_weight_(queue, 0) {}

  /// @param walls  number of walls among the particles
  std::int64_t of_particles(std::int64_t particles, std::int64_t walls) const {
    return inactive_walls_per_particle * particles - less_per_wall_ * walls;
  }

  /// Weight of each layer of the domain. Collective.
  std::vector<std::int64_t> of_layers(const Parameters<Real, dimensions>& parameters, const Slabs& slabs) {
    std::vector<std::int64_t> weight;
    agree_on_memory(ranks_, [&] { weight = of_own_layers(parameters, slabs); });
    ranks_.group().all_sum(weight);
    return weight;
  }

 private:
  /// Weight of the own particles in each layer of the domain.
  std::vector<std::int64_t> of_own_layers(const Parameters<Real, dimensions>& parameters, const Slabs& slabs) {
    const int layers = parameters.slab.count;
    layer_weight_.resize(layers);
    fill_bytes(queue_, layer_weight_.data(), 0, static_cast<std::size_t>(layers) * sizeof(unsigned long long));
    const StepArrays<Real, dimensions> a = memory_.arrays();
    launch(queue_, a.source_n, add_weights<Real, dimensions>, parameters, a,
           static_cast<std::uint32_t>(Cells::cells_of_layer(parameters)), layer_weight_.data());
    const std::vector<unsigned long long> local = to_host(queue_, layer_weight_);
    std::vector<std::int64_t> weight(static_cast<std::size_t>(slabs.layers()));
    const auto first = static_cast<std::size_t>(slabs.first(ranks_.rank()));
    for (std::size_t layer = 1; layer + 1 < static_cast<std::size_t>(layers); ++layer)
      weight[first + layer - 1] = static_cast<std::int64_t>(local[layer]);
    return weight;
  }

  Queue queue_;
  Communicator ranks_;
  std::int64_t less_per_wall_;  ///< difference of the weight of a wall particle from that of an active one
  Memory& memory_;
  Array<unsigned long long> layer_weight_;  ///< [layers of the slab]
};

}  // namespace shoal::sph
