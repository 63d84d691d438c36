// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/warp.cuh"
#include "deposit/sums/corner_parts.cuh"
#include "deposit/sums/sparse_tiles.cuh"
#include "deposit/sums/warp_cells.cuh"

/// Sums of nodes for cells with about one particle.
///
/// A warp computes a tile of nodes. It walks through the cells around them row by row, one lane per cell. A lane adds the
/// particles of its cell for all corners in registers. The left cell's parts come from the previous lane, those of the
/// row below from registers, those of the plane below from the lane's own shared memory. So parts never go to global
/// memory, and no warp waits for another.
namespace shoal::deposit::sparse_nodes {

using corner_parts::NodesOf;
using corner_parts::Values;
using corner_parts::ValuesOf;

constexpr int threads = 128;
constexpr int warps = threads / 32;
constexpr int max_by_lane = 4;  ///< Greatest number of particles that one lane adds; eight lanes add a fuller cell
constexpr int cluster = 64;     ///< A cell with more particles is a cluster, which an earlier kernel adds

/// Number of blocks that a multiprocessor holds at once.
template <int width, class Real>
constexpr int resident_blocks = width * sizeof(Real) > 16  ? 3
                                : width * sizeof(Real) > 8 ? 4
                                                           : 5;

/// Arguments of the kernels.
/// @tparam Stored  Values<width, Real> operator()(const FilledCell&, int corner): the part of a cell with more than
///                 sum_chunk particles, which an earlier kernel added
template <int width, class Real, class Stored>
struct SparseSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Stored stored;
  Real* cluster_parts;  ///< [cluster_slots()][width][8]: parts of clusters with one chunk

  /// At most two clusters begin in a window of `cluster` particles: one at its first particle and one after it.
  SHOAL_HD static std::int64_t cluster_slots(std::int64_t particles) { return 2 * (particles / cluster + 1); }
  __device__ Real* parts_of_cluster(std::int32_t cell_begin) const {
    const std::int64_t slot = 2 * std::int64_t{cell_begin / cluster} + (cell_begin % cluster != 0 ? 1 : 0);
    return cluster_parts + slot * width * 8;
  }
};

/// Particles of a cell. The number of the cell is read from its first particle where it is needed.
struct CellParticles {
  std::int32_t begin = 0;
  std::int32_t end = 0;

  __device__ std::int32_t count() const { return end - begin; }
};

/// Offset and values of a particle; the default adds +0.
template <int width, class Real>
struct Particle {
  Real offset[3] = {};
  Values<width, Real> value;
};

template <int corners, int width, class Real, class Stored>
__device__ __forceinline__ Particle<width, Real> particle_or_none(const SparseSum<width, Real, Stored>& call,
                                                                  const CellParticles& cell, int n) {
  Particle<width, Real> particle;
  if (n >= cell.count()) return particle;
  const std::int32_t p = cell.begin + n;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis)
    if (axis < 2 || corners == 8) particle.offset[axis] = __ldg(call.particles.offset[axis] + p);
  particle.value = call.values.read(p);
  return particle;
}

/// First particles of a lane's cells, copied to shared memory one row ahead; only the lane itself reads them. The copies
/// also bring most of the other particles into the cache.
template <int corners, int width, class Real>
class FirstParticles {
  static constexpr int skipped = corners == 8 ? 0 : 1;  ///< 1: no offsets along z

 public:
  using Memory = Real[2][3 - skipped + width][threads];

  __device__ explicit FirstParticles(Memory& memory) : memory_(memory) {}

  /// Requests the first particle of the next row.
  template <class Stored>
  __device__ __forceinline__ void request(const SparseSum<width, Real, Stored>& call, const CellParticles& cell) {
    if (cell.count() > 0) {
#pragma unroll
      for (int axis = 0; axis < 3 - skipped; ++axis)
        __pipeline_memcpy_async(&memory_[requested_][axis][threadIdx.x], call.particles.offset[axis] + cell.begin,
                                sizeof(Real));
#pragma unroll
      for (int k = 0; k < width; ++k)
        __pipeline_memcpy_async(&memory_[requested_][3 - skipped + k][threadIdx.x], call.values.data[k] + cell.begin,
                                sizeof(Real));
    }
    __pipeline_commit();
    requested_ = 1 - requested_;
  }

