// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include <span>

#include "cells/cell_sort.hpp"
#include "core/method_table.hpp"
#include "neighbors/neighbors_item.hpp"

namespace shoal {

/// Compressed rows.
struct NeighborList {
  Array<std::int64_t> offsets;  ///< [destinations + 1]
  Array<std::int32_t> indices;  ///< [offsets[destinations]]
};

/// Points, their cells, and a sorter for them. Points without a cell (bad ones) have cell formula.cell_count().
template <class Real>
struct SearchSet {
  Points<Real> points;
  View<const std::uint32_t> cell_of_point;
  CellSorter& sorter;
};

/// What a method of `neighbors` is given.
template <class Real>
struct NeighborSearch {
  Scratch& scratch;
  PairTest<Real> test;
  CellFormula<Real> formula;  ///< neighbours are at most one cell apart on every axis
  SearchSet<Real> sources;
  SearchSet<Real> destinations;  ///< the sources again where one set is searched
  bool one_set = false;
  bool include_self = false;  ///< for one set
  NeighborList& list;         ///< out

  const Queue& queue() const { return scratch.queue(); }
  bool excludes_self() const { return one_set && !include_self; }
};

struct NeighborsMethod : MethodRow {
  void (*run_float)(const NeighborSearch<float>&);
  void (*run_double)(const NeighborSearch<double>&);

  void run(const NeighborSearch<float>& search) const { run_float(search); }
  void run(const NeighborSearch<double>& search) const { run_double(search); }
};

/// The table, best first for each device.
std::span<const NeighborsMethod> neighbors_rows();
std::vector<MethodInfo> neighbors_methods();

}  // namespace shoal
