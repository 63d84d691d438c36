// SPDX-License-Identifier: Apache-2.0
// Keys of the surface tension between fluids.
#include <gmock/gmock.h>

#include "io/case/dam_break_case.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

/// The dam break with oil and sections after it.
std::string with_oil(const std::string& sections) {
  return std::string(dam_break) + "\n[material.oil]\ndensity = 800\nsound_speed = 20\n" + sections;
}

TEST(SurfaceTensionKeys, AreReadAndWrittenBack) {
  const sph::Case c = parse(with_oil("[[surface_tension]]\nbetween = [\"oil\", \"water\"]\ncoefficient = 0.05\n"));
  ASSERT_EQ(c.surface_tensions.size(), 1u);
  EXPECT_THAT(c.surface_tensions[0].between, ElementsAre("oil", "water"));
  EXPECT_EQ(c.surface_tensions[0].coefficient, 0.05);
  EXPECT_EQ(parse(c.text).text, c.text);
  EXPECT_THAT(c.text, HasSubstr("[[surface_tension]]"));
  EXPECT_TRUE(parse(dam_break).surface_tensions.empty());
}

TEST(SurfaceTensionKeys, ThatAreMissingOrWrongAreNamed) {
  const auto message_of = [](const std::string& keys) { return message(with_oil("[[surface_tension]]\n" + keys)); };
  EXPECT_THAT(message_of("between = [\"oil\", \"water\"]\n"), HasSubstr("missing key `surface_tension.0.coefficient`"));
  EXPECT_THAT(message_of("coefficient = 0.05\n"), HasSubstr("missing key `surface_tension.0.between`"));
  EXPECT_THAT(message_of("between = [\"oil\", \"water\"]\ncoefficient = 0\n"),
              HasSubstr("`surface_tension.0.coefficient` = 0 N/m, expected a number above 0"));
  EXPECT_THAT(message_of("between = [\"oil\", \"air\"]\ncoefficient = 1\n"), HasSubstr("surface_tension.between has"));
  EXPECT_THAT(message_of("between = \"oil\"\ncoefficient = 1\n"),
              HasSubstr("`surface_tension.0.between` is \"oil\", expected a list of text"));
  EXPECT_THAT(message_of("between = [\"oil\", \"water\"]\nsigma = 1\n"), HasSubstr("`surface_tension.0.sigma`"));
}

}  // namespace
}  // namespace shoal::io
