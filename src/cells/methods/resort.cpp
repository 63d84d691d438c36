// SPDX-License-Identifier: Apache-2.0
// resort: puts points that changed their cell into the order of the last sort.
//
// idea           find the points whose cell is another than at the last sort, and sort these few twice: by the cell
//                they enter and by the one they left. A cell then starts later by the points that entered lower cells,
//                less those that left them. Runs of cells that nobody entered or left are copied; a row of a cell that
//                changed is its old row without those who left, merged with those who entered, by number
// source         shoal
// memory         8 bytes a point and 8 a cell for the last sort, 1 byte a point for those who moved
// atomics        none
// deterministic  yes: the order is the canonical one
// wins when      there are millions of points, not in the order of their cells in memory, and few of them change their
//                cell between sorts: 8 million on one core, one of 100 moved, take half the time of `counting`
// loses when     points fit the cache or come in the order of their cells, and more than one of 200 changed its cell.
//                Where more than one of 32 did, or there are more or fewer points or cells than at the last sort, it
//                does what `auto` does and has kept the last sort for nothing
// differs        -
#include <algorithm>
#include <bit>

#include "cells/methods/methods.hpp"
#include "core/primitives/primitives.hpp"
#include "core/range.hpp"

namespace shoal {

namespace {

constexpr std::int64_t most_share = 32;  ///< one point of so many may move

/// Points by a cell, then by number.
struct Movers {
  View<const std::uint32_t> cell;
  View<const std::int32_t> point;

  /// How many of them have a lower cell.
  std::int64_t below(std::int64_t cell_limit) const {
    return std::lower_bound(cell.data, cell.data + cell.count, cell_limit) - cell.data;
  }
  /// The cell of mover k, or that which follows the last one.
  std::int64_t cell_or(std::int64_t k, std::int64_t end) const { return k < cell.count ? cell.data[k] : end; }
};

bool is_as_large_as_last(const CellSort& sort) {
  return sort.memory.cell_of_point.count() == sort.point_count() &&
         sort.memory.cell_start.count() == sort.cell_start.count;
}

/// The points whose cell is another now, ascending.
/// @param point  room for them
/// @return       how many there are; more than there is room for: they were not written
std::int64_t find_movers(const CellSort& sort, ScratchFrame& frame, View<std::int32_t> point) {
  const std::uint32_t* now = sort.cell_of_point.data;
  const std::uint32_t* last = sort.memory.cell_of_point.data();
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
    std::int64_t to = begin.data[part];
    for (std::int64_t i = range.begin; to < begin.data[part + 1] && i < range.end; ++i)
      if (now[i] != last[i]) point.data[to++] = static_cast<std::int32_t>(i);
  }
  return total;
}

/// @param point  ascending, [n]
/// @param cells  of all points
Movers sorted_by_cell(const CellSort& sort, ScratchFrame& frame, View<const std::int32_t> point,
                      View<const std::uint32_t> cells, std::int64_t most) {
  const View<std::uint32_t> cell = frame.array<std::uint32_t>(most);
  const View<std::uint32_t> sorted_cell = frame.array<std::uint32_t>(most);
  const View<std::int32_t> sorted_point = frame.array<std::int32_t>(most);
  const auto first = [&](const auto& view) { return std::decay_t<decltype(view)>(view.data, point.count); };
  for (std::int64_t k = 0; k < point.count; ++k) cell.data[k] = cells.data[point.data[k]];
  {  // as much as the sort of all that may move takes, so that it takes no more another time
    ScratchFrame of_sort(sort.scratch);
    of_sort.array<std::uint32_t>(most);
    of_sort.array<std::int32_t>(most);
  }
  const int bits = std::bit_width(static_cast<std::uint64_t>(sort.cell_count));
  sort_pairs<std::uint32_t, std::int32_t>(sort.scratch, {first(cell), point}, {first(sorted_cell), first(sorted_point)},
                                          bits);
  return {first(sorted_cell), first(sorted_point)};
}

/// The rows of some cells, from those of the last sort.
class RowMerge {
 public:
  RowMerge(const CellSort& sort, const Movers& entered, const Movers& left)
      : sort_(sort),
        entered_(entered),
        left_(left),
        order_(sort.memory.order.data()),
        start_(sort.memory.cell_start.data()) {}

