// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/grid.hpp>
#include <shoal/methods.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace shoal::cells {

/// Treatment of a point without a cell: outside the grid on an axis that is not periodic, infinite, or NaN.
enum class Outside {
  error,  ///< Queue::wait() throws an Error that names the first such point
  bucket  ///< all such points go to one more cell after the last one
};

struct CellsOptions {
  std::string method = "auto";       ///< name of a method of methods("cells"), or "auto"
  Outside outside = Outside::error;  ///< treatment of points without a cell
};

/// Points sorted into the cells of a uniform grid: the permutation, the offsets of the cells, and any number of
/// reordered arrays.
///
/// The cell of a point is, on every axis and in the arithmetic of `Real`,
///
///     floor((x − lower) · (1 / spacing)),    at most cells − 1
///
/// for x in the closed interval [lower, upper]: a point on the upper bound belongs to the last cell. Periodic axes take
/// any x up to 2^62 cells away and wrap the number of the cell. The order is canonical: by cell, then by the point's
/// number. All methods give the same bits, on CPU and CUDA, for any number of threads.
///
/// A plan keeps its memory: another bin() allocates only if there are more points than ever before.
///
///     shoal::Cells<double> cells(queue, grid);
///     cells.bin(x, y, z);
///     cells.reorder(mass, sorted_mass);
///     queue.wait();  // the points of cell c are sorted_mass[cell_start[c]] ... sorted_mass[cell_start[c + 1] - 1]
///
/// Cost: the coordinates are read once; the sort moves 16 to 40 bytes per point, depending on the method. `Real` is float
/// or double. The notes at the head of each method's file are in src/cells/methods.
template <class Real>
class Cells {
 public:
  /// @throws Error  the grid is invalid, too fine for `Real`, or there is no such method on this device
  Cells(const Queue& queue, const Grid& grid, const CellsOptions& options = {});
  ~Cells();
  Cells(Cells&&) noexcept;
  Cells& operator=(Cells&&) noexcept;

  /// Sorts points; call it again after they moved. It overwrites the arrays that the plan returned before.
  /// @param x,y,z   [n] m, any stride, on the queue's device; n < 2^31 − 1. A 2-D grid ignores z.
  /// @throws Error  at once: counts differ, wrong device, too many points
  /// @throws Error  at Queue::wait(): a point has no cell, unless outside = bucket; names the first one
  void bin(View<const Real> x, View<const Real> y, View<const Real> z);

  /// Sorts points of two dimensions.
  /// @throws Error  the grid has three dimensions
  void bin(View<const Real> x, View<const Real> y);

  /// [cells + 1]: the points of cell c are at positions cell_start[c] to cell_start[c + 1] − 1 of the order. With
  /// outside = bucket [cells + 2]: the points without a cell follow those of the last cell.
  View<const std::int64_t> cell_start() const;

  /// [n]: the number of the point at each position of the order.
  View<const std::int32_t> order() const;

  /// [n]: the cell of each point, in the points' own order; grid.cell_count() for points without a cell.
  View<const std::uint32_t> cell_of_point() const;

  /// out[k] = in[order[k]]; any stride, not in place.
  /// @param in,out  [n] any unit, on the queue's device
  /// @throws Error  counts differ from n, or wrong device
  /// @{
  void reorder(View<const float> in, View<float> out) const;
  void reorder(View<const double> in, View<double> out) const;
  void reorder(View<const std::int32_t> in, View<std::int32_t> out) const;
  void reorder(View<const std::int64_t> in, View<std::int64_t> out) const;
  /// @}

  const Grid& grid() const;

  /// The method that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::cells

namespace shoal {
using cells::Cells;
using cells::CellsOptions;
using cells::Outside;

template <>
inline constexpr auto enumerator_names<Outside> = std::array<std::string_view, 2>{"error", "bucket"};
}  // namespace shoal
