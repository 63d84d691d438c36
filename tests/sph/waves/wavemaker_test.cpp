// SPDX-License-Identifier: Apache-2.0
// Motions of paddles against the formulas of theory, and every bad input.
#include <gtest/gtest.h>
#include <shoal/sph.hpp>
#include <shoal/sph/warnings.hpp>

#include <cmath>
#include <functional>
#include <numbers>

#include "sph/sph_cases.hpp"
#include "sph/waves/paddle_message.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using std::numbers::pi;
constexpr double interpolation_error =
    1e-7;  ///< error of cubics between a hundred knots a period, relative to the stroke
const Vector gravity{0, -9.81, 0};

/// Position of a point of the paddle at a time.
Vector moved(const Motion& motion, double time, const Vector& point) { return motion.at(time).apply(point); }

TEST(Wavemaker, APistonMovesByLinearTheory) {
  const Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05, .phase = 30, .ramp = 0};
  const Motion motion = wavemaker_motion(wavemaker, gravity, 20);
  const double amplitude = 0.025 / 0.76897;  // H/S of kd = 0.77447
  for (const double time : {0.0, 0.3, 1.234, 17.7}) {
    const Vector x = moved(motion, time, {1, 0.2, 0});
    EXPECT_NEAR(x[0] - 1, amplitude * std::sin(pi * time - pi / 6), 2e-6 * amplitude + 1e-6 * amplitude) << time;
    EXPECT_EQ(x[1], 0.2);
  }
}

TEST(Wavemaker, ThePathIsThatOfTheoryBetweenItsKnots) {
  const Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05, .ramp = 0};
  const Motion motion = wavemaker_motion(wavemaker, gravity, 20);
  const double k = wave_number(2, 0.5, 9.81), amplitude = 0.025 / paddle_transfer(Paddle::piston, 0.5 * k);
  for (double time = 0; time < 20; time += 0.0173)
    EXPECT_NEAR(moved(motion, time, {})[0], amplitude * std::sin(pi * time), interpolation_error * amplitude) << time;
}

TEST(Wavemaker, ASecondOrderPistonAddsTheTermOfMadsen) {
  Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05, .ramp = 0};
  const Motion first = wavemaker_motion(wavemaker, gravity, 4);
  wavemaker.order = 2;
  const Motion second = wavemaker_motion(wavemaker, gravity, 4);
  for (const double time : {0.25, 0.6, 3.1})
    EXPECT_NEAR(moved(second, time, {})[0] - moved(first, time, {})[0], 5.82565e-4 * std::sin(2 * pi * time), 2e-8);
}

TEST(Wavemaker, AFlapTurnsAboutItsHinge) {
  const Vector hinge{0.3, -0.1, 0};
  const Wavemaker wavemaker{
      .paddle = Paddle::flap, .depth = 0.5, .period = 2, .height = 0.05, .ramp = 0, .hinge = hinge};
  const Motion motion = wavemaker_motion(wavemaker, gravity, 4);
  const double k = wave_number(2, 0.5, 9.81), amplitude = 0.025 / paddle_transfer(Paddle::flap, 0.5 * k);
  for (const double time : {0.2, 0.5, 1.4, 3.3}) {
    const Vector foot = moved(motion, time, hinge), top = moved(motion, time, {0.3, 0.4, 0});
    EXPECT_NEAR(foot[0], 0.3, 1e-15);
    EXPECT_NEAR(foot[1], -0.1, 1e-15);
    const double lean = (top[0] - 0.3) / (top[1] + 0.1);  // the wall meets the still water level at depth times it
    EXPECT_NEAR(0.5 * lean, amplitude * std::sin(pi * time), interpolation_error * amplitude) << time;
  }
}

TEST(Wavemaker, WavesMayRunAlongAnyHorizontalDirection) {
  Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05, .ramp = 0, .direction = {3, -4, 0}};
  const Vector down{0, 0, -9.81};
  const double e =
      moved(wavemaker_motion({.depth = 0.5, .period = 2, .height = 0.05, .ramp = 0}, gravity, 1), 0.5, {})[0];
  const Vector shifted = moved(wavemaker_motion(wavemaker, down, 1), 0.5, {});
  EXPECT_NEAR(shifted[0], 0.6 * e, 1e-15);
  EXPECT_NEAR(shifted[1], -0.8 * e, 1e-15);
  EXPECT_EQ(shifted[2], 0);
  wavemaker.paddle = Paddle::flap;
  const Vector top = moved(wavemaker_motion(wavemaker, down, 1), 0.5, {0, 0, 0.5});
  EXPECT_GT(top[0], 0.01) << "it leans along the waves";
  EXPECT_NEAR(top[1] / top[0], -4.0 / 3, 1e-12);
}

