// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/distribution/distribution_backend.hpp"
#include "collision/interpolated/interpolant_item.hpp"
#include "collision/interpolated/partners_item.hpp"
#include "collision/pairs/direction_rates.hpp"

namespace shoal::collision {

/// Interpolated field and the factors of its products: f and 1, or f/M and M M₁.
template <class Work>
struct InterpolatedField {
  Work* value;             ///< [nodes³]
  Work* factor = nullptr;  ///< [nodes³] factor of each molecule before the collision; null: 1
  GasState gas = {};       ///< Gas of M with density 1, if `factor` is not null.

  /// The arrays are in memory of the frame.
  template <class Real>
  InterpolatedField(ScratchFrame& frame, const Queue& queue, const CollisionSetup& setup, const Real* f) {
    const std::int64_t nodes = setup.grid.node_count();
    value = frame.array<Work>(nodes).data;
    std::copy_n(f, nodes, value);
    if (!setup.options.over_maxwellian) return;
    gas = *DistributionBackend<Real>::cpu.gas_states(frame, queue, setup.grid, f, 1);
    if (!gas.is_gas()) return;
    gas.density = 1;
    factor = frame.array<Work>(nodes).data;
    DistributionBackend<Work>::cpu.maxwellian(queue, setup.grid, &gas, 1, factor);
    for (std::int64_t i = 0; i < nodes; ++i) value[i] = factor[i] > 0 ? value[i] / factor[i] : 0;
  }
};

/// Interpolated value relative to node b; the field is 0 outside the grid.
template <class Work, int points>
Work interpolate(const Work* value, int n, const int* b, const Interpolant<Work, points>& interpolant) {
  Work sum = 0;
  for (int tz = 0; tz < points; ++tz)
    for (int ty = 0; ty < points; ++ty)
      for (int tx = 0; tx < points; ++tx) {
        const int x = b[0] + interpolant.first[0] + tx, y = b[1] + interpolant.first[1] + ty,
                  z = b[2] + interpolant.first[2] + tz;
        if (x < 0 || x >= n || y < 0 || y >= n || z < 0 || z >= n) continue;
        sum += interpolant.weight[0][tx] * interpolant.weight[1][ty] * interpolant.weight[2][tz] *
               value[(z * n + y) * n + x];
      }
  return sum;
}

/// Q at one node that takes part, in the arithmetic of Work: a sum over encounters.
template <int points, class Work, class Real, class Partners>
Work interpolated_rate(const CollisionSetup& setup, const InterpolatedField<Work>& field, const Real* f, int node,
                       const Partners& partners) {
  const int n = setup.n();
  const int i[3] = {node % n, node / n % n, node / n / n};
  std::vector<double> rates;
  Work sum = 0;
  for (int encounter_number = 0; encounter_number < partners.count(); ++encounter_number) {
    const Encounter encounter = partners.encounter(node, encounter_number);
    if (encounter.first_direction == encounter.end_direction) continue;
    const int partner = encounter.partner;
    const int j[3] = {partner % n, partner / n % n, partner / n / n};
    const Displacement pair{{i[0] - j[0], i[1] - j[1], i[2] - j[2]}};
    const int parity[3] = {pair.parity(0), pair.parity(1), pair.parity(2)};
    const int b[3] = {(i[0] + j[0] - parity[0]) / 2, (i[1] + j[1] - parity[1]) / 2, (i[2] + j[2] - parity[2]) / 2};
    direction_rates(setup, pair, rates);
    const Work factor = field.factor == nullptr ? 1 : field.factor[node] * field.factor[partner];
    const Work before = static_cast<Work>(f[node]) * static_cast<Work>(f[partner]);
    for (int k = encounter.first_direction; k < encounter.end_direction; ++k) {
      const double* direction = setup.directions.point[static_cast<std::size_t>(k)].data();
      const auto value = [&](int sign) {
        return interpolate(field.value, n, b, make_interpolant<Work, points>(parity, pair.length(), direction, sign));
      };
      sum += static_cast<Work>(rates[static_cast<std::size_t>(k)]) * (factor * value(1) * value(-1) - before);
    }
  }
  return static_cast<Work>(partners.weight()) * sum;
}

/// Evaluates Q at all nodes, which `threads` threads share.
/// @param partner_nodes  sampled_nodes()
/// @param evaluation     number of the evaluation
template <class Work, class Real>
void interpolated_rates(Scratch& scratch, int threads, const CollisionSetup& setup,
                        const std::vector<int>& partner_nodes, std::uint64_t evaluation, const Real* f, Real* q) {
  ScratchFrame frame(scratch);
  const InterpolatedField<Work> field(frame, scratch.queue(), setup, f);
  const VelocitySupport support = setup.support();
  const auto nodes = static_cast<int>(setup.grid.node_count());
  const auto evaluate = [&](auto points, const auto& partners) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int node = 0; node < nodes; ++node)
      q[node] = support.has(std::int64_t{node})
                    ? static_cast<Real>(interpolated_rate<points()>(setup, field, f, node, partners))
                    : 0;
  };
  with_points(setup.options.interpolation, [&](auto points) {
    if (setup.options.integration == CollisionIntegration::regular)
      evaluate(points, AllPartners{support, setup.directions.count()});
    else
      evaluate(points, random_partners(setup, partner_nodes.data(), partner_nodes.size(), evaluation));
  });
}

}  // namespace shoal::collision
