// SPDX-License-Identifier: Apache-2.0
// integer: fixed point, whose sums do not depend on any order.
//
// idea           values become whole multiples of a power of two, as in integer.cpp; eight lanes add a cell's shares in
//                registers, an exchange gives each lane one corner, and each node adds the parts of the cells around
//                it. Full cells are cut into windows whose sums are added to their parts by atomics. Cells with few
//                particles have no parts: their nodes read the particles. Units never leave the device
// source         shoal; fixed point as in Ahrens, Demmel and Nguyen (2020), "Algorithms for efficient reproducible
//                floating point summation", with one bin
// memory         of up to four values at a time: 64 bytes a cell and value, and a number a particle and value if their
//                order is not that of the cells
// atomics        8 K a window of 512 particles of a full cell; two a warp and value, spread over 64 words, for sizes
// deterministic  yes, the bits of the CPU, and the same ones for any order of the particles
// wins when      particles come in another order each time, or the total must be exact to the last unit
// loses when     values differ by so much that the smallest are below the unit, 2^-61 of the sum of sizes
// differs        without ranges, values are read twice more to find them: the largest, then the sum of sizes
#include <algorithm>

#include "deposit/corner_parts.cuh"
#include "deposit/fixed_point_item.hpp"
#include "deposit/methods/methods.hpp"
#include "deposit/warp_cells.cuh"

namespace shoal {

namespace {

using namespace corner_parts;

using Whole = unsigned long long;  ///< sums beyond a range, which are reported, wrap; the type of atomics

constexpr int sum_threads = 128;
constexpr int node_threads = 128;
constexpr std::int64_t window = 512;  ///< particles; a cell with more is full
constexpr int survey_threads = 256;
constexpr std::int64_t survey_blocks = 132 * 8;
constexpr int size_slots = 64;  ///< so that warps do not all add to one word

/// A value's range as it is found on the device.
struct Survey {
  Whole largest;  ///< bits of the largest size, a double: not negative, so they are ordered as sizes are
  Whole steps;    ///< the sum of SizeSteps
};

/// The ranges of a call by value, so that kernels find them without a copy.
struct Ranges {
  double most[Fields<float>::most] = {};  ///< 0: measured

  explicit Ranges(std::span<const double> given) {
    std::copy_n(given.begin(), std::min(given.size(), std::size(most)), most);
  }
};

/// A sum of sizes in halves, so that it does not wrap however many are added.
struct SizeSum {
  Whole low;
  Whole high;

  __device__ __forceinline__ void add(Whole size) {
    atomicAdd(&low, size & 0xffffffffu);
    atomicAdd(&high, size >> 32);
  }
  __device__ __forceinline__ Whole total() const {
    return high >> 31 != 0 ? Whole{1} << 63 : add_sizes(high << 32, low);
  }
};

/// Combines what the lanes of a warp have; all get the result.
template <class Combine>
__device__ __forceinline__ Whole over_warp(Whole mine, Combine&& combine) {
#pragma unroll
  for (int half = 16; half > 0; half /= 2) mine = combine(mine, __shfl_xor_sync(whole_warp, mine, half));
  return mine;
}

/// Combines what `part` makes of each size of value k over the particles of a warp, of all warps of the launch.
template <class Real, class Part, class Combine>
__device__ __forceinline__ Whole survey_sizes(const Fields<const Real>& values, int k, std::int64_t count, Part&& part,
                                              Combine&& combine) {
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  Whole mine = 0;
#pragma unroll 4
  for (std::int64_t i = thread_index(); i < count; i += threads)
    mine = combine(mine, part(finite_size(static_cast<double>(values.at(k, i)))));
  return over_warp(mine, combine);
}

template <class Real>
__global__ void __launch_bounds__(survey_threads)
    find_largest(Fields<const Real> values, std::int64_t count, Survey* surveys) {
  for (int k = 0; k < values.count; ++k) {
    const Whole largest = survey_sizes(
        values, k, count, [](double size) { return static_cast<Whole>(__double_as_longlong(size)); },
        [](Whole a, Whole b) { return max(a, b); });
    if (threadIdx.x % 32 == 0) atomicMax(&surveys[k].largest, largest);
  }
}

__device__ __forceinline__ SizeSteps steps_of(const Survey& survey) {
  return SizeSteps::for_largest(__longlong_as_double(static_cast<long long>(survey.largest)));
}

template <class Real>
__global__ void __launch_bounds__(survey_threads)
    add_steps(Fields<const Real> values, std::int64_t count, Survey* surveys) {
  for (int k = 0; k < values.count; ++k) {
    const SizeSteps steps = steps_of(surveys[k]);
    const Whole sum = survey_sizes(
        values, k, count, [&](double size) { return static_cast<Whole>(steps.count(size)); },
        [](Whole a, Whole b) { return a + b; });
    if (threadIdx.x % 32 == 0) atomicAdd(&surveys[k].steps, sum);
  }
}

/// A thread a value.
__global__ void choose_units(Ranges ranges, const Survey* surveys, FixedPoint* units, int count) {
  const auto k = static_cast<int>(thread_index());
  if (k >= count) return;
  const int exponent = ranges.most[k] > 0
                           ? FixedPoint::exponent_of(ranges.most[k])
                           : steps_of(surveys[k]).exponent_of_sum(static_cast<std::int64_t>(surveys[k].steps));
  units[k] = FixedPoint::for_exponent(exponent);
}

/// A warp a value.
__global__ void check_ranges(Ranges ranges, const FixedPoint* units, const SizeSum* sizes, std::int64_t particles,
                             Status* status) {
  const auto k = static_cast<int>(blockIdx.x);
  Whole total = 0;
  for (int slot = static_cast<int>(threadIdx.x); slot < size_slots; slot += 32)
    total = add_sizes(total, sizes[k * size_slots + slot].total());
  total = over_warp(total, [](Whole a, Whole b) { return Whole{add_sizes(a, b)}; });
  if (threadIdx.x == 0 && units[k].is_exceeded(total, ranges.most[k], particles))
    record(status, particles, DepositFault::out_of_range + k);
}

/// What the kernels share.
template <int width, class Real>
struct WholeSum {
  DepositSpace<Real> space;
  BinnedParticles<Real> particles;
  ValuesOf<width, Real> values;
  Parts<Whole> parts;
  std::int64_t least;       ///< cells with fewer particles have no parts
  int first;                ///< number of the first value
  const FixedPoint* units;  ///< [width]
  SizeSum* sizes;           ///< [width][size_slots]
  Status* status;
};

/// A thread's share of the work: the units in registers, and the sizes that it has met.
template <int corners, int width, class Real>
class WholeSplitter {
 public:
  __device__ explicit WholeSplitter(const WholeSum<width, Real>& call) : call_(call) {
#pragma unroll
    for (int k = 0; k < width; ++k) units_[k] = call.units[k];
  }