  /// The first particle of the row before the last requested row.
  __device__ __forceinline__ Particle<width, Real> get(const CellParticles& cell) const {
    __pipeline_wait_prior(1);
    Particle<width, Real> first;
    if (cell.count() == 0) return first;
#pragma unroll
    for (int axis = 0; axis < 3 - skipped; ++axis) first.offset[axis] = memory_[requested_][axis][threadIdx.x];
#pragma unroll
    for (int k = 0; k < width; ++k) first.value.component[k] = memory_[requested_][3 - skipped + k][threadIdx.x];
    return first;
  }

 private:
  Memory& memory_;
  int requested_ = 0;
};

/// One lane's cells in the rows of a tile, plane by plane and row by row.
template <int corners, int width, class Real, class Stored>
class CellRows {
 public:
  __device__ CellRows(const SparseSum<width, Real, Stored>& call, const Tile& tile)
      : call_(call),
        tile_(tile),
        x_(cell_above(0, tile.x + static_cast<int>(threadIdx.x % 32))),
        first_y_(cell_above(1, tile.y)) {
    begin_plane();
  }

  /// The lane's cell in the next row; no particles if there is no cell.
  __device__ __forceinline__ CellParticles next() {
    CellParticles cell;
    const std::int32_t y = row_ == 0 ? first_y_ : tile_.y + row_;
    if (has_cells_ && y >= 0 && y < call_.space.axes[1].cell_count()) {
      const std::int64_t* const start =
          call_.particles.cell_start + in_first_row_ + std::int64_t{y} * call_.space.axes[0].cell_count();
      cell = {static_cast<std::int32_t>(start[0]), static_cast<std::int32_t>(start[1])};
    }
    if (++row_ > tile_.rows) {
      row_ = 0;
      ++plane_;
      begin_plane();
    }
    return cell;
  }

  /// Number of planes of cells: one more than of nodes in 3-D.
  __device__ int planes() const { return tile_.planes + (corners == 8 ? 1 : 0); }

 private:
  /// The cell above a node, which may be −1 (below the first node); −1 if there is no cell.
  __device__ __forceinline__ std::int32_t cell_above(int axis, std::int32_t node) const {
    const DepositAxis<Real>& along = call_.space.axes[axis];
    return node < along.node_count() ? along.cell_beside(node, 1) : -1;
  }
  __device__ __forceinline__ void begin_plane() {
    const std::int32_t z = corners == 8 ? cell_above(2, tile_.z + plane_) : 0;
    has_cells_ = plane_ < planes() && x_ >= 0 && z >= 0;
    in_first_row_ = call_.space.cell_number({x_, 0, z});
  }

  const SparseSum<width, Real, Stored>& call_;
  const Tile& tile_;
  std::int32_t x_;
  std::int32_t first_y_;
  int row_ = 0;
  int plane_ = 0;
  bool has_cells_ = false;
  std::int64_t in_first_row_ = 0;
};

/// Adds lane n of the canonical sum, and with `both` also lane n + 2, to the parts of a cell in which each lane has at
/// most one particle. sum + (a + b) is the order of step 3, because all other lanes are +0 and a sum from +0 is never −0.
template <bool masked, bool both, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void add_lanes(const SparseSum<width, Real, Stored>& call,
                                          const CellParticles& cell_particles, const Particle<width, Real>& a,
                                          const Particle<width, Real>& b, Values<width, Real> (&part)[corners]) {
  CornerWeights<Real> weights_a = corner_weights(a.offset);
  CornerWeights<Real> weights_b = corner_weights(b.offset);
  if constexpr (masked) {
    const std::int64_t cell = cell_particles.count() > 0 ? call.particles.cell[cell_particles.begin] : 0;
    call.space.mask(weights_a, cell);
    if constexpr (both) call.space.mask(weights_b, cell);
  }
#pragma unroll
  for (int c = 0; c < corners; ++c) {
    Values<width, Real> sum;
    sum.add(weights_a[c], a.value);
    if constexpr (both) {
      Values<width, Real> second;
      second.add(weights_b[c], b.value);
      sum = sum + second;
    }
    part[c] = part[c] + sum;
  }
}

/// Adds the particles of cells with few particles, one lane per cell.
/// @param first  first particle of the cell
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void add_by_lane(const SparseSum<width, Real, Stored>& call, CellParticles cell_particles,
                                            const Particle<width, Real>& first, Values<width, Real> (&part)[corners]) {
  if (cell_particles.count() > max_by_lane) cell_particles.end = cell_particles.begin;
  const int most = __reduce_max_sync(whole_warp, cell_particles.count());
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    if (most <= n) break;
    const Particle<width, Real> a = n == 0 ? first : particle_or_none<corners>(call, cell_particles, n);
    if (most > n + 2) {
      const Particle<width, Real> b = particle_or_none<corners>(call, cell_particles, n + 2);
      add_lanes<masked, true>(call, cell_particles, a, b, part);
    } else {
      add_lanes<masked, false>(call, cell_particles, a, {}, part);
    }
  }
}

