// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors/visitor.hpp>

#include "core/primitives/primitives.hpp"
#include "neighbors/neighbors_method.hpp"

/// Outputs computed from a finished list, or from prepared points without a list.
namespace shoal::neighbors {

/// Optional arrays of a list. Null: not wanted.
template <class Real>
struct EntryOutputs {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* indices = nullptr;
  std::int64_t rows = 0;
  std::int64_t room = 0;  ///< Number of entries that fit; nothing is written for a list that needs more.
  SurveySet<Real> destinations;
  SurveySet<Real> sources;
  PairTest<Real> test;
  int dimensions = 3;
  std::int64_t* wide_index = nullptr;
  Real* distance = nullptr;       ///< m
  Real* displacement[3] = {};     ///< m
  std::int64_t* edge = nullptr;   ///< [2 · room] destinations, then sources
  std::int32_t* shift = nullptr;  ///< [3 · room] periods along x, y and z, entry by entry

  /// Writes the arrays for one entry of row i, whose destination has the given position.
  SHOAL_HD void write(std::int64_t i, const Position<Real>& destination, std::int64_t entry) const {
    const std::int32_t j = indices[entry];
    if (wide_index != nullptr) wide_index[entry] = j;
    if (edge != nullptr) {
      edge[entry] = i;
      edge[room + entry] = j;
    }
    const Position<Real> source = sources.position(j, dimensions);
    if (shift != nullptr) {
      shift[3 * entry] = static_cast<std::int32_t>(test.shift(destination.x, source.x, 0));
      shift[3 * entry + 1] = static_cast<std::int32_t>(test.shift(destination.y, source.y, 1));
      shift[3 * entry + 2] = static_cast<std::int32_t>(test.shift(destination.z, source.z, 2));
    }
    const Position<Real> d = test.template displacement<true>(destination, source);
    if (distance != nullptr) distance[entry] = std::sqrt(PairTest<Real>::squared(d));
    if (displacement[0] != nullptr) displacement[0][entry] = d.x;
    if (displacement[1] != nullptr) displacement[1][entry] = d.y;
    if (displacement[2] != nullptr) displacement[2][entry] = d.z;
  }
};

/// Conversion of a list to a matrix.
struct MatrixOutput {
  const std::int64_t* offsets = nullptr;
  const std::int32_t* indices = nullptr;
  std::int64_t rows = 0;
  std::int64_t room = 0;     ///< Number of entries that fit; nothing is written for a list that needs more.
  std::int64_t maximum = 0;  ///< Number of columns.
  std::int32_t* matrix = nullptr;
  std::int64_t* longest =
      nullptr;  ///< Out: length of the longest row that exceeds `maximum`, starting from 0. CUDA only.
  Status* status = nullptr;

  SHOAL_HD bool fits() const { return offsets[rows] <= room; }
  SHOAL_HD std::int64_t length(std::int64_t row) const { return offsets[row + 1] - offsets[row]; }
  /// Writes one element of a row that is not longer than `maximum`.
  SHOAL_HD void write(std::int64_t row, std::int64_t column) const {
    matrix[row * maximum + column] = column < length(row) ? indices[offsets[row] + column] : -1;
  }
};

/// Sums of weights over neighbors.
template <class Real>
struct NeighborSum {
  NeighborPairs<Real> pairs;
  NeighborVisitor<Real> visitor;
  const Real* weights = nullptr;  ///< [sources] in sorted order
  View<Real> out;                 ///< [destinations]

  /// Computes the sum of the destination with sorted index k.
  SHOAL_HD void run(std::int64_t k) const {
    Real total = 0;
    visitor.visit_places(k, [&](std::int64_t j, std::int32_t, const Position<Real>&, Real) { total += weights[j]; });
    out.data[visitor.destination(k) * out.stride] = total;
  }
};

/// Calls run(sum) with weights in sorted order.
template <class Real, class Run>
void sum_in_sorted_order(Scratch& scratch, NeighborSum<Real> sum, View<const Real> weights, Run&& run) {
  const Queue& queue = scratch.queue();
  ScratchFrame frame(scratch);
  const View<Real> sorted_weights = frame.array<Real>(weights.count);
  gather(queue, weights, View<const std::int32_t>(sum.pairs.sources.order, weights.count, queue.device()),
         sorted_weights);
  sum.weights = sorted_weights.data;
  run(sum);
}

/// Device-dependent steps on finished lists and prepared points. They do not wait.
template <class Real>
struct ListBackend {
  void (*write_entries)(const Queue& queue, const EntryOutputs<Real>& outputs);
  void (*write_matrix)(const Queue& queue, const MatrixOutput& output);
  /// @param weights  [sources] in the points' order, any stride
  void (*sum_neighbors)(Scratch& scratch, const NeighborSum<Real>& sum, View<const Real> weights);

  static const ListBackend cpu, cuda;
};

/// Computes out[i] = the sum of weights[j] over the neighbors j of destination i. Does not wait.
/// @param weights  [sources], any stride
/// @param out      [destinations], any stride
template <class Real>
void sum_neighbors(Scratch& scratch, const NeighborPairs<Real>& pairs, bool periodic, View<const Real> weights,
                   View<Real> out);

}  // namespace shoal::neighbors
