// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/cuda/launch.cuh"
#include "deposit/deposit_call.hpp"

/// What the methods of Larson, Carver and Zhao (2015) share: a first kernel writes the sums of each cell's corners, for
/// at most three values at a time, and a second one collects the sums of the cells around each node.
namespace shoal::cuda {

/// The paper's area, mass and volume.
inline constexpr int most_paper_values = 3;

/// What the first kernel is given, for `values.count` values of the call.
template <class Real>
struct PaperPass {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  Fields<const Real> values;
  Real* sums = nullptr;    ///< of cell 0: [values][corners]
  std::int64_t width = 0;  ///< from the sums of a cell to those of the next: corners times all values of the call

  /// The sums of a cell.
  __device__ Real* sums_of(std::int64_t cell) const { return sums + cell * width; }
};

/// What a kernel is compiled for, so that loops over corners have a known length, and grids without blocked cells pay
/// nothing for them: that is nearly half of the registers in double.
template <int corners_of_cell, bool has_blocked>
struct PaperShape {
  static constexpr int corners = corners_of_cell;

  /// The same space, with what is known of it.
  template <class Real>
  __device__ static DepositSpace<Real> of(DepositSpace<Real> space) {
    space.dimensions = corners == 8 ? 3 : 2;
    if (!has_blocked) space.open_corners = nullptr;
    return space;
  }
};

/// Calls run.operator()<PaperShape>() for the shape of a space.
template <class Real, class Run>
void with_paper_shape(const DepositSpace<Real>& space, Run&& run) {
  const bool has_blocked = space.open_corners != nullptr;
  if (space.corners() == 8)
    has_blocked ? run.template operator()<PaperShape<8, true>>() : run.template operator()<PaperShape<8, false>>();
  else
    has_blocked ? run.template operator()<PaperShape<4, true>>() : run.template operator()<PaperShape<4, false>>();
}

/// The second kernel: each node adds the sums of the cells around it, step 5 of the canonical sum.
/// @param sums  [cells][values][corners]
template <class Real>
void collect_sums(const DepositCall<Real>& call, const Real* sums);

/// Values [first, first + values) of a call, as the first kernel takes them.
template <class Real>
PaperPass<Real> paper_pass(const DepositCall<Real>& call, Real* sums, int first) {
  const std::int64_t corners = call.space.corners();
  PaperPass<Real> pass{call.space, call.particles, {}, sums + first * corners, corners * call.value_count()};
  pass.values.count = std::min(most_paper_values, call.value_count() - first);
  for (int v = 0; v < pass.values.count; ++v) {
    pass.values.data[v] = call.values.data[first + v];
    pass.values.stride[v] = call.values.stride[first + v];
  }
  return pass;
}

/// Both kernels.
/// @param first_kernel  launches the first one: first_kernel.operator()<PaperShape, values>(pass)
template <class Real, class FirstKernel>
void run_paper_method(const DepositCall<Real>& call, FirstKernel&& first_kernel) {
  ScratchFrame frame(call.scratch);
  const std::int64_t width = static_cast<std::int64_t>(call.space.corners()) * call.value_count();
  Real* const sums = frame.array<Real>(call.space.cell_count() * width).data;
  for (int first = 0; first < call.value_count(); first += most_paper_values) {
    const PaperPass<Real> pass = paper_pass(call, sums, first);
    with_paper_shape(call.space, [&]<class Shape>() {
      switch (pass.values.count) {
        case 1:
          first_kernel.template operator()<Shape, 1>(pass);
          break;
        case 2:
          first_kernel.template operator()<Shape, 2>(pass);
          break;
        default:
          first_kernel.template operator()<Shape, most_paper_values>(pass);
      }
    });
  }
  collect_sums(call, sums);
}

}  // namespace shoal::cuda
