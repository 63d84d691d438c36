// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collision/fourier/cufft_spectrum.cuh"

namespace shoal::collision {

template <class Complex>
__device__ Complex sum(Complex a, Complex b) {
  return {a.x + b.x, a.y + b.y};
}
template <class Complex>
__device__ Complex difference(Complex a, Complex b) {
  return {a.x - b.x, a.y - b.y};
}
template <class Complex>
__device__ Complex product(Complex a, Complex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/// a exp(2πi k / count) for k < count / 2, and a count that divides 8 or 12.
template <int count, class Complex>
__device__ Complex turn(Complex a, int k) {
  using Real = decltype(a.x);
  constexpr auto root_half = static_cast<Real>(0.70710678118654752440), half = static_cast<Real>(0.5),
                 root_three_quarters = static_cast<Real>(0.86602540378443864676);
  if (k == 0) return a;
  if (4 * k == count) return {-a.y, a.x};
  if (8 * k == count) return {root_half * (a.x - a.y), root_half * (a.x + a.y)};
  if (8 * k == 3 * count) return {-root_half * (a.x + a.y), root_half * (a.x - a.y)};
  const bool thirty = 12 * k == count || 12 * k == 5 * count;  // degrees from the real axis, else sixty
  const Real sine = thirty ? half : root_three_quarters, cosine = thirty ? root_three_quarters : half;
  return product(a, Complex{4 * k < count ? cosine : -cosine, sine});
}

/// a[k] = Σ_j a[j] exp(2πi j k / 3)
template <class Complex>
__device__ void inverse_transform_of_three(Complex (&a)[3]) {
  using Real = decltype(a[0].x);
  constexpr auto half = static_cast<Real>(0.5), root_three_quarters = static_cast<Real>(0.86602540378443864676);
  const Complex both = sum(a[1], a[2]), between = difference(a[1], a[2]);
  const Complex middle = {a[0].x - half * both.x, a[0].y - half * both.y};
  const Complex side = {-root_three_quarters * between.y, root_three_quarters * between.x};
  a[0] = sum(a[0], both);
  a[1] = sum(middle, side);
  a[2] = difference(middle, side);
}

/// a[k] = Σ_j a[j] exp(2πi j k / count), for 2, 4, 8 or 3, 6, 12 values in registers.
template <int count, class Complex>
__device__ void inverse_transform(Complex (&a)[count]) {
  if constexpr (count == 3) {
    inverse_transform_of_three(a);
  } else if constexpr (count == 2) {
    const Complex even = a[0];
    a[0] = sum(even, a[1]);
    a[1] = difference(even, a[1]);
  } else {
    constexpr int half = count / 2;
    Complex even[half], odd[half];
    for (int j = 0; j < half; ++j) {
      even[j] = a[2 * j];
      odd[j] = a[2 * j + 1];
    }
    inverse_transform(even);
    inverse_transform(odd);
    for (int k = 0; k < half; ++k) {
      const Complex turned = turn<count>(odd[k], k);
      a[k] = sum(even[k], turned);
      a[k + half] = difference(even[k], turned);
    }
  }
}

/// Inverse transform, not scaled, of a line of n values by the threads of a group within a warp, in two steps.
///
/// A thread holds the values t + threads j for its number t in the group, and gets those of the numbers output(t, m), both
/// in the order of its array.
template <class Real, int n>
struct LineTransform {
  static_assert(n == 16 || n == 24 || n == 32 || n == 48 || n == 64);
  using Complex = CufftComplex<Real>;
  static constexpr int values = n == 16 ? 4 : n % 3 == 0 ? 12 : 8;  ///< Values of a thread.
  static constexpr int threads = n / values;                        ///< Threads of a line.
  static constexpr int warp_lines = 32 / threads;                   ///< Lines of a warp.

  __device__ static int input(int t, int j) { return t + threads * j; }
  __device__ static int output(int t, int m) { return t + m / threads * threads + m % threads * values; }

  /// @param a         [values] of thread t
  /// @param roots     [n] exp(2πi k / n)
  /// @param exchange  exchange(k) is the k-th of n places of the line in shared memory, not used by others; what it holds is
  ///                  lost
  template <class Exchange>
  __device__ static void inverse(Complex (&a)[values], int t, const Complex* roots, Exchange exchange) {
    inverse_transform(a);
    for (int k = 0; k < values; ++k) {
      if (k > 0) a[k] = product(a[k], roots[t * k]);
      exchange(place(k, t)) = a[k];
    }
    __syncwarp();
    for (int first = 0; first < values; first += threads) {
      Complex b[threads];
      for (int s = 0; s < threads; ++s) b[s] = exchange(place(t + first, s));
      inverse_transform(b);
      for (int s = 0; s < threads; ++s) a[first + s] = b[s];
    }
    __syncwarp();
  }

 private:
  /// Place of the value k of thread t: numbers are exchanged so that neither writing nor reading meets a bank twice.
  __device__ static int place(int k, int t) { return k * threads + ((t ^ k) & (threads - 1)); }
};

/// Fills roots[k] = exp(2πi k / n) by the threads of a block.
template <class Real, int n>
__device__ void fill_roots(CufftComplex<Real>* roots) {
  for (int k = static_cast<int>(threadIdx.x); k < n; k += static_cast<int>(blockDim.x)) {
    double sine, cosine;
    sincospi(2.0 * k / n, &sine, &cosine);
    roots[k] = {static_cast<Real>(cosine), static_cast<Real>(sine)};
  }
}

}  // namespace shoal::collision
