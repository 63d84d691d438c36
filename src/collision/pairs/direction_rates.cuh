// SPDX-License-Identifier: Apache-2.0
// Directions and rates for kernels that go pair by pair.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <vector>

#include "collision/pairs/direction_rates.hpp"
#include "collision/setup/collision_setup.hpp"
#include "core/cuda/launch.cuh"

namespace shoal {

/// Passed to kernels by value, that is, in constant memory: threads of a warp read the same one.
struct ConstantDirections {
  static constexpr int most = 200;  ///< degree 19 on the full sphere has 194
  int count;
  double sum;  ///< of weights times the isotropic share
  double at[most][3];
  double weight[most];

  explicit ConstantDirections(const Directions& directions) : count(directions.count()), sum(0) {
    require(count <= most, "collision: ", count, " directions, methods that go pair by pair on cuda take ", most,
            " or fewer.");
    for (int k = 0; k < count; ++k) {
      std::copy_n(directions.at[static_cast<std::size_t>(k)].data(), 3, at[k]);
      weight[k] = directions.weight[static_cast<std::size_t>(k)];
      sum += weight[k] * CollisionKernel{}.share(0);
    }
  }
};

/// direction_rates() for the device.
struct PairRates {
  CollisionKernel kernel;
  const double* total;  ///< h³ |V| σ_T by the square of the distance in spacings

  /// What shares are multiplied by for the rates of a displacement.
  __device__ double scale(const ConstantDirections& directions, const Displacement& pair) const {
    double sum = directions.sum;
    if (!kernel.isotropic()) {
      sum = 0;
      for (int k = 0; k < directions.count; ++k)
        sum += directions.weight[k] * direction_share(kernel, pair, directions.at[k]);
    }
    return total[pair.square()] / sum;
  }
  __device__ double rate(const ConstantDirections& directions, const Displacement& pair, int k, double scale) const {
    return directions.weight[k] * direction_share(kernel, pair, directions.at[k]) * scale;
  }
};

/// The table of PairRates on the device.
inline Array<double> total_rates(const CollisionSetup& setup, const Queue& queue) {
  std::vector<double> total(static_cast<std::size_t>(setup.square_distances()));
  setup.rates_by_square_distance(total.data());
  Array<double> on_device = to_device(queue, total);
  queue.wait();  // the host's table goes
  return on_device;
}

}  // namespace shoal
