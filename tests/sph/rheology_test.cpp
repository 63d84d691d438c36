// SPDX-License-Identifier: Apache-2.0
// Fluids whose viscosity depends on their flow: exact channel flows, the newtonian limit, and the same bits from any start
// and number of threads and ranks.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>

#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/ranks/rank_bits.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "sph/sph_states.hpp"
#include "sph/tuning.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

class EveryRheology : public SphMethodTest {};
class RanksOfRheology : public RankBits {};
class ThreadsOfRheology : public SphMethodTest {};
class RheologyChannel : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryRheology, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfRheology, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, ThreadsOfRheology, testing::ValuesIn(sph_methods_on(DeviceKind::cpu)),
                         method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, RheologyChannel, every_device, device_test_name);

/// Fluid of 1 kg/m³ between plates at y = −1 m and 1 m, 20 particles apart, that a force of 3 N/m³ drives along x.
Case channel(const Rheology& rheology) {
  constexpr int across = 20;
  Case simulation;
  simulation.precision = Precision::double_;
  simulation.spacing = 2.0 / across;
  simulation.smoothing = 1.5;
  simulation.materials = {water(15)};
  simulation.materials[0].density = 1;
  simulation.materials[0].rheology = rheology;
  const double length = 10 * simulation.spacing;
  simulation.bodies = {{"water", {{0, -1, 0}, {length, 1, 0}}, {}, {}}};
  simulation.walls = {{"plates", {{0, -1, 0}, {length, 1, 0}}, {Side::left, Side::right}, 3, ""}};
  simulation.domain = Box{{0, -1.5, 0}, {length, 1.5, 0}};
  simulation.scheme.periodic = {Axis::x};
  simulation.scheme.integrator = Integrator::symplectic;
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.wall_flow = WallFlow::no_slip;
  simulation.scheme.artificial_viscosity = 0;
  simulation.scheme.density_diffusion = DensityDiffusion::none;
  simulation.scheme.gravity = {3, 0, 0};
  return simulation;
}

/// Exact velocity of the channel at a height: the integral of the shear rate whose stress η γ̇ is 3 N/m³ |y|.
double exact_velocity(const Case& simulation, double y) {
  const auto curve = make_flow_curve<double>(herschel_bulkley_of(simulation.materials[0]), 1);
  const auto rate_at = [&](double height) {
    double low = 0, high = 1e3;
    for (int k = 0; k < 80; ++k) {
      const double middle = (low + high) / 2;
      (middle * apparent_viscosity(curve, middle) < 3 * height ? low : high) = middle;
    }
    return low;
  };
  constexpr int parts = 400;
  const double first = std::abs(y), width = (1 - first) / parts;
  double sum = 0;
  for (int k = 0; k < parts; ++k) sum += width * rate_at(first + (k + 0.5) * width);
  return sum;
}

/// Largest difference from a profile over the fluid, relative to the largest velocity.
template <class Profile>
double worst_error(const Fields& fields, const Profile& profile) {
  double worst = 0, fastest = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i]) continue;
    const double exact = profile(fields.position[3 * i + 1]);
    worst = std::max(worst, std::abs(fields.velocity[3 * i] - exact));
    fastest = std::max(fastest, exact);
  }
  return worst / fastest;
}

/// A power law of the channel, and how near 20 particles come to its profile.
struct PowerLawRun {
  double exponent;
  double consistency;
  double most_viscosity;
  double time;
  double tolerance;  ///< largest error over the largest velocity; a fluid with n > 1 is thin in the middle
};

TEST_P(RheologyChannel, AnExponentShapesTheProfile) {
  for (const PowerLawRun& plan : {PowerLawRun{0.5, 1.75, 6, 2.4, 0.02}, PowerLawRun{1.5, 1.2, 3, 3, 0.035}}) {
    SCOPED_TRACE(plan.exponent);
    Solver run(queue(), channel({.model = RheologyModel::power_law,
                                 .consistency = plan.consistency,
                                 .exponent = plan.exponent,
                                 .most_viscosity = plan.most_viscosity}));
    run.advance_to(plan.time);
    const double n = plan.exponent;
    const auto power_law = [&](double y) {
      return n / (n + 1) * std::pow(3 / plan.consistency, 1 / n) * (1 - std::pow(std::abs(y), 1 + 1 / n));
    };
    EXPECT_LT(worst_error(run.fields(), power_law), plan.tolerance);
    const auto parabola = [&](double y) { return power_law(0) * (1 - y * y); };
    EXPECT_GT(worst_error(run.fields(), parabola), plan.tolerance);  // of a newtonian fluid
  }
}

