// SPDX-License-Identifier: Apache-2.0
// Keys of the rheology of a material.
#include <gmock/gmock.h>

#include "io/case/dam_break_case.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using sph::RheologyModel;
using testing::HasSubstr;

/// The dam break with the keys of a rheology.
std::string mud(const std::string& rheology) {
  return replaced(changed("exponent = 6.5", "exponent = 6.5\nrheology = { " + rheology + " }"),
                  "viscosity = { artificial = 0.05 }", "viscosity = { artificial = 0.05, laminar = true }");
}

TEST(RheologyKeys, AreReadAndWrittenBack) {
  const sph::Case c = parse(
      mud("model = \"herschel_bulkley\", consistency = 2, exponent = 0.5, yield_stress = 10, regularization = 30, "
          "most_viscosity = 400"));
  const sph::Rheology& rheology = c.materials[0].rheology;
  EXPECT_EQ(rheology.model, RheologyModel::herschel_bulkley);
  EXPECT_EQ(rheology.consistency, 2);
  EXPECT_EQ(rheology.exponent, 0.5);
  EXPECT_EQ(rheology.yield_stress, 10);
  EXPECT_EQ(rheology.regularization, 30);
  EXPECT_EQ(rheology.most_viscosity, 400);
  EXPECT_EQ(c.materials[0].exponent, 6.5);  // of the equation of state
  EXPECT_EQ(parse(c.text).text, c.text);
  EXPECT_THAT(c.text, HasSubstr("rheology.exponent = 0.5\n"));
}

TEST(RheologyKeys, SpecialCasesHaveTheirOwn) {
  const sph::Case bingham = parse(mud("model = \"bingham\", consistency = 2, yield_stress = 10, regularization = 30"));
  EXPECT_EQ(bingham.materials[0].rheology.model, RheologyModel::bingham);
  EXPECT_FALSE(bingham.materials[0].rheology.most_viscosity.has_value());
  EXPECT_EQ(parse(bingham.text).text, bingham.text);
  const sph::Case power_law = parse(mud("model = \"power_law\", consistency = 2, exponent = 1.5, most_viscosity = 30"));
  EXPECT_EQ(power_law.materials[0].rheology.model, RheologyModel::power_law);
  EXPECT_EQ(parse(dam_break).materials[0].rheology.model, RheologyModel::newtonian);
}

TEST(RheologyKeys, OfOtherModelsAreRefused) {
  const auto message_of_keys = [](const std::string& keys) { return message(mud(keys)); };
  EXPECT_THAT(message_of_keys("consistency = 2"),
              HasSubstr("`material.water.rheology.consistency` counts only with `material.water.rheology.model` = "
                        "\"power_law\", \"bingham\" or \"herschel_bulkley\"."));
  EXPECT_THAT(message_of_keys("model = \"power_law\", consistency = 2, exponent = 1, yield_stress = 3"),
              HasSubstr("`material.water.rheology.yield_stress` counts only with"));
  EXPECT_THAT(
      message_of_keys("model = \"bingham\", consistency = 2, exponent = 1, yield_stress = 3, regularization = 1"),
      HasSubstr("`material.water.rheology.exponent` counts only with"));
  EXPECT_THAT(message(replaced(mud("model = \"power_law\", consistency = 2, exponent = 1"), "density = 998",
                               "density = 998\nkinematic_viscosity = 1e-6")),
              HasSubstr("`material.water.kinematic_viscosity` counts only with `material.water.rheology.model` = "
                        "\"newtonian\""));
}

TEST(RheologyKeys, ThatAreMissingOrWrongAreNamed) {
  EXPECT_THAT(message(mud("model = \"bingham\", yield_stress = 3, regularization = 1")),
              HasSubstr("missing key `material.water.rheology.consistency`"));
  EXPECT_THAT(message(mud("model = \"bingham\", consistency = 2, regularization = 1")),
              HasSubstr("missing key `material.water.rheology.yield_stress`"));
  EXPECT_THAT(message(mud("model = \"bingham\", consistency = 2, yield_stress = 3")),
              HasSubstr("missing key `material.water.rheology.regularization`"));
  EXPECT_THAT(message(mud("model = \"power_law\", consistency = 2")),
              HasSubstr("missing key `material.water.rheology.exponent`"));
  EXPECT_THAT(message(mud("model = \"power_law\", consistency = 2, exponent = 0.5")),
              HasSubstr("Give material.rheology.most_viscosity (Pa s)."));
  EXPECT_THAT(message(mud("model = \"power_law\", consistency = 0, exponent = 1")),
              HasSubstr("`material.water.rheology.consistency` = 0"));
  EXPECT_THAT(message(mud("model = \"casson\", consistency = 1")), HasSubstr("casson"));
  EXPECT_THAT(message(mud("model = \"bingham\", plastic_viscosity = 1")),
              HasSubstr("`material.water.rheology.plastic_viscosity`"));
  EXPECT_THAT(message(replaced(mud("model = \"power_law\", consistency = 2, exponent = 1"), "laminar = true",
                               "laminar = false")),
              HasSubstr("Set scheme.viscosity.laminar = true."));
}

}  // namespace
}  // namespace shoal::io
