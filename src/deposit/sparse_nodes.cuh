// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/corner_parts.cuh"
#include "deposit/warp_cells.cuh"

/// The sums of nodes where cells have about one particle.
///
/// A warp has a tile of nodes and goes through the cells around them row by row, a lane a cell. A lane adds the
/// particles of its cell for all corners in registers; the left cell's parts come from the lane before, the row below
/// from registers, the plane below from shared memory that only the lane itself uses. So parts are never written, and a
/// warp waits for no other.
namespace shoal::sparse_nodes {

using corner_parts::NodesOf;
using corner_parts::Values;
using corner_parts::ValuesOf;

constexpr int threads = 128;
constexpr int warps = threads / 32;
constexpr int most_by_lane = 4;  ///< particles of a cell that its lane adds; more are added by eight
constexpr int crowd = 64;        ///< more are added before, so that a tile with many such cells does not hold up all
constexpr int tile_width = 31;   ///< nodes: lane 0 has the cell before them
constexpr int tile_height = 8;   ///< rows of nodes in a plane, in 3-D

/// Blocks that a multiprocessor holds at once.
template <int width, class Real>
constexpr int resident_blocks = width * sizeof(Real) > 16  ? 3
                                : width * sizeof(Real) > 8 ? 4
                                                           : 5;

/// Nodes of a warp: lane l > 0 has those at x + l, in `rows` rows and `planes` planes.
struct Tile {
  std::int32_t x = 0, y = 0, z = 0;  ///< of the cells of lane 0 in the first row, plane: one below the first nodes
  std::int32_t rows = 0;
  std::int32_t planes = 0;
};

/// All nodes cut into tiles.
class Tiles {
 public:
  /// @param resident_warps  that the device holds at once
  template <class Real>
  Tiles(const DepositSpace<Real>& space, std::int64_t resident_warps)
      : nodes_{space.axes[0].node_count(), space.axes[1].node_count(), space.z_nodes()} {
    const std::int32_t across = parts(nodes_.x, tile_width);
    if (space.dimensions > 2) {
      size_.y = tile_height;
      size_.z = best_length(nodes_.z, std::int64_t{across} * parts(nodes_.y, size_.y), resident_warps);
    } else {
      size_.y = best_length(nodes_.y, across, resident_warps);
      size_.z = 1;
    }
    count_ = {across, parts(nodes_.y, size_.y), parts(nodes_.z, size_.z)};
  }

  SHOAL_HD std::int64_t count() const { return std::int64_t{count_.x} * count_.y * count_.z; }

  __device__ Tile at(std::int32_t number) const {
    const std::int32_t row = number / count_.x;
    const std::int32_t y = row % count_.y * size_.y;
    const std::int32_t z = row / count_.y * size_.z;
    return {number % count_.x * tile_width - 1, y - 1, z - 1, ::min(size_.y, nodes_.y - y),
            ::min(size_.z, nodes_.z - z)};
  }

 private:
  static std::int32_t parts(std::int32_t nodes, std::int32_t length) { return (nodes + length - 1) / length; }

  /// How long tiles should be along the axis that is still to be cut: a cut costs a layer of cells that two tiles
  /// read, and warps come in rounds of as many as the device holds.
  static std::int32_t best_length(std::int32_t nodes, std::int64_t columns, std::int64_t resident_warps) {
    constexpr std::int32_t shortest = 4;
    std::int32_t best = nodes;
    std::int64_t least_time = 0;
    for (std::int32_t cuts = 1; cuts == 1 || cuts <= nodes / shortest; ++cuts) {
      const std::int32_t length = parts(nodes, cuts);
      const std::int64_t rounds = (columns * parts(nodes, length) + resident_warps - 1) / resident_warps;
      const std::int64_t time = rounds * (length + 1);
      if (cuts > 1 && time >= least_time) continue;
      least_time = time;
      best = length;
    }
    return best;
  }

  GridPlace nodes_;
  GridPlace size_;
  GridPlace count_;
};

/// What the functions of a warp share.
/// @tparam Stored  Values<width, Real> operator()(const FilledCell&, int corner), the part of a cell with more than
///     sum_chunk particles, which were added before
template <int width, class Real, class Stored>
struct SparseSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Stored stored;
  Real* crowd_parts;  ///< [crowd_slots()][width][8]: of cells with more than `crowd` particles, but one chunk

  /// A window of `crowd` particles has the beginnings of at most two such cells: of one that begins with it, and of one
  /// that begins in it.
  SHOAL_HD static std::int64_t crowd_slots(std::int64_t particles) { return 2 * (particles / crowd + 1); }
  __device__ Real* parts_of_crowd(std::int32_t cell_begin) const {
    const std::int64_t slot = 2 * std::int64_t{cell_begin / crowd} + (cell_begin % crowd != 0 ? 1 : 0);
    return crowd_parts + slot * width * 8;
  }
};

