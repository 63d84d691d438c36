// SPDX-License-Identifier: Apache-2.0
// Faults that work of a queue records, and the exception that its wait() makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/device/status.hpp"
#include "core/text.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class Statuses : public DeviceTest {
 protected:
  /// A status that wait() checks, with a name in its message.
  static std::shared_ptr<StatusBlock> watched(const Queue& on, const std::string& name) {
    return watch_status(on, [name](int kind, std::int64_t index, const double*) {
      return text(name, " ", index, " has fault ", kind);
    });
  }

  /// Records a fault as work of the queue does.
  static void record_fault(const Queue& on, StatusBlock& block, std::int64_t index, int kind) {
    Status status;
    record(&status, index, kind);
    copy_bytes(on, block.device_pointer(), on.device(), &status, {}, sizeof status);
  }
};

INSTANTIATE_TEST_SUITE_P(AllDevices, Statuses, every_device, device_test_name);

TEST_P(Statuses, ReportTheFirstOneThatIsWatchedAndAreClearedThen) {
  const Queue on = queue();
  const auto points = watched(on, "point"), faces = watched(on, "face");
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error");
  record_fault(on, *faces, 7, 2);
  record_fault(on, *points, 1'234'567'890'123, 3);
  EXPECT_EQ(message_of([&] { on.wait(); }), "point 1234567890123 has fault 3");
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error") << "one exception for all faults";
}

TEST_P(Statuses, ThatNobodyHasAnyMoreAreNotReported) {
  const Queue on = queue();
  const auto points = watched(on, "point");
  auto faces = watched(on, "face");
  record_fault(on, *faces, 7, 2);
  faces.reset();
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error");
  const auto cells = watched(on, "cell");
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error") << "a new one has no fault of an earlier one";
}

TEST_P(Statuses, MayBeMoreThanAPageHas) {
  const Queue on = queue();
  std::vector<std::shared_ptr<StatusBlock>> blocks;
  for (int b = 0; b < 3 * StatusPage::statuses / 2; ++b) blocks.push_back(watched(on, text("block ", b)));
  for (const std::size_t b : {std::size_t{0}, blocks.size() / 2, blocks.size() - 1}) {
    record_fault(on, *blocks[b], 5, 1);
    EXPECT_EQ(message_of([&] { on.wait(); }), text("block ", b, " 5 has fault 1"));
  }
}

TEST_P(Statuses, CanBeReadOneByOne) {
  const Queue on = queue();
  StatusBlock block(on, [](int, std::int64_t index, const double*) { return text("item ", index); });
  EXPECT_EQ(block.take(), std::nullopt);
  record_fault(on, block, 4, 0);
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error") << "not watched";
  EXPECT_EQ(block.take(), "item 4");
  EXPECT_EQ(block.take(), std::nullopt);
}

}  // namespace
}  // namespace shoal