/// Smallest and largest velocity within a distance from the middle.
std::pair<double, double> velocities_within(double distance, const Fields& fields) {
  double slowest = 1e9, fastest = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.wall[i] || std::abs(fields.position[3 * i + 1]) > distance) continue;
    slowest = std::min<double>(slowest, fields.velocity[3 * i]);
    fastest = std::max<double>(fastest, fields.velocity[3 * i]);
  }
  return {slowest, fastest};
}

TEST_P(RheologyChannel, AYieldStressMovesAPlug) {
  const double yield_height = 0.3;
  const Case simulation = channel(
      {.model = RheologyModel::bingham, .yield_stress = 3 * yield_height, .consistency = 1, .regularization = 15});
  Solver run(queue(), simulation);
  run.advance_to(2);
  const Fields fields = run.fields();
  EXPECT_LT(worst_error(fields, [&](double y) { return exact_velocity(simulation, y); }), 0.03);
  const auto bingham = [&](double y) {  // of a fluid that is rigid below its yield stress
    const double sheared = std::max(std::abs(y), yield_height) - yield_height;
    const double most = 1 - yield_height;
    return 3.0 / 2 * (most * most - sheared * sheared);
  };
  EXPECT_LT(worst_error(fields, bingham), 0.05);
  const auto [slowest, fastest] = velocities_within(0.2, fields);
  EXPECT_LT(fastest - slowest, 0.01 * fastest);  // over 2/3 of the plug; a parabola has 4 %
  const std::vector<double> force = run.measure({{.name = "drag", .kind = ProbeKind::force, .wall = "plates"}});
  EXPECT_NEAR(force[0], 3 * 2 * 1, 0.02 * 6);  // 3 N/m³ on 2 m²
}

TEST_P(RheologyChannel, MoreRegularizationStiffensThePlug) {
  const auto creep = [this](double regularization) {
    const Case simulation = channel(
        {.model = RheologyModel::bingham, .yield_stress = 1.5, .consistency = 1, .regularization = regularization});
    Solver run(queue(), simulation);
    run.advance_to(1.6);
    const Fields fields = run.fields();
    EXPECT_LT(worst_error(fields, [&](double y) { return exact_velocity(simulation, y); }), 0.03);
    const auto [slowest, fastest] = velocities_within(0.4, fields);
    return (fastest - slowest) / fastest;
  };
  EXPECT_LT(creep(9), creep(3) / 1.5);
}

/// Mud below oil on a floor that shakes, without slip.
Case stirred_mud(Integrator integrator, Walls walls = Walls::adami) {
  Case simulation = general_case(integrator, walls, Kernel::wendland_c2, DensityDiffusion::molteni);
  simulation.heat.clear();
  simulation.scheme.energy = false;
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.bodies[0].jitter = simulation.bodies[1].jitter = 0.2;
  simulation.bodies[0].velocity = {0.5, 0, 0};
  simulation.materials[0].kinematic_viscosity = 0;
  simulation.materials[0].rheology = {.model = RheologyModel::herschel_bulkley,
                                      .yield_stress = 20,
                                      .consistency = 5,
                                      .exponent = 0.6,
                                      .regularization = 0.5,
                                      .most_viscosity = 12};
  return simulation;
}

