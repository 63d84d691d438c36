// SPDX-License-Identifier: Apache-2.0
// Transforms of kissfft for numbers of values with every kind of factor, compared with the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "collision/fourier/kissfft_transform.hpp"
#include "collision/fourier/plain_transform.hpp"

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

TEST(KissfftTransform, TheInverseIsThatOfTheDefinition) {
  for (const int n : sizes) {
    Values values = sample(n, false);
    const Values expected = PlainTransform(n).inverse(values);
    KissfftTransform<double>(n).inverse(values.data());
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_LE(std::abs(values[i] - expected[i]), rounding(n)) << n;
  }
}

/// The spectrum of real values is the conjugate of their inverse transform.
TEST(KissfftTransform, HalfSpectraOfRealValuesAreThoseOfTheDefinition) {
  for (const int n : sizes) {
    const Values sampled = sample(n, true), expected = PlainTransform(n).inverse(sampled);
    std::vector<double> values;
    for (const auto& value : sampled) values.push_back(value.real());
    const KissfftTransform<double> transform(n);
    Values half(static_cast<std::size_t>(transform.half_count()));
    transform.to_spectrum(values.data(), half.data());
    std::size_t i = 0;
    for (std::size_t row = 0; row < static_cast<std::size_t>(n * n); ++row)
      for (std::size_t x = 0; x <= static_cast<std::size_t>(n / 2); ++x, ++i)
        ASSERT_LE(std::abs(half[i] - std::conj(expected[row * static_cast<std::size_t>(n) + x])), rounding(n)) << n;

    std::vector<double> back(values.size());
    transform.from_spectrum(half.data(), back.data());
    for (std::size_t k = 0; k < back.size(); ++k) ASSERT_NEAR(back[k] / (n * n * n), values[k], 1e-13) << n;
  }
}

}  // namespace
}  // namespace shoal::collision
