// SPDX-License-Identifier: Apache-2.0
// The header of result files: its fields, and what it refuses.
#include "support/result_header.hpp"

#include "support/command_line.hpp"
#include "support/messages.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

TEST(ResultHeader, HasEveryField) {
  const benchmarks::ResultHeader& header = benchmarks::result_header();
  std::vector<std::string> names;
  for (const auto& [name, value] : header.fields()) {
    names.push_back(name);
    EXPECT_NE(value, "") << name;
  }
  EXPECT_THAT(names, ElementsAre("schema", "machine", "driver", "compiler", "commit", "date", "command"));
  EXPECT_THAT(header.machine, MatchesRegex(".+, [0-9]+ threads"));
  EXPECT_THAT(header.commit, MatchesRegex("unknown|[0-9a-f]{7,40}(-dirty)?"));
  EXPECT_THAT(header.date, MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_THAT(header.command, MatchesRegex("shoal_benchmarks_tests.*")) << "without its folder";
}

TEST(ResultHeader, IsRefusedForADirtyTree) {
  using benchmarks::require_clean;
  EXPECT_EQ(message_of([] { require_clean("0123456789ab", false); }), "no error");
  EXPECT_EQ(message_of([] { require_clean("unknown", false); }), "no error");
  EXPECT_EQ(message_of([] { require_clean("0123456789ab-dirty", true); }), "no error");
  EXPECT_THAT(message_of([] { require_clean("0123456789ab-dirty", false); }), HasSubstr("add --allow-dirty"));
}

struct ResultFile : CommandLineTest {};

TEST_F(ResultFile, OfAPapersTableBeginsWithTheHeader) {
  ASSERT_THAT(run_bench("neighbors --paper --device cpu --largest 10 --iterations 1 --out " + out), Succeeds());
  const std::string table = text_of("figure3.csv");
  EXPECT_THAT(table, testing::StartsWith("# schema: 1\n# machine: "));
  EXPECT_THAT(table, HasSubstr("\n# command: shoal-bench neighbors --paper --device cpu --largest 10 --iterations 1"));
  EXPECT_THAT(table, HasSubstr("\n# commit: " + benchmarks::result_header().commit + "\n"));
  EXPECT_THAT(run_bench("--version").text, HasSubstr(benchmarks::result_header().commit));
  EXPECT_THAT(run_bench("--origin"), Prints(MatchesRegex("schema: 1\nmachine: [^\n]+\n.*\ncommand: [^\n]+\n")));
}

}  // namespace
}  // namespace shoal