TEST(Wavemaker, TheRampIsOnePeriodUnlessGiven) {
  Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05};
  const Motion usual = wavemaker_motion(wavemaker, gravity, 6);
  wavemaker.ramp = 0;
  const Motion full = wavemaker_motion(wavemaker, gravity, 6);
  EXPECT_EQ(usual.at(0), RigidTransform{});
  // After half a period, a quarter of the ramp: 1/64 (10 − 15/4 + 6/16).
  EXPECT_NEAR(moved(usual, 0.5, {})[0], 0.103515625 * moved(full, 0.5, {})[0], 1e-8);
  EXPECT_EQ(moved(usual, 4.5, {})[0], moved(full, 4.5, {})[0]);
}

TEST(Wavemaker, KnotsDoNotDependOnTheEndOfTheRun) {
  const Wavemaker sea{.waves = Waves::irregular, .depth = 0.7, .period = 1.6, .height = 0.08};
  const std::vector<PathKnot> some = wavemaker_motion(sea, gravity, 3).path->knots();
  const std::vector<PathKnot> more = wavemaker_motion(sea, gravity, 30).path->knots();
  ASSERT_GE(some.back().time, 3);
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].time, more[i].time);
    EXPECT_EQ(some[i].value[0], more[i].value[0]);
    EXPECT_EQ(some[i].slope[0], more[i].slope[0]);
  }
}

TEST(Wavemaker, ALongPlanNamesItsLength) {
  const Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05};
  EXPECT_NE(message_of([&] { wavemaker_motion(wavemaker, gravity, 1e9); }).find("Shorten the run"), std::string::npos);
}

TEST(WavemakerCheck, EveryBadValueIsNamed) {
  EXPECT_EQ(message_with([](Case&, Wavemaker&) {}), "no error");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.wall = "beach"; }),
            "sph: wavemaker.wall = \"beach\", expected the name of a wall: tank, paddle.");
  EXPECT_EQ(message_with([](Case& c, Wavemaker&) { c.scheme.gravity = {}; }),
            "sph: [[wavemaker]] needs scheme.gravity: the waves depend on it.");
  EXPECT_EQ(message_with([](Case& c, Wavemaker&) { c.duration = 0; }),
            "sph: [[wavemaker]] needs run.duration, up to which its motion is planned.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.depth = 0; }),
            "sph: wavemaker.depth = 0 m, expected a positive number.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.period = -1; }),
            "sph: wavemaker.period = -1 s, expected a positive number.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.height = 0; }),
            "sph: wavemaker.height = 0 m, expected a positive number.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.phase = std::nan(""); }),
            "sph: wavemaker.phase = nan degrees, expected a finite number.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.ramp = -1; }),
            "sph: wavemaker.ramp = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) {
              w.direction = {1, 1, 0};
            }),
            "sph: wavemaker.direction = (1, 1, 0), expected a horizontal direction, across scheme.gravity.");
  EXPECT_NE(message_with([](Case&, Wavemaker& w) { w.direction = {}; }).find("(0, 0, 0)"), std::string::npos);
  EXPECT_NE(message_with([](Case&, Wavemaker& w) { w.direction = {1, 0, 1}; }).find("(1, 0, 1)"), std::string::npos);
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) {
              w.hinge = {0, HUGE_VAL, 0};
            }),
            "sph: wavemaker.hinge has the component inf m, expected finite numbers.");
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.order = 3; }),
            "sph: wavemaker.order = 3, expected 1, or 2 with a piston.");
}

