// SPDX-License-Identifier: Apache-2.0
// Cases of kind = "relaxation": their keys, files of distributions, output of a run, and the cases of cases/.
#include <gmock/gmock.h>
#include <shoal/io/relaxation.hpp>

#include <cmath>
#include <sstream>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/binary/npy.hpp"
#include "io/relaxation_beams.hpp"
#include "support/devices.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::relaxation {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::StartsWith;

/// Sums over 512 nodes after tens of time steps: 512 roundings of 1.1e-16 a step.
constexpr double run_rounding = 1e-12;
/// Two sums of the initial state that differ in the order of operations only: a few roundings of numbers near 1.
constexpr double start_rounding = 1e-14;
/// Error of the fourth moment on a grid of 8 nodes a direction, which is too coarse for more.
constexpr double coarse_grid_error = 0.2;
/// Relative errors of the fourth moment and of energy that the README of cases/two_beams states.
constexpr double stated_m4_error = 2e-3, stated_energy_drift = 1e-13;

/// Text of `beams` with the first `before` replaced by `after`.
std::string changed(const std::string& before, const std::string& after) { return replaced(beams, before, after); }

std::string message(const std::string& text) {
  return message_of([&] { open_gas(Queue::cpu(1), parse_case(text, "case.toml")); });
}

TEST(RelaxationCase, ReadsAndWritesAllItSays) {
  const Case read = parse_case(beams, "case.toml");
  EXPECT_EQ(read.grid.nodes, 8);
  EXPECT_EQ(read.initial.distribution, Distribution::two_beams);
  EXPECT_EQ(read.initial.apart, (Vector{0.96, 0.72, 0}));
  EXPECT_EQ(read.collision.stencil, CollisionStencil::two_pair);
  EXPECT_FALSE(read.collision.symmetrized);
  EXPECT_EQ(read.collision.directions.degree, 5);
  EXPECT_EQ(parse_case(read.text, "again").text, read.text) << "the resolved case is a case";
  EXPECT_EQ(parse_case(beams, "case.toml", {"scheme.integrator=euler"}).scheme.scheme, RelaxationScheme::euler);
}

TEST(RelaxationCase, StatisticalIntegrationHasSamplesAndASeed) {
  const std::string text = changed("stencil = \"two_pair\"\nsymmetrized = false",
                                   "approach = \"interpolated\"\ninterpolation = \"nearest\"\n"
                                   "integration = \"statistical\"\nsamples = 100\nseed = 7");
  const Case read = parse_case(text, "case.toml");
  EXPECT_EQ(read.collision.interpolation, VelocityInterpolation::nearest);
  EXPECT_EQ(read.collision.integration, CollisionIntegration::statistical);
  EXPECT_EQ(read.collision.samples, 100);
  EXPECT_EQ(read.collision.seed, 7);
  EXPECT_EQ(parse_case(read.text, "again").text, read.text);
  EXPECT_THAT(message(replaced(text, "samples = 100", "samples = 0")), HasSubstr("`collision.samples` = 0"));
  EXPECT_THAT(message(replaced(text, "integration = \"statistical\"\n", "")),
              HasSubstr("`collision.samples` counts only with `collision.integration` = \"statistical\""));
}

TEST(RelaxationCase, MistakesHaveTheirPlace) {
  EXPECT_THAT(message(changed("nodes = 8", "nodes = 7")), StartsWith("case.toml:6: `grid.nodes` = 7"));
  EXPECT_THAT(message(changed("nodes = 8", "nodes = 129")), StartsWith("case.toml:6: `grid.nodes` = 129"));
  EXPECT_THAT(message(changed("half_width = 4\n", "")), StartsWith("case.toml:5: missing key `grid.half_width`"));
  EXPECT_THAT(message(changed("[initial]", "[gas]\nmodel = \"billiard\"\n[initial]")),
              HasSubstr("`gas.model` = \"billiard\" is an unknown name; expected one of maxwell, hard_sphere"));
  EXPECT_THAT(message(changed("[initial]", "[gas]\nmodel = \"vhs\"\n[initial]")),
              HasSubstr("diameter of the molecules is 0, but vhs needs a positive number"));
  EXPECT_THAT(message(changed("degree = 5", "degree = 5\nradii = 8")),
              HasSubstr("`collision.radii` counts only with `collision.approach` = \"spectral\""));
  EXPECT_THAT(message(changed("apart", "amplitude")), HasSubstr("`initial.amplitude` counts only with"));
  EXPECT_THAT(message(changed("output_every = 0.25", "output_every = 2")), HasSubstr("expected at most run.duration"));
  EXPECT_THAT(message(std::string(beams) + "[scheme]\nstep = 1.5\n"),
              HasSubstr("a time step of 1.5 s is above the stability bound"));
  EXPECT_THAT(message(changed("\"two_pair\"", "\"two_pair\"\nmethod = \"magic\"")),
              HasSubstr("method `magic` is not available on cpu"));
  EXPECT_THAT(message(changed("\"two_beams\"", "\"file\"\nfile = \"none.npy\"")), HasSubstr("counts only with"));
}