/// Particles of a cell. They tell which one it is, so that only the few who ask need to know.
struct CellParticles {
  std::int32_t begin = 0;
  std::int32_t end = 0;

  __device__ std::int32_t count() const { return end - begin; }
};

/// All that a cell's sums need of a particle; by default it adds +0.
template <int width, class Real>
struct Particle {
  Real offset[3] = {};
  Values<width, Real> value;
};

template <int corners, int width, class Real, class Stored>
__device__ __forceinline__ Particle<width, Real> particle_or_none(const SparseSum<width, Real, Stored>& call,
                                                                  const CellParticles& of, int n) {
  Particle<width, Real> particle;
  if (n >= of.count()) return particle;
  const std::int32_t p = of.begin + n;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis)
    if (axis < 2 || corners == 8) particle.offset[axis] = __ldg(call.particles.offset[axis] + p);
  particle.value = call.values.read(p);
  return particle;
}

/// The first particles of a lane's cells, on their way to shared memory one row ahead; only the lane itself reads them.
/// They bring most of the others near.
template <int corners, int width, class Real>
class FirstParticles {
  static constexpr int skipped = corners == 8 ? 0 : 1;  ///< offsets along z

 public:
  using Memory = Real[2][3 - skipped + width][threads];

  __device__ explicit FirstParticles(Memory& memory) : memory_(memory) {}

  /// In turn for all rows.
  template <class Stored>
  __device__ __forceinline__ void ask(const SparseSum<width, Real, Stored>& call, const CellParticles& of) {
    if (of.count() > 0) {
#pragma unroll
      for (int axis = 0; axis < 3 - skipped; ++axis)
        __pipeline_memcpy_async(&memory_[asked_][axis][threadIdx.x], call.particles.offset[axis] + of.begin,
                                sizeof(Real));
#pragma unroll
      for (int k = 0; k < width; ++k)
        __pipeline_memcpy_async(&memory_[asked_][3 - skipped + k][threadIdx.x], call.values.data[k] + of.begin,
                                sizeof(Real));
    }
    __pipeline_commit();
    asked_ = 1 - asked_;
  }

  /// That of the row before the one asked for last.
  __device__ __forceinline__ Particle<width, Real> get(const CellParticles& of) const {
    __pipeline_wait_prior(1);
    Particle<width, Real> first;
    if (of.count() == 0) return first;
#pragma unroll
    for (int axis = 0; axis < 3 - skipped; ++axis) first.offset[axis] = memory_[asked_][axis][threadIdx.x];
#pragma unroll
    for (int k = 0; k < width; ++k) first.value.of[k] = memory_[asked_][3 - skipped + k][threadIdx.x];
    return first;
  }

 private:
  Memory& memory_;
  int asked_ = 0;
};

/// The rows of cells of a tile, as one lane sees them: plane by plane, in each row by row.
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

  /// The lane's cell in the next row; no particles where there is none.
  __device__ __forceinline__ CellParticles next() {
    CellParticles own;
    const std::int32_t y = row_ == 0 ? first_y_ : tile_.y + row_;
    if (has_cells_ && y >= 0 && y < call_.space.axes[1].cell_count()) {
      const std::int64_t* const start =
          call_.particles.cell_start + in_first_row_ + std::int64_t{y} * call_.space.axes[0].cell_count();
      own = {static_cast<std::int32_t>(start[0]), static_cast<std::int32_t>(start[1])};
    }
    if (++row_ > tile_.rows) {
      row_ = 0;
      ++plane_;
      begin_plane();
    }
    return own;
  }

  /// Of cells: one more than of nodes, but in 2-D.
  __device__ int planes() const { return tile_.planes + (corners == 8 ? 1 : 0); }

 private:
  /// The cell above a node, which is −1 below the first; −1 if there is none.
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

/// Adds lane n of the canonical sum, and lane n + 2 if there is `both`, to the parts of a cell in which lanes have one
/// particle at most: sum + (a + b), the order of step 3 as all other lanes are +0, and a sum from +0 is never −0.
template <bool masked, bool both, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void add_lanes(const SparseSum<width, Real, Stored>& call, const CellParticles& own,
                                          const Particle<width, Real>& a, const Particle<width, Real>& b,
                                          Values<width, Real> (&part)[corners]) {
  CornerWeights<Real> of_a = corner_weights(a.offset);
  CornerWeights<Real> of_b = corner_weights(b.offset);
  if constexpr (masked) {
    const std::int64_t cell = own.count() > 0 ? call.particles.cell[own.begin] : 0;
    call.space.mask(of_a, cell);
    if constexpr (both) call.space.mask(of_b, cell);
  }
#pragma unroll
  for (int c = 0; c < corners; ++c) {
    Values<width, Real> sum;
    sum.add(of_a[c], a.value);
    if constexpr (both) {
      Values<width, Real> second;
      second.add(of_b[c], b.value);
      sum = sum + second;
    }
    part[c] = part[c] + sum;
  }
}

