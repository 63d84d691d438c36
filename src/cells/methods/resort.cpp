// SPDX-License-Identifier: Apache-2.0
// resort: updates the last sort with the points that changed their cell.
//
// idea           sorts only the points that changed their cell, by the entered cell and by the left cell. Unchanged
//                cells are copied at a shifted offset; a changed cell merges its points with those that entered
// source         shoal
// memory         8 bytes per point and 8 per cell for the last sort, 1 byte per point for the moved points
// atomics        none
// deterministic  yes: the order is the canonical one
// wins when      there are millions of points, in memory not ordered by cell, and few change their cell between sorts
// loses when     points fit the cache or are ordered by cell; if too many moved, it runs the method that `auto` selects
// deviations     none
#include <algorithm>
#include <bit>

#include "cells/methods/methods.hpp"
#include "cells/tuning.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"

namespace shoal::cells {

namespace {

/// Points that changed their cell, by the cell that they entered or left, then by number.
struct Movers {
  View<const std::uint32_t> cell;
  View<const std::int32_t> point;

  /// Number of movers with a lower cell.
  std::int64_t count_below(std::int64_t cell_limit) const {
    return std::lower_bound(cell.data, cell.data + cell.count, cell_limit) - cell.data;
  }
  /// Cell of mover k, or `end` after the last mover.
  std::int64_t cell_or(std::int64_t k, std::int64_t end) const { return k < cell.count ? cell.data[k] : end; }
};

bool has_size_of_previous(const CellSort& sort) {
  return sort.previous.cell_of_point.count() == sort.point_count() &&
         sort.previous.cell_start.count() == sort.cell_start.count;
}

/// Writes the points that changed their cell, in ascending order, if they fit.
/// @return  number of such points
std::int64_t find_movers(const CellSort& sort, ScratchFrame& frame, View<std::int32_t> point) {
  const std::uint32_t* now = sort.cell_of_point.data;
  const std::uint32_t* last = sort.previous.cell_of_point.data();
  const int parts = sort.queue().threads();
  const View<std::int64_t> begin = frame.array<std::int64_t>(parts + 1);
  begin.data[0] = 0;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(sort.point_count(), part, parts);
    std::int64_t moved = 0;
    for (std::int64_t i = range.begin; i < range.end; ++i) moved += now[i] != last[i] ? 1 : 0;
    begin.data[part + 1] = moved;
  }
  for (int part = 0; part < parts; ++part) begin.data[part + 1] += begin.data[part];
  const std::int64_t total = begin.data[parts];
  if (total > point.count) return total;
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(sort.point_count(), part, parts);
    std::int64_t slot = begin.data[part];
    for (std::int64_t i = range.begin; slot < begin.data[part + 1] && i < range.end; ++i)
      if (now[i] != last[i]) point.data[slot++] = static_cast<std::int32_t>(i);
  }
  return total;
}

/// Sorts moved points by their cell.
/// @param point  moved points, ascending
/// @param cells  cells of all points
/// @param most   greatest number of moved points, for which memory is reserved
Movers sorted_by_cell(const CellSort& sort, ScratchFrame& frame, View<const std::int32_t> point,
                      View<const std::uint32_t> cells, std::int64_t most) {
  const View<std::uint32_t> cell = frame.array<std::uint32_t>(most);
  const View<std::uint32_t> sorted_cell = frame.array<std::uint32_t>(most);
  const View<std::int32_t> sorted_point = frame.array<std::int32_t>(most);
  const auto first = [&](const auto& view) { return std::decay_t<decltype(view)>(view.data, point.count); };
  for (std::int64_t k = 0; k < point.count; ++k) cell.data[k] = cells.data[point.data[k]];
  {  // reserves what the sort of `most` points needs, so that a later sort allocates nothing
    ScratchFrame reserved(sort.scratch);
    reserved.array<std::uint32_t>(most);
    reserved.array<std::int32_t>(most);
  }
  const int bits = std::bit_width(static_cast<std::uint64_t>(sort.cell_count));
  sort_pairs<std::uint32_t, std::int32_t>(sort.scratch, {first(cell), point}, {first(sorted_cell), first(sorted_point)},
                                          bits);
  return {first(sorted_cell), first(sorted_point)};
}

/// Merges moved points into the cells of the last sort.
class CellMerge {
 public:
  CellMerge(const CellSort& sort, const Movers& entered, const Movers& left)
      : sort_(sort),
        entered_(entered),
        left_(left),
        order_(sort.previous.order.data()),
        start_(sort.previous.cell_start.data()) {}

