// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/bvh_cuda/point_order.cuh"

#include <bit>

#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "wall_distance/bvh_cuda/sortable.cuh"
#include "wall_distance/geometry/bounding_sphere_item.hpp"
#include "wall_distance/geometry/hilbert_curve_item.hpp"

namespace shoal::wall_distance {

namespace {

constexpr std::int64_t tile = 32;                ///< number of successive points that are compared
constexpr std::int64_t most_tiles = 4096;        ///< size of the sample of tiles
constexpr std::int64_t fewest_points = 1 << 12;  ///< fewer points are not sorted
constexpr std::int64_t most_points = std::int64_t{1} << 30;
constexpr std::int64_t points_a_cell = 8;
constexpr std::int64_t most_threads = 1 << 18;  ///< threads of kernels that have nothing to do if points are not sorted

__global__ void clear_spread(PointSpread* spread) {
  if (thread_index() > 0) return;
  for (int k = 0; k < 6; ++k) spread->bound[k] = k < 3 ? ~0ull : 0;
  spread->wide = 0;
}

/// Bounding box of a tile of points, one for each thread of a warp.
struct TileBox {
  double lower[3], upper[3];

  __device__ TileBox(const WallQueries& queries, std::int64_t tiles) {
    const std::int64_t existing = queries.count() / tile;
    const std::int64_t number = thread_index() / tile * existing / tiles;  // evenly spaced among all tiles
    const DoubleDoubleVector point = queries.point(number * tile + threadIdx.x % tile);
    const double position[3] = {point.x.high, point.y.high, point.z.high};
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_finite = std::abs(position[axis]) <= 1e100;
      lower[axis] = warp_least(is_finite ? position[axis] : infinite_distance<double>);
      upper[axis] = warp_largest(is_finite ? position[axis] : -infinite_distance<double>);
    }
  }
};

__global__ void bound_points(WallQueries queries, std::int64_t tiles, PointSpread* spread) {
  if (thread_index() / tile >= tiles) return;
  const TileBox box(queries, tiles);
  const unsigned axis = threadIdx.x % tile;
  if (axis >= 3) return;
  atomicMin(&spread->bound[axis], sortable(axis == 0 ? box.lower[0] : axis == 1 ? box.lower[1] : box.lower[2]));
  atomicMax(&spread->bound[3 + axis], sortable(axis == 0 ? box.upper[0] : axis == 1 ? box.upper[1] : box.upper[2]));
}

/// Longest edge of the bounding box of the points, m.
__device__ double longest_edge(const PointSpread& spread) {
  double longest = 0;
  for (int axis = 0; axis < 3; ++axis)
    longest = max(longest, from_sortable(spread.bound[3 + axis]) - from_sortable(spread.bound[axis]));
  return longest;
}

/// Counts wide tiles: those with an edge longer than an eighth of that of all points.
__global__ void count_wide(WallQueries queries, std::int64_t tiles, PointSpread* spread) {
  if (thread_index() / tile >= tiles) return;
  const TileBox box(queries, tiles);
  double edge = 0;
  for (int axis = 0; axis < 3; ++axis) edge = max(edge, box.upper[axis] - box.lower[axis]);
  if (threadIdx.x % tile == 0 && 8 * edge > longest_edge(*spread)) atomicAdd(&spread->wide, 1u);
}

/// Cell of a point, as its index along the Hilbert curve.
template <int dimensions>
__device__ std::uint64_t cell_of(const DoubleDoubleVector& point, const PointSpread& spread, int bits) {
  const double position[3] = {point.x.high, point.y.high, point.z.high};
  const double cells = static_cast<double>(1u << bits), edge = longest_edge(spread);
  std::uint32_t cell[dimensions];
  for (int axis = 0; axis < dimensions; ++axis) {
    const double share = (position[axis] - from_sortable(spread.bound[axis])) / edge;
    cell[axis] = static_cast<std::uint32_t>(max(0.0, min(share * cells, cells - 1)));
  }
  return hilbert_index(cell, bits);
}

/// Counts the points of each cell, and ranks the points within their cells.
template <int dimensions>
__global__ void count_cells(WallQueries queries, OrderedPoints points, int bits, std::int32_t* count,
                            std::int32_t* rank) {
  if (!points.is_sorted()) return;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = thread_index(); i < queries.count(); i += step)
    rank[i] = atomicAdd(count + cell_of<dimensions>(queries.point(i), *points.spread, bits), 1);
}

template <int dimensions>
__global__ void write_order(WallQueries queries, OrderedPoints points, int bits, const std::int64_t* first,
                            const std::int32_t* rank, std::int32_t* order) {
  if (!points.is_sorted()) return;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = thread_index(); i < queries.count(); i += step)
    order[first[cell_of<dimensions>(queries.point(i), *points.spread, bits)] + rank[i]] = static_cast<std::int32_t>(i);
}

}  // namespace

PointOrder::PointOrder(const Queue& queue)
    : queue_(queue),
      scratch_(queue),
      spread_(queue, 1),
      order_(queue, 0),
      rank_(queue, 0),
      count_(queue, 0),
      first_(queue, 0) {}

void PointOrder::arrange(const WallQueries& queries) {
  const std::int64_t n = queries.count();
  tiles_ = 0;
  if (n < fewest_points || n > most_points) return;
  tiles_ = static_cast<unsigned>(std::min(n / tile, most_tiles));
  if (queries.points.z.data != nullptr)
    arrange_in<3>(queries);
  else
    arrange_in<2>(queries);
}

template <int dimensions>
void PointOrder::arrange_in(const WallQueries& queries) {
  const std::int64_t n = queries.count();
  const int bits = (std::bit_width(static_cast<std::uint64_t>(n / points_a_cell)) + dimensions - 1) / dimensions;
  const std::int64_t cells = std::int64_t{1} << (bits * dimensions);
  order_.resize(n);
  rank_.resize(n);
  count_.resize(cells);
  first_.resize(cells);
  fill_bytes(queue_, count_.data(), 0, static_cast<std::size_t>(cells) * sizeof(std::int32_t));
  launch(queue_, 1, clear_spread, spread_.data());
  launch(queue_, tiles_ * tile, bound_points, queries, tiles_, spread_.data());
  launch(queue_, tiles_ * tile, count_wide, queries, tiles_, spread_.data());
  const std::int64_t threads = std::min(n, most_threads);
  launch(queue_, threads, count_cells<dimensions>, queries, view(), bits, count_.data(), rank_.data());
  exclusive_scan<std::int32_t>(scratch_, count_, first_);
  launch(queue_, threads, write_order<dimensions>, queries, view(), bits, first_.data(), rank_.data(), order_.data());
}

}  // namespace shoal::wall_distance
