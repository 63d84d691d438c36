// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/grid_to_particles/grid_to_particles.hpp"
#include "deposit/shapes/shape_item.hpp"

/// Deposit and interpolation with the shapes `tsc` and `pcs`.
namespace shoal::deposit {

/// Calls run(TscShape{}) or run(PcsShape{}).
template <class Run>
void with_shape(DepositShape shape, Run&& run) {
  if (shape == DepositShape::tsc) return run(TscShape{});
  if (shape == DepositShape::pcs) return run(PcsShape{});
  throw Error(text("deposit: shape \"", to_name(shape), "\" has code of its own. Report this as an error of shoal."));
}

/// Transfers of methods with call.shape.
/// @{
template <class Real>
void run_serial_shape(const DepositCall<Real>& call);
template <class Real>
void run_sorted_shape(const DepositCall<Real>& call);
template <class Real>
void run_integer_shape(const DepositCall<Real>& call);
template <class Real>
void run_lanes_shape_cuda(const DepositCall<Real>& call);
template <class Real>
void run_integer_shape_cuda(const DepositCall<Real>& call);
/// @}

/// Interpolation and its gradient with a shape; see NodeInterpolation.
template <class Real>
struct ShapeInterpolationBackend {
  void (*interpolate)(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job);
  void (*interpolate_gradient)(const Queue& queue, DepositShape shape, const NodeInterpolation<Real>& job);

  static const ShapeInterpolationBackend cpu, cuda;
};

}  // namespace shoal::deposit
