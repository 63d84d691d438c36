// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_visitor.hpp>

#include "core/primitives/primitives.hpp"
#include "neighbors/neighbors_method.hpp"

/// What is made of a finished list: src/neighbors/list/list_outputs.cpp, list_outputs_cpu.cpp and list_outputs_cuda.cu.
namespace shoal {

/// Arrays beside the indices of a list, for those entries that a row has. Null: not wanted.
template <class Real>
struct EntryOutputs {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* indices = nullptr;
  std::int64_t rows = 0;
  std::int64_t room = 0;  ///< entries that fit; of a list that needs more nothing is written
  SurveySet<Real> destinations;
  SurveySet<Real> sources;
  PairTest<Real> test;
  int dimensions = 3;
  std::int64_t* wide = nullptr;
  Real* distance = nullptr;
  Real* displacement[3] = {};

  /// Writes the entry of destination position `at`.
  SHOAL_HD void write(const Position<Real>& at, std::int64_t entry) const {
    const std::int32_t j = indices[entry];
    if (wide != nullptr) wide[entry] = j;
    const Position<Real> d = test.template displacement<true>(at, sources.at(j, dimensions));
    if (distance != nullptr) distance[entry] = std::sqrt(PairTest<Real>::squared(d));
    if (displacement[0] != nullptr) displacement[0][entry] = d.x;
    if (displacement[1] != nullptr) displacement[1][entry] = d.y;
    if (displacement[2] != nullptr) displacement[2][entry] = d.z;
  }
};

/// A list as a matrix.
struct MatrixOutput {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* indices = nullptr;
  std::int64_t rows = 0;
  std::int64_t room = 0;     ///< entries that fit; of a list that needs more nothing is written
  std::int64_t maximum = 0;  ///< columns
  std::int32_t* matrix = nullptr;
  std::int64_t* longest = nullptr;  ///< out, rows longer than `maximum` only; starts at 0
  Status* status = nullptr;

  SHOAL_HD bool fits() const { return offsets[rows] <= room; }
  SHOAL_HD std::int64_t length(std::int64_t row) const { return offsets[row + 1] - offsets[row]; }
  /// The element of a row that is long enough to be written.
  SHOAL_HD void write(std::int64_t row, std::int64_t column) const {
    matrix[row * maximum + column] = column < length(row) ? indices[offsets[row] + column] : -1;
  }
};

/// Sums over neighbors.
template <class Real>
struct NeighborSum {
  NeighborPairs<Real> pairs;
  NeighborVisitor<Real> visitor;
  const Real* weights = nullptr;  ///< by place
  View<Real> out;

  SHOAL_HD void run(std::int64_t k) const {
    Real total = 0;
    visitor.visit_places(
        k, [&](std::int64_t place, std::int32_t, const Position<Real>&, Real) { total += weights[place]; });
    out.data[visitor.destination(k) * out.stride] = total;
  }
};

/// Calls run(sum) with weights by place.
template <class Real, class Run>
void sum_by_place(Scratch& scratch, NeighborSum<Real> sum, View<const Real> weights, Run&& run) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const View<Real> by_place = frame.array<Real>(weights.count);
  gather(queue, weights, View<const std::int32_t>(sum.pairs.sources.order, weights.count, queue.device()), by_place);
  sum.weights = by_place.data;
  run(sum);
}

/// On the queue's device; nothing waits.
template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs);
void write_matrix(const Queue& queue, const MatrixOutput& output);
/// @param weights  [sources], any stride
/// @param out      [destinations], any stride
template <class Real>
void sum_neighbors(Scratch& scratch, const NeighborPairs<Real>& pairs, bool periodic, View<const Real> weights,
                   View<Real> out);

namespace cpu {
template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs);
void write_matrix(const Queue& queue, const MatrixOutput& output);
template <class Real>
void sum_neighbors(Scratch& scratch, const NeighborSum<Real>& sum, View<const Real> weights);
}  // namespace cpu

namespace cuda {
template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs);
void write_matrix(const Queue& queue, const MatrixOutput& output);
template <class Real>
void sum_neighbors(Scratch& scratch, const NeighborSum<Real>& sum, View<const Real> weights);
}  // namespace cuda

}  // namespace shoal
