// SPDX-License-Identifier: Apache-2.0
#include "collision/fourier/kissfft_transform.hpp"

#include <kissfft/kissfft.hh>

#include <algorithm>
#include <vector>

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
};

/// Plans of the calling thread. They are made anew when the number of values changes.
template <class Real>
Lines<Real>& lines_of_thread(int n) {
  thread_local Lines<Real> lines(n);
  if (lines.in.size() != static_cast<std::size_t>(n)) lines = Lines<Real>(n);
  return lines;
}

}  // namespace

template <class Real>
template <class Plan>
void KissfftTransform<Real>::across_rows(const Plan& plan, Complex* buffer, int row, Complex* values) const {
  const auto transform_line = [&](Complex* line, std::int64_t stride) {
    plan.transform(line, buffer, 0, 1, static_cast<std::size_t>(stride));
    for (int i = 0; i < n_; ++i) line[i * stride] = buffer[i];
  };
  const std::int64_t plane = static_cast<std::int64_t>(n_) * row;
  for (int z = 0; z < n_; ++z)
    for (int x = 0; x < row; ++x) transform_line(values + z * plane + x, row);
  for (std::int64_t xy = 0; xy < plane; ++xy) transform_line(values + xy, plane);
}

template <class Real>
void KissfftTransform<Real>::inverse(Complex* values) const {
  Lines<Real>& line = lines_of_thread<Real>(n_);
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(n_) * n_; ++row) {
    line.inverse.transform(values + row * n_, line.out.data());
    std::copy_n(line.out.data(), n_, values + row * n_);
  }
  across_rows(line.inverse, line.out.data(), n_, values);
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
  across_rows(line.forward, line.out.data(), half_row(), half);
}

template <class Real>
void KissfftTransform<Real>::from_spectrum(Complex* half, Real* values) const {
  Lines<Real>& line = lines_of_thread<Real>(n_);
  across_rows(line.inverse, line.out.data(), half_row(), half);
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
