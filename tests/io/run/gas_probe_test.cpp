// SPDX-License-Identifier: Apache-2.0
// f at chosen points of runs of kind = "gas".
#include <gmock/gmock.h>
#include <shoal/io/gas.hpp>

#include <cmath>
#include <cstring>
#include <fstream>

#include "io/formats/binary/npy.hpp"
#include "io/formats/text/csv.hpp"
#include "io/run/gas/gas_probes.hpp"
#include "io/run/gas_rank_runs.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"

namespace shoal::io::gas {
namespace {

using namespace testing_support;
using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

/// Molecules without collisions between two reservoirs: each comes with the Maxwellian of the side that it comes from.
constexpr const char* tube = R"(kind = "gas"
[cells]
count = 9
[grid]
nodes = 12
half_width = 5
[[start]]
density = 0.7
[left]
kind = "inflow"
velocity = [0.3, 0, 0]
[right]
kind = "inflow"
density = 0.5
temperature = 0.8
[scheme]
model = "none"
[steady]
residual = 1e-12
[[probe]]
name = "middle"
x = 0.47
[[probe]]
x = 1
)";

/// Two gases in a plane, with probes.
std::string plane() {
  return replaced(mixture_plane, "duration = 0.05\n", "duration = 0.05\noutput_every = 0.02\nprecision = \"float\"\n") +
         R"([[probe]]
name = "low"
x = 0.4
y = 0.26
[[probe]]
name = "high"
x = 0.9
y = 0.9
)";
}

/// Numbers and shape of a .npy file.
struct Numbers {
  std::vector<std::uint64_t> shape;
  std::vector<double> values;
};

Numbers read_numbers(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const NpyHeader header = read_npy_header(in, file.string());
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  Numbers numbers{header.shape, {}};
  const std::size_t size = header.type == "<f4" ? 4 : 8;
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    float single = 0;
    double value = 0;
    std::memcpy(size == 4 ? static_cast<void*>(&single) : &value, bytes.data() + i, size);
    numbers.values.push_back(size == 4 ? static_cast<double>(single) : value);
  }
  return numbers;
}

class GasProbe : public GasRankRuns {
 protected:
  /// Runs a case on ranks into a folder, or continues the run there, without errors.
  void run(const char* text, const std::string& name, int ranks = 1, int steps = 0) {
    EXPECT_THAT(run_on(ranks, text, name, steps), Each("no error"));
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, GasProbe, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(GasProbe, HasTheMaxwelliansOfBothReservoirsWithoutCollisions) {
  run(tube, "run");
  for (const char* name : {"middle", "probe"}) {
    const Numbers f = read_numbers(folder / "run" / (std::string(name) + ".npy"));
    ASSERT_THAT(f.shape, ElementsAre(2, 1, 12, 12, 12)) << "the start and the end";
    const auto maxwellian = [](double n, double u, double temperature, double x, double y, double z) {
      return n * std::pow(2 * M_PI * temperature, -1.5) *
             std::exp(-(std::pow(x - u, 2) + y * y + z * z) / (2 * temperature));
    };
    std::vector<double> exact;
    const VelocityGrid grid{.nodes = 12, .half_width = 5};
    for (int z = 0; z < 12; ++z)
      for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 12; ++x) {
          const double v[] = {grid.velocity(0, x), grid.velocity(1, y), grid.velocity(2, z)};
          exact.push_back(v[0] > 0 ? maxwellian(1, 0.3, 1, v[0], v[1], v[2])
                                   : maxwellian(0.5, 0, 0.8, v[0], v[1], v[2]));
        }
    const std::vector<double> last(f.values.end() - 1728, f.values.end());
    EXPECT_THAT(last, Pointwise(DoubleNear(2e-5), exact)) << name << ": the error of sums for integrals";
  }
  const std::vector<double> fluxes = Csv::last_row(folder / "run/fluxes.csv"),
                            row = Csv::last_row(folder / "run/middle.csv");
  EXPECT_EQ(row[1], fluxes[1]) << "iterations";
  EXPECT_NEAR(row[2], 5 - 5. / 12, 1e-12);
  const double tail = std::exp(-std::pow(row[2] - 0.3, 2) / 2) / std::sqrt(2 * M_PI);
  EXPECT_NEAR(row[5], tail, 1e-3 * tail) << "of v_x";
}

TEST_P(GasProbe, HasTheMeanOfFourCellsAtTheirCornerInAPlaneOfTwoGases) {
  run(plane().c_str(), "run");
  const std::filesystem::path out = folder / "run";
  const Numbers f = read_numbers(out / "low.npy"), whole = read_numbers(out / "distribution.npy");
  ASSERT_THAT(f.shape, ElementsAre(4, 2, 8, 8, 8));
  const ProbeCells around = cells_around({"low", 0.4, 0.26}, {{0, 1. / 3, 2. / 3, 1}, {0, .125, .25, .375, .5, 1}});
  ASSERT_THAT(around.cells, ElementsAre(3, 4, 6, 7));
  EXPECT_THAT(around.weights, Pointwise(DoubleNear(1e-12), {0.3 * 0.42, 0.7 * 0.42, 0.3 * 0.58, 0.7 * 0.58}));
  std::vector<double> expected;
  for (std::size_t gas = 0; gas < 2; ++gas)
    for (std::size_t k = 0; k < 512; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i)
        sum += around.weights[i] * whole.values[(gas * 24 + static_cast<std::size_t>(around.cells[i])) * 512 + k];
      expected.push_back(sum);
    }
  EXPECT_THAT(std::vector<double>(f.values.end() - 1024, f.values.end()), Pointwise(DoubleNear(1e-8), expected));
}

