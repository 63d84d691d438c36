// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"
#include "core/range.hpp"
#include "deposit/deposit_call.hpp"
#include "deposit/sum_tree.hpp"

/// What methods on CUDA share that keep the parts of a cell's corners: several values at a time in registers.
namespace shoal::corner_parts {

constexpr int most_width = 4;            ///< values of a pass
constexpr std::int64_t most_direct = 4;  ///< particles of a cell that nodes may read themselves

/// Whether cells have so few particles that nodes had better read them.
template <class Real>
bool is_sparse(const DepositCall<Real>& call) {
  constexpr std::int64_t sparse_below = 3;  // particles a cell on average
  return call.particles.count < sparse_below * call.space.cell_count();
}

/// Some values of one particle, or sums of them.
template <int width, class Real>
struct Values {
  Real of[width] = {};

  __device__ __forceinline__ void add(Real weight, const Values& value) {
#pragma unroll
    for (int k = 0; k < width; ++k) of[k] = std::fma(weight, value.of[k], of[k]);
  }
  __device__ __forceinline__ Values operator+(const Values& other) const {
    Values sum;
#pragma unroll
    for (int k = 0; k < width; ++k) sum.of[k] = of[k] + other.of[k];
    return sum;
  }
  /// a, or else b.
  __device__ __forceinline__ static Values choose(bool first, const Values& a, const Values& b) {
    Values chosen;
#pragma unroll
    for (int k = 0; k < width; ++k) chosen.of[k] = first ? a.of[k] : b.of[k];
    return chosen;
  }
  __device__ __forceinline__ void store(Real* to, int stride) const {
#pragma unroll
    for (int k = 0; k < width; ++k) to[k * stride] = of[k];
  }
  /// Those of the lane `across` away.
  __device__ __forceinline__ Values of_lane(int across) const {
    Values other;
#pragma unroll
    for (int k = 0; k < width; ++k) other.of[k] = __shfl_xor_sync(whole_warp, of[k], across);
    return other;
  }
  /// Those of a lane.
  __device__ __forceinline__ Values at_lane(int lane) const {
    Values other;
#pragma unroll
    for (int k = 0; k < width; ++k) other.of[k] = __shfl_sync(whole_warp, of[k], lane);
    return other;
  }
};

/// Arrays of values one after the other, in the order of cells, as few as a pass has, so that they are in registers.
template <int width, class Real>
struct ValuesOf {
  const Real* data[width];

  __device__ __forceinline__ Values<width, Real> read(std::int64_t p) const {
    Values<width, Real> values;
#pragma unroll
    for (int k = 0; k < width; ++k) values.of[k] = __ldg(data[k] + p);
    return values;
  }
};

template <int width, class Real>
struct PackedValues {
  Real* data[width];
};

template <int width, class Real>
__global__ void pack_values(Fields<const Real> from, int first, BinnedParticles<Real> particles,
                            PackedValues<width, Real> to) {
  const std::int64_t p = thread_index();
  if (p >= particles.count) return;
  const std::int64_t number = particles.number(p);
#pragma unroll
  for (int k = 0; k < width; ++k) to.data[k][p] = from.at(first + k, number);
}

/// Values [first, first + width) of a call so; they are copied only if they lie in another way.
template <int width, class Real>
ValuesOf<width, Real> values_in_cell_order(const DepositCall<Real>& call, ScratchFrame& frame, int first) {
  const std::int64_t n = call.particles.count;
  ValuesOf<width, Real> values;
  bool is_packed = call.particles.order == nullptr;
  for (int k = 0; k < width; ++k) {
    values.data[k] = call.values.data[first + k];
    is_packed = is_packed && call.values.stride[first + k] == 1;
  }
  if (is_packed) return values;
  PackedValues<width, Real> packed;
  for (int k = 0; k < width; ++k) values.data[k] = packed.data[k] = frame.array<Real>(n).data;
  launch(call.queue(), n, pack_values<width, Real>, call.values, first, call.particles, packed);
  return values;
}

/// Arrays of nodes, of any stride.
template <int width, class Real>
struct NodeValuesOf {
  const Real* data[width];
  std::int64_t stride[width];

