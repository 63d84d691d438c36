// SPDX-License-Identifier: Apache-2.0
// Roots and reciprocals that CUDA takes shorter than rounding exactly would be as close as they promise.
#include <gtest/gtest.h>
#include <shoal/array.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/cuda/launch.cuh"
#include "core/real.hpp"
#include "support/devices.hpp"

namespace shoal {
namespace {

template <class Real>
struct Answers {
  Real reciprocal, root, positive, negative, left_out;
};

template <class Real>
__global__ void answer(const Real* a, std::int64_t n, Answers<Real>* answers) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k >= n) return;
  const Real size = a[k] < 0 ? -a[k] : a[k];
  answers[k] = {fast_reciprocal(a[k]), quick_sqrt(size), positive_part(a[k]), negative_part(a[k], 1),
                negative_part(a[k], 0)};
}

template <class Real>
std::vector<Answers<Real>> answers_to(const std::vector<Real>& a) {
  const Queue queue = Queue::cuda(0);
  const Array<Real> device = to_device(queue, a);
  Array<Answers<Real>> answers(queue, device.count());
  launch(queue, device.count(), answer<Real>, device.data(), device.count(), answers.data());
  return to_host(queue, answers);
}

/// Numbers of both signs whose exponents fill the range in which results are normal.
template <class Real>
std::vector<Real> spread_numbers(int exponents) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-exponents, exponents);
  std::vector<Real> numbers;
  for (int k = 0; k < 100'000; ++k) {
    const double size = std::ldexp(mantissa(random), exponent(random));
    numbers.push_back(static_cast<Real>(random() % 2 ? size : -size));
  }
  return numbers;
}

template <class Real>
void expect_two_units_at_most(int exponents) {
  const std::vector<Real> numbers = spread_numbers<Real>(exponents);
  const std::vector<Answers<Real>> got = answers_to(numbers);
  constexpr auto most = 2 * static_cast<long double>(std::numeric_limits<Real>::epsilon());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const long double a = numbers[k];
    const long double root = std::sqrt(std::abs(a));
    ASSERT_LE(std::abs(got[k].reciprocal * a - 1), most) << numbers[k];
    ASSERT_LE(std::abs(got[k].root / root - 1), most) << numbers[k];
    ASSERT_EQ(got[k].positive, a > 0 ? numbers[k] : 0);
    ASSERT_EQ(got[k].negative, a < 0 ? numbers[k] : 0);
    ASSERT_EQ(got[k].left_out, 0);
  }
}

TEST(RealCuda, FloatsAreWithinTwoUnits) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  expect_two_units_at_most<float>(120);
}

TEST(RealCuda, DoublesAreWithinTwoUnits) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  expect_two_units_at_most<double>(1000);
}

TEST(RealCuda, TheRootOfNothingIsNothing) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  EXPECT_EQ(answers_to<float>({0})[0].root, 0);
  EXPECT_LT(answers_to<double>({0})[0].root, 1e-150);
  EXPECT_GE(answers_to<double>({0})[0].root, 0);
}

}  // namespace
}  // namespace shoal
