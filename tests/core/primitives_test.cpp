// SPDX-License-Identifier: Apache-2.0
#include "core/primitives/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using testing_support::message_of;
using testing_support::queue_on;

constexpr std::int64_t sizes[] = {0, 1, 131, 42'793, 300'001};

template <class T>
std::vector<T> random_integers(std::int64_t n, T least, T most) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n) + 7);
  std::uniform_int_distribution<T> pick(least, most);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = pick(random);
  return values;
}

template <class T>
std::vector<T> random_reals(std::int64_t n) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n) + 11);
  std::uniform_real_distribution<T> pick(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = pick(random);
  return values;
}

class EveryDevice : public testing_support::DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllDevices, EveryDevice, testing_support::every_device, testing_support::device_test_name);

TEST_P(EveryDevice, ScanOfFourByHand) {
  const Queue queue = queue_on(GetParam());
  Scratch scratch(queue);
  const Array<std::int32_t> in = to_device(queue, std::vector<std::int32_t>{3, 0, -2, 5});
  Array<std::int64_t> out(queue, 5);
  exclusive_scan<std::int32_t>(scratch, in, out);
  EXPECT_EQ(to_host(queue, out), (std::vector<std::int64_t>{0, 3, 3, 1, 6}));
}

TEST_P(EveryDevice, ScanInPlaceAtEverySize) {
  const Queue queue = queue_on(GetParam());
  Scratch scratch(queue);
  for (const std::int64_t n : sizes) {
    const auto values = random_integers<std::int64_t>(n, -5'000'000'000, 5'000'000'000);
    std::vector<std::int64_t> expected(values.size());
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), std::int64_t{0});
    Array<std::int64_t> array = to_device(queue, values);
    exclusive_scan<std::int64_t>(scratch, array, array);
    EXPECT_EQ(to_host(queue, array), expected) << n;
  }
}

TEST_P(EveryDevice, ScanOfNothingIsTheTotalZero) {
  const Queue queue = queue_on(GetParam());
  Scratch scratch(queue);
  Array<std::int64_t> out(queue, 1);
  exclusive_scan(scratch, View<const std::int32_t>(nullptr, 0, queue.device()), out.view());
  EXPECT_EQ(to_host(queue, out), (std::vector<std::int64_t>{0}));
}

template <class Key, class Value>
void expect_stable_sort(DeviceKind kind, int bits) {
  const Queue queue = queue_on(kind);
  Scratch scratch(queue);
  for (const std::int64_t n : sizes) {
    const Key most = bits == 8 * sizeof(Key) ? std::numeric_limits<Key>::max() : (Key{1} << bits) - 1;
    const auto keys = random_integers<Key>(n, 0, most);
    std::vector<Value> ids(keys.size());
    std::iota(ids.begin(), ids.end(), Value{0});
    std::vector<Value> expected = ids;
    std::stable_sort(expected.begin(), expected.end(), [&](Value a, Value b) {
      return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    const Array<Key> in_keys = to_device(queue, keys);
    const Array<Value> in_ids = to_device(queue, ids);
    Array<Key> out_keys(queue, n);
    Array<Value> out_ids(queue, n);
    sort_pairs<Key, Value>(scratch, {in_keys, in_ids}, {out_keys, out_ids}, bits);
    EXPECT_EQ(to_host(queue, out_ids), expected) << n;
    EXPECT_EQ(to_host(queue, in_keys), keys) << n;
    const auto sorted = to_host(queue, out_keys);
    EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.end())) << n;
  }
}

TEST_P(EveryDevice, SortIsStableForEveryKeyAndValueType) {
  expect_stable_sort<std::uint32_t, std::int32_t>(GetParam(), 5);
  expect_stable_sort<std::uint32_t, std::int64_t>(GetParam(), 32);
  expect_stable_sort<std::uint64_t, std::int32_t>(GetParam(), 19);
  expect_stable_sort<std::uint64_t, std::int64_t>(GetParam(), 64);
}

