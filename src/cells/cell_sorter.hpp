// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "cells/cells_method.hpp"

namespace shoal::cells {

/// A plan that sorts points whose cells are known: the part of `Cells` that other operations use.
///
/// On CUDA no call waits, and a second call with the same sizes allocates nothing, so a graph can capture it.
class CellSorter {
 public:
  /// @throws Error  there is no such method on this device
  explicit CellSorter(const Queue& queue, std::string_view method = "auto");

  /// @param cell_of_point  [n] contiguous, on the queue's device, each at most cell_count; read until the sort has run
  void sort(View<const std::uint32_t> cell_of_point, std::int64_t cell_count);

  View<const std::int64_t> cell_start() const { return cell_start_; }  ///< [cell_count + 2]
  View<const std::int32_t> order() const { return order_; }            ///< [n]
  std::int64_t bytes() const { return scratch_.bytes() + cell_start_.bytes() + order_.bytes() + previous_.bytes(); }
  /// The method of the last sort; before it, that for few points.
  MethodInfo method() const { return method_info("cells", *method_); }

 private:
  Scratch scratch_;
  std::string name_;
  const CellsMethod* method_;
  Array<std::int64_t> cell_start_;
  Array<std::int32_t> order_;
  PreviousSort previous_;
};

}  // namespace shoal::cells
