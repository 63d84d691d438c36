// SPDX-License-Identifier: Apache-2.0
// Transforms of each library for numbers of values with every kind of factor, compared with the definition.
#include <gtest/gtest.h>
#include <shoal/array.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/fourier/plain_transform.hpp"
#include "collision/fourier/planes.hpp"
#ifdef SHOAL_FFTW
#include "collision/fourier/fftw_transform.hpp"
#endif
#ifdef SHOAL_KISSFFT
#include "collision/fourier/kissfft_transform.hpp"
#endif

namespace shoal::collision {
namespace {

using Values = PlainTransform::Values;

constexpr int sizes[] = {8, 9, 10, 11, 14, 15};

Values sample(int n, bool is_real) {
  Values values(static_cast<std::size_t>(n * n * n));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<double>(i);
    values[i] = {std::sin(0.37 * number), is_real ? 0 : std::cos(1.7 * number)};
  }
  return values;
}

double rounding(int n) { return 1e-14 * n * n * n; }

void expect_near(const Values& values, const Values& expected, int n) {
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_LE(std::abs(values[i] - expected[i]), rounding(n)) << n;
}

template <class Transform>
class FourierTransform : public testing::Test {};

using Transforms = testing::Types<
#ifdef SHOAL_FFTW
    FftwTransform<double>
#endif
#if defined(SHOAL_FFTW) && defined(SHOAL_KISSFFT)
    ,
#endif
#ifdef SHOAL_KISSFFT
    KissfftTransform<double>
#endif
    >;
TYPED_TEST_SUITE(FourierTransform, Transforms);

TYPED_TEST(FourierTransform, TheInverseByPlanesIsThatOfTheDefinition) {
  for (const int n : sizes) {
    const Values spectrum = sample(n, false);
    Values values(spectrum.size());
    Array<std::complex<double>> buffer(Queue::cpu(1), planes_count(n));
    const std::int64_t plane_count = n * n;
    const auto copy_plane = [&](int z, std::complex<double>* plane) {
      std::copy_n(spectrum.data() + z * plane_count, plane_count, plane);
    };
    const auto keep_columns = [&](std::int64_t first, std::int64_t count, const std::complex<double>* columns) {
      for (int z = 0; z < n; ++z)
        std::copy_n(columns + z * columns_at_once, count, values.data() + z * plane_count + first);
    };
    inverse_by_planes(TypeParam(n), n, buffer.data(), copy_plane, keep_columns);
    expect_near(values, PlainTransform(n).inverse(spectrum), n);
  }
}

/// The spectrum of real values is the conjugate of their inverse transform.
TYPED_TEST(FourierTransform, HalfSpectraOfRealValuesAreThoseOfTheDefinition) {
  for (const int n : sizes) {
    const Values sampled = sample(n, true), expected = PlainTransform(n).inverse(sampled);
    const Queue queue = Queue::cpu(1);
    Array<double> values(queue, n * n * n), back(queue, values.count());
    const auto fill = [&] {
      std::transform(sampled.begin(), sampled.end(), values.data(), [](auto v) { return v.real(); });
    };
    const TypeParam transform(n);
    Array<std::complex<double>> half(queue, transform.half_count());
    fill();
    transform.to_spectrum(values.data(), half.data());
    std::size_t i = 0;
    for (std::size_t row = 0; row < static_cast<std::size_t>(n * n); ++row)
      for (std::size_t x = 0; x <= static_cast<std::size_t>(n / 2); ++x, ++i)
        ASSERT_LE(std::abs(half.data()[i] - std::conj(expected[row * static_cast<std::size_t>(n) + x])), rounding(n))
            << n;

    transform.from_spectrum(half.data(), back.data());
    fill();
    for (std::int64_t k = 0; k < back.count(); ++k)
      ASSERT_NEAR(back.data()[k] / (n * n * n), values.data()[k], 1e-13) << n;
  }
}

}  // namespace
}  // namespace shoal::collision
