// SPDX-License-Identifier: Apache-2.0
// Section [[open_boundary]], and runs with it: balance, fields and a resumed run.
#include <gmock/gmock.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/case_kinds.hpp>

#include "io/case/dam_break_case.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/text/csv.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::HasSubstr;

const std::string open_ends = std::string(dam_break) + R"(
[[open_boundary]]
name = "river"
box = { from = [0, 0], to = [0.5, 1] }
fluid = "right"
material = "water"
velocity = 1.5
ramp = 2
profile = "power"
water_level = 0.8
extrapolation = "constant"

[[open_boundary]]
box = { from = [4, 0], to = [4.5, 1] }
fluid = "left"
pressure = -10

[[open_boundary]]
box = { from = [2, 0], to = [2.5, 1] }
fluid = "left"
times = [0, 1]
speeds = [2, 3]
)";

TEST(OpenBoundarySection, IsReadAndWritten) {
  const sph::Case c = parse_case(open_ends, "case.toml");
  ASSERT_EQ(c.open_boundaries.size(), 3u);
  const sph::OpenBoundary& river = c.open_boundaries[0];
  EXPECT_EQ(river.name, "river");
  EXPECT_EQ(river.box.to, (sph::Vector{0.5, 1, 0}));
  EXPECT_EQ(river.fluid, sph::Side::right);
  EXPECT_EQ(river.material, "water");
  EXPECT_EQ(river.velocity, 1.5);
  EXPECT_EQ(river.ramp, 2);
  EXPECT_EQ(river.profile, sph::VelocityProfile::power);
  EXPECT_FALSE(river.pressure.has_value());
  EXPECT_EQ(river.water_level, 0.8);
  EXPECT_EQ(river.extrapolation, sph::Extrapolation::constant);
  EXPECT_TRUE(river.is_inlet());
  EXPECT_EQ(c.open_boundaries[1].pressure, -10);
  EXPECT_FALSE(c.open_boundaries[1].is_inlet());
  EXPECT_EQ(c.open_boundaries[2].times, (std::vector<double>{0, 1}));
  EXPECT_EQ(c.open_boundaries[2].speeds, (std::vector<double>{2, 3}));
  EXPECT_TRUE(c.open_boundaries[2].is_inlet());
  EXPECT_EQ(case_text(parse_case(case_text(c), "again.toml")), case_text(c));
}

TEST(OpenBoundarySection, KeysOfInletsNeedOne) {
  const std::string head =
      std::string(dam_break) + "[[open_boundary]]\nfluid = \"left\"\nbox = { from = [4, 0], to = [4.5, 1] }\n";
  const auto message = [&](const char* line) {
    return message_of([&] { parse_case(head + line + "\n", "case.toml"); });
  };
  EXPECT_EQ(message(""), "no error");
  EXPECT_THAT(message("ramp = 1"), HasSubstr("ramp"));
  EXPECT_THAT(message("profile = \"linear\""), HasSubstr("profile"));
  EXPECT_THAT(message("velocity = -1"), HasSubstr("velocity"));
  EXPECT_THAT(message("velocity = 1\nprofile = \"round\""), HasSubstr("uniform"));
  EXPECT_THAT(message("inflow = 1"), HasSubstr("inflow"));
  EXPECT_THAT(
      message_of([&] { parse_case(std::string(dam_break) + "[[open_boundary]]\nvelocity = 1\n", "case.toml"); }),
      HasSubstr("open_boundary.0.box.from"));
}

/// A stream that speeds up, so that numbers of particles change from output to output.
constexpr const char* stream = R"(kind = "sph"
[run]
duration = 0.02
output_every = 0.005
[particles]
spacing = 0.01
[domain]
from = [-0.1, -0.1]
to = [0.4, 0.2]
[[body]]
material = "water"
box = { from = [0, 0], to = [0.3, 0.1] }
velocity = [2, 0]
[[open_boundary]]
box = { from = [0, 0], to = [0.05, 0.1] }
times = [0, 0.02]
speeds = [2, 4]
profile = "parabolic"
[[open_boundary]]
box = { from = [0.25, 0], to = [0.3, 0.1] }
fluid = "left"
[material.water]
density = 1000
sound_speed = 40
[scheme]
walls = "dynamic"
)";

TEST(OpenBoundaryRun, OneThatIsResumedLeavesTheSameFiles) {
  const ScratchFolder folder;
  write_text(folder / "stream.toml", stream);
  const Queue queue = Queue::cpu(1);
  const auto finish = [&](PreparedRun& prepared, const char* name, int steps) {
    RunOptions options;
    options.folder = folder / name;
    options.device = queue.name();
    if (steps > 0) options.interrupted = [left = steps]() mutable { return left-- <= 0; };
    return prepared.run(options);
  };
  const auto run = [&](const char* name, int steps) {
    return finish(*prepare_run(queue, {folder / "stream.toml", {}}, {folder / name, true}), name, steps);
  };
  EXPECT_FALSE(run("whole", 0).interrupted);
  EXPECT_TRUE(run("cut", 25).interrupted);
  EXPECT_FALSE(finish(*prepare_resume(queue, {.folder = folder / "cut", .until = {}}), "cut", 0).interrupted);
  for (const char* name : {"balance.csv", "restart.h5"})
    EXPECT_TRUE(read_text(folder / "whole" / name) == read_text(folder / "cut" / name)) << name;
  EXPECT_THAT(read_text(folder / "whole/balance.csv"), HasSubstr("power of walls [W],inflow [kg],outflow [kg]\n"));
  const std::vector<double> last = Csv::last_row(folder / "whole/balance.csv");
  const double inflow = last[18], outflow = last[19];
  EXPECT_GT(inflow, 2);
  EXPECT_NEAR(last[2], 30 + inflow - outflow, 1e-9);

  const auto states = [&](const char* name) {
    const hdf5::Handle file = hdf5::open_for_reading(folder / name / "fields.vtkhdf");
    return std::pair(hdf5::Rows(file, "VTKHDF/NumberOfPoints").read<std::int64_t>(),
                     hdf5::Rows(file, "VTKHDF/Points").read<float>());
  };
  const auto [counts, points] = states("whole");
  ASSERT_EQ(counts.size(), 5u);
  EXPECT_EQ(counts[0], 300);
  EXPECT_EQ(static_cast<double>(counts[4]), last[10]);
  EXPECT_TRUE(states("cut") == std::pair(counts, points));
}

}  // namespace
}  // namespace shoal::io
