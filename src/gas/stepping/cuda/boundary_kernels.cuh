// SPDX-License-Identifier: Apache-2.0
// Values of f at the faces of boundaries on CUDA. Blocks of a line follow each other.
#pragma once
#include <cmath>

#include "collision/distribution/plane_sums.cuh"
#include "core/cuda/launch.cuh"
#include "gas/setup/gas_setup.hpp"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

inline constexpr int wall_threads = 256;  ///< Threads of a block that adds what arrives at the ends.

/// Values at both ends of the own cells of lines, of molecules that leave them; a periodic line joins its ends. At a cut also
/// those of molecules that come from the ghosts. Adds the speed times f of a block to the sums of what arrives at each end.
/// @param blocks    blocks of a line
/// @param ends      [2 × lines × nodes] those of leaving molecules are overwritten
/// @param arriving  [2 × lines × blocks] overwritten
template <class Limiter, class Real>
__global__ void find_leaving(Lines<Real> lines, NodeVelocities nodes, int blocks, Real* ends, double* arriving) {
  const int i = static_cast<int>(blockIdx.x) / blocks, block = static_cast<int>(blockIdx.x) % blocks;
  const std::int64_t k = static_cast<std::int64_t>(block) * wall_threads + threadIdx.x;
  double sums[2] = {};
  if (k < lines.nodes) {
    const Line<Real> line = lines.line(i);
    const bool forward = lines.forward(k);
    const auto leaving_at = [&](int cell) {
      const Real center = line.value(cell, k);
      const Real rise =
          line.template rise<Limiter>(cell, forward, line.value(cell - 1, k), center, line.value(cell + 1, k));
      return forward ? center + rise : center - rise;
    };
    const Real value = leaving_at(forward ? lines.own_last : lines.own_begin);
    const int before = forward ? lines.own_begin - 1 : lines.own_last + 1;
    ends[(i + (forward ? lines.count : 0)) * lines.nodes + k] = value;
    Real* entering = ends + (i + (forward ? 0 : lines.count)) * lines.nodes + k;
    if (lines.periodic)
      *entering = value;
    else if (before >= 0 && before < line.cells)
      *entering = leaving_at(before);
    sums[forward ? 1 : 0] = std::abs(nodes.velocity(lines.axis, lines.along(k))) * static_cast<double>(value);
  }
  const double sum = collision::block_sum<wall_threads>(sums);
  if (threadIdx.x < 2) arriving[(static_cast<int>(threadIdx.x) * lines.count + i) * blocks + block] = sum;
}

/// Values at one end of lines of molecules that enter the gas.
/// @param faces     [lines] at this end
/// @param begin,end index along the axis of the nodes that enter
/// @param arriving  [lines × blocks] sums of find_leaving() for this end
/// @param values    [lines × nodes] f at this end
template <class Law, class Real>
__global__ void balance_walls(Law law, Lines<Real> lines, const BoundaryFace* faces, int begin, int end,
                              const double* arriving, int blocks, Real* values) {
  __shared__ double total;
  const int i = static_cast<int>(blockIdx.x) / blocks;
  double sums[1] = {};
  for (int block = static_cast<int>(threadIdx.x); block < blocks; block += wall_threads)
    sums[0] += arriving[i * blocks + block];
  const double sum = collision::block_sum<wall_threads>(sums);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  const BoundaryFace& face = faces[i];
  law.balance(total, face.unit_flux);
  const int n = lines.n;
  const std::int64_t k = static_cast<std::int64_t>(static_cast<int>(blockIdx.x) % blocks) * wall_threads + threadIdx.x;
  if (k >= lines.nodes) return;
  const int index = lines.along(k), opposite = n - 1 - index;
  if (index < begin || index >= end) return;
  Real* node = values + i * lines.nodes + k;
  const bool has_opposite = opposite < begin || opposite >= end;  // else the wall does not reflect
  const int apart = lines.axis == 0 ? 1 : n;
  const double reflected = has_opposite ? static_cast<double>(node[(opposite - index) * apart]) : 0;
  const double emitted =
      face.maxwellian.value(static_cast<int>(k % n), static_cast<int>(k / n % n), static_cast<int>(k / n / n));
  *node = static_cast<Real>(law.entering(emitted, reflected));
}

}  // namespace shoal::gas
