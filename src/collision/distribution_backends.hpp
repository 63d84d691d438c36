// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/collision_setup.hpp"
#include "core/status.hpp"

namespace shoal {

/// What is wrong with a node of f; the item is its number over all cells, Status::value[0] is not written.
struct CollisionFault {
  static constexpr int not_finite = 0;
  static constexpr int negative = 1;
};

/// Sums over a cell's nodes times functions of velocity. Nodes are added row by row, rows in order: the same bits for
/// any number of threads.
namespace cpu {

/// Copies to contiguous memory and notes what is wrong.
template <class Real>
void take_distribution(const Queue& queue, View<const Real> f, bool accept_negative, std::int64_t first, Real* to,
                       std::int64_t count, Status* status);

template <class Real>
VelocityMoments moments_of(const Queue& queue, const VelocityGrid& grid, const Real* f);

/// −∫ weight ln f; null for weight: f itself. Where f is 0 nothing is added.
template <class Real>
double entropy_of(const Queue& queue, const VelocityGrid& grid, const Real* f, const Real* weight);

template <class Real>
CollisionDefects defects_of(const Queue& queue, const VelocityGrid& grid, const Real* q);

/// Share of the density in the outermost layer of nodes.
template <class Real>
double edge_share(const VelocityGrid& grid, const Real* f);

/// The Maxwellian with these moments at the nodes.
template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const VelocityMoments& moments, Real* f);

template <class Real>
void collision_frequency(const Queue& queue, const CollisionSetup& setup, const Real* f, Real* frequency);

/// q += weight (a + b·v + c v²) so that ∫ (1, v, v²) q = 0; weight null: 1.
template <class Real>
void project(const Queue& queue, const VelocityGrid& grid, const Real* weight, Real* q);

}  // namespace cpu

}  // namespace shoal
