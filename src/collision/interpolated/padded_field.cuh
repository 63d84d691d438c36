// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/distribution/distribution_item.hpp"
#include "core/cuda/launch.cuh"

namespace shoal {

/// What is interpolated, in a frame of zeros, so that stencils may reach over the edge of the grid. Rows that a thread
/// takes in vain may reach further along y: so there are some numbers before and after.
template <class Real>
struct FramedValues {
  static constexpr int frame = 3;
  static constexpr int rows_around = 8;
  Real* value;
  int width;

  static std::int64_t width_of(int n) { return n + 2 * frame; }
  static std::int64_t elements(int n) { return (width_of(n) * width_of(n) + 2 * rows_around) * width_of(n); }
  FramedValues(Real* memory, int n) : value(memory), width(static_cast<int>(width_of(n))) {}

  __device__ std::int64_t place(int x, int y, int z) const {
    return ((static_cast<std::int64_t>(z) + frame) * width + y + frame + rows_around) * width + x + frame;
  }
};

/// f, or f/M with M of density 1 where there is a gas, and M itself where there is room for it.
template <class Real>
__global__ void frame_each(NodeVelocities nodes, const Real* f, const GasState* gas, FramedValues<Real> framed,
                           Real* maxwellian) {
  const std::int64_t i = thread_index();
  if (i >= nodes.count()) return;
  const int n = nodes.n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n);
  Real value = f[i];
  if (gas != nullptr && gas->is_gas()) {
    const double v[3] = {nodes.at(0, x), nodes.at(1, y), nodes.at(2, z)};
    const auto m = static_cast<Real>(gas->at(v) / gas->density);
    value = m > 0 ? value / m : 0;
    if (maxwellian != nullptr) maxwellian[i] = m;
  } else if (maxwellian != nullptr) {
    maxwellian[i] = 1;
  }
  framed.value[framed.place(x, y, z)] = value;
}

}  // namespace shoal