TEST(RelaxationCase, MessagesNameOverridesInTheWordsOfTheCaller) {
  const auto message_of_override = [](const Overrides& overrides) {
    return message_of([&] { relaxation::parse_case(beams, "case.toml", overrides); });
  };
  EXPECT_THAT(message_of_override({"grid.nodes=7"}), StartsWith("--set grid.nodes: `grid.nodes` = 7"));
  EXPECT_THAT(message_of_override(Overrides({"grid.nodes=7"}, "override")),
              StartsWith("override grid.nodes: `grid.nodes` = 7"));
  EXPECT_THAT(message_of_override(Overrides({"grid.nodes"}, "override")),
              StartsWith("override grid.nodes: expected key=value"));
}

struct DistributionFile : testing::Test {
  ScratchFolder folder;
  std::vector<double> f;

  DistributionFile() {
    for (int i = 0; i < 512; ++i) f.push_back(i);
  }
  template <class T>
  std::filesystem::path npy(const char* type, const std::vector<std::uint64_t>& shape, std::size_t count) const {
    const std::vector<T> values(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(count));
    write_text(folder / "f.npy",
               npy_header(type, shape) + std::string(reinterpret_cast<const char*>(values.data()), count * sizeof(T)));
    return folder / "f.npy";
  }
  static std::string refused(const std::filesystem::path& file, const std::string& dataset = "f") {
    return message_of([&] { read_distribution(file, dataset, 8); });
  }
};

TEST_F(DistributionFile, OfNumPy) {
  EXPECT_EQ(read_distribution(npy<double>("<f8", {8, 8, 8}, 512), "", 8), f);
  EXPECT_EQ(read_distribution(npy<float>("<f4", {512}, 512), "", 8), f);
  EXPECT_THAT(refused(npy<double>("<f8", {8, 8, 8}, 511)), HasSubstr("cut short"));
  EXPECT_THAT(refused(npy<double>("<f8", {7, 8, 8}, 448)), HasSubstr("its shape is (7, 8, 8), expected (8, 8, 8)"));
  EXPECT_THAT(refused(npy<std::int64_t>("<i8", {8, 8, 8}, 512)), HasSubstr("its numbers are <i8"));
  EXPECT_THAT(refused(folder / "none.npy"), HasSubstr("does it exist?"));
  EXPECT_THAT(refused(folder / "f.txt"), HasSubstr("expected .npy, .h5 or .hdf5"));
}

TEST_F(DistributionFile, OfHdf5) {
  const std::filesystem::path file = folder / "f.h5";
  {
    const hdf5::Handle out = hdf5::create_file(file);
    hdf5::write_dataset(out, "gas/f", H5T_NATIVE_DOUBLE, {8, 8, 8}, f.data());
    hdf5::write_dataset(out, "short", H5T_NATIVE_DOUBLE, {8, 8}, f.data());
    hdf5::write_dataset(out, "whole", H5T_NATIVE_INT64, {512}, f.data());
  }
  EXPECT_EQ(read_distribution(file, "gas/f", 8), f);
  EXPECT_THAT(refused(file), HasSubstr("there is no dataset \"f\"; the file has gas, short, whole"));
  EXPECT_THAT(refused(file, "short"), HasSubstr("its shape is (8, 8), expected (8, 8, 8)"));
  EXPECT_THAT(refused(file, "whole"), HasSubstr("no floating-point numbers"));
}

