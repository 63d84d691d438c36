// SPDX-License-Identifier: Apache-2.0
// Times of outputs.
#include <gmock/gmock.h>

#include "io/run/schedule.hpp"
#include "support/messages.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<double> times_of(Schedule schedule) {
  std::vector<double> times;
  while (const auto event = schedule.next()) times.push_back(event->time);
  return times;
}

TEST(Schedule, HasMultiplesOfTheIntervalAndTheEnd) {
  EXPECT_THAT(times_of({1, {0.25}, 1e-9, -1}), ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(times_of({1, {0.4}, 1e-9, -1}), ElementsAre(0, 0.4, 0.8, 1));
  EXPECT_THAT(times_of({1, {0}, 1e-9, -1}), ElementsAre(0, 1));
}

TEST(Schedule, GoesOnBehindTheTimeOfARestart) {
  EXPECT_THAT(times_of({1, {0.25}, 1e-9, 0.5}), ElementsAre(0.75, 1));
  EXPECT_THAT(times_of({1, {0.25}, 1e-9, 0.6}), ElementsAre(0.75, 1));
  EXPECT_THAT(times_of({1, {1e-8}, 1e-12, 1 - 1.5e-8}), ElementsAre(99999999 * 1e-8, 1));
}

TEST(Schedule, HasALimitedNumberOfEvents) {
  for (const double every : {1e-300, 1e-12})
    EXPECT_THAT(message_of([&] {
                  Schedule(1, {0.5, every}, 1e-9, 0.25);
                }),
                HasSubstr("times into the duration of 1 s, expected at most 1e+08 times"));
}

}  // namespace
}  // namespace shoal::io