  /// Writes the starts and rows of the cells.
  void run(Range cells) {
    in_ = entered_.below(cells.begin);
    out_ = left_.below(cells.begin);
    for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
      const std::int64_t changed =
          std::min({entered_.cell_or(in_, cells.end), left_.cell_or(out_, cells.end), cells.end});
      keep({cell, changed});
      if (changed < cells.end) merge(changed);
      cell = changed;
    }
  }

 private:
  std::int64_t shift() const { return in_ - out_; }

  void keep(Range cells) {
    for (std::int64_t cell = cells.begin; cell < cells.end; ++cell)
      sort_.cell_start.data[cell] = start_[cell] + shift();
    std::copy(order_ + start_[cells.begin], order_ + start_[cells.end],
              sort_.order.data + start_[cells.begin] + shift());
  }

  void merge(std::int64_t cell) {
    std::int32_t* to = sort_.order.data + start_[cell] + shift();
    sort_.cell_start.data[cell] = start_[cell] + shift();
    const auto enters = [&] { return in_ < entered_.cell.count && entered_.cell.data[in_] == cell; };
    for (std::int64_t k = start_[cell]; k < start_[cell + 1]; ++k) {
      const std::int32_t point = order_[k];
      if (out_ < left_.point.count && left_.point.data[out_] == point) {
        ++out_;
        continue;
      }
      while (enters() && entered_.point.data[in_] < point) *to++ = entered_.point.data[in_++];
      *to++ = point;
    }
    while (enters()) *to++ = entered_.point.data[in_++];
  }

  const CellSort& sort_;
  const Movers& entered_;
  const Movers& left_;
  const std::int32_t* order_;  ///< of the last sort
  const std::int64_t* start_;
  std::int64_t in_ = 0;   ///< points that entered cells so far
  std::int64_t out_ = 0;  ///< that left them
};

/// The cells of a part of the work, which is one for each cell and each point.
Range cells_of_part(const CellSort& sort, std::int64_t part, std::int64_t parts) {
  const std::int64_t* start = sort.memory.cell_start.data();
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
  const std::int64_t most = sort.point_count() / most_share + 1;
  ScratchFrame frame(sort.scratch);
  const View<std::int32_t> room = frame.array<std::int32_t>(most);
  const std::int64_t moved = find_movers(sort, frame, room);
  if (moved > most) return false;
  const View<const std::int32_t> point(room.data, moved);
  const Movers entered = sorted_by_cell(sort, frame, point, sort.cell_of_point, most);
  const Movers left = sorted_by_cell(sort, frame, point, sort.memory.cell_of_point, most);
  const int parts = sort.queue().threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) RowMerge(sort, entered, left).run(cells_of_part(sort, part, parts));
  sort.cell_start.data[sort.cell_count + 1] = sort.point_count();
  return true;
}

template <class T>
void keep_copy(const Queue& queue, View<const T> from, Array<T>& to) {
  to.resize(from.count);
  const int parts = queue.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(from.count, part, parts);
    std::copy(from.data + range.begin, from.data + range.end, to.data() + range.begin);
  }
}

void remember(const CellSort& sort) {
  sort.memory.cell_start.resize(0);  // nothing, should there be no memory for the rest
  keep_copy<std::uint32_t>(sort.queue(), sort.cell_of_point, sort.memory.cell_of_point);
  keep_copy<std::int32_t>(sort.queue(), sort.order, sort.memory.order);
  keep_copy<std::int64_t>(sort.queue(), sort.cell_start, sort.memory.cell_start);
}

void run(const CellSort& sort) {
  if (!is_as_large_as_last(sort) || !resort(sort)) auto_cells_method(sort.queue()).run(sort);
  remember(sort);
}

}  // namespace

const CellsMethod cells_resort_cpu{{"resort", DeviceKind::cpu, true, "shoal"}, run};

}  // namespace shoal