struct RelaxationRun : testing::TestWithParam<DeviceKind> {
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }
  ScratchFolder folder;

  Report run(const Case& simulation, RunOptions options = {}) const {
    prepare_output(folder / "out", true);
    options.folder = folder / "out";
    const Queue queue = queue_on(GetParam());
    Gas gas = open_gas(queue, simulation);
    return relaxation::run(gas, queue, simulation, options);
  }
  /// Numbers of a row of moments.csv; NaN for an empty field.
  std::vector<double> row(std::size_t number) const {
    std::istringstream in(read_text(folder / "out/moments.csv"));
    std::string line;
    for (std::size_t k = 0; k <= number; ++k) std::getline(in, line);
    std::vector<double> values;
    std::istringstream rest(line + ",");
    for (std::string field; std::getline(rest, field, ',');)
      values.push_back(field.empty() ? std::nan("") : std::stod(field));
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, RelaxationRun, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(RelaxationRun, WritesMomentsBesideExactOnes) {
  const Case simulation = parse_case(beams, "case.toml");
  const Report report = run(simulation);
  EXPECT_EQ(report.states, 5);
  EXPECT_GT(report.entropy_rise, 0);
  EXPECT_NEAR(report.energy_drift, 0, run_rounding);
  EXPECT_NEAR(report.mass_drift, 0, run_rounding);
  EXPECT_THAT(read_text(folder / "out/moments.csv"), StartsWith("time [s],m2,m4,m6,m8,m10,exact m2,exact m4,"));
  const std::vector<double> first = row(1), last = row(5);
  ASSERT_EQ(first.size(), 26u);
  EXPECT_EQ(last[0], 1);
  EXPECT_NEAR(first[1], 1, run_rounding) << "m2 is 1 by its normalization";
  EXPECT_NEAR(first[2], first[7], start_rounding) << "exact curves start where the gas does";
  EXPECT_NEAR(last[2], last[7], coarse_grid_error);
  EXPECT_TRUE(std::isnan(last[8])) << "nothing is known of m6";
  EXPECT_NEAR(first[13], first[14], start_rounding);
  EXPECT_NEAR(last[14] / first[14], std::exp(-first[17] / 2), run_rounding) << "the exact stress xy of density n";
  EXPECT_EQ(read_text(folder / "out/case.toml"), simulation.text);
  EXPECT_THAT(read_text(folder / "out/summary.json"), HasSubstr("\"states\": 5"));
}

TEST_P(RelaxationRun, GoesOnFromWhatItWrote) {
  run(parse_case(beams, "case.toml"));
  const std::vector<double> last = row(5);
  std::filesystem::copy_file(folder / "out/distribution.npy", folder / "end.npy");
  const std::string from_file = "\"file\"\nfile = \"" + (folder / "end.npy").string() + "\"\n";
  run(parse_case(changed("\"two_beams\"\ntemperature = 0.6\napart = [0.96, 0.72, 0]\n", from_file), "case.toml"));
  EXPECT_EQ(row(1)[15], last[15]) << "entropy";
  EXPECT_EQ(row(1)[13], last[13]) << "stress xy";
}

TEST_P(RelaxationRun, AnInterruptLeavesWholeRows) {
  RunOptions options;
  int queries = 0;
  options.interrupted = [&] { return ++queries == 2; };
  const Report report = run(parse_case(beams, "case.toml"), options);
  EXPECT_TRUE(report.interrupted);
  EXPECT_LT(report.time, 1);
  EXPECT_THAT(summary_text(report), HasSubstr("interrupted at t = "));
  EXPECT_TRUE(std::filesystem::exists(folder / "out/distribution.npy"));
}

TEST(RelaxationCases, CanRun) {
  for (const char* file :
       {"bkw_relaxation/case.toml", "bkw_relaxation/figure_1.toml", "two_beams/case.toml", "two_beams/case_2.toml"}) {
    const Case simulation = read_case(std::filesystem::path(SHOAL_CASES) / file);
    Case by_serial = simulation;  // a build without FFTW has no other Fourier method
    by_serial.collision.method = "serial";
    Gas gas = open_gas(Queue::cpu(2), by_serial);
    EXPECT_GT(step_bound(gas), 0) << file;
    EXPECT_TRUE(warnings(gas).empty()) << file;
  }
}

TEST(RelaxationCases, Figure1IsThePapers) {
  const Case simulation = read_case(std::filesystem::path(SHOAL_CASES) / "bkw_relaxation/figure_1.toml");
  EXPECT_EQ(simulation.grid.nodes, 64);
  EXPECT_EQ(simulation.gas.model, MoleculeModel::maxwell);
  EXPECT_EQ(simulation.initial.distribution, Distribution::bkw);
  EXPECT_EQ(simulation.collision.approach, CollisionApproach::interpolated);
  EXPECT_EQ(simulation.collision.interpolation, VelocityInterpolation::trilinear);
  EXPECT_EQ(simulation.collision.support, CollisionSupport::box);
  EXPECT_EQ(simulation.collision.projection, CollisionProjection::none) << "the paper corrects nothing";
}

/// Comparison with the exact stress, which the README of cases/two_beams states.
TEST(RelaxationCases, TwoBeamsFollowTheirExactStress) {
  ScratchFolder folder;
  const Case simulation =
      read_case(std::filesystem::path(SHOAL_CASES) / "two_beams/case.toml", {"run.duration=1", "run.output_every=1"});
  const Queue queue = Queue::cpu(2);
  Gas gas = open_gas(queue, simulation);
  RunOptions options;
  options.folder = folder / "out";
  prepare_output(options.folder, false);
  const Report report = run(gas, queue, simulation, options);
  EXPECT_LT(report.m4_error, stated_m4_error);
  EXPECT_NEAR(report.energy_drift, 0, stated_energy_drift);
  EXPECT_GT(report.entropy_rise, 0);
}

}  // namespace
}  // namespace shoal::io::relaxation
