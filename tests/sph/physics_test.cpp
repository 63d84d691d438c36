// SPDX-License-Identifier: Apache-2.0
// What every method must get right of the physics that a case can choose: exact solutions and invariants.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <numbers>
#include <numeric>

#include "sph_cases.hpp"
#include "support/devices.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

constexpr double pi = std::numbers::pi;

class EveryPhysics : public testing::TestWithParam<MethodInfo> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam().device); }
  Solver solver(Case simulation) const {
    simulation.method = GetParam().name;
    return Solver(queue_on(GetParam().device), simulation);
  }
  Solver solver(Case simulation, const Snapshot& from) const {
    simulation.method = GetParam().name;
    return Solver(queue_on(GetParam().device), simulation, from);
  }
};

INSTANTIATE_TEST_SUITE_P(Rows, EveryPhysics, testing::ValuesIn(methods("sph")),
                         [](const auto& row) { return row.param.name + "_" + device_word(row.param.device); });

/// Sod's tube: 1, 1 | 0.125, 0.1 at rest, γ = 1.4, particles of one mass.
Case sod(int left) {
  Case simulation;
  simulation.dimensions = 1;
  simulation.precision = Precision::double_;
  simulation.spacing = 0.5 / left;
  simulation.smoothing = 2.0;
  simulation.scheme.kernel = Kernel::quintic_spline;
  simulation.smoothing_length = SmoothingLength::by_density;
  Material air;
  air.name = "air";
  air.density = 1;
  air.equation_of_state = EquationOfState::ideal_gas;
  air.exponent = 1.4;
  simulation.materials = {air};
  Body dense{"air", {{-0.5, 0, 0}, {0, 0, 0}}, {}, {}};
  dense.energy = 2.5;
  Body thin{"air", {{0, 0, 0}, {0.5, 0, 0}}, {}, {}};
  thin.spacing = 8 * simulation.spacing;
  thin.density = 0.125;
  thin.energy = 2;
  simulation.bodies = {dense, thin};
  simulation.domain = Box{{-1, 0, 0}, {1, 0, 0}};
  simulation.scheme.energy = true;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.artificial_viscosity = 1;
  simulation.scheme.quadratic_viscosity = 2;
  simulation.scheme.cfl = 0.3;
  return simulation;
}

/// Mean of a field over the particles between two places.
double mean_between(const Fields& fields, const std::vector<float>& values, double from, double to) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (fields.position[3 * i] > from && fields.position[3 * i] < to) {
      sum += values[i];
      ++count;
    }
  return sum / count;
}

TEST_P(EveryPhysics, SodsPlateaus) {
  Solver run = solver(sod(400));
  run.advance_to(0.15);
  const Fields fields = run.fields();
  std::vector<float> speed;
  for (std::size_t i = 0; i < fields.id.size(); ++i) speed.push_back(fields.velocity[3 * i]);
  // at t = 0.15: tail of the fan −0.0105, contact 0.1391, shock 0.2628
  std::printf("rhoL %g (.426319) rhoR %g (.265574) p %g %g (.30313) u %g %g (.927453)\n",
              mean_between(fields, fields.density, 0.02, 0.11), mean_between(fields, fields.density, 0.165, 0.235),
              mean_between(fields, fields.pressure, 0.02, 0.11), mean_between(fields, fields.pressure, 0.165, 0.235),
              mean_between(fields, speed, 0.02, 0.11), mean_between(fields, speed, 0.165, 0.235));
  for (std::size_t i = 380; i < fields.id.size(); i += 3) std::printf("%g %g %g %g\n", fields.position[3*i], fields.density[i], fields.pressure[i], speed[i]);
}

}  // namespace
}  // namespace shoal::sph
