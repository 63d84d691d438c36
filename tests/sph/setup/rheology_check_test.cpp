// SPDX-License-Identifier: Apache-2.0
// Checks of the rheology of materials, and what follows from it for the time step.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

constexpr Rheology valid{.model = RheologyModel::herschel_bulkley,
                         .yield_stress = 10,
                         .consistency = 2,
                         .exponent = 0.5,
                         .regularization = 100,
                         .most_viscosity = 5000};

Case mud() {
  Case simulation = block_of_water(10, 10);
  simulation.scheme.laminar_viscosity = true;
  simulation.materials[0].rheology = valid;
  return simulation;
}

std::string message_of_mud(const std::function<void(Case&)>& spoil) {
  Case simulation = mud();
  spoil(simulation);
  return message_of([&] { require_valid(simulation); });
}
std::string message_of_rheology(RheologyModel model, const std::function<void(Rheology&)>& spoil) {
  return message_of_mud([&](Case& c) {
    c.materials[0].rheology.model = model;
    spoil(c.materials[0].rheology);
  });
}

TEST(RheologyCheck, EveryBadNumberIsNamed) {
  using enum RheologyModel;
  for (const RheologyModel model : {power_law, bingham, herschel_bulkley}) {
    SCOPED_TRACE(to_name(model));
    EXPECT_EQ(message_of_rheology(model, [](Rheology&) {}), "no error");
    for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
      EXPECT_EQ(message_of_rheology(model, [&](Rheology& r) { r.consistency = bad; }),
                text("sph: material.rheology.consistency = ", bad, " Pa s^n, expected a positive number."));
      EXPECT_EQ(message_of_rheology(model, [&](Rheology& r) { r.most_viscosity = bad; }),
                text("sph: material.rheology.most_viscosity = ", bad, " Pa s, expected a positive number."));
      if (model != bingham) {
        EXPECT_EQ(message_of_rheology(model, [&](Rheology& r) { r.exponent = bad; }),
                  text("sph: material.rheology.exponent = ", bad, ", expected a positive number."));
      }
      if (model == power_law) continue;
      EXPECT_EQ(message_of_rheology(model, [&](Rheology& r) { r.yield_stress = bad; }),
                text("sph: material.rheology.yield_stress = ", bad, " Pa, expected a positive number."));
      EXPECT_EQ(message_of_rheology(model, [&](Rheology& r) { r.regularization = bad; }),
                text("sph: material.rheology.regularization = ", bad, " s, expected a positive number."));
    }
  }
}

TEST(RheologyCheck, AnExponentNeedsABound) {
  using enum RheologyModel;
  const auto without_bound = [](double exponent) {
    return [exponent](Rheology& r) {
      r.most_viscosity.reset();
      r.exponent = exponent;
    };
  };
  for (const RheologyModel model : {power_law, herschel_bulkley}) {
    for (const double exponent : {0.5, 1.5})
      EXPECT_EQ(message_of_rheology(model, without_bound(exponent)),
                text("sph: material.rheology.exponent = ", exponent,
                     ", which leaves the viscosity without a bound. Give material.rheology.most_viscosity (Pa s)."));
    EXPECT_EQ(message_of_rheology(model, without_bound(1)), "no error");
  }
  EXPECT_EQ(message_of_rheology(bingham, without_bound(0.5)), "no error");  // which has no exponent
}

TEST(RheologyCheck, NeedsACaseInWhichItActs) {
  EXPECT_EQ(message_of_mud([](Case& c) { c.scheme.laminar_viscosity = false; }),
            "sph: material water has the rheology herschel_bulkley, which acts by laminar viscosity. Set "
            "scheme.viscosity.laminar = true.");
  EXPECT_EQ(message_of_mud([](Case& c) { c.materials[0].kinematic_viscosity = 1e-6; }),
            "sph: material water has the rheology herschel_bulkley and kinematic_viscosity = 1e-06 m2/s, of which each "
            "decides the other. Remove one.");
  EXPECT_EQ(message_of_mud([](Case& c) { c.dimensions = 1; }),
            "sph: material water has the rheology herschel_bulkley, whose shear rate a 1-D case does not have. Set "
            "particles.dimensions = 2 or 3.");
}

TEST(RheologyCheck, KeysBelongToModels) {
  using enum RheologyModel;
  EXPECT_EQ(rheology_models_with("kinematic_viscosity"), std::vector{newtonian});
  EXPECT_EQ(rheology_models_with("exponent"), (std::vector{power_law, herschel_bulkley}));
  EXPECT_EQ(rheology_models_with("yield_stress"), (std::vector{bingham, herschel_bulkley}));
  EXPECT_EQ(rheology_models_with("density"), std::vector<RheologyModel>{});
  EXPECT_EQ(formula_of(power_law), "eta = K s^(n-1)");
}

TEST(RheologyCheck, TheLargestViscosityBoundsTheStep) {
  Case simulation = mud();  // h = 0.012 m, 5000 Pa s, 1000 kg/m3
  EXPECT_DOUBLE_EQ(viscous_step(simulation), 0.125 * 0.012 * 0.012 / 5);
  simulation.materials[0].rheology.model = RheologyModel::bingham;
  simulation.materials[0].rheology.most_viscosity.reset();  // 2 + 10 · 100
  EXPECT_DOUBLE_EQ(viscous_step(simulation), 0.125 * 0.012 * 0.012 / 1.002);
  EXPECT_TRUE(has_apparent_viscosity(simulation));
  EXPECT_FALSE(has_apparent_viscosity(block_of_water(3, 3)));
  EXPECT_TRUE(make_flow_curves<double>(block_of_water(3, 3)).empty());
}

}  // namespace
}  // namespace shoal::sph