TEST(WavemakerCheck, TheChoiceOfASoundSpeedNamesABadValue) {
  Case simulation = dam_break(1);
  simulation.duration = 1;
  simulation.materials[0].sound_speed = 0;
  simulation.wavemakers = {{.wall = "tank", .depth = 1, .period = 2, .height = 0.1, .direction = {}}};
  EXPECT_EQ(message_of([&] { choose_sound_speeds(simulation); }),
            "sph: wavemaker.direction = (0, 0, 0), expected a horizontal direction, across scheme.gravity.");
  simulation.wavemakers[0].direction = {1, 0, 0};
  choose_sound_speeds(simulation);
  EXPECT_GT(simulation.materials[0].sound_speed, 30);
}

TEST(WavemakerCheck, TheSecondOrderIsForPistonsAndAtMost300Components) {
  const auto sea = [](int components) {
    return message_with(
        [&](Case&, Wavemaker& w) { w.order = 2, w.waves = Waves::irregular, w.components = components; });
  };
  EXPECT_EQ(message_with([](Case&, Wavemaker& w) { w.order = 2; }), "no error");
  EXPECT_NE(message_with([](Case&, Wavemaker& w) { w.order = 2, w.paddle = Paddle::flap; }), "no error");
  EXPECT_EQ(sea(10), "no error");
  EXPECT_NE(sea(301).find("wavemaker.components = 301, expected at most 300 of second order"), std::string::npos);
}

TEST(WavemakerCheck, EveryBadValueOfASpectrumIsNamed) {
  const auto sea = [](const std::function<void(Wavemaker&)>& spoil) {
    return message_with([&](Case&, Wavemaker& w) {
      w.waves = Waves::irregular;
      spoil(w);
    });
  };
  EXPECT_EQ(sea([](Wavemaker&) {}), "no error");
  EXPECT_EQ(sea([](Wavemaker& w) {
              w.frequencies = {2, 1};
            }),
            "sph: wavemaker.frequencies = [2, 1], expected two positive numbers, the second one larger.");
  EXPECT_EQ(sea([](Wavemaker& w) { w.components = 0; }), "sph: wavemaker.components = 0, expected 1 to 10000.");
  EXPECT_EQ(sea([](Wavemaker& w) { w.seed = -1; }), "sph: wavemaker.seed = -1, expected 0 or more.");
  EXPECT_EQ(sea([](Wavemaker& w) { w.peak_enhancement = 0; }),
            "sph: wavemaker.peak_enhancement = 0, expected a positive number.");
  const auto group = [](const std::function<void(Wavemaker&)>& spoil) {
    return message_with([&](Case&, Wavemaker& w) {
      w.waves = Waves::focused;
      w.crest = 0.1;
      spoil(w);
    });
  };
  EXPECT_EQ(group([](Wavemaker&) {}), "no error");
  EXPECT_EQ(group([](Wavemaker& w) { w.crest = 0; }), "sph: wavemaker.crest = 0 m, expected a positive number.");
  EXPECT_EQ(group([](Wavemaker& w) { w.focus_time = -1; }),
            "sph: wavemaker.focus_time = -1 s, expected 0 or a positive number.");
  EXPECT_EQ(group([](Wavemaker& w) { w.focus_length = -1; }),
            "sph: wavemaker.focus_length = -1 m, expected 0 or a positive number.");
}

TEST(WavemakerWarnings, WavesThatBreakAndWavesTooLongForTheSecondOrder) {
  Case simulation = dam_break(1);
  simulation.wavemakers = {{.wall = "tank", .depth = 0.5, .period = 2, .height = 0.05}};
  const auto names = [&] {
    std::vector<std::string> list;
    for (const Warning& warning : warnings(simulation))
      if (warning.name.starts_with("wave")) list.push_back(warning.name);
    return list;
  };
  Wavemaker& wavemaker = simulation.wavemakers[0];
  EXPECT_EQ(names(), std::vector<std::string>{});
  wavemaker.height = 0.376;  // 0.142 · 4.05643 m · tanh 0.77447 = 0.3741 m, and 0.78 · 0.5 m = 0.39 m
  EXPECT_EQ(names(), std::vector<std::string>{"wave_height"});
  wavemaker.height = 0.373;
  EXPECT_EQ(names(), std::vector<std::string>{});
  wavemaker.order = 2;  // 0.373 · 4.05643²/0.5³ = 49.1
  EXPECT_EQ(names(), std::vector<std::string>{"wave_order"});
  wavemaker.height = 0.1;  // 13.2
  EXPECT_EQ(names(), std::vector<std::string>{});
}

}  // namespace
}  // namespace shoal::sph
