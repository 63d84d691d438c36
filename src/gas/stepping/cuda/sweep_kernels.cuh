// SPDX-License-Identifier: Apache-2.0
// Sweeps on CUDA: along a line, and over the diagonals of a plane.
#pragma once
#include <cmath>

#include "core/cuda/launch.cuh"
#include "gas/physics/frequency_item.hpp"
#include "gas/stepping/cuda/advance_kernel.cuh"
#include "gas/stepping/cuda/lines.cuh"

namespace shoal::gas {

inline constexpr int sweep_ahead = 4;  ///< Cells whose values a thread of sweep_line() loads before it uses the first.
inline constexpr int diagonal_threads = 256;  ///< Threads of a block of sweep_diagonal().

/// Arguments of a sweep besides f of the previous iteration.
template <class Real>
struct Sweep {
  const Real* q;                     ///< [cells × nodes]
  const NodeFrequency* frequencies;  ///< [own cells]
  Real least;                        ///< smallest value that the collision term accepts
  Real* result;                      ///< [cells × nodes]
  bool solves[2];                    ///< [backward, forward] nodes that move so along the last axis are solved for
  Real* leaving;  ///< [lines along the last axis × nodes] f that leaves the own cells; null: not needed
};

/// ν of a node, and the smallest value after the sweep.
template <class Real>
struct NodeBounds {
  Real frequency, least;

