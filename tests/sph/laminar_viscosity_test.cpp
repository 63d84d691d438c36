// SPDX-License-Identifier: Apache-2.0
// Both forms of laminar viscosity in a fluid with a free surface.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <memory>
#include <tuple>

#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class LaminarViscosity : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, LaminarViscosity, testing::ValuesIn(methods("sph")), method_test_name);

constexpr int columns = 20;
constexpr double rotation = 2;  // 1/s

/// A square of 20 cm of a viscous liquid in free space, which turns about its middle like a solid.
Case turning_square(ViscosityForm form) {
  Case simulation = block_of_water(columns, columns);
  simulation.precision = Precision::double_;
  simulation.materials[0].kinematic_viscosity = 0.01;
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.viscosity_form = form;
  simulation.scheme.artificial_viscosity = 0;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.domain = Box{{-0.2, -0.2, 0}, {0.2, 0.2, 0}};
  auto list = std::make_shared<ParticleList>();
  for (int row = 0; row < columns; ++row)
    for (int column = 0; column < columns; ++column) {
      const double x = (column + 0.5 - columns / 2) * simulation.spacing,
                   y = (row + 0.5 - columns / 2) * simulation.spacing;
      list->position.push_back({x, y, 0});
      list->velocity.push_back({-rotation * y, rotation * x, 0});
    }
  simulation.bodies[0].particles = list;
  return simulation;
}

/// Σ (x v_y − y v_x) of particles of one mass.
double turn(const Fields& fields) {
  double sum = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    sum += fields.position[3 * i] * fields.velocity[3 * i + 1] - fields.position[3 * i + 1] * fields.velocity[3 * i];
  return sum;
}

// At a free surface of a solid rotation the stress is zero, but not the derivative of the velocity that Morris's form has.
TEST_P(LaminarViscosity, MonaghansFormKeepsTheTurnOfAFreeLiquid) {
  for (const auto& [form, least, most] :
       {std::tuple(ViscosityForm::monaghan, 0.999999, 1.000001), std::tuple(ViscosityForm::morris, 0.9, 0.99)}) {
    SCOPED_TRACE(to_name(form));
    Solver run = solver(turning_square(form));
    const double before = turn(run.fields());
    run.advance_steps(60);
    const double share = turn(run.fields()) / before;
    EXPECT_GT(share, least);
    EXPECT_LT(share, most);
  }
}

}  // namespace
}  // namespace shoal::sph