template <class T>
T reduced(const Queue& queue, Reduction reduction, View<const T> in) {
  Scratch scratch(queue);
  Array<T> out(queue, 1);
  reduce(scratch, reduction, in, out.view());
  return to_host(queue, out)[0];
}

TEST_P(EveryDevice, ReduceFindsIntegerSumMinimumAndMaximum) {
  const Queue queue = queue_on(GetParam());
  for (const std::int64_t n : sizes) {
    if (n == 0) continue;
    const auto values = random_integers<std::int64_t>(n, -1'000'000'000'000, 1'000'000'000'000);
    const Array<std::int64_t> in = to_device(queue, values);
    EXPECT_EQ(reduced<std::int64_t>(queue, Reduction::sum, in),
              std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    EXPECT_EQ(reduced<std::int64_t>(queue, Reduction::min, in), *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(reduced<std::int64_t>(queue, Reduction::max, in), *std::max_element(values.begin(), values.end()));
  }
}

TEST_P(EveryDevice, ReduceOfNothing) {
  const Queue queue = queue_on(GetParam());
  const View<const double> nothing(nullptr, 0, queue.device());
  EXPECT_EQ(reduced(queue, Reduction::sum, nothing), 0.0);
  EXPECT_EQ(reduced(queue, Reduction::min, nothing), INFINITY);
  EXPECT_EQ(reduced(queue, Reduction::max, nothing), -INFINITY);
}

TEST_P(EveryDevice, ReduceLetsNanThrough) {
  const Queue queue = queue_on(GetParam());
  std::vector<float> values = random_reals<float>(9'000);
  values[8'191] = std::nanf("");
  const Array<float> in = to_device(queue, values);
  for (const Reduction reduction : {Reduction::sum, Reduction::min, Reduction::max})
    EXPECT_TRUE(std::isnan(reduced<float>(queue, reduction, in)));
}

TEST_P(EveryDevice, FloatSumIsCloseToTheExactSumAndTheSameForAnyThreads) {
  for (const std::int64_t n : sizes) {
    const auto values = random_reals<float>(n);
    const double exact = std::accumulate(values.begin(), values.end(), 0.0);
    const Queue one = Queue::cpu(1);
    const auto serial = reduced<float>(one, Reduction::sum, View<const float>(values));
    EXPECT_NEAR(serial, exact, 1e-6 * std::sqrt(static_cast<double>(n) + 1)) << n;
    const Queue queue = queue_on(GetParam());
    const Array<float> in = to_device(queue, values);
    EXPECT_EQ(reduced<float>(queue, Reduction::sum, in), serial) << n;
  }
}

TEST_P(EveryDevice, ReduceReadsStridedViews) {
  const Queue queue = queue_on(GetParam());
  const Array<double> in = to_device(queue, std::vector<double>{1, 100, 2, 100, 4, 100});
  EXPECT_EQ(reduced(queue, Reduction::sum, View<const double>(in.data(), 3, queue.device(), 2)), 7.0);
}

TEST_P(EveryDevice, SelectKeepsTheOrder) {
  const Queue queue = queue_on(GetParam());
  Scratch scratch(queue);
  for (const std::int64_t n : sizes) {
    const auto bits = random_integers<int>(n, 0, 1);
    const std::vector<std::uint8_t> flags(bits.begin(), bits.end());
    std::vector<std::int32_t> expected;
    for (std::int32_t i = 0; i < n; ++i)
      if (flags[static_cast<std::size_t>(i)]) expected.push_back(i);
    const Array<std::uint8_t> in = to_device(queue, flags);
    Array<std::int32_t> indices(queue, n);
    Array<std::int64_t> selected(queue, 1);
    select<std::int32_t>(scratch, in, indices, selected);
    auto result = to_host(queue, indices);
    ASSERT_EQ(to_host(queue, selected)[0], static_cast<std::int64_t>(expected.size())) << n;
    result.resize(expected.size());
    EXPECT_EQ(result, expected) << n;
  }
}

TEST_P(EveryDevice, HistogramCountsKeysWithinTheBins) {
  const Queue queue = queue_on(GetParam());
  Scratch scratch(queue);
  const Array<std::int32_t> by_hand = to_device(queue, std::vector<std::int32_t>{2, 0, 2, 3, -1, 2, 7});
  Array<std::int64_t> counts(queue, 4);
  histogram<std::int32_t>(scratch, by_hand, counts);
  EXPECT_EQ(to_host(queue, counts), (std::vector<std::int64_t>{1, 0, 3, 1}));
  for (const std::int64_t n : sizes) {
    const auto keys = random_integers<std::uint32_t>(n, 0, 99);
    std::vector<std::int64_t> expected(100);
    for (const std::uint32_t key : keys) ++expected[key];
    const Array<std::uint32_t> in = to_device(queue, keys);
    counts.resize(100);
    histogram<std::uint32_t>(scratch, in, counts);
    EXPECT_EQ(to_host(queue, counts), expected) << n;
  }
}

TEST_P(EveryDevice, GatherReadsAndWritesStridedViews) {
  const Queue queue = queue_on(GetParam());
  const Array<float> in = to_device(queue, std::vector<float>{10, 0, 11, 0, 12, 0});
  const Array<std::int64_t> index = to_device(queue, std::vector<std::int64_t>{2, 0, 2, 1});
  Array<float> out = to_device(queue, std::vector<float>(12, -1.f));
  gather<float, std::int64_t>(queue, {in.data(), 3, queue.device(), 2}, index, {out.data(), 4, queue.device(), 3});
  EXPECT_EQ(to_host(queue, out), (std::vector<float>{12, -1, -1, 10, -1, -1, 12, -1, -1, 11, -1, -1}));
}

TEST_P(EveryDevice, ASecondCallReusesTheScratch) {
  const Queue queue = queue_on(GetParam());
  Scratch scratch(queue);
  const void* before = nullptr;
  {
    ScratchFrame frame(scratch);
    before = frame.array<double>(1000).data;
  }
  ScratchFrame frame(scratch);
  EXPECT_EQ(frame.array<float>(2000).data, before);
  EXPECT_NE(frame.array<float>(2000).data, before);
}

TEST(PrimitiveErrors, SayWhatWasExpected) {
  Scratch scratch(Queue::cpu(1));
  std::vector<std::int64_t> four(4);
  std::vector<std::int64_t> two(2);
  std::vector<std::uint32_t> keys(4);
  using Out = View<std::int64_t>;
  using In = View<const std::int64_t>;
  EXPECT_EQ(message_of([&] { exclusive_scan(scratch, In(four), Out(two)); }),
            "exclusive_scan: out has 2 elements, expected 4.");
  EXPECT_EQ(message_of([&] { exclusive_scan(scratch, In(four.data(), 2, {}, 2), Out(two)); }),
            "exclusive_scan: in has stride 2, expected 1.");
  EXPECT_EQ(message_of([&] { reduce(scratch, Reduction::sum, In(four), Out(two)); }),
            "reduce: out has 2 elements, expected 1.");
  EXPECT_EQ(message_of([&] { gather(Queue::cpu(1), In(four), In(two), Out(four)); }),
            "gather: out has 4 elements, expected 2.");
  EXPECT_EQ(message_of([&] {
              sort_pairs<std::uint32_t, std::int64_t>(scratch, {View<const std::uint32_t>(keys), In(four)},
                                                      {View<std::uint32_t>(keys), Out(four)}, 33);
            }),
            "sort_pairs: key_bits = 33, expected 0 to 32.");
  EXPECT_EQ(message_of([&] {
              exclusive_scan(scratch, In(four.data(), 4, {DeviceKind::cuda, 0}), Out(four));
            }),
            "exclusive_scan: in is on cuda:0, expected on cpu.");
}

}  // namespace
}  // namespace shoal
