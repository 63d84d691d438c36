// SPDX-License-Identifier: Apache-2.0
// CPU threads of a queue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/device.hpp>

#include "core/range.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;

class Queues : public DeviceTest {
 protected:
  std::string device() const { return device_word(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(AllDevices, Queues, every_device, device_test_name);

TEST_P(Queues, HaveTheThreadsThatTheCallerGives) {
  EXPECT_EQ(Queue::parse(device(), 3).threads(), 3);
  EXPECT_EQ(Queue::parse(device(), 1).threads(), 1);
  EXPECT_EQ(Queue::parse("best", 2).threads(), 2);
  EXPECT_EQ(to_string(Queue::parse(device(), 3).device()), device() == "cpu" ? "cpu" : "cuda:0");
}

TEST_P(Queues, HaveThoseOfOpenMpWithoutANumber) {
  EXPECT_EQ(Queue::parse(device()).threads(), Queue::cpu().threads());
  EXPECT_EQ(Queue::parse(device(), 0).threads(), Queue::cpu(0).threads());
}

TEST_P(Queues, RefuseNumbersThatAreNone) {
  EXPECT_THAT(message_of([&] { Queue::parse(device(), -1); }), HasSubstr("threads = -1, expected 0 (take all)"));
  EXPECT_THAT(message_of([&] { Queue::parse(device(), 5000); }), HasSubstr("or a number from 1 to 4096"));
}

TEST(HostWork, StaysOnOneThreadWhileItIsSmall) {
  EXPECT_EQ(threads_for(0, 16), 1);
  EXPECT_EQ(threads_for(2 * host_task_size - 1, 16), 1);
  EXPECT_EQ(threads_for(2 * host_task_size, 16), 2);
  EXPECT_EQ(threads_for(1'000'000, 16), 16);
  EXPECT_EQ(threads_for(1'000'000, 1), 1);
}

}  // namespace
}  // namespace shoal
