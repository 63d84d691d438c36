// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"
#include "core/range.hpp"
#include "deposit/deposit_method.hpp"
#include "deposit/sums/sum_tree.hpp"
#include "deposit/tuning.hpp"

/// Building blocks of CUDA methods that keep the parts of a cell's corners, several values at a time, in registers.
namespace shoal::deposit::corner_parts {

constexpr int max_width = 4;  ///< Greatest number of values of a pass

/// Returns true if cells have so few particles that it is faster when nodes read them.
template <class Real>
bool is_sparse(const DepositCall<Real>& call) {
  return call.particles.count < tuning::sparse_below * call.space.cell_count();
}

/// Some values of one particle, or sums of such values.
template <int width, class Real>
struct Values {
  Real component[width] = {};

  __device__ __forceinline__ void add(Real weight, const Values& value) {
#pragma unroll
    for (int k = 0; k < width; ++k) component[k] = std::fma(weight, value.component[k], component[k]);
  }
  __device__ __forceinline__ Values operator+(const Values& addend) const {
    Values sum;
#pragma unroll
    for (int k = 0; k < width; ++k) sum.component[k] = component[k] + addend.component[k];
    return sum;
  }
  /// Returns a if `first`, else b.
  __device__ __forceinline__ static Values choose(bool first, const Values& a, const Values& b) {
    Values chosen;
#pragma unroll
    for (int k = 0; k < width; ++k) chosen.component[k] = first ? a.component[k] : b.component[k];
    return chosen;
  }
  __device__ __forceinline__ void store(Real* out, int stride) const {
#pragma unroll
    for (int k = 0; k < width; ++k) out[k * stride] = component[k];
  }
  /// Values of the lane whose number differs in bit `across`.
  __device__ __forceinline__ Values of_partner(int across) const {
    Values result;
#pragma unroll
    for (int k = 0; k < width; ++k) result.component[k] = __shfl_xor_sync(whole_warp, component[k], across);
    return result;
  }
  /// Values of a lane.
  __device__ __forceinline__ Values of_lane(int lane) const {
    Values result;
#pragma unroll
    for (int k = 0; k < width; ++k) result.component[k] = __shfl_sync(whole_warp, component[k], lane);
    return result;
  }
};

/// The value arrays of one pass, contiguous and in the order of cells. The pointers stay in registers.
template <int width, class Real>
struct ValuesOf {
  const Real* data[width];

  __device__ __forceinline__ Values<width, Real> read(std::int64_t p) const {
    Values<width, Real> values;
#pragma unroll
    for (int k = 0; k < width; ++k) values.component[k] = __ldg(data[k] + p);
    return values;
  }
};

/// Copies one value of the particles to their order. An array alone stays in the cache, which several would leave.
template <class Real>
__global__ void pack_value(const Real* in, std::int64_t stride, BinnedParticles<Real> particles, Real* out) {
  const std::int64_t p = thread_index();
  if (p >= particles.count) return;
  const std::int64_t number = particles.order != nullptr ? __ldcs(particles.order + p) : p;
  __stcs(out + p, in[number * stride]);
}

/// Returns true if bulk copies can begin at an array.
inline bool is_aligned(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; }

/// Values [first, first + width) of a call in this layout, aligned to 16 B; copies them only if they have another one.
template <int width, class Real>
ValuesOf<width, Real> values_in_cell_order(const DepositCall<Real>& call, ScratchFrame& frame, int first) {
  const std::int64_t n = call.particles.count;
  ValuesOf<width, Real> values;
  bool is_packed = call.particles.order == nullptr;
  for (int k = 0; k < width; ++k) {
    values.data[k] = call.values.data[first + k];
    is_packed = is_packed && call.values.stride[first + k] == 1 && is_aligned(values.data[k]);
  }
  if (is_packed) return values;
  for (int k = 0; k < width; ++k) {
    const View<Real> packed = frame.array<Real>(n);
    launch(call.queue(), n, pack_value<Real>, call.values.data[first + k], call.values.stride[first + k],
           call.particles, packed.data);
    values.data[k] = packed.data;
  }
  return values;
}

/// Node arrays of one pass, of any stride, to be read.
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
    for (int k = 0; k < width; ++k) values.component[k] = __ldg(data[k] + node * stride[k]);
    return values;
  }
};