/// The sum of a cell's particles, at most a chunk, one corner per lane; a group of eight lanes has one cell.
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ Values<width, Real> sum_of_group(const SparseSum<width, Real, Stored>& call,
                                                            const CellParticles& cell) {
  Values<width, Real> sum[corners] = {};
  for (int n = static_cast<int>(threadIdx.x % sum_lanes); n < cell.count(); n += sum_lanes) {
    const Particle<width, Real> particle = particle_or_none<corners>(call, cell, n);
    CornerWeights<Real> weights = corner_weights(particle.offset);
    if constexpr (masked) call.space.mask(weights, call.particles.cell[cell.begin]);
#pragma unroll
    for (int c = 0; c < corners; ++c) sum[c].add(weights[c], particle.value);
  }
  __syncwarp();
  return corner_parts::add_across(sum, sum_lanes / 2);
}

/// The cell that is the cluster of a slot; no particles if there is none.
template <int width, class Real, class Stored>
__device__ CellParticles cluster_of_slot(const SparseSum<width, Real, Stored>& call, std::int64_t slot) {
  const std::int64_t window = slot / 2 * cluster;
  if (window >= call.particles.count) return {};
  const std::int64_t last = ::min(window + cluster, call.particles.count) - 1;
  const std::int64_t cell = call.particles.cell[slot % 2 == 0 ? window : last];
  if (cell == call.space.cell_count()) return {};
  const Range range = call.particles.of_cell(cell);
  const bool has_slot = slot % 2 == 0 ? range.begin == window : range.begin > window;
  if (!has_slot || range.count() <= cluster || range.count() > sum_chunk) return {};
  return {static_cast<std::int32_t>(range.begin), static_cast<std::int32_t>(range.end)};
}

/// Adds the particles of clusters, eight lanes per slot.
template <bool masked, int corners, int width, class Real, class Stored>
__global__ void __launch_bounds__(threads) sum_clusters(SparseSum<width, Real, Stored> call) {
  join_chain(false);
  if (*call.particles.full.most <= cluster) return;
  const CellParticles cell = cluster_of_slot(call, thread_index() / sum_lanes);
  if (!__any_sync(whole_warp, cell.count() > 0)) return;
  const Values<width, Real> total = sum_of_group<masked, corners>(call, cell);
  if (cell.count() > 0 && corner_parts::is_writer_of_corner<corners>())
    total.store(call.parts_of_cluster(cell.begin) + corner_parts::corner_of_lane<corners>(), 8);
}

/// Adds the particles of cells with more particles, four cells at a time, a group of eight lanes per cell.
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void add_by_groups(const SparseSum<width, Real, Stored>& call,
                                              const CellParticles& lane_cell, Values<width, Real> (&part)[corners]) {
  constexpr int groups = 32 / sum_lanes;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool is_selected = lane_cell.count() > max_by_lane && lane_cell.count() <= cluster;
  for (unsigned left = __ballot_sync(whole_warp, is_selected); left != 0;) {
    const int rank = __popc(left & ((1u << lane) - 1));
    const bool is_owner = (left >> lane & 1) != 0 && rank < groups;
    unsigned remaining = left;
    for (int g = 0; g < groups; ++g) {
      if (g < lane / sum_lanes) remaining &= remaining - 1;
      left &= left - 1;
    }
    const int owner = remaining != 0 ? __ffs(static_cast<int>(remaining)) - 1 : 0;
    CellParticles cell{__shfl_sync(whole_warp, lane_cell.begin, owner), __shfl_sync(whole_warp, lane_cell.end, owner)};
    if (remaining == 0) cell.end = cell.begin;
    const Values<width, Real> total = sum_of_group<masked, corners>(call, cell);
#pragma unroll
    for (int c = 0; c < corners; ++c) {
      const Values<width, Real> corner = total.of_lane((rank * sum_lanes + c * (sum_lanes / corners)) % 32);
      part[c] = Values<width, Real>::choose(is_owner, corner, part[c]);
    }
  }
}