  NodeValuesOf(const Fields<const Real>& fields, int first) {
    for (int k = 0; k < width; ++k) data[k] = fields.data[first + k], stride[k] = fields.stride[first + k];
  }
  __device__ __forceinline__ Values<width, Real> read(std::int64_t node) const {
    Values<width, Real> values;
#pragma unroll
    for (int k = 0; k < width; ++k) values.of[k] = __ldg(data[k] + node * stride[k]);
    return values;
  }
};

/// Where the numbers of the particle at a position are, for StagedWalk: three offsets, of which 2-D needs two, and its
/// values.
template <int corners, int width, class Real>
__device__ __forceinline__ auto places_of_numbers(const BinnedParticles<Real>& particles,
                                                  const ValuesOf<width, Real>& values) {
  return [&](std::int32_t p) {
    return [&particles, &values, p](int i) -> const Real* {
      if (i < 3) return corners == 8 || i < 2 ? particles.offset[i] + p : nullptr;
      return values.data[i - 3] + p;
    };
  };
}
/// The values among those numbers.
template <int width, class Real>
__device__ __forceinline__ Values<width, Real> values_in(const Real (&numbers)[3 + width]) {
  Values<width, Real> values;
#pragma unroll
  for (int k = 0; k < width; ++k) values.of[k] = numbers[3 + k];
  return values;
}

template <int width, class Real>
struct NodesOf {
  Real* data[width];
  std::int64_t stride[width];

  NodesOf(const Fields<Real>& fields, int first) {
    for (int k = 0; k < width; ++k) data[k] = fields.data[first + k], stride[k] = fields.stride[first + k];
  }
  __device__ __forceinline__ void write(std::int64_t node, const Values<width, Real>& sum) const {
#pragma unroll
    for (int k = 0; k < width; ++k) data[k][node * stride[k]] = sum.of[k];
  }
};

/// The parts of all cells: [values][corners][cells], so that cells next to each other are next to each other.
template <class Real>
struct Parts {
  Real* data = nullptr;
  std::int64_t cells = 0;
  int corners = 8;

  __device__ __forceinline__ Real& at(int k, int corner, std::int64_t cell) const {
    return data[(k * corners + corner) * cells + cell];
  }
  template <int width>
  __device__ __forceinline__ void write(std::int64_t cell, int corner, const Values<width, Real>& part) const {
#pragma unroll
    for (int k = 0; k < width; ++k) at(k, corner, cell) = part.of[k];
  }
  template <int width>
  __device__ __forceinline__ Values<width, Real> read(std::int64_t cell, int corner) const {
    Values<width, Real> part;
#pragma unroll
    for (int k = 0; k < width; ++k) part.of[k] = at(k, corner, cell);
    return part;
  }
  __device__ __forceinline__ void clear(std::int64_t cell, int width) const {
    for (int i = 0; i < width * corners; ++i) data[i * cells + cell] = 0;
  }
};

/// Which corner a lane has after add_across(), and whether no other lane of its group has it, too.
template <int corners>
__device__ __forceinline__ int corner_of_lane() {
  return static_cast<int>(threadIdx.x % sum_lanes) / (sum_lanes / corners);
}
template <int corners>
__device__ __forceinline__ bool is_writer_of_corner() {
  return threadIdx.x % (sum_lanes / corners) == 0;
}

/// Adds the sums of a group's eight lanes as a butterfly (step 3 of the canonical sum). In each step a lane gives half
/// of its corners away, so that in the end it has one: 7 exchanges for 8 corners instead of 24.
template <int held, class Value>
__device__ __forceinline__ Value add_across(const Value (&sum)[held], int across) {
  if constexpr (held == 1) {
    Value total = sum[0];
    for (; across > 0; across /= 2) total = total + total.of_lane(across);
    return total;
  } else {
    constexpr int half = held / 2;
    const bool upper = (threadIdx.x & across) != 0;
    Value kept[half];
#pragma unroll
    for (int c = 0; c < half; ++c) {
      const Value given = Value::choose(upper, sum[c], sum[c + half]);
      kept[c] = Value::choose(upper, sum[c + half], sum[c]) + given.of_lane(across);
    }
    return add_across<half>(kept, across / 2);
  }
}

/// Calls pass.operator()<corners, width>(first) for all values of a call, as many at a time as registers hold.
template <class Pass>
void for_each_pass(int dimensions, int values, Pass&& pass) {
  const auto with_width = [&]<int width>(int first) {
    if (dimensions > 2)
      pass.template operator()<8, width>(first);
    else
      pass.template operator()<4, width>(first);
  };
  for (int first = 0; first < values; first += most_width) {
    switch (values - first) {
      case 1:
        with_width.template operator()<1>(first);
        break;
      case 2:
        with_width.template operator()<2>(first);
        break;
      case 3:
        with_width.template operator()<3>(first);
        break;
      default:
        with_width.template operator()<most_width>(first);
        break;
    }
  }
}

}  // namespace shoal::corner_parts
