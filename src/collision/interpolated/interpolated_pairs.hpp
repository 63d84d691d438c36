// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/collision_method.hpp"
#include "collision/distribution/distribution_backend.hpp"
#include "collision/interpolated/interpolant_item.hpp"
#include "collision/pairs/direction_rates.hpp"

namespace shoal {

/// What is interpolated, and what its products are multiplied by: f and 1, or f/M and M M₁.
template <class Work>
struct InterpolatedField {
  Work* value;             ///< [nodes³]
  Work* factor = nullptr;  ///< [nodes³] of each molecule before the collision; null: 1
  GasState gas = {};       ///< of M, with density 1, where factor is not null

  /// In memory of the frame.
  template <class Real>
  InterpolatedField(ScratchFrame& frame, const Queue& queue, const CollisionSetup& setup, const Real* f) {
    const std::int64_t nodes = setup.grid.node_count();
    value = frame.array<Work>(nodes).data;
    std::copy_n(f, nodes, value);
    if (!setup.options.over_maxwellian) return;
    gas = *cpu::gas_of(frame, queue, setup.grid, f, 1);
    if (!gas.is_gas()) return;  // none to speak of
    gas.density = 1;
    factor = frame.array<Work>(nodes).data;
    cpu::maxwellian(queue, setup.grid, &gas, 1, factor);
    for (std::int64_t i = 0; i < nodes; ++i) value[i] = factor[i] > 0 ? value[i] / factor[i] : 0;
  }
};

/// The interpolated value at a point relative to node b; 0 for nodes outside the grid.
template <int taps, class Work>
Work interpolate(const Work* value, int n, const int* b, const LatticePoint& point) {
  const Interpolant<Work, taps> at = interpolant_at<Work, taps>(point);
  Work sum = 0;
  for (int tz = 0; tz < taps; ++tz)
    for (int ty = 0; ty < taps; ++ty)
      for (int tx = 0; tx < taps; ++tx) {
        const int x = b[0] + at.base[0] + tx, y = b[1] + at.base[1] + ty, z = b[2] + at.base[2] + tz;
        if (x < 0 || x >= n || y < 0 || y >= n || z < 0 || z >= n) continue;
        sum += at.weight[0][tx] * at.weight[1][ty] * at.weight[2][tz] * value[(z * n + y) * n + x];
      }
  return sum;
}

/// Q at one node that takes part, in the arithmetic of Work: partner by partner, direction by direction.
template <int taps, class Work, class Real>
Work interpolated_rate(const CollisionSetup& setup, const InterpolatedField<Work>& field, const Real* f,
                       std::int64_t node) {
  const int n = setup.n();
  const VelocitySupport support = setup.support();
  const int i[3] = {static_cast<int>(node % n), static_cast<int>(node / n % n), static_cast<int>(node / n / n)};
  std::vector<double> rates;
  Work sum = 0;
  for (std::int64_t other = 0; other < setup.grid.node_count(); ++other) {
    if (other == node || !support.has(other)) continue;  // nothing changes
    const int j[3] = {static_cast<int>(other % n), static_cast<int>(other / n % n), static_cast<int>(other / n / n)};
    const Displacement pair{{i[0] - j[0], i[1] - j[1], i[2] - j[2]}};
    const int parity[3] = {pair.parity(0), pair.parity(1), pair.parity(2)};
    const int b[3] = {(i[0] + j[0] - parity[0]) / 2, (i[1] + j[1] - parity[1]) / 2, (i[2] + j[2] - parity[2]) / 2};
    direction_rates(setup, pair, rates);
    const Work factor = field.factor == nullptr ? 1 : field.factor[node] * field.factor[other];
    const Work before = static_cast<Work>(f[node]) * static_cast<Work>(f[other]);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const double* direction = setup.directions.at[k].data();
      const Work here = interpolate<taps>(field.value, n, b, point_after(parity, pair.length(), direction, 1));
      const Work there = interpolate<taps>(field.value, n, b, point_after(parity, pair.length(), direction, -1));
      sum += static_cast<Work>(rates[k]) * (factor * here * there - before);
    }
  }
  return sum;
}

/// All nodes, shared by `threads`.
template <class Work, class Real>
void interpolated_rates(Scratch& scratch, int threads, const CollisionSetup& setup, const Real* f, Real* q) {
  ScratchFrame frame(scratch);
  const InterpolatedField<Work> field(frame, scratch.queue(), setup, f);
  const bool cubic = setup.options.interpolation == VelocityInterpolation::cubic;
  const VelocitySupport support = setup.support();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
  for (std::int64_t node = 0; node < setup.grid.node_count(); ++node)
    q[node] = !support.has(node) ? 0
                                 : static_cast<Real>(cubic ? interpolated_rate<4>(setup, field, f, node)
                                                           : interpolated_rate<2>(setup, field, f, node));
}

}  // namespace shoal