/// The parts of a lane's cell.
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void find_parts(const SparseSum<width, Real, Stored>& call, const CellParticles& lane_cell,
                                           const Particle<width, Real>& first, Values<width, Real> (&part)[corners]) {
  add_by_lane<masked>(call, lane_cell, first, part);
  add_by_groups<masked>(call, lane_cell, part);
  if (lane_cell.count() <= cluster) return;
  if (lane_cell.count() <= sum_chunk) {
    const Real* const parts = call.parts_of_cluster(lane_cell.begin);
#pragma unroll
    for (int i = 0; i < corners * width; ++i)
      part[i % corners].component[i / corners] = parts[i / corners * 8 + i % corners];
    return;
  }
  const FilledCell full{call.particles.cell[lane_cell.begin], lane_cell.begin, lane_cell.end};
#pragma unroll
  for (int c = 0; c < corners; ++c) part[c] = call.stored(full, c);
}

/// Writes the nodes, one warp per tile. The bounds of cells are read two rows ahead.
template <bool masked, int corners, int width, class Real, class Stored>
__global__ void __launch_bounds__(threads, (resident_blocks<width, Real>))
    sum_nodes(SparseSum<width, Real, Stored> call, Tiles tiles, NodesOf<width, Real> nodes) {
  join_chain(false);
  constexpr int sides = corners / 4;  // sides of a plane of cells: the nodes below it and above it
  __shared__ Real from_below[corners == 8 ? tile_height : 1][width][threads];
  __shared__ typename FirstParticles<corners, width, Real>::Memory ahead;
  const auto number = static_cast<std::int32_t>(thread_index() / 32);
  if (number >= tiles.count()) return;
  const Tile tile = tiles.at(number);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool has_nodes = lane > 0 && tile.x + lane < call.space.axes[0].node_count();

  CellRows<corners, width, Real, Stored> rows(call, tile);
  CellParticles lane_cell = rows.next();
  CellParticles next = rows.next();
  FirstParticles<corners, width, Real> firsts(ahead);
  firsts.request(call, lane_cell);
  for (int plane = 0; plane < rows.planes(); ++plane) {
    Values<width, Real> row_below[sides];
    for (int row = 0; row <= tile.rows; ++row) {
      const CellParticles after = rows.next();
      firsts.request(call, next);
      Values<width, Real> part[corners] = {};
      find_parts<masked>(call, lane_cell, firsts.get(lane_cell), part);
      Values<width, Real> sum[sides];
#pragma unroll
      for (int side = 0; side < sides; ++side) {
        const auto row_of = [&](int corner) { return part[corner + 1].of_lane((lane + 31) % 32) + part[corner]; };
        sum[side] = row_below[side] + row_of(4 * side);
        row_below[side] = row_of(4 * side + 2);
      }
      if (row > 0) {
        const std::int32_t z = corners == 8 ? tile.z + plane : 0;
        Values<width, Real> node = sum[0];
        if constexpr (corners == 8) {
          Real* const below = &from_below[row - 1][0][threadIdx.x];
          Values<width, Real> lower;
          if (plane > 0) {
#pragma unroll
            for (int k = 0; k < width; ++k) lower.component[k] = below[k * threads];
          }
          node = lower + node;
          sum[1].store(below, threads);
        }
        if (has_nodes && (corners == 4 || plane > 0))
          nodes.write(call.space.node_number({tile.x + lane, tile.y + row, z}), node);
      }
      lane_cell = next;
      next = after;
    }
  }
}

/// Writes the sums of all nodes for values [first, first + width) of a call. Cells may have any number of particles; the
/// function is fast if nearly all have few.
/// @param stored  see SparseSum
template <int corners, int width, class Real, class Stored>
void run(const DepositCall<Real>& call, ScratchFrame& frame, int first, const ValuesOf<width, Real>& values,
         const Stored& stored) {
  using Sum = SparseSum<width, Real, Stored>;
  const std::int64_t slots = Sum::cluster_slots(call.particles.count);
  const Sum sum{call.space, call.particles, values, stored, frame.array<Real>(slots * width * 8).data};
  const std::int64_t blocks = std::int64_t{multiprocessors(call.queue())} * resident_blocks<width, Real>;
  const Tiles tiles(call.space, blocks * warps);
  const auto sum_in = [&]<bool masked>() {
    if (call.particles.count > cluster)
      launch_chained<threads>(call.queue(), slots * sum_lanes, sum_clusters<masked, corners, width, Real, Stored>, sum);
    launch_chained<threads>(call.queue(), tiles.count() * 32, sum_nodes<masked, corners, width, Real, Stored>, sum,
                            tiles, NodesOf<width, Real>(call.nodes, first));
  };
  if (call.space.open_corners != nullptr)
    sum_in.template operator()<true>();
  else
    sum_in.template operator()<false>();
}

}  // namespace shoal::deposit::sparse_nodes
