// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/from_nodes.hpp"

/// The two sides of deposit/from_nodes.hpp.
namespace shoal {

namespace cpu {
template <class Real>
void interpolate_nodes(const Queue& queue, const NodeReading<Real>& reading);
template <class Real>
void interpolate_gradients(const Queue& queue, const NodeReading<Real>& reading);
template <class Real>
void share_nodes(const Queue& queue, const DepositSpace<Real>& space, const Fields<const Real>& nodes,
                 const Fields<Real>& cells);
template <class Real>
void find_lost(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
               const Fields<const Real>& value, View<double> lost);
}  // namespace cpu

namespace cuda {
template <class Real>
void interpolate_nodes(const Queue& queue, const NodeReading<Real>& reading);
template <class Real>
void interpolate_gradients(const Queue& queue, const NodeReading<Real>& reading);
template <class Real>
void share_nodes(const Queue& queue, const DepositSpace<Real>& space, const Fields<const Real>& nodes,
                 const Fields<Real>& cells);
template <class Real>
void find_lost(const Queue& queue, const DepositSpace<Real>& space, const BinnedParticles<Real>& particles,
               const Fields<const Real>& value, View<double> lost);
}  // namespace cuda

}  // namespace shoal