  /// @param f  f of the previous iteration at the node
  __device__ __forceinline__ NodeBounds(const Sweep<Real>& sweep, const NodeFrequency& nu, const NodeVelocities& nodes,
                                        const Real* f, int x, int y, int z)
      : frequency(static_cast<Real>(nu.at(nodes.velocity(0, x), nodes.velocity(1, y), nodes.velocity(2, z)))),
        least(sweep.least) {
    if (nu.inverse_share == 0) return;
    frequency *= inverse_collision_factor(static_cast<Real>(nu.inverse_share), static_cast<Real>(nu.inverse_most), f, x,
                                          y, z, nodes.n);
    least = max(least, static_cast<Real>(least_share_with_inverse_collisions) * *f);
  }
};

/// One thread for each velocity, from the upwind end of a line along x to the other.
template <class Limiter, class Real>
__global__ void sweep_line(AllLines<Real> axes, NodeVelocities nodes, Sweep<Real> sweep, int number) {
  const std::int64_t k = thread_index();
  const Lines<Real>& lines = axes.axis[0];
  if (k >= lines.nodes) return;
  const Line<Real> line = lines.line(number);
  const int first_cell = number * lines.apart;
  const Real* __restrict__ q = sweep.q + first_cell * lines.nodes;
  const NodeFrequency* frequencies = sweep.frequencies + first_cell;
  Real* __restrict__ result = sweep.result + first_cell * lines.nodes;
  const bool forward = lines.forward(k);
  if (!sweep.solves[forward ? 1 : 0]) return;
  const int n = nodes.n, along = forward ? 1 : -1, upwind = forward ? lines.own_begin : lines.own_last;
  const int count = lines.own_last + 1 - lines.own_begin;
  const int x = static_cast<int>(k % n), y = static_cast<int>(k / n % n), z = static_cast<int>(k / n / n);
  const double speed = std::abs(nodes.velocity(0, x));
  Real before = line.value(upwind - along, k), center = line.value(upwind, k);
  Real arriving = (forward ? line.first_end : line.last_end)[k];
  for (int first = 0; first < count; first += sweep_ahead) {
    Real after[sweep_ahead], sources[sweep_ahead];
#pragma unroll
    for (int j = 0; j < sweep_ahead; ++j) {
      const int cell = upwind + along * min(first + j, count - 1);
      after[j] = line.value(cell + along, k);
      sources[j] = q[cell * line.beside + k];
    }
#pragma unroll
    for (int j = 0; j < sweep_ahead; ++j) {
      if (first + j >= count) break;
      const int cell = upwind + along * (first + j);
      const Real left = forward ? before : after[j], right = forward ? after[j] : before;
      const Real rise = static_cast<Real>(along) * line.template rise<Limiter>(cell, forward, left, center, right);
      const NodeBounds<Real> bounds(sweep, frequencies[(cell - lines.own_begin) * lines.step], nodes,
                                    line.f + cell * line.beside + k, x, y, z);
      const Real gain = sources[j] + bounds.frequency * center;
      const auto rate = static_cast<Real>(speed / lines.widths[cell]);
      const Real value = sweep_value(rate * (arriving - rise), gain, rate, bounds.frequency, bounds.least);
      result[cell * line.beside + k] = value;
      arriving = value + rise;
      before = center, center = after[j];
    }
  }
  if (sweep.leaving != nullptr) sweep.leaving[number * lines.nodes + k] = arriving;
}

/// One thread for each node of the cells on a diagonal of the plane, counted from the upwind corner of that node. The cells
/// before them are on the previous diagonal.
/// @param axes    lines of a species
/// @param groups  blocks of a cell
/// @param passed  [all rows × nodes] f at the downwind faces along x of the previous diagonal, as sweep.leaving along y;
///                overwritten
template <class Limiter, class Real>
__global__ void sweep_diagonal(AllLines<Real> axes, NodeVelocities nodes, Sweep<Real> sweep, int diagonal, int groups,
                               Real* passed) {
  const Lines<Real>&along_x = axes.axis[0], &along_y = axes.axis[1];
  const int columns = along_x.cells, rows = along_y.own_last + 1 - along_y.own_begin;
  const int first = max(0, diagonal - rows + 1), place = first + static_cast<int>(blockIdx.x) / groups;
  const int k = static_cast<int>(blockIdx.x) % groups * diagonal_threads + static_cast<int>(threadIdx.x);
  if (k >= along_x.nodes) return;
  const int n = nodes.n, x = k % n, y = k / n % n, z = k / n / n;
  const bool forward[2] = {x >= along_x.first_forward, y >= along_y.first_forward};
  if (!sweep.solves[forward[1] ? 1 : 0]) return;
  const int from[2] = {place, diagonal - place};  // distances from the upwind corner
  const int i = forward[0] ? from[0] : columns - 1 - from[0];
  const int j = forward[1] ? along_y.own_begin + from[1] : along_y.own_last - from[1];
  const int cell = j * along_y.step + along_y.number(i);
  const double v[2] = {nodes.velocity(0, x), nodes.velocity(1, y)};
  const std::int64_t index = cell * along_x.nodes + k;
  const Real center = along_x.f[index];
  Real inflow = 0, rates = 0, rises[2];
  Real* faces[2] = {passed + along_x.number(j) * along_x.nodes + k,
                    sweep.leaving + along_y.number(i) * along_x.nodes + k};
#pragma unroll
  for (int axis = 0; axis < 2; ++axis) {
    const Line<Real> line = axes.axis[axis].line(axis == 0 ? j : i);
    const int position = axis == 0 ? i : j;
    const Real arriving = from[axis] > 0 ? *faces[axis] : (forward[axis] ? line.first_end : line.last_end)[k];
    const Real rise = line.template rise<Limiter>(position, forward[axis], line.value(position - 1, k), center,
                                                  line.value(position + 1, k));
    const Real rate = static_cast<Real>(std::abs(v[axis])) * axes.axis[axis].inverse_widths[position];
    rises[axis] = forward[axis] ? rise : -rise;
    inflow += rate * (arriving - rises[axis]);
    rates += rate;
  }
  const NodeBounds<Real> bounds(sweep, sweep.frequencies[cell - along_y.own_begin * along_y.step], nodes,
                                along_x.f + index, x, y, z);
  const Real value =
      sweep_value(inflow, sweep.q[index] + bounds.frequency * center, rates, bounds.frequency, bounds.least);
  sweep.result[index] = value;
  for (int axis = 0; axis < 2; ++axis) *faces[axis] = value + rises[axis];
}

}  // namespace shoal::gas