  /// Splits the values of the particle at position p of a cell.
  /// @param take  void take(int k, int corner, Whole share), for all of them
  template <class Take>
  __device__ __forceinline__ Values<width, Whole> split(const FilledCell& of, std::int64_t p, const Real (&offset)[3],
                                                        const Values<width, Real>& values, Take&& take) const {
    const CornerWeights<Real> weights = splitting_weights(call_.space, of.cell, corner_weights(offset));
    Values<width, Whole> size;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      std::int64_t share[8];
      const auto value = static_cast<double>(values.of[k]);
      if (!std::isfinite(value))
        record(call_.status, call_.particles.number(p), DepositFault::not_finite + call_.first + k);
      size.of[k] = split_if_held(units_[k], weights, corners, value, share);
#pragma unroll
      for (int c = 0; c < corners; ++c) take(k, c, static_cast<Whole>(share[c]));
    }
    return size;
  }
  /// The same, with what it needs read here.
  template <class Take>
  __device__ __forceinline__ Values<width, Whole> read_and_split(const FilledCell& of, std::int64_t p,
                                                                 Take&& take) const {
    const BinnedParticles<Real>& particles = call_.particles;
    const Real offset[3] = {particles.offset[0][p], particles.offset[1][p],
                            corners == 8 ? particles.offset[2][p] : Real(0)};
    return split(of, p, offset, call_.values.read(p), take);
  }

  __device__ __forceinline__ void count(const Values<width, Whole>& size) {
#pragma unroll
    for (int k = 0; k < width; ++k) sizes_.of[k] = add_sizes(sizes_.of[k], size.of[k]);
  }

  /// Adds the sums of the lanes of a group: the part of one corner a lane, see corner_of_lane().
  __device__ __forceinline__ Values<width, Whole> part_of_lane(std::int64_t cell,
                                                               const Values<width, Whole> (&sum)[corners]) const {
    return unless_blocked(cell, corner_of_lane<corners>(), add_across(sum, sum_lanes / 2));
  }

  /// The part of one corner of a cell with few particles, by one thread. Sizes count at corner 0: each cell has one
  /// node there.
  __device__ __forceinline__ Values<width, Whole> sum_directly(const FilledCell& few, int corner) {
    Values<width, Whole> sum;
    for (std::int64_t p = few.begin; p < few.end; ++p) {
      const Values<width, Whole> size =
          read_and_split(few, p, [&](int k, int c, Whole share) { sum.of[k] += c == corner ? share : 0; });
      if (corner == 0) count(size);
    }
    return unless_blocked(few.cell, corner, sum);
  }