/// Addresses of the numbers of the particle at a position, for StagedWalk: three offsets, of which 2-D needs two, and its
/// values.
template <int corners, int width, class Real>
__device__ __forceinline__ auto number_addresses(const BinnedParticles<Real>& particles,
                                                 const ValuesOf<width, Real>& values) {
  return [&](std::int32_t p) {
    return [&particles, &values, p](int i) -> const Real* {
      if (i < 3) return corners == 8 || i < 2 ? particles.offset[i] + p : nullptr;
      return values.data[i - 3] + p;
    };
  };
}
/// The values among the numbers of number_addresses().
template <int width, class Real>
__device__ __forceinline__ Values<width, Real> values_in(const Real (&numbers)[3 + width]) {
  Values<width, Real> values;
#pragma unroll
  for (int k = 0; k < width; ++k) values.component[k] = numbers[3 + k];
  return values;
}

/// Node arrays of one pass, of any stride, to be written.
template <int width, class Real>
struct NodesOf {
  Real* data[width];
  std::int64_t stride[width];

  NodesOf(const Fields<Real>& fields, int first) {
    for (int k = 0; k < width; ++k) data[k] = fields.data[first + k], stride[k] = fields.stride[first + k];
  }
  __device__ __forceinline__ void write(std::int64_t node, const Values<width, Real>& sum) const {
#pragma unroll
    for (int k = 0; k < width; ++k) data[k][node * stride[k]] = sum.component[k];
  }
};

/// The parts of all cells: [values][corners][cells], so that neighboring lanes access neighboring words.
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
    for (int k = 0; k < width; ++k) at(k, corner, cell) = part.component[k];
  }
  template <int width>
  __device__ __forceinline__ Values<width, Real> read(std::int64_t cell, int corner) const {
    Values<width, Real> part;
#pragma unroll
    for (int k = 0; k < width; ++k) part.component[k] = at(k, corner, cell);
    return part;
  }
  __device__ __forceinline__ void clear(std::int64_t cell, int width) const {
    for (int i = 0; i < width * corners; ++i) data[i * cells + cell] = 0;
  }
};

/// Corner of this lane after add_across(); is_writer_of_corner() is true for one lane per corner.
template <int corners>
__device__ __forceinline__ int corner_of_lane() {
  return static_cast<int>(threadIdx.x % sum_lanes) / (sum_lanes / corners);
}
template <int corners>
__device__ __forceinline__ bool is_writer_of_corner() {
  return threadIdx.x % (sum_lanes / corners) == 0;
}

/// Adds the sums of a group's eight lanes as a butterfly (step 3 of the canonical sum). In each step a lane sends half of
/// its corners away, so it ends with one corner: 7 exchanges for 8 corners instead of 24.
template <int held, class Value>
__device__ __forceinline__ Value add_across(const Value (&sum)[held], int across) {
  if constexpr (held == 1) {
    Value total = sum[0];
    for (; across > 0; across /= 2) total = total + total.of_partner(across);
    return total;
  } else {
    constexpr int half = held / 2;
    const bool upper = (threadIdx.x & across) != 0;
    Value retained[half];
#pragma unroll
    for (int c = 0; c < half; ++c) {
      const Value sent = Value::choose(upper, sum[c], sum[c + half]);
      retained[c] = Value::choose(upper, sum[c + half], sum[c]) + sent.of_partner(across);
    }
    return add_across<half>(retained, across / 2);
  }
}

/// Calls pass.operator()<corners, width>(first) for all values of a call, at most max_width at a time.
template <class Pass>
void for_each_pass(int dimensions, int values, Pass&& pass) {
  const auto with_width = [&]<int width>(int first) {
    if (dimensions > 2)
      pass.template operator()<8, width>(first);
    else
      pass.template operator()<4, width>(first);
  };
  for (int first = 0; first < values; first += max_width) {
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
        with_width.template operator()<max_width>(first);
        break;
    }
  }
}

}  // namespace shoal::deposit::corner_parts