  /// Writes the offsets and the points of the cells.
  void run(Range cells) {
    in_ = entered_.count_below(cells.begin);
    out_ = left_.count_below(cells.begin);
    for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
      const std::int64_t changed =
          std::min({entered_.cell_or(in_, cells.end), left_.cell_or(out_, cells.end), cells.end});
      copy_unchanged({cell, changed});
      if (changed < cells.end) merge(changed);
      cell = changed;
    }
  }

 private:
  std::int64_t shift() const { return in_ - out_; }

  void copy_unchanged(Range cells) {
    for (std::int64_t cell = cells.begin; cell < cells.end; ++cell)
      sort_.cell_start.data[cell] = start_[cell] + shift();
    std::copy(order_ + start_[cells.begin], order_ + start_[cells.end],
              sort_.order.data + start_[cells.begin] + shift());
  }

  void merge(std::int64_t cell) {
    std::int32_t* out = sort_.order.data + start_[cell] + shift();
    sort_.cell_start.data[cell] = start_[cell] + shift();
    const auto enters = [&] { return in_ < entered_.cell.count && entered_.cell.data[in_] == cell; };
    for (std::int64_t k = start_[cell]; k < start_[cell + 1]; ++k) {
      const std::int32_t point = order_[k];
      if (out_ < left_.point.count && left_.point.data[out_] == point) {
        ++out_;
        continue;
      }
      while (enters() && entered_.point.data[in_] < point) *out++ = entered_.point.data[in_++];
      *out++ = point;
    }
    while (enters()) *out++ = entered_.point.data[in_++];
  }

  const CellSort& sort_;
  const Movers& entered_;
  const Movers& left_;
  const std::int32_t* order_;  ///< [n] order of the last sort
  const std::int64_t* start_;  ///< [cells + 1] offsets of the last sort
  std::int64_t in_ = 0;        ///< Number of points that entered the cells so far
  std::int64_t out_ = 0;       ///< Number of points that left the cells so far
};

/// Cells of one part of the work; each cell and each point is one unit of work.
Range cells_of_part(const CellSort& sort, std::int64_t part, std::int64_t parts) {
  const std::int64_t* start = sort.previous.cell_start.data();
  const std::int64_t cells = sort.cell_count + 1;
  const auto first_cell = [&](std::int64_t p) {
    const std::int64_t work = part_range(cells + sort.point_count(), p, parts).begin;
    std::int64_t low = 0;
    for (std::int64_t high = cells; low < high;) {
      const std::int64_t middle = (low + high) / 2;
      if (middle + start[middle] < work)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  };
  return {first_cell(part), part + 1 < parts ? first_cell(part + 1) : cells};
}

/// Returns false if too many points moved.
bool resort(const CellSort& sort) {
  const std::int64_t most = sort.point_count() / tuning::points_per_mover + 1;
  ScratchFrame frame(sort.scratch);
  const View<std::int32_t> movers = frame.array<std::int32_t>(most);
  const std::int64_t moved = find_movers(sort, frame, movers);
  if (moved > most) return false;
  const View<const std::int32_t> point(movers.data, moved);
  const Movers entered = sorted_by_cell(sort, frame, point, sort.cell_of_point, most);
  const Movers left = sorted_by_cell(sort, frame, point, sort.previous.cell_of_point, most);
  const int parts = sort.queue().threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) CellMerge(sort, entered, left).run(cells_of_part(sort, part, parts));
  sort.cell_start.data[sort.cell_count + 1] = sort.point_count();
  return true;
}

template <class T>
void store(const Queue& queue, View<const T> from, Array<T>& out) {
  out.resize(from.count);
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(from.count, part, parts);
    std::copy(from.data + range.begin, from.data + range.end, out.data() + range.begin);
  }
}

void store_result(const CellSort& sort) {
  sort.previous.cell_start.resize(0);  // marks the previous sort as absent, in case an allocation fails
  store<std::uint32_t>(sort.queue(), sort.cell_of_point, sort.previous.cell_of_point);
  store<std::int32_t>(sort.queue(), sort.order, sort.previous.order);
  store<std::int64_t>(sort.queue(), sort.cell_start, sort.previous.cell_start);
}

void run(const CellSort& sort) {
  if (!has_size_of_previous(sort) || !resort(sort))
    find_cells_method("auto", sort.queue(), sort.point_count()).run(sort);
  store_result(sort);
}

}  // namespace

const CellsMethod resort_cpu{{"resort", DeviceKind::cpu, true, "shoal"}, run};

}  // namespace shoal::cells
