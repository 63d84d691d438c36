// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/distribution/distribution_item.hpp"
#include "collision/distribution/mixture_item.hpp"
#include "collision/setup/collision_setup.hpp"
#include "core/backends.hpp"
#include "core/device/status.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Kinds of faults of a node of f. The item of the status is the node's number over all cells.
struct CollisionFault {
  static constexpr int not_finite = 0;
  static constexpr int negative = 1;
};

/// Returns the value of node i, counted over all cells, and records a fault in the status.
template <class Real>
SHOAL_HD Real checked_node(const View<const Real>& f, std::int64_t i, bool accept_negative, Status* status) {
  const Real value = f.data[i * f.stride];
  if (!std::isfinite(value))
    record(status, i, CollisionFault::not_finite);
  else if (value < 0 && !accept_negative)
    record(status, i, CollisionFault::negative);
  return value;
}

/// Sums the terms of distribution_item.hpp over the nodes of each cell, times the volume of a node.
/// @return  [cells][Terms::count] in memory of the frame
template <class Terms>
using CellSums = double* (*)(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                             std::int64_t cells);

/// Device-dependent work on the distributions of cells whose arrays follow each other. Each device adds in its own
/// order, which is the same on every run and for any number of threads.
template <class Real>
struct DistributionBackend {
  CellSums<LowMoments<Real>> low_moments;
  CellSums<HighMoments<Real>> high_moments;
  CellSums<EntropyTerm<Real>> entropy;
  CellSums<DefectTerms<Real>> defects;
  CellSums<EdgeTerms<Real>> edge;

  /// Copies f to contiguous memory and records faults.
  void (*load)(const Queue& queue, View<const Real> f, bool accept_negative, Real* values, Status* status);

  /// Copies contiguous values to a view.
  void (*store)(const Queue& queue, const Real* values, View<Real> view);

  /// Density, mean velocity and temperature of each cell.
  /// @return  [cells] in memory of the frame
  GasState* (*gas_states)(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f,
                          std::int64_t cells);

  /// Evaluates the Maxwellian of each cell at its nodes.
  void (*maxwellian)(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells,
                     Real* values);

  /// Gives both gases of each cell their common equilibrium.
  /// @param gas  [2][cells]
  void (*equalize)(const Queue& queue, const MassShares& shares, std::int64_t cells, GasState* gas);

  /// a += b
  void (*add)(const Queue& queue, const Real* b, std::int64_t count, Real* a);

  /// a −= b
  void (*subtract)(const Queue& queue, const Real* b, std::int64_t count, Real* a);

  /// a *= b
  void (*multiply)(const Queue& queue, const Real* b, std::int64_t count, Real* a);

  /// Sets the values of nodes outside the support to 0.
  void (*clear_outside)(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values);

  /// q += weight (a + b·v + c v²) within the support, so that ∫ (1, v, v²) q = 0. A weight of null is 1.
  void (*project)(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
                  std::int64_t cells, Real* q);

  /// Changes q of two gases as `project`, with the mass share a of each, so that ∫ q of each and Σ a ∫ (v, v²) q are 0:
  /// q += weight (α + a (b·v + c v²)), with an α for each gas.
  /// @param q, weight  [2][cells × nodes]
  void (*project_pairs)(Scratch& scratch, const VelocityGrid& grid, const MassShares& shares, const Real* weight,
                        std::int64_t cells, Real* q);

  static const DistributionBackend cpu, cuda;
};

/// Sums EvenTerms of one cell on the CPU, in the order of DistributionBackend::cpu.
/// @return  [EvenTerms::count] in memory of the frame
template <class Real>
double* host_even_moments(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid,
                          const EvenTerms<Real>& terms);

}  // namespace shoal::collision
