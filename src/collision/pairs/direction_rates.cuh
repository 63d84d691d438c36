// SPDX-License-Identifier: Apache-2.0
// Directions and rates for kernels that process one pair at a time.
#pragma once
#include <shoal/array.hpp>

#include <algorithm>
#include <vector>

#include "collision/pairs/direction_rates.hpp"
#include "collision/setup/collision_setup.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

/// Directions as a kernel argument, which the GPU keeps in constant memory: the threads of a warp read the same one.
struct ConstantDirections {
  static constexpr int most = 200;  ///< Capacity; degree 19 on the full sphere has 194 directions.
  int count;
  double sum;  ///< Σ of weights times the isotropic share
  double point[most][3];
  double weight[most];

  explicit ConstantDirections(const Directions& directions) : count(directions.count()), sum(0) {
    require(count <= most, "collision: ", count, " directions; on cuda the methods lerp, texture and atomic take ",
            most, " or fewer. Use directions on the half sphere or of a lower degree.");
    for (int k = 0; k < count; ++k) {
      std::copy_n(directions.point[static_cast<std::size_t>(k)].data(), 3, point[k]);
      weight[k] = directions.weight[static_cast<std::size_t>(k)];
      sum += weight[k] * CollisionKernel{}.share(0);
    }
  }
};

/// Device counterpart of direction_rates().
struct PairRates {
  CollisionKernel kernel;
  const double* total;  ///< h³ |V| σ_T by the squared distance in spacings

  /// Factor that turns weighted shares of a displacement into rates.
  __device__ double scale(const ConstantDirections& directions, const Displacement& pair) const {
    double sum = directions.sum;
    if (!kernel.isotropic()) {
      sum = 0;
      for (int k = 0; k < directions.count; ++k)
        sum += directions.weight[k] * direction_share(kernel, pair, directions.point[k]);
    }
    return total[pair.square()] / sum;
  }
  __device__ double rate(const ConstantDirections& directions, const Displacement& pair, int k, double scale) const {
    return directions.weight[k] * direction_share(kernel, pair, directions.point[k]) * scale;
  }
};

/// Device table for PairRates::total.
inline Array<double> total_rates(const CollisionSetup& setup, const Queue& queue) {
  std::vector<double> total(static_cast<std::size_t>(setup.square_distances()));
  setup.rates_by_square_distance(total.data());
  Array<double> device_total = to_device(queue, total);
  queue.wait();  // before the host's table is destroyed
  return device_total;
}

}  // namespace shoal::collision
