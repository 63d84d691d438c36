// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/distribution/distribution_item.hpp"
#include "core/cuda/launch.cuh"

namespace shoal::collision {

/// Interpolated field with a margin of zeros, so that interpolation points may lie outside the grid. Rows of a thread
/// that extend over the box of sphere centers read further along y; extra rows keep these reads in bounds.
template <class Real>
struct PaddedField {
  static constexpr int margin = 3;
  static constexpr int extra_rows = 8;
  Real* value;
  int width;

  static std::int64_t padded_width(int n) { return n + 2 * margin; }
  static std::int64_t elements(int n) { return (padded_width(n) * padded_width(n) + 2 * extra_rows) * padded_width(n); }
  PaddedField(Real* memory, int n) : value(memory), width(static_cast<int>(padded_width(n))) {}

  __device__ std::int64_t index(int x, int y, int z) const {
    return ((static_cast<std::int64_t>(z) + margin) * width + y + margin + extra_rows) * width + x + margin;
  }
};

/// Fills the field with f or, if `gas` is not null and the cell contains gas, with f/M, M the Maxwellian of density 1.
/// @param maxwellian  [nodes³] overwritten with M; may be null
template <class Real>
__global__ void fill_field_each(NodeVelocities nodes, const Real* f, const GasState* gas, PaddedField<Real> field,
                                Real* maxwellian) {
  const std::int64_t i = thread_index();
  if (i >= nodes.count()) return;
  const int n = nodes.n;
  const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n);
  Real value = f[i];
  if (gas != nullptr && gas->is_gas()) {
    const double v[3] = {nodes.velocity(0, x), nodes.velocity(1, y), nodes.velocity(2, z)};
    const auto m = static_cast<Real>(gas->maxwellian(v) / gas->density);
    value = m > 0 ? value / m : 0;
    if (maxwellian != nullptr) maxwellian[i] = m;
  } else if (maxwellian != nullptr) {
    maxwellian[i] = 1;
  }
  field.value[field.index(x, y, z)] = value;
}

}  // namespace shoal::collision