  /// The sums at a node as values.
  __device__ __forceinline__ Values<width, Real> values(const Values<width, Whole>& sum) const {
    Values<width, Real> values;
#pragma unroll
    for (int k = 0; k < width; ++k) values.of[k] = units_[k].template value<Real>(static_cast<std::int64_t>(sum.of[k]));
    return values;
  }

  /// At the end of a kernel, by all lanes of a warp.
  __device__ __forceinline__ void report_sizes() const {
    const auto slot = static_cast<int>(thread_index() / 32 % size_slots);
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const Whole sum = over_warp(sizes_.of[k], [](Whole a, Whole b) { return Whole{add_sizes(a, b)}; });
      if (threadIdx.x % 32 == 0 && sum != 0) call_.sizes[k * size_slots + slot].add(sum);
    }
  }

 private:
  __device__ __forceinline__ Values<width, Whole> unless_blocked(std::int64_t cell, int corner,
                                                                 const Values<width, Whole>& part) const {
    return Values<width, Whole>::choose((call_.space.open(cell) >> corner & 1) != 0, part, {});
  }

  const WholeSum<width, Real>& call_;
  FixedPoint units_[width];
  Values<width, Whole> sizes_;
};

/// A warp makes the parts of 32 cells, four at a time. Particles are on their way to shared memory some steps before
/// they are added.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_cells(WholeSum<width, Real> call) {
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ std::uint8_t listed[sum_threads];
  const std::int64_t cells = call.space.cell_count();
  const std::int64_t first_cell = thread_index() - threadIdx.x % 32;
  if (first_cell >= cells) return;
  const WarpCells filled(call.particles.cell_start, first_cell, cells, listed + threadIdx.x / 32 * 32,
                         [&](const FilledCell& own) {
                           if (own.count() < call.least) return false;
                           const bool is_walked = own.count() > 0 && own.count() <= window;
                           if (!is_walked) call.parts.clear(own.cell, width);
                           return is_walked;
                         });
  const auto place_of = places_of_numbers<corners>(call.particles, call.values);
  StagedWalk<3 + width, sum_threads, Real> walk(filled, memory);
  walk.begin(place_of);
  WholeSplitter<corners, width, Real> splitter(call);
  Values<width, Whole> sum[corners] = {};
  for (; walk.is_there(); walk.advance()) {
    walk.ask_ahead(place_of);
    walk.for_each_particle([&](std::int32_t p, const Real(&numbers)[3 + width]) {
      const Real offset[3] = {numbers[0], numbers[1], corners == 8 ? numbers[2] : Real(0)};
      splitter.count(splitter.split(walk.own(), p, offset, values_in<width>(numbers),
                                    [&](int k, int c, Whole share) { sum[c].of[k] += share; }));
    });
    if (!walk.ends_cells()) continue;
    const Values<width, Whole> part = splitter.part_of_lane(walk.own().cell, sum);
    if (walk.own().count() > 0 && is_writer_of_corner<corners>())
      call.parts.write(walk.own().cell, corner_of_lane<corners>(), part);
#pragma unroll
    for (int c = 0; c < corners; ++c) sum[c] = {};
  }
  splitter.report_sizes();
}

/// What of a full cell is in a window of particles. Such a cell is longer than a window, so it has the first or the
/// last particle of each window that it meets.
template <int width, class Real>
__device__ FilledCell full_cell_of(const WholeSum<width, Real>& call, Range particles, bool at_end) {
  if (particles.count() <= 0) return {};
  const std::int64_t cell = call.particles.cell[at_end ? particles.end - 1 : particles.begin];
  const Range all = call.particles.of_cell(cell);
  const bool is_at_both = at_end && all.begin <= particles.begin;
  if (all.count() <= window || is_at_both) return {};
  return filled_cell(cell, {::max(all.begin, particles.begin), ::min(all.end, particles.end)});
}

/// A group of eight lanes a window of all particles.
template <int corners, int width, class Real>
__global__ void __launch_bounds__(sum_threads) sum_windows(WholeSum<width, Real> call) {
  WholeSplitter<corners, width, Real> splitter(call);
  const std::int64_t with_cell = call.particles.cell_start[call.space.cell_count()];
  const std::int64_t begin = thread_index() / sum_lanes * window;
#pragma unroll 1
  for (int end = 0; end < 2; ++end) {
    const FilledCell full = full_cell_of(call, {begin, ::min(begin + window, with_cell)}, end == 1);
    if (!__any_sync(whole_warp, full.count() > 0)) continue;
    Values<width, Whole> sum[corners] = {};
    for (std::int64_t p = full.begin + threadIdx.x % sum_lanes; p < full.end; p += sum_lanes)
      splitter.count(splitter.read_and_split(full, p, [&](int k, int c, Whole share) { sum[c].of[k] += share; }));
    const Values<width, Whole> part = splitter.part_of_lane(full.cell, sum);
    if (full.count() == 0 || !is_writer_of_corner<corners>()) continue;
#pragma unroll
    for (int k = 0; k < width; ++k) atomicAdd(&call.parts.at(k, corner_of_lane<corners>(), full.cell), part.of[k]);
  }
  splitter.report_sizes();
}

