// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/distribution/distribution_item.hpp"
#include "collision/setup/collision_setup.hpp"
#include "core/backends.hpp"
#include "core/device/status.hpp"
#include "core/memory/scratch.hpp"

namespace shoal {

/// What is wrong with a node of f; the item is its number over all cells, Status::value[0] is not written.
struct CollisionFault {
  static constexpr int not_finite = 0;
  static constexpr int negative = 1;
};

/// Node i of f over all cells; notes what is wrong with it.
template <class Real>
SHOAL_HD Real checked_node(const View<const Real>& f, std::int64_t i, bool accept_negative, Status* status) {
  const Real value = f.data[i * f.stride];
  if (!std::isfinite(value))
    record(status, i, CollisionFault::not_finite);
  else if (value < 0 && !accept_negative)
    record(status, i, CollisionFault::negative);
  return value;
}

/// Work on the nodes of cells whose arrays follow each other, on the queue's device. Each device adds in an order of
/// its own, which is the same on every run and for any number of threads.
namespace cpu {

/// Copies to contiguous memory and notes what is wrong.
template <class Real>
void take_distribution(const Queue& queue, View<const Real> f, bool accept_negative, Real* to, Status* status);

/// Copies back.
template <class Real>
void put_distribution(const Queue& queue, const Real* from, View<Real> to);

/// Sums of the terms of distribution_item.hpp over each cell's nodes, times the volume of a node.
/// @return [cells][Terms::count] in memory of the frame
template <class Terms>
double* sums_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                std::int64_t cells);

/// What gas is in each cell.
/// @return [cells] in memory of the frame
template <class Real>
GasState* gas_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f, std::int64_t cells);

/// Its Maxwellian at the nodes.
template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells, Real* to);

/// a −= b
template <class Real>
void subtract(const Queue& queue, const Real* b, std::int64_t count, Real* a);

/// a *= b
template <class Real>
void multiply(const Queue& queue, const Real* b, std::int64_t count, Real* a);

/// Sets what is outside the support to 0.
template <class Real>
void keep_support(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values);

/// q += weight (a + b·v + c v²) within the support, so that ∫ (1, v, v²) q = 0; weight null: 1.
template <class Real>
void project(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
             std::int64_t cells, Real* q);

}  // namespace cpu

namespace cuda {

template <class Real>
void take_distribution(const Queue& queue, View<const Real> f, bool accept_negative, Real* to, Status* status);
template <class Real>
void put_distribution(const Queue& queue, const Real* from, View<Real> to);
template <class Terms>
double* sums_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Terms& terms,
                std::int64_t cells);
template <class Real>
GasState* gas_of(ScratchFrame& frame, const Queue& queue, const VelocityGrid& grid, const Real* f, std::int64_t cells);
template <class Real>
void maxwellian(const Queue& queue, const VelocityGrid& grid, const GasState* gas, std::int64_t cells, Real* to);
template <class Real>
void subtract(const Queue& queue, const Real* b, std::int64_t count, Real* a);
template <class Real>
void multiply(const Queue& queue, const Real* b, std::int64_t count, Real* a);
template <class Real>
void keep_support(const Queue& queue, const VelocitySupport& support, std::int64_t count, Real* values);
template <class Real>
void project(Scratch& scratch, const VelocityGrid& grid, const VelocitySupport& support, const Real* weight,
             std::int64_t cells, Real* q);

}  // namespace cuda

}  // namespace shoal

/// All of it for a type of numbers, in the namespace of a device.
#define SHOAL_INSTANTIATE_SUMS(Terms) \
  template double* sums_of(ScratchFrame&, const Queue&, const VelocityGrid&, const Terms&, std::int64_t);
#define SHOAL_INSTANTIATE_DISTRIBUTION(Real)                                                              \
  SHOAL_INSTANTIATE_SUMS(LowMoments<Real>)                                                                \
  SHOAL_INSTANTIATE_SUMS(HighMoments<Real>)                                                               \
  SHOAL_INSTANTIATE_SUMS(EntropyTerm<Real>)                                                               \
  SHOAL_INSTANTIATE_SUMS(DefectTerms<Real>)                                                               \
  SHOAL_INSTANTIATE_SUMS(EdgeTerms<Real>)                                                                 \
  template void take_distribution(const Queue&, View<const Real>, bool, Real*, Status*);                  \
  template void put_distribution(const Queue&, const Real*, View<Real>);                                  \
  template GasState* gas_of(ScratchFrame&, const Queue&, const VelocityGrid&, const Real*, std::int64_t); \
  template void maxwellian(const Queue&, const VelocityGrid&, const GasState*, std::int64_t, Real*);      \
  template void subtract(const Queue&, const Real*, std::int64_t, Real*);                                 \
  template void multiply(const Queue&, const Real*, std::int64_t, Real*);                                 \
  template void keep_support(const Queue&, const VelocitySupport&, std::int64_t, Real*);                  \
  template void project(Scratch&, const VelocityGrid&, const VelocitySupport&, const Real*, std::int64_t, Real*);