/// The parts of cells with few particles, by their lanes.
/// @param first  of the particles
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void add_by_lane(const SparseSum<width, Real, Stored>& call, CellParticles own,
                                            const Particle<width, Real>& first, Values<width, Real> (&part)[corners]) {
  if (own.count() > most_by_lane) own.end = own.begin;
  const int most = __reduce_max_sync(whole_warp, own.count());
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    if (most <= n) break;
    const Particle<width, Real> a = n == 0 ? first : particle_or_none<corners>(call, own, n);
    if (most > n + 2) {
      const Particle<width, Real> b = particle_or_none<corners>(call, own, n + 2);
      add_lanes<masked, true>(call, own, a, b, part);
    } else {
      add_lanes<masked, false>(call, own, a, {}, part);
    }
  }
}

/// The sum of up to a chunk of a cell's particles, one corner a lane; a group of eight lanes has one cell.
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ Values<width, Real> sum_of_group(const SparseSum<width, Real, Stored>& call,
                                                            const CellParticles& of) {
  Values<width, Real> sum[corners] = {};
  for (int n = static_cast<int>(threadIdx.x % sum_lanes); n < of.count(); n += sum_lanes) {
    const Particle<width, Real> at = particle_or_none<corners>(call, of, n);
    CornerWeights<Real> weights = corner_weights(at.offset);
    if constexpr (masked) call.space.mask(weights, call.particles.cell[of.begin]);
#pragma unroll
    for (int c = 0; c < corners; ++c) sum[c].add(weights[c], at.value);
  }
  __syncwarp();
  return corner_parts::add_across(sum, sum_lanes / 2);
}

/// The cell that begins a crowd in a slot; no particles where there is none.
template <int width, class Real, class Stored>
__device__ CellParticles crowd_of_slot(const SparseSum<width, Real, Stored>& call, std::int64_t slot) {
  const std::int64_t window = slot / 2 * crowd;
  if (window >= call.particles.count) return {};
  const std::int64_t last = ::min(window + crowd, call.particles.count) - 1;
  const std::int64_t cell = call.particles.cell[slot % 2 == 0 ? window : last];
  if (cell == call.space.cell_count()) return {};
  const Range all = call.particles.of_cell(cell);
  const bool is_its_slot = slot % 2 == 0 ? all.begin == window : all.begin > window;
  if (!is_its_slot || all.count() <= crowd || all.count() > sum_chunk) return {};
  return {static_cast<std::int32_t>(all.begin), static_cast<std::int32_t>(all.end)};
}

/// Eight lanes a slot.
template <bool masked, int corners, int width, class Real, class Stored>
__global__ void __launch_bounds__(threads) sum_crowds(SparseSum<width, Real, Stored> call) {
  const CellParticles of = crowd_of_slot(call, thread_index() / sum_lanes);
  if (!__any_sync(whole_warp, of.count() > 0)) return;
  const Values<width, Real> total = sum_of_group<masked, corners>(call, of);
  if (of.count() > 0 && corner_parts::is_writer_of_corner<corners>())
    total.store(call.parts_of_crowd(of.begin) + corner_parts::corner_of_lane<corners>(), 8);
}

/// The parts of cells with more, four at a time, a group of eight lanes a cell.
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void add_by_groups(const SparseSum<width, Real, Stored>& call, const CellParticles& own,
                                              Values<width, Real> (&part)[corners]) {
  constexpr int groups = 32 / sum_lanes;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool is_wanted = own.count() > most_by_lane && own.count() <= crowd;
  for (unsigned left = __ballot_sync(whole_warp, is_wanted); left != 0;) {
    const int rank = __popc(left & ((1u << lane) - 1));
    const bool is_owner = (left >> lane & 1) != 0 && rank < groups;
    unsigned from_own = left;
    for (int g = 0; g < groups; ++g) {
      if (g < lane / sum_lanes) from_own &= from_own - 1;
      left &= left - 1;
    }
    const int owner = from_own != 0 ? __ffs(static_cast<int>(from_own)) - 1 : 0;
    CellParticles of{__shfl_sync(whole_warp, own.begin, owner), __shfl_sync(whole_warp, own.end, owner)};
    if (from_own == 0) of.end = of.begin;
    const Values<width, Real> total = sum_of_group<masked, corners>(call, of);
#pragma unroll
    for (int c = 0; c < corners; ++c) {
      const Values<width, Real> its = total.at_lane((rank * sum_lanes + c * (sum_lanes / corners)) % 32);
      part[c] = Values<width, Real>::choose(is_owner, its, part[c]);
    }
  }
}