/// A thread a node.
template <bool reads_particles, int corners, int width, class Real>
__global__ void __launch_bounds__(node_threads) add_parts(WholeSum<width, Real> call, NodesOf<width, Real> nodes) {
  WholeSplitter<corners, width, Real> splitter(call);
  const std::int64_t node = thread_index();
  if (node < call.space.node_count()) {
    const GridPlace at = call.space.node_place(node);
    const NodeRow<Real> row(call.space, at.y, at.z);
    const auto sum = row.template sum<Values<width, Whole>>(at.x, [&](std::int64_t cell, int corner) {
      if constexpr (reads_particles) {
        const Range all = call.particles.of_cell(cell);
        if (all.count() < call.least) return splitter.sum_directly(filled_cell(cell, all), corner);
      }
      return call.parts.template read<width>(cell, corner);
    });
    nodes.write(node, splitter.values(sum));
  }
  if constexpr (reads_particles) splitter.report_sizes();
}

/// What of the device's memory all values of a call share.
struct WholeMemory {
  FixedPoint* units;  ///< [values]
  SizeSum* sizes;     ///< [values][size_slots]
};

/// Values [first, first + width) of a call.
template <int corners, int width, class Real>
void run_values(const DepositCall<Real>& of, const WholeMemory& memory, int first) {
  const Queue& queue = of.queue();
  const std::int64_t cells = of.space.cell_count();
  const bool is_sparse = corner_parts::is_sparse(of);
  ScratchFrame frame(of.scratch);
  const WholeSum<width, Real> call{
      .space = of.space,
      .particles = of.particles,
      .values = values_in_cell_order<width>(of, frame, first),
      .parts = {frame.array<Whole>(cells * width * corners).data, cells, corners},
      .least = is_sparse ? most_direct + 1 : 0,
      .first = first,
      .units = memory.units + first,
      .sizes = memory.sizes + first * size_slots,
      .status = of.status,
  };
  launch_with<sum_threads>(queue, cells, StagedWalk<3 + width, sum_threads, Real>::bytes,
                           sum_cells<corners, width, Real>, call);
  if (of.particles.count > window) {
    const std::int64_t windows = (of.particles.count + window - 1) / window;
    launch<sum_threads>(queue, windows * sum_lanes, sum_windows<corners, width, Real>, call);
  }
  const auto add = is_sparse ? add_parts<true, corners, width, Real> : add_parts<false, corners, width, Real>;
  launch<node_threads>(queue, of.space.node_count(), add, call, NodesOf<width, Real>(of.nodes, first));
}

/// The units of all values, from their ranges or from the values.
template <class Real>
void find_units(const DepositCall<Real>& call, const Ranges& ranges, FixedPoint* units) {
  const Queue& queue = call.queue();
  ScratchFrame frame(call.scratch);
  Survey* surveys = frame.array<Survey>(call.value_count()).data;
  if (call.ranges.empty()) {
    const std::int64_t threads = std::min(call.particles.count, survey_blocks * survey_threads);
    fill_bytes(queue, surveys, 0, call.value_count() * sizeof(Survey));
    launch<survey_threads>(queue, threads, find_largest<Real>, call.values, call.particles.count, surveys);
    launch<survey_threads>(queue, threads, add_steps<Real>, call.values, call.particles.count, surveys);
  }
  launch<32>(queue, call.value_count(), choose_units, ranges, surveys, units, call.value_count());
}

template <class Real>
void run(const DepositCall<Real>& call) {
  const Queue& queue = call.queue();
  const int values = call.value_count();
  const Ranges ranges(call.ranges);
  ScratchFrame frame(call.scratch);
  const WholeMemory memory{frame.array<FixedPoint>(values).data, frame.array<SizeSum>(values * size_slots).data};
  fill_bytes(queue, memory.sizes, 0, values * size_slots * sizeof(SizeSum));
  find_units(call, ranges, memory.units);
  for_each_pass(call.space.dimensions, values,
                [&]<int corners, int width>(int first) { run_values<corners, width>(call, memory, first); });
  launch<32>(queue, std::int64_t{32} * values, check_ranges, ranges, memory.units, memory.sizes, call.particles.count,
             call.status);
}

}  // namespace

const DepositMethod deposit_integer_cuda{{"integer", DeviceKind::cuda, true, "shoal"}, false, run<float>, run<double>};

}  // namespace shoal
