// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/cuda/launch.cuh"
#include "deposit/deposit_method.hpp"

/// The two kernels of the methods of Larson, Carver and Zhao (2015): the first one, which differs between methods, writes
/// the sums of each cell's corners for at most three values; the second one adds the sums of the cells around each node.
namespace shoal::deposit::paper {

/// Greatest number of values of a pass: the paper's area, mass and volume.
inline constexpr int max_values = 3;

/// Arguments of the first kernel, for `values.count` values of the call.
template <class Real>
struct Pass {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  Fields<const Real> values;
  Real* sums = nullptr;    ///< [values][corners] of cell 0
  std::int64_t width = 0;  ///< Distance between the sums of cells: corners times all values of the call

  /// The sums of a cell.
  __device__ Real* sums_of(std::int64_t cell) const { return sums + cell * width; }
};

/// Compile-time constants of a kernel: loops over corners have a constant length, and grids without blocked cells need no
/// registers for them.
template <int corners_of_cell, bool has_blocked>
struct Shape {
  static constexpr int corners = corners_of_cell;

  /// Returns the space with the constants filled in.
  template <class Real>
  __device__ static DepositSpace<Real> apply(DepositSpace<Real> space) {
    space.dimensions = corners == 8 ? 3 : 2;
    if (!has_blocked) space.open_corners = nullptr;
    return space;
  }
};

/// Calls run.operator()<Shape>() with the constants of a space.
template <class Real, class Run>
void with_shape(const DepositSpace<Real>& space, Run&& run) {
  const bool has_blocked = space.open_corners != nullptr;
  if (space.corners() == 8)
    has_blocked ? run.template operator()<Shape<8, true>>() : run.template operator()<Shape<8, false>>();
  else
    has_blocked ? run.template operator()<Shape<4, true>>() : run.template operator()<Shape<4, false>>();
}

/// Runs the second kernel: each node adds the sums of the cells around it, as step 5 of the canonical sum.
/// @param sums  [cells][values][corners]
template <class Real>
void collect_sums(const DepositCall<Real>& call, const Real* sums);

/// Arguments of the first kernel for the values of a call from `first` on.
template <class Real>
Pass<Real> make_pass(const DepositCall<Real>& call, Real* sums, int first) {
  const std::int64_t corners = call.space.corners();
  Pass<Real> pass{call.space, call.particles, {}, sums + first * corners, corners * call.value_count()};
  pass.values.count = std::min(max_values, call.value_count() - first);
  for (int v = 0; v < pass.values.count; ++v) {
    pass.values.data[v] = call.values.data[first + v];
    pass.values.stride[v] = call.values.stride[first + v];
  }
  return pass;
}

/// Runs both kernels.
/// @param first_kernel  first_kernel.operator()<Shape, values>(pass) launches the first kernel
template <class Real, class FirstKernel>
void run_method(const DepositCall<Real>& call, FirstKernel&& first_kernel) {
  ScratchFrame frame(call.scratch);
  const std::int64_t width = static_cast<std::int64_t>(call.space.corners()) * call.value_count();
  Real* const sums = frame.array<Real>(call.space.cell_count() * width).data;
  for (int first = 0; first < call.value_count(); first += max_values) {
    const Pass<Real> pass = make_pass(call, sums, first);
    with_shape(call.space, [&]<class CallShape>() {
      switch (pass.values.count) {
        case 1:
          first_kernel.template operator()<CallShape, 1>(pass);
          break;
        case 2:
          first_kernel.template operator()<CallShape, 2>(pass);
          break;
        default:
          first_kernel.template operator()<CallShape, max_values>(pass);
      }
    });
  }
  collect_sums(call, sums);
}

}  // namespace shoal::deposit::paper
