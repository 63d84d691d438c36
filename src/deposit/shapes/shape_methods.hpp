// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/grid_to_particles/grid_to_particles.hpp"
#include "deposit/shapes/shape_item.hpp"

/// Deposit and interpolation with the shapes `tsc` and `pcs` on the CPU.
namespace shoal::deposit {

/// Calls run(TscShape{}) or run(PcsShape{}).
template <class Run>
void with_shape(DepositShape shape, Run&& run) {
  if (shape == DepositShape::tsc) return run(TscShape{});
  if (shape == DepositShape::pcs) return run(PcsShape{});
  throw Error(text("deposit: shape \"", to_name(shape), "\" has code of its own. Report this as an error of shoal."));
}

/// Transfers of the methods `serial`, `sorted` and `integer` with call.shape.
template <class Real>
void run_serial_shape(const DepositCall<Real>& call);
template <class Real>
void run_sorted_shape(const DepositCall<Real>& call);
template <class Real>
void run_integer_shape(const DepositCall<Real>& call);

/// Interpolation and its gradient with a shape; see NodeInterpolation.
template <class Real>
void interpolate_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job);
template <class Real>
void interpolate_gradient_shape(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job);

}  // namespace shoal::deposit
