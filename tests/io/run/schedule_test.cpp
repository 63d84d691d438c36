// SPDX-License-Identifier: Apache-2.0
// Times of outputs.
#include <gmock/gmock.h>

#include "io/run/sample_state.hpp"
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

TEST(Schedule, HasTheStartTheMultiplesAndTheEnd) {
  sph::Case simulation = sample_case();
  simulation.output.every = 0.3;
  EXPECT_THAT(times_of({simulation, -1}), ElementsAre(0, 0.3, 2 * 0.3, 3 * 0.3, 1));
  simulation.output.every = 0;
  EXPECT_THAT(times_of({simulation, -1}), ElementsAre(0, 1));
}

TEST(Schedule, TimesThatDifferByRoundingAreOneEvent) {
  sph::Case simulation = sample_case();
  simulation.output.every = 0.3;
  simulation.probes = {{"often", sph::ProbeKind::surge_front, {}, 0.1}};
  Schedule schedule(simulation, -1);
  std::vector<double> with_fields, times;
  while (const auto event = schedule.next()) {
    times.push_back(event->time);
    if (event->fields) with_fields.push_back(event->time);
    EXPECT_THAT(event->probes, ElementsAre(0));
  }
  EXPECT_EQ(times.size(), 11u);
  EXPECT_EQ(with_fields.size(), 5u);  // 0, 0.3, 0.6, 0.9, 1
}

TEST(Schedule, AProbeWithoutAnIntervalGoesWithTheFields) {
  sph::Case simulation = sample_case();
  simulation.probes = {{"front", sph::ProbeKind::surge_front, {}, 0}};
  Schedule schedule(simulation, -1);
  while (const auto event = schedule.next()) EXPECT_TRUE(event->fields && event->probes.size() == 1);
}

/// Times within this distance are one event: multiples of 0.1 s differ from each other by rounding.
constexpr double time_rounding = 1e-9;

TEST(Schedule, AfterARestartTheSameTimesFollow) {
  sph::Case simulation = sample_case();
  simulation.output.every = 0.1;
  const std::vector<double> times = times_of({simulation, -1});
  for (const double after : {0.0, 0.05, 0.1, 0.25, 0.3, 0.95}) {
    std::vector<double> expected;
    for (const double time : times)
      if (time > after + time_rounding) expected.push_back(time);
    EXPECT_EQ(times_of({simulation, after}), expected) << after;
  }
  EXPECT_THAT(times_of({simulation, 1.0}), ElementsAre());
}

TEST(Schedule, WithAFixedStepAnEventLessThanHalfAStepAwayIsOver) {
  sph::Case simulation = sample_case();
  simulation.scheme.time_step = sph::TimeStep::fixed;
  simulation.scheme.dt = 0.04;  // step 6 at 0.24 s is nearest to 0.25 s
  EXPECT_THAT(times_of({simulation, 0.24}), ElementsAre(0.5, 0.75, 1));
  EXPECT_THAT(times_of({simulation, 0.2}), ElementsAre(0.25, 0.5, 0.75, 1));
}

}  // namespace
}  // namespace shoal::io
