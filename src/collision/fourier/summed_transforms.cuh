// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <type_traits>

#include "collision/fourier/plane_transforms.cuh"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Calls visit(std::integral_constant<int, n>) if there are kernels of our own for n³ nodes; returns whether there are.
template <class Visit>
bool visit_planes(int n, const Visit& visit) {
  switch (n) {
    case 16:
      return visit(std::integral_constant<int, 16>()), true;
    case 24:
      return visit(std::integral_constant<int, 24>()), true;
    case 32:
      return visit(std::integral_constant<int, 32>()), true;
    case 48:
      return visit(std::integral_constant<int, 48>()), true;
    case 64:
      return visit(std::integral_constant<int, 64>()), true;
    default:
      return false;
  }
}

inline bool has_planes(int n) {
  return visit_planes(n, [](auto) {});
}

/// Bytes of the transforms of a call: with more, a call is hardly faster.
inline std::int64_t transform_bytes(int n) { return has_planes(n) ? 256 << 20 : 64 << 20; }

/// Writes values to transform.
/// @param out  [transforms][n³] overwritten
template <class Value, class Values>
__global__ void write_values(SpectrumLayout layout, std::int64_t transforms, Values values, Value* out) {
  const std::int64_t transform = thread_index() / layout.nodes();
  if (transform >= transforms) return;
  const auto i = static_cast<int>(thread_index() - transform * layout.nodes());
  const int n = layout.n;
  out[thread_index()] = values(transform, i % n, i / n % n, i / n / n);
}

/// Sums over the transforms of each sum.
/// @param across  columns of a transform along x
/// @param values  [sums][count][n][n][across]
template <class Complex, class SumOf>
__global__ void sum_transforms(int n, int across, std::int64_t sums, int count, const Complex* values, SumOf sum_of) {
  const std::int64_t size = static_cast<std::int64_t>(n) * n * across, sum = thread_index() / size;
  if (sum >= sums) return;
  const auto i = static_cast<int>(thread_index() - sum * size);
  const int x = i % across, y = i / across % n, z = i / across / n;
  values += sum * count * size + i;
  typename SumOf::Total total = {};
#pragma unroll 4
  for (int k = 0; k < count; ++k) sum_of.add(total, sum, k, values[k * size], x, y, z);
  sum_of.store(sum, x, y, z, total);
}

/// Inverse transforms of many spectra, and sums of functions of them: by planes where there are kernels for n, else by cuFFT.
/// plane_transforms.cuh says what the functions are.
template <class Real>
class InverseTransforms {
 public:
  using Complex = CufftComplex<Real>;

  /// @param transforms  largest number of transforms in a call; with cuFFT every call makes as many, so that bits stay the same
  InverseTransforms(const Queue& queue, int n, int transforms) : layout_{n}, transforms_(transforms) {
    if (!has_planes(n)) plan_.emplace(queue, n, Cufft<Real>::complex_type, transforms);
  }

  /// Computes `sums` sums over `count` transforms each.
  template <class Spectra, class SumOf>
  void run(Scratch& scratch, std::int64_t sums, int count, const Spectra& spectra, const SumOf& sum_of) const {
    const Queue& queue = scratch.queue();
    ScratchFrame frame(scratch);
    Complex* values = frame.array<Complex>(transforms_ * layout_.nodes()).data;
    const auto by_planes = [&]<int n>(std::integral_constant<int, n>) {
      sum_by_planes<Real, n, n>(queue, sums, count, spectra, values, sum_of);
    };
    if (visit_planes(layout_.n, by_planes)) return;
    launch(queue, sums * count * layout_.nodes(), write_values<Complex, Spectra>, layout_, sums * count, spectra,
           values);
    cufft_check(Cufft<Real>::inverse(plan_->handle(), values), "inverse transforms");
    launch(queue, sums * layout_.nodes(), sum_transforms<Complex, SumOf>, layout_.n, layout_.n, sums, count, values,
           sum_of);
  }

 private:
  SpectrumLayout layout_;
  std::int64_t transforms_;
  std::optional<CufftPlan> plan_;
};

/// The conjugate of what a transform by planes gives: the forward transform.
template <class SumOf>
struct SumOfConjugates {
  using Total = typename SumOf::Total;
  SumOf sum_of;

  template <class Complex>
  __device__ void add(Total& total, std::int64_t sum, int k, Complex h, int x, int y, int z) const {
    sum_of.add(total, sum, k, Complex{h.x, -h.y}, x, y, z);
  }
  __device__ void store(std::int64_t sum, int x, int y, int z, Total total) const { sum_of.store(sum, x, y, z, total); }
};

/// Real values as complex ones.
template <class Real, class Values>
struct ComplexValues {
  Values values;

  __device__ CufftComplex<Real> operator()(std::int64_t transform, int x, int y, int z) const {
    return {values(transform, x, y, z), 0};
  }
};

/// Half spectra of many arrays of real values, and sums of functions of them.
template <class Real>
class ForwardTransforms {
 public:
  using Complex = CufftComplex<Real>;

  /// @param transforms  as for InverseTransforms
  ForwardTransforms(const Queue& queue, int n, int transforms) : layout_{n}, transforms_(transforms) {
    if (!has_planes(n)) plan_.emplace(queue, n, Cufft<Real>::to_spectrum_type, transforms);
  }

  /// Computes `sums` sums over `count` transforms each.
  /// @param values  values(transform, x, y, z) is a real value
  template <class Values, class SumOf>
  void run(Scratch& scratch, std::int64_t sums, int count, const Values& values, const SumOf& sum_of) const {
    const Queue& queue = scratch.queue();
    ScratchFrame frame(scratch);
    Complex* half = frame.array<Complex>(transforms_ * layout_.half_count()).data;
    const auto by_planes = [&]<int n>(std::integral_constant<int, n>) {
      sum_by_planes<Real, n, n / 2 + 1>(queue, sums, count, ComplexValues<Real, Values>{values}, half,
                                        SumOfConjugates<SumOf>{sum_of});
    };
    if (visit_planes(layout_.n, by_planes)) return;
    Real* real = frame.array<Real>(transforms_ * layout_.nodes()).data;
    launch(queue, sums * count * layout_.nodes(), write_values<Real, Values>, layout_, sums * count, values, real);
    cufft_check(Cufft<Real>::to_spectrum(plan_->handle(), real, half), "forward transforms");
    launch(queue, sums * layout_.half_count(), sum_transforms<Complex, SumOf>, layout_.n, layout_.across(), sums, count,
           half, sum_of);
  }

 private:
  SpectrumLayout layout_;
  std::int64_t transforms_;
  std::optional<CufftPlan> plan_;
};

/// Takes real sums at the nodes of several arrays; what adds to them is derived from it.
template <class Real>
struct SumsAtNodes {
  using Total = Real;
  SpectrumLayout layout;
  Real* values;    ///< [sums][nodes]
  bool overwrite;  ///< else sums are added to the values

  __device__ std::int64_t index(std::int64_t sum, int x, int y, int z) const {
    return sum * layout.nodes() + layout.index(x, y, z);
  }
  __device__ void store(std::int64_t sum, int x, int y, int z, Real total) const {
    Real& value = values[index(sum, x, y, z)];
    value = overwrite ? total : value + total;
  }
};

/// Values at the nodes of several arrays.
template <class Real>
struct NodeValues {
  SpectrumLayout layout;
  const Real* values;  ///< [arrays][nodes]

  __device__ Real operator()(std::int64_t array, int x, int y, int z) const {
    return values[array * layout.nodes() + layout.index(x, y, z)];
  }
};

}  // namespace shoal::collision
