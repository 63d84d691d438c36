// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/launch.cuh"
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

/// The space of kernels that are compiled for 8 corners a cell, or for 4: loops over corners have a known length.
template <int corners, class Real>
__device__ DepositSpace<Real> with_corners(DepositSpace<Real> space) {
  static_assert(corners == 4 || corners == 8);
  space.dimensions = corners == 8 ? 3 : 2;
  return space;
}

/// The second kernel: each node adds the sums of the cells around it, step 5 of the canonical sum.
/// @param sums  [cells][values][corners]
template <class Real>
void collect_sums(const DepositCall<Real>& call, const Real* sums);

/// @param first_kernel  launches it: first_kernel.operator()<corners, values>(pass), with values = pass.values.count
template <int corners, class Real, class FirstKernel>
void run_paper_passes(const DepositCall<Real>& call, FirstKernel&& first_kernel) {
  ScratchFrame frame(call.scratch);
  const std::int64_t width = static_cast<std::int64_t>(call.value_count()) * corners;
  Real* const sums = frame.array<Real>(call.space.cell_count() * width).data;
  for (int first = 0; first < call.value_count(); first += most_paper_values) {
    PaperPass<Real> pass{call.space, call.particles, {}, sums + first * corners, width};
    pass.values.count = std::min(most_paper_values, call.value_count() - first);
    for (int v = 0; v < pass.values.count; ++v) {
      pass.values.data[v] = call.values.data[first + v];
      pass.values.stride[v] = call.values.stride[first + v];
    }
    switch (pass.values.count) {
      case 1: first_kernel.template operator()<corners, 1>(pass); break;
      case 2: first_kernel.template operator()<corners, 2>(pass); break;
      default: first_kernel.template operator()<corners, 3>(pass);
    }
  }
  collect_sums(call, sums);
}

template <class Real, class FirstKernel>
void run_paper_method(const DepositCall<Real>& call, FirstKernel&& first_kernel) {
  if (call.space.corners() == 8)
    run_paper_passes<8>(call, first_kernel);
  else
    run_paper_passes<4>(call, first_kernel);
}

}  // namespace shoal::cuda