TEST_P(GasProbe, HasTheSameFilesOnRanksAndAfterARestart) {
  const std::string two_gases = plane();
  for (const char* text : {tube, two_gases.c_str()}) {
    run(text, "one");
    run(text, "ranks", 3);
    run(text, "cut", 2, 2);
    run(nullptr, "cut", 4);
    for (const char* name : text == tube ? std::vector{"middle", "probe"} : std::vector{"low", "high"})
      for (const char* ending : {".npy", ".csv"})
        for (const char* folder_name : {"ranks", "cut"}) {
          const std::string file = std::string(name) + ending;
          EXPECT_TRUE(read_text(folder / "one" / file) == read_text(folder / folder_name / file))
              << folder_name << " " << file;
        }
    for (const char* name : {"one", "ranks", "cut"}) std::filesystem::remove_all(folder / name);
  }
}

std::string probe_message(const std::string& before, const std::string& after) {
  return message_of([&] { parse_case(replaced(tube, before, after), "case.toml"); });
}

TEST(GasProbeCase, NamesWhatIsWrong) {
  EXPECT_THAT(probe_message("x = 0.47", "x = 1.5"),
              HasSubstr("`probe.0.x` = 1.5 m is outside of the cells, expected 0 to 1 m."));
  EXPECT_THAT(probe_message("x = 0.47", "x = 0.47\ny = 0"), HasSubstr("`probe.0.y` needs cells along y"));
  EXPECT_THAT(probe_message("[grid]", "[cells_y]\n[grid]"),
              HasSubstr("`probe.0.y` is missing: the cells are those of a plane"));
  EXPECT_THAT(probe_message("\"middle\"", "\"fluxes\""),
              HasSubstr("`probe.0.name` = \"fluxes\" is the name of another output"));
  EXPECT_THAT(probe_message("x = 1\n", "name = \"middle\"\nx = 1\n"),
              HasSubstr("is the name of an earlier probe, too"));
  EXPECT_THAT(probe_message("\"middle\"", "\"a/b\""), HasSubstr("probe.0.name"));
  const Case read = parse_case(tube, "case.toml");
  EXPECT_EQ(read.probes[1].name, "probe");
  EXPECT_EQ(parse_case(read.text, "again").text, read.text);
}

}  // namespace
}  // namespace shoal::io::gas