/// The parts of a lane's cell.
template <bool masked, int corners, int width, class Real, class Stored>
__device__ __forceinline__ void find_parts(const SparseSum<width, Real, Stored>& call, const CellParticles& own,
                                           const Particle<width, Real>& first, Values<width, Real> (&part)[corners]) {
  add_by_lane<masked>(call, own, first, part);
  add_by_groups<masked>(call, own, part);
  if (own.count() <= crowd) return;
  if (own.count() <= sum_chunk) {
    const Real* const parts = call.parts_of_crowd(own.begin);
#pragma unroll
    for (int i = 0; i < corners * width; ++i) part[i % corners].of[i / corners] = parts[i / corners * 8 + i % corners];
    return;
  }
  const FilledCell full{call.particles.cell[own.begin], own.begin, own.end};
#pragma unroll
  for (int c = 0; c < corners; ++c) part[c] = call.stored(full, c);
}

/// A warp a tile. The bounds of cells are read two rows ahead.
template <bool masked, int corners, int width, class Real, class Stored>
__global__ void __launch_bounds__(threads, (resident_blocks<width, Real>))
    sum_nodes(SparseSum<width, Real, Stored> call, Tiles tiles, NodesOf<width, Real> nodes) {
  constexpr int sides = corners / 4;  // of a plane of cells: nodes below it, nodes above it
  __shared__ Real from_below[corners == 8 ? tile_height : 1][width][threads];
  __shared__ typename FirstParticles<corners, width, Real>::Memory ahead;
  const auto number = static_cast<std::int32_t>(thread_index() / 32);
  if (number >= tiles.count()) return;
  const Tile tile = tiles.at(number);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const bool has_nodes = lane > 0 && tile.x + lane < call.space.axes[0].node_count();

  CellRows<corners, width, Real, Stored> rows(call, tile);
  CellParticles own = rows.next();
  CellParticles next = rows.next();
  FirstParticles<corners, width, Real> firsts(ahead);
  firsts.ask(call, own);
  for (int plane = 0; plane < rows.planes(); ++plane) {
    Values<width, Real> row_below[sides];
    for (int row = 0; row <= tile.rows; ++row) {
      const CellParticles after = rows.next();
      firsts.ask(call, next);
      Values<width, Real> part[corners] = {};
      find_parts<masked>(call, own, firsts.get(own), part);
      Values<width, Real> sum[sides];
#pragma unroll
      for (int side = 0; side < sides; ++side) {
        const auto row_of = [&](int corner) { return part[corner + 1].at_lane((lane + 31) % 32) + part[corner]; };
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
            for (int k = 0; k < width; ++k) lower.of[k] = below[k * threads];
          }
          node = lower + node;
          sum[1].store(below, threads);
        }
        if (has_nodes && (corners == 4 || plane > 0))
          nodes.write(call.space.node_number({tile.x + lane, tile.y + row, z}), node);
      }
      own = next;
      next = after;
    }
  }
}

/// Writes the sums of all nodes, values [first, first + width) of a call. Cells may have any number of particles; it is
/// fast where nearly all have few.
/// @param stored  see SparseSum
template <int corners, int width, class Real, class Stored>
void run(const DepositCall<Real>& of, ScratchFrame& frame, int first, const ValuesOf<width, Real>& values,
         const Stored& stored) {
  constexpr std::int64_t multiprocessors = 132;
  using Sum = SparseSum<width, Real, Stored>;
  const std::int64_t slots = Sum::crowd_slots(of.particles.count);
  const Sum call{of.space, of.particles, values, stored, frame.array<Real>(slots * width * 8).data};
  const Tiles tiles(of.space, multiprocessors * resident_blocks<width, Real> * warps);
  const auto sum_in = [&]<bool masked>() {
    if (of.particles.count > crowd)
      launch<threads>(of.queue(), slots * sum_lanes, sum_crowds<masked, corners, width, Real, Stored>, call);
    launch<threads>(of.queue(), tiles.count() * 32, sum_nodes<masked, corners, width, Real, Stored>, call, tiles,
                    NodesOf<width, Real>(of.nodes, first));
  };
  if (of.space.open_corners != nullptr)
    sum_in.template operator()<true>();
  else
    sum_in.template operator()<false>();
}

}  // namespace shoal::sparse_nodes
