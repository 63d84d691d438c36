// SPDX-License-Identifier: Apache-2.0
// Flow in a domain that repeats: decay of vortices, order of the integrators, momentum, particle shifting.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sph/setup/filling/lattice.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "support/enumerators.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using std::numbers::pi;

class SphPeriodicFlow : public SphMethodTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, SphPeriodicFlow, testing::ValuesIn(methods("sph")), method_test_name);

/// n x n particles of water in a square of side 1 m that repeats, with a smooth flow.
Case vortices(int n, double sound_speed) {
  Case simulation;
  simulation.precision = Precision::double_;
  simulation.spacing = 1.0 / n;
  simulation.smoothing = 1.5;
  simulation.materials = {water(sound_speed)};
  simulation.bodies = {{"water", {{0, 0, 0}, {1, 1, 0}}, {}, {}}};
  simulation.domain = Box{{0, 0, 0}, {1, 1, 0}};
  simulation.scheme.periodic = {Axis::x, Axis::y};
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.artificial_viscosity = 0;
  return simulation;
}

/// The start of the Taylor-Green vortices: u = −cos 2πx sin 2πy, v = sin 2πx cos 2πy.
Snapshot stirred(Snapshot state, const Case& simulation) {
  const double unit = make_lattice(simulation, 64).unit, origin = make_lattice(simulation, 64).origin[0];
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    const double x = 2 * pi * (origin + unit * static_cast<double>(state.coordinate[0][i]));
    const double y = 2 * pi * (origin + unit * static_cast<double>(state.coordinate[1][i]));
    state.velocity[0][i] = -std::cos(x) * std::sin(y);
    state.velocity[1][i] = std::sin(x) * std::cos(y);
  }
  return state;
}

TEST_P(SphPeriodicFlow, TaylorGreenVorticesDecay) {
  Case simulation = vortices(40, 10);
  simulation.materials[0].kinematic_viscosity = 0.01;  // Re = 100
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.density_diffusion = DensityDiffusion::molteni;
  simulation.scheme.shifting.coefficient = 8;
  simulation.bodies[0].jitter = 0.1;  // a lattice would be stretched along the flow before it breaks up
  Solver run = solver(simulation, stirred(solver(simulation).snapshot(), simulation));
  const double before = run.balance().kinetic;
  run.advance_to(0.2);
  const double exact = std::exp(-2 * 8 * pi * pi / 100 * 0.2);  // of the kinetic energy
  EXPECT_NEAR(run.balance().kinetic / before, exact, 0.03 * exact);
  EXPECT_EQ(run.clock().lost, 0);
}

/// The velocities of all particles after a time, in steps of dt.
std::vector<double> velocities_after(Solver run, int steps) {
  run.advance_steps(steps);
  const Snapshot state = run.snapshot();
  std::vector<double> velocity(2 * state.id.size());
  for (std::size_t i = 0; i < state.id.size(); ++i)
    for (std::size_t axis = 0; axis < 2; ++axis)
      velocity[2 * static_cast<std::size_t>(state.id[i]) + axis] = state.velocity[axis][i];
  return velocity;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST_P(SphPeriodicFlow, IntegratorsHaveTheirOrder) {
  for (const auto& [integrator, order] :
       {std::pair(Integrator::tvd_rk3, 3), std::pair(Integrator::symplectic, 2), std::pair(Integrator::verlet, 2)}) {
    SCOPED_TRACE(to_name(integrator));
    Case simulation = vortices(14, 10);
    simulation.scheme.integrator = integrator;
    simulation.scheme.time_step = TimeStep::fixed;
    const auto after = [&](int steps) {  // 0.03 s
      simulation.scheme.dt = 0.03 / steps;
      return velocities_after(solver(simulation, stirred(solver(simulation).snapshot(), simulation)), steps);
    };
    // the differences of three solutions fall by 2^order
    const auto coarse = after(8), middle = after(16), fine = after(32);
    const double got = std::log2(distance(coarse, middle) / distance(middle, fine));
    EXPECT_GT(got, order - 0.35);
    EXPECT_LT(got, order + 1.2);
  }
}

TEST_P(SphPeriodicFlow, ARepeatingDomainLooksTheSameFromEverywhere) {
  Case simulation = vortices(16, 10);
  simulation.scheme.time_step = TimeStep::fixed;
  simulation.scheme.dt = 1e-3;
  const Lattice lattice = make_lattice(simulation, 64);
  const Snapshot start = stirred(solver(simulation).snapshot(), simulation);
  Snapshot moved = start;
  const std::int64_t shift = lattice.period[0] / 6 * 2, begin = std::int64_t{1} << lattice.bits;
  for (std::int64_t& x : moved.coordinate[0]) {
    x += shift;
    if (x >= begin + lattice.period[0]) x -= lattice.period[0];
  }
  const auto reference = velocities_after(solver(simulation, start), 30);
  const auto shifted = velocities_after(solver(simulation, moved), 30);
  EXPECT_LT(distance(reference, shifted), 1e-12);
  EXPECT_GT(distance(reference, velocities_after(solver(simulation, start), 0)), 1e-3);
}

TEST_P(SphPeriodicFlow, EveryIntegratorKeepsMomentumWhereTheDomainRepeats) {
  for (const Integrator integrator : every<Integrator>()) {
    Case simulation = vortices(16, 10);
    simulation.scheme.integrator = integrator;
    simulation.scheme.laminar_viscosity = true;
    simulation.materials[0].kinematic_viscosity = 0.01;
    simulation.scheme.artificial_viscosity = 0.1;
    simulation.scheme.density_diffusion = DensityDiffusion::molteni;
    simulation.bodies[0].velocity = {0.5, 0.25, 0};
    Solver run = solver(simulation);
    const Balance before = run.balance();
    run.advance_steps(60);
    const Balance after = run.balance();
    for (int axis = 0; axis < 2; ++axis)
      EXPECT_NEAR(after.momentum[axis], before.momentum[axis], 1e-11 * before.mass) << to_name(integrator);
    EXPECT_EQ(after.mass, before.mass);
    EXPECT_EQ(run.clock().lost, 0);
  }
}

TEST_P(SphPeriodicFlow, ShiftingSpreadsParticlesEvenly) {
  Case simulation = vortices(20, 10);
  simulation.bodies[0].jitter = 0.1;
  const auto least_distance = [&](double coefficient) {
    simulation.scheme.shifting.coefficient = coefficient;
    Solver run = solver(simulation, stirred(solver(simulation).snapshot(), simulation));
    run.advance_to(0.15);
    const Fields fields = run.fields();
    double least = 1;
    for (std::size_t i = 0; i < fields.id.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        least = std::min(least, std::hypot(fields.position[3 * i] - fields.position[3 * j],
                                           fields.position[3 * i + 1] - fields.position[3 * j + 1]));
    return least / simulation.spacing;
  };
  const double without = least_distance(0), with = least_distance(8);
  EXPECT_GT(with, without + 0.1);
  EXPECT_GT(with, 0.6);
}

}  // namespace
}  // namespace shoal::sph
