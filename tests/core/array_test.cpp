// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/array.hpp>

#include <numeric>

#include "core/device/queue_order.hpp"
#include "core/memory/memory.hpp"
#include "core/memory/pinned_array.hpp"
#include "core/memory/scratch.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class ArraysOn : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllDevices, ArraysOn, every_device, device_test_name);

constexpr std::int64_t absurd = std::int64_t{1} << 50;  ///< 8 PiB of std::int64_t, more than any machine has

TEST_P(ArraysOn, SayWhatIsNeededAndWhatIsFree) {
  const Queue on = queue();
  Array<std::int64_t> array(on, 0);
  const std::string message = message_of([&] { array.resize(absurd); });
  const std::string where = on.on_cpu() ? "cpu" : on.name();
  EXPECT_EQ(message.rfind("array: out of memory on " + where + ": need 8.0 PiB (9007199254740992 bytes), have ", 0), 0u)
      << message;
  EXPECT_NE(
      message.find(" free of " + bytes_text(memory_info(on).total) + ". Free other arrays, or split the problem."),
      std::string::npos)
      << message;
  EXPECT_THROW(array.resize(absurd), OutOfMemory);
}

TEST_P(ArraysOn, AreEmptyAndUsableAfterTheyDidNotFit) {
  const Queue on = queue();
  Array<std::int64_t> array(on, 3);
  EXPECT_THROW(array.resize(absurd), OutOfMemory);
  EXPECT_EQ(array.count(), 0);
  EXPECT_EQ(array.bytes(), 0);
  EXPECT_EQ(array.data(), nullptr);
  array.resize(2);
  const std::vector<std::int64_t> two{7, 8};
  copy(on, View<const std::int64_t>(two), array.view());
  EXPECT_EQ(to_host(on, array), two);
}

TEST_P(ArraysOn, KeepTheirMemoryWhenTheyShrink) {
  Array<float> array(queue(), 100);
  const float* const before = array.data();
  array.resize(10);
  EXPECT_EQ(array.bytes(), 400);
  array.resize(100);
  EXPECT_EQ(array.data(), before);
}

TEST_P(ArraysOn, PageLockedOnesTakeWhatIsOnTheDevice) {
  const Queue on = queue();
  std::vector<std::int32_t> host(10'000);
  std::iota(host.begin(), host.end(), 5);
  const Array<std::int32_t> device = to_device(on, host);
  PinnedArray<std::int32_t> pinned(on);
  pinned.copy_from(on, device);
  on.wait();
  EXPECT_EQ(pinned.count(), 10'000);
  EXPECT_TRUE(std::equal(host.begin(), host.end(), pinned.data()));
  const void* const before = pinned.data();
  pinned.resize(0);
  pinned.resize(10'000);
  EXPECT_EQ(pinned.data(), before);
  EXPECT_THROW(pinned.resize(absurd), OutOfMemory);
  EXPECT_EQ(pinned.count(), 0);
  EXPECT_EQ(pinned.data(), nullptr);
}

TEST_P(ArraysOn, ReachTheHostWhateverTheirSize) {
  const Queue on = queue();
  for (const std::size_t count : {1, 511, 512, 513, 10'000}) {
    std::vector<std::int64_t> values(count);
    std::iota(values.begin(), values.end(), 7);
    EXPECT_EQ(to_host(on, to_device(on, values)), values) << count << " of 8 bytes";
  }
}

TEST_P(ArraysOn, OneQueueFollowsAnother) {
  const Queue first = queue();
  const Queue second = queue_on(GetParam());
  constexpr std::int64_t n = 50'000'000;
  Array<std::uint8_t> array(first, n);
  PinnedArray<std::uint8_t> pinned(second);
  for (const int value : {1, 2, 3}) {
    fill_bytes(first, array.data(), value, n);
    enqueue_wait(second, first);
    pinned.copy_from(second, array);
    second.wait();
    EXPECT_EQ(pinned.data()[n - 1], value);
  }
}

TEST_P(ArraysOn, ScratchCountsItsMemory) {
  Scratch scratch(queue());
  EXPECT_EQ(scratch.bytes(), 0);
  for (int repeat = 0; repeat < 2; ++repeat) {
    ScratchFrame frame(scratch);
    frame.array<double>(10);
    frame.array<std::int32_t>(7);
  }
  EXPECT_EQ(scratch.bytes(), 108);
}

TEST(Array, RefusesCountsThatMakeNoSense) {
  Array<double> array(Queue::cpu(1), 4);
  EXPECT_EQ(message_of([&] { array.resize(-1); }), "array: count = -1, expected 0 or more.");
  EXPECT_EQ(message_of([&] { array.resize(INT64_MAX); }),
            "array: 9223372036854775807 elements of 8 bytes are more than any memory holds (1152921504606846975). "
            "Split the problem.");
  EXPECT_EQ(array.count(), 4);
}

TEST(Bytes, HaveAUnitForPeople) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB (1536 bytes)");
  EXPECT_EQ(bytes_text(std::uint64_t{141} << 30), "141.0 GiB (151397597184 bytes)");
}

}  // namespace
}  // namespace shoal
