// SPDX-License-Identifier: Apache-2.0
#include "collision/fourier/kissfft_transform.hpp"

#include <kissfft/kissfft.hh>

#include <algorithm>
#include <vector>

#include "collision/fourier/planes.hpp"

namespace shoal::collision {

namespace {

/// Plans and line buffers of one thread, for lines of n values.
template <class Real>
struct Lines {
  kissfft<Real> forward, inverse;
  std::vector<std::complex<Real>> in, out;

  explicit Lines(int n)
      : forward(static_cast<std::size_t>(n), false),
        inverse(static_cast<std::size_t>(n), true),
        in(static_cast<std::size_t>(n)),
        out(in.size()) {}

  /// Transforms in place the values of a line, which are `stride` apart.
  void transform(const kissfft<Real>& plan, std::complex<Real>* line, std::int64_t stride) {
    plan.transform(line, out.data(), 0, 1, static_cast<std::size_t>(stride));
    for (std::size_t i = 0; i < out.size(); ++i) line[static_cast<std::int64_t>(i) * stride] = out[i];
  }
};

/// Plans of the calling thread. They are made anew when the number of values changes.
template <class Real>
Lines<Real>& lines_of_thread(int n) {
  thread_local Lines<Real> lines(n);
  if (lines.in.size() != static_cast<std::size_t>(n)) lines = Lines<Real>(n);
  return lines;
}

/// Transforms along y and z an array whose rows along x have `row` values.
template <class Real>
void transform_across_rows(Lines<Real>& lines, const kissfft<Real>& plan, int row, std::complex<Real>* values) {
  const auto n = static_cast<std::int64_t>(lines.out.size()), plane = n * row;
  for (std::int64_t z = 0; z < n; ++z)
    for (int x = 0; x < row; ++x) lines.transform(plan, values + z * plane + x, row);
  for (std::int64_t xy = 0; xy < plane; ++xy) lines.transform(plan, values + xy, plane);
}

}  // namespace

template <class Real>
void KissfftTransform<Real>::inverse_plane(Complex* plane) const {
  Lines<Real>& line = lines_of_thread<Real>(n_);
  for (int y = 0; y < n_; ++y) line.transform(line.inverse, plane + y * n_, 1);
  for (int x = 0; x < n_; ++x) line.transform(line.inverse, plane + x, n_);
}

template <class Real>
void KissfftTransform<Real>::inverse_columns(Complex* columns) const {
  Lines<Real>& line = lines_of_thread<Real>(n_);
  for (int k = 0; k < columns_at_once; ++k) line.transform(line.inverse, columns + k, columns_at_once);
}

// Two real rows a and b are the real and the imaginary part of one complex row, with spectrum A + i B.

template <class Real>
void KissfftTransform<Real>::to_spectrum(const Real* values, Complex* half) const {
  Lines<Real>& line = lines_of_thread<Real>(n_);
  const std::int64_t rows = static_cast<std::int64_t>(n_) * n_;
  for (std::int64_t row = 0; row < rows; row += 2) {
    const bool is_pair = row + 1 < rows;
    const Real *a = values + row * n_, *b = is_pair ? a + n_ : nullptr;
    for (int x = 0; x < n_; ++x) line.in[static_cast<std::size_t>(x)] = {a[x], is_pair ? b[x] : Real(0)};
    line.forward.transform(line.in.data(), line.out.data());
    Complex* first = half + row * half_row();
    for (int k = 0; k < half_row(); ++k) {
      const Complex sum = line.out[static_cast<std::size_t>(k)];
      const Complex opposite = std::conj(line.out[static_cast<std::size_t>(k == 0 ? 0 : n_ - k)]);
      const Complex even = sum + opposite, odd = sum - opposite;
      first[k] = {even.real() / 2, even.imag() / 2};
      if (is_pair) first[half_row() + k] = {odd.imag() / 2, -odd.real() / 2};
    }
  }
  transform_across_rows(line, line.forward, half_row(), half);
}

template <class Real>
void KissfftTransform<Real>::from_spectrum(Complex* half, Real* values) const {
  Lines<Real>& line = lines_of_thread<Real>(n_);
  transform_across_rows(line, line.inverse, half_row(), half);
  const std::int64_t rows = static_cast<std::int64_t>(n_) * n_;
  for (std::int64_t row = 0; row < rows; row += 2) {
    const bool is_pair = row + 1 < rows;
    const Complex *first = half + row * half_row(), *second = is_pair ? first + half_row() : nullptr;
    for (int k = 0; k < n_; ++k) {
      const int source = std::min(k, n_ - k);
      Complex a = first[source], b = is_pair ? second[source] : Complex{};
      if (source != k) a = std::conj(a), b = std::conj(b);
      line.in[static_cast<std::size_t>(k)] = {a.real() - b.imag(), a.imag() + b.real()};
    }
    line.inverse.transform(line.in.data(), line.out.data());
    for (int x = 0; x < n_; ++x) {
      values[row * n_ + x] = line.out[static_cast<std::size_t>(x)].real();
      if (is_pair) values[(row + 1) * n_ + x] = line.out[static_cast<std::size_t>(x)].imag();
    }
  }
}

template class KissfftTransform<float>;
template class KissfftTransform<double>;

}  // namespace shoal::collision