TEST_P(EveryRheology, AgreesWithSerial) {
  for (const Walls walls : {Walls::adami, Walls::dynamic, Walls::repulsive})
    for (const Precision precision : {Precision::float_, Precision::double_}) {
      SCOPED_TRACE(testing::Message() << to_name(walls) << ", " << to_name(precision));
      Case simulation = stirred_mud(Integrator::tvd_rk3, walls);
      simulation.precision = precision;
      simulation.scheme.time_step = TimeStep::fixed;
      simulation.scheme.dt = 2e-5;
      Solver run = solver(simulation);
      simulation.method = "serial";
      Solver serial(Queue::cpu(1), simulation);
      run.advance_steps(20);
      serial.advance_steps(20);
      const Fields fields = run.fields(), expected = serial.fields();
      const double rounding = precision == Precision::float_ ? 1e-4 : 1e-11;
      EXPECT_LT(difference(fields, expected).velocity, rounding);
      double thinnest = 1e9, thickest = 0;
      for (std::size_t i = 0; i < fields.id.size(); ++i) {
        EXPECT_NEAR(fields.viscosity[i], expected.viscosity[i], 100 * rounding * expected.viscosity[i] + 1e-6);
        if (fields.wall[i] || fields.material[i] == 1) continue;
        thinnest = std::min<double>(thinnest, fields.viscosity[i]);
        thickest = std::max<double>(thickest, fields.viscosity[i]);
      }
      EXPECT_LT(thinnest, 0.5 * thickest);  // the viscosities differ
    }
}

TEST_P(EveryRheology, LinearFlowsHaveTheirShearRate) {
  for (const int dimensions : {2, 3}) {
    SCOPED_TRACE(dimensions);
    Case simulation = dimensions == 2 ? block_of_water(9, 8) : block_of_water(6, 5, 7);
    simulation.precision = Precision::double_;
    simulation.scheme.laminar_viscosity = true;
    simulation.scheme.integrator = Integrator::verlet;  // one stage, with the viscosities of the start
    simulation.scheme.dt = 1e-7;
    simulation.bodies[0].jitter = 0.1;
    simulation.bodies[0].strain_rate = dimensions == 2 ? Vector{3, -3, 0} : Vector{3, 3, -6};
    simulation.materials[0].rheology = {
        .model = RheologyModel::power_law, .consistency = 2, .exponent = 2, .most_viscosity = 1000};
    Solver run = solver(simulation);
    EXPECT_EQ(run.fields().viscosity, std::vector<float>(run.fields().id.size(), 0));  // at rest
    run.advance_steps(1);
    const double shear_rate = dimensions == 2 ? 6 : std::sqrt(2.0 * (9 + 9 + 36));
    for (const float viscosity : run.fields().viscosity) EXPECT_NEAR(viscosity, 2 * shear_rate, 1e-4);
  }
}

TEST_P(EveryRheology, AnExponentOfOneIsNewtonian) {
  for (const Walls walls : {Walls::adami, Walls::dynamic}) {
    Case newtonian = stirred_mud(Integrator::symplectic, walls);
    newtonian.precision = Precision::double_;
    newtonian.materials[0].rheology = {};
    newtonian.materials[0].kinematic_viscosity = newtonian.materials[1].kinematic_viscosity = 2e-3;
    newtonian.materials[1].density = 1000;
    Case power_law = newtonian;
    power_law.materials[0].kinematic_viscosity = 0;
    power_law.materials[0].rheology = {.model = RheologyModel::power_law, .consistency = 2, .exponent = 1};
    Solver expected = solver(newtonian), run = solver(power_law);
    EXPECT_EQ(run.clock().next_dt, expected.clock().next_dt);
    expected.advance_steps(30);
    run.advance_steps(30);
    EXPECT_NEAR(run.clock().time, expected.clock().time, 1e-15);
    EXPECT_LT(difference(run.fields(), expected.fields()).velocity, 1e-9);
    EXPECT_TRUE(expected.fields().viscosity.empty());
    EXPECT_TRUE(expected.snapshot().viscosity.empty());
  }
}

TEST_P(EveryRheology, ContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators)
    for (const Precision precision : {Precision::float_, Precision::double_}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << to_name(precision));
      Case simulation = stirred_mud(integrator);
      simulation.precision = precision;
      Solver whole = solver(simulation), first = solver(simulation);
      whole.advance_steps(25);
      first.advance_steps(14);
      const Snapshot middle = first.snapshot();
      Solver second = solver(simulation, middle);
      EXPECT_EQ(bits_of(second.snapshot()), bits_of(middle));
      second.advance_steps(11);
      EXPECT_EQ(bits_of(whole.snapshot()), bits_of(second.snapshot()));
      EXPECT_EQ(whole.clock().time, second.clock().time);
      EXPECT_EQ(whole.clock().next_dt, second.clock().next_dt);
    }
}

