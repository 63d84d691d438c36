// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/item/host_device.hpp>

#include <cstdint>

#include "core/backends.hpp"

namespace shoal {

/// A stage of Shu and Osher's at one node: a mean of f and of an Euler step from `now`.
/// @param share  of f
template <class Real>
SHOAL_HD Real relaxation_stage(Real f, Real now, Real q, Real share, Real step) {
  return share * f + (1 - share) * (now + step * q);
}

namespace cpu {

/// now = share f + (1 − share) (now + step q), node by node.
template <class Real>
void relax(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count, Real* now);

}  // namespace cpu

namespace cuda {

template <class Real>
void relax(const Queue& queue, const Real* f, const Real* q, double share, double step, std::int64_t count, Real* now);

}  // namespace cuda

}  // namespace shoal