TEST_P(EveryRheology, RepeatsItsBits) {
  const auto run = [&] {
    Solver mud = solver(stirred_mud(Integrator::symplectic));
    mud.advance_steps(40);
    return bits_of(mud.snapshot());
  };
  const std::vector<double> once = run();
  EXPECT_EQ(once, run());
}

/// Sheared mud; on CUDA of more particles than teams of threads share, while on CPUs their number changes nothing.
Case much_mud(int dimensions, DeviceKind device) {
  const bool is_2d = dimensions == 2;
  Case simulation = is_2d ? block_of_water(40, 36) : block_of_water(13, 12, 14);
  if (device == DeviceKind::cuda) {
    simulation = is_2d ? block_of_water(190, 170) : block_of_water(39, 37, 38);
    EXPECT_GT(is_2d ? 190 * 170 : 39 * 37 * 38, team_particles(dimensions));
  }
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.dt = 1e-5;
  simulation.bodies[0].jitter = 0.2;
  simulation.bodies[0].strain_rate = dimensions == 2 ? Vector{3, -3, 0} : Vector{3, 3, -6};
  simulation.materials[0].rheology = {
      .model = RheologyModel::bingham, .yield_stress = 10, .consistency = 0.5, .regularization = 0.3};
  return simulation;
}

TEST_P(EveryRheology, ManyParticlesAgreeWithSerial) {
  for (const int dimensions : {2, 3}) {
    SCOPED_TRACE(dimensions);
    Case simulation = much_mud(dimensions, GetParam().device);
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(2), simulation);
    run.advance_steps(2);
    serial.advance_steps(2);
    const Fields fields = run.fields(), expected = serial.fields();
    EXPECT_LT(difference(fields, expected).velocity, 1e-5);
    int others = 0;
    for (std::size_t i = 0; i < fields.id.size(); ++i)
      others += !(std::abs(fields.viscosity[i] / expected.viscosity[i] - 1) < 1e-3F);
    EXPECT_EQ(others, 0);
  }
}

TEST_P(RanksOfRheology, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    RankPlan plan{.steps = 12, .rebalance_every = 5};
    expect_bits_of_one_rank<float, 2>(stirred_mud(integrator), plan, {2, 3});
    expect_bits_of_one_rank<double, 2>(stirred_mud(integrator, Walls::dynamic), plan, {3});
  }
}

TEST_P(ThreadsOfRheology, HaveTheSameBits) {
  const auto run = [&](int threads) {
    Case simulation = stirred_mud(Integrator::symplectic);
    simulation.method = GetParam().name;
    Solver solver(Queue::cpu(threads), simulation);
    solver.advance_steps(20);
    return bits_of(solver.snapshot());
  };
  const std::vector<double> one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(5));
}

TEST_P(EveryRheology, TheStepFollowsTheLargestViscosity) {
  Case simulation = block_of_water(9, 8);
  simulation.precision = Precision::double_;
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.scheme.laminar_viscosity = true;
  simulation.scheme.integrator = Integrator::verlet;
  simulation.bodies[0].strain_rate = {3, -3, 0};
  simulation.materials[0].rheology = {
      .model = RheologyModel::power_law, .consistency = 500, .exponent = 2, .most_viscosity = 100000};
  Solver run = solver(simulation);
  const double h = 0.012;
  EXPECT_NEAR(run.clock().next_dt, 0.125 * h * h / 100, 1e-14);  // before anything flows: by the bound
  run.advance_steps(1);
  EXPECT_NEAR(run.clock().next_dt, 0.125 * h * h / 3, 1e-12);  // 500 Pa s² · 6/s
}

TEST(Rheology, ASnapshotWithoutItsViscositiesIsRefused) {
  const Case simulation = stirred_mud(Integrator::symplectic);
  Snapshot snapshot = Solver(Queue::cpu(1), simulation).snapshot();
  snapshot.viscosity.clear();
  EXPECT_EQ(message_of([&] { Solver(Queue::cpu(1), simulation, snapshot); }),
            "sph: the snapshot has no viscosities, which this case needs. Resume the case that it was taken from.");
}

}  // namespace
}  // namespace shoal::sph
