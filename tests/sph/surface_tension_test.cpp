// SPDX-License-Identifier: Apache-2.0
// Surface tension between fluids: the pressure in a drop, its oscillation and capillary waves against their theory, momentum,
// and the same bits from any start and number of threads and ranks.
#include <gtest/gtest.h>
#include <shoal/methods.hpp>
#include <shoal/sph.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include "sph/ranks/rank_bits.hpp"
#include "sph/sph_cases.hpp"
#include "sph/sph_method_test.hpp"
#include "sph/sph_states.hpp"
#include "sph/tuning.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using std::numbers::pi;

class EveryTension : public SphMethodTest {};
class RanksOfTension : public RankBits {};
class ThreadsOfTension : public SphMethodTest {};
class TensionTheory : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryTension, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, RanksOfTension, testing::ValuesIn(methods("sph")), method_test_name);
INSTANTIATE_TEST_SUITE_P(AllMethods, ThreadsOfTension, testing::ValuesIn(sph_methods_on(DeviceKind::cpu)),
                         method_test_name);
INSTANTIATE_TEST_SUITE_P(AllDevices, TensionTheory, every_device, device_test_name);

/// Two liquids of 1 kg/m³ with σ = 1 N/m in a rectangle that repeats along both axes, under the pressure that carries their
/// tension. The second one is where `is_inside` says so.
struct Liquids {
  double width;
  double height;
  double spacing;
  double sound_speed;
  std::function<bool(double, double)> is_inside;
  std::function<Vector(double, double)> velocity = [](double, double) { return Vector{}; };
};

Case two_liquids(const Liquids& liquids) {
  Case simulation;
  simulation.precision = Precision::double_;
  simulation.spacing = liquids.spacing;
  simulation.smoothing = 1.5;
  const double squared = liquids.sound_speed * liquids.sound_speed;
  for (const char* name : {"outer", "inner"}) {
    auto list = std::make_shared<ParticleList>();
    const auto columns = std::lround(liquids.width / liquids.spacing),
               rows = std::lround(liquids.height / liquids.spacing);
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const double x = (static_cast<double>(column) + 0.5) * liquids.spacing - liquids.width / 2;
        const double y = (static_cast<double>(row) + 0.5) * liquids.spacing - liquids.height / 2;
        if (liquids.is_inside(x, y) != (name[0] == 'i')) continue;
        list->position.push_back({x, y, 0});
        list->velocity.push_back(liquids.velocity(x, y));
      }
    Material material = water(liquids.sound_speed);
    material.name = name;
    material.density = 1;
    material.equation_of_state = EquationOfState::linear;
    simulation.materials.push_back(material);
    Body body;
    body.material = name;
    body.particles = list;
    body.density = 1 + 1 / (1.5 * liquids.spacing) / squared;  // σ/h over c²
    simulation.bodies.push_back(body);
  }
  simulation.surface_tensions = {{{"inner", "outer"}, 1}};
  simulation.domain = Box{{-liquids.width / 2, -liquids.height / 2, 0}, {liquids.width / 2, liquids.height / 2, 0}};
  simulation.scheme.periodic = {Axis::x, Axis::y};
  return simulation;
}

/// A drop with a radius of 1 m.
Case drop(double columns_a_radius, double box, double sound_speed) {
  return two_liquids({.width = box,
                      .height = box,
                      .spacing = 1 / columns_a_radius,
                      .sound_speed = sound_speed,
                      .is_inside = [](double x, double y) { return std::hypot(x, y) < 1; }});
}

/// The same as a ball in a cube.
Case ball(int columns_a_radius, int columns_a_side, double sound_speed) {
  const double spacing = 1.0 / columns_a_radius, half = spacing * columns_a_side / 2;
  Case simulation = drop(columns_a_radius, 2 * half, sound_speed);
  simulation.dimensions = 3;
  simulation.domain = Box{{-half, -half, -half}, {half, half, half}};
  simulation.scheme.periodic.push_back(Axis::z);
  std::array lists{std::make_shared<ParticleList>(), std::make_shared<ParticleList>()};
  const auto place = [&](int index) { return (index + 0.5) * spacing - half; };
  for (int k = 0; k < columns_a_side; ++k)
    for (int j = 0; j < columns_a_side; ++j)
      for (int i = 0; i < columns_a_side; ++i) {
        const Vector point{place(i), place(j), place(k)};
        lists[std::hypot(point[0], point[1], point[2]) < 1]->position.push_back(point);
      }
  for (std::size_t k = 0; k < 2; ++k) simulation.bodies[k].particles = lists[k];
  return simulation;
}

/// Pressure in a drop of 1 m above that beyond it: means over all particles farther than 0.4 m from the interface, at ten times.
double pressure_difference(Solver& run, double start) {
  double sum = 0;
  for (int k = 0; k < 10; ++k) {  // over a period of sound in the box
    run.advance_to(start + 0.1 * k);
    const Fields fields = run.fields();
    double pressure[2] = {}, count[2] = {};
    for (std::size_t i = 0; i < fields.id.size(); ++i) {
      const double* const x = fields.position.data() + 3 * i;
      const double r = std::hypot(x[0], x[1], x[2]);
      if (r > 0.6 && r < 1.4) continue;
      pressure[r < 1] += fields.pressure[i];
      ++count[r < 1];
    }
    sum += pressure[1] / count[1] - pressure[0] / count[0];
  }
  return sum / 10;
}

TEST_P(TensionTheory, TheDropHasThePressureOfLaplace) {
  Case simulation = drop(10, 4, 15);
  simulation.scheme.artificial_viscosity = 0.2;
  Solver run(queue(), simulation);
  EXPECT_NEAR(pressure_difference(run, 1.5), 1, 0.05);  // σ/R
}

TEST_P(TensionTheory, ABallHasThePressureOfLaplace) {
  Case simulation = ball(5, 15, 15);
  simulation.scheme.artificial_viscosity = 0.4;
  Solver run(queue(), simulation);
  EXPECT_NEAR(pressure_difference(run, 0.4), 2, 0.2);  // 2 σ/R
}

/// Σ (x² − y²)/Σ (x² + y²) over the inner liquid.
double ellipticity(const Fields& fields) {
  double difference = 0, sum = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i) {
    if (fields.material[i] == 0) continue;
    const double x = fields.position[3 * i], y = fields.position[3 * i + 1];
    difference += x * x - y * y;
    sum += x * x + y * y;
  }
  return difference / sum;
}

/// Height of the upper interface of a wave of length 1 m, as the cosine amplitude of the inner liquid above the middle.
double wave_amplitude(const Fields& fields, double spacing) {
  double sum = 0;
  for (std::size_t i = 0; i < fields.id.size(); ++i)
    if (fields.material[i] == 1 && fields.position[3 * i + 1] > 0)
      sum += 2 * spacing * spacing * std::cos(2 * pi * fields.position[3 * i]);
  return sum;
}

/// Vibration of a drop with two lobes: a drop of 1 m that a potential flow begins to stretch along x.
Case vibrating_drop(double rate) {
  Liquids liquids{.width = 5, .height = 5, .spacing = 0.1, .sound_speed = 15, .is_inside = [](double x, double y) {
                    return std::hypot(x, y) < 1;
                  }};
  liquids.velocity = [rate](double x, double y) -> Vector {
    const double r = std::hypot(x, y);
    if (r < 1) return {rate * x, -rate * y, 0};
    const double radial = rate * (x * x - y * y) / std::pow(r, 5), along = 2 * rate * x * y / std::pow(r, 5);
    return {(radial * x - along * y) / r, (radial * y + along * x) / r, 0};
  };
  return two_liquids(liquids);
}

TEST_P(TensionTheory, ADropVibratesWithTheFrequencyOfItsSecondMode) {
  Solver run(queue(), vibrating_drop(0.15));
  double before = 0, largest = 0, time = 0;
  for (double now = 0.1; time == 0 && now < 4; now += 0.05) {
    run.advance_to(now);
    const double ellipticity_now = ellipticity(run.fields());
    if (ellipticity_now < 0) time = now - 0.05 * ellipticity_now / (ellipticity_now - before);
    before = ellipticity_now;
    largest = std::max(largest, before);
  }
  EXPECT_GT(largest, 0.05);
  EXPECT_NEAR(time, pi / std::sqrt(3), 0.1);  // ω² = 6 σ/((ρ_i + ρ_o) R³)
}

/// Ratio of the height of a capillary wave to u₀/ω₀ at ω₀ t = 1, 2, 3, 5, of two liquids with La = 3000 that a potential flow
/// with the speed u₀ at the crests sets in motion: the formula of Prosperetti (1981), Phys. Fluids 24, 1217, as in
/// docs/theory/sph.md.
constexpr std::pair<double, double> heights[] = {{1, 0.690992}, {2, 0.735026},  {3, 0.246402},
                                                 {4, -0.325},   {5, -0.560330}, {7.5, 0.237917}};

TEST_P(TensionTheory, CapillaryWavesDecayAsInProsperettisSolution) {
  constexpr double k = 2 * pi, frequency = 11.136655993663416, height = 0.06, spacing = 1.0 / 32;
  Liquids liquids{.width = 1, .height = 2, .spacing = spacing, .sound_speed = 25, .is_inside = [](double, double y) {
                    return std::abs(y) < 0.5;
                  }};
  liquids.velocity = [=](double x, double y) {
    Vector sum{};
    for (const double interface : {-0.5, 0.5}) {
      const double decay = frequency * height * std::exp(-k * std::abs(y - interface));
      sum[0] += (y > interface ? 1 : -1) * decay * std::sin(k * x);
      sum[1] += decay * std::cos(k * x);
    }
    return sum;
  };
  Case simulation = two_liquids(liquids);
  for (Body& body : simulation.bodies) body.jitter = 0.2;  // a lattice holds the interface
  simulation.scheme.artificial_viscosity = 0;
  simulation.scheme.laminar_viscosity = true;
  for (Material& material : simulation.materials) material.kinematic_viscosity = 0.0182571749236;
  Solver run(queue(), simulation);
  for (const auto& [phase, expected] : heights) {
    run.advance_to(phase / frequency);
    EXPECT_NEAR(wave_amplitude(run.fields(), spacing) / height, expected, 0.16) << "at " << phase;
  }
}

TEST_P(EveryTension, KeepsMomentum) {
  for (const Integrator integrator : integrators) {
    Case simulation = drop(6, 3, 15);
    simulation.scheme.integrator = integrator;
    Solver run = solver(simulation);
    run.advance_steps(60);
    EXPECT_GT(run.balance().kinetic, 1e-4);
    for (int axis = 0; axis < 2; ++axis) EXPECT_NEAR(run.balance().momentum[static_cast<std::size_t>(axis)], 0, 1e-12);
  }
}

/// The liquids of general_case() and a third one, with a tension of each pair.
Case three_liquids(Integrator integrator, Walls walls = Walls::adami) {
  Case simulation = general_case(integrator, walls, Kernel::wendland_c2, DensityDiffusion::molteni);
  simulation.heat.clear();
  simulation.scheme.energy = false;
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.materials.push_back(simulation.materials[1]);
  simulation.materials[2].name = "mercury";
  simulation.materials[2].density = 2000;
  simulation.bodies.push_back({"mercury", {{0.08, 0.1, 0}, {0.16, 0.2, 0}}, {}, {}});
  simulation.bodies[0].box.to[1] = 0.1;
  simulation.bodies.push_back({"water", {{0, 0.1, 0}, {0.08, 0.2, 0}}, {}, {}});
  simulation.bodies.push_back({"water", {{0.16, 0.1, 0}, {0.24, 0.2, 0}}, {}, {}});
  for (Body& body : simulation.bodies) body.jitter = 0.2;
  simulation.surface_tensions = {{{"water", "oil"}, 20}, {{"mercury", "water"}, 50}, {{"oil", "mercury"}, 30}};
  return simulation;
}

/// A cube of oil in water, or a square.
Case cube_of_oil(int dimensions, int inner, int outer) {
  const double half = 0.005 * inner, side = 0.01 * outer;
  const double middle = side / 2, depth = dimensions == 3 ? side : 0;
  Case simulation = block_of_water(outer, outer, dimensions == 3 ? outer : 0);
  simulation.scheme.dt = 2e-5;
  simulation.materials.push_back(water(60));
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 800;
  auto lists = std::array{std::make_shared<ParticleList>(), std::make_shared<ParticleList>()};
  const int layers = dimensions == 3 ? outer : 1;
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < outer; ++j)
      for (int i = 0; i < outer; ++i) {
        const Vector place{0.01 * i + 0.005, 0.01 * j + 0.005, depth > 0 ? 0.01 * k + 0.005 : 0};
        const bool is_inside = std::abs(place[0] - middle) < half && std::abs(place[1] - middle) < half &&
                               (depth == 0 || std::abs(place[2] - middle) < half);
        lists[is_inside]->position.push_back(place);
      }
  simulation.bodies.resize(2);
  for (std::size_t k = 0; k < 2; ++k) {
    simulation.bodies[k].material = simulation.materials[k].name;
    simulation.bodies[k].particles = lists[k];
    simulation.bodies[k].jitter = 0.2;
  }
  simulation.surface_tensions = {{{"oil", "water"}, 40}};
  return simulation;
}

/// The largest speed that a case has only with its surface tension.
void expect_tension_counts(const Case& simulation, const Fields& fields, int steps) {
  Case without = simulation;
  without.surface_tensions.clear();
  without.method = "serial";
  Solver run(Queue::cpu(1), without);
  run.advance_steps(steps);
  EXPECT_GT(difference(fields, run.fields()).velocity, 1e-3);
}

TEST_P(EveryTension, AgreesWithSerial) {
  for (const Walls walls : {Walls::adami, Walls::dynamic, Walls::repulsive})
    for (const Precision precision : {Precision::float_, Precision::double_}) {
      SCOPED_TRACE(testing::Message() << to_name(walls) << ", " << to_name(precision));
      Case simulation = three_liquids(Integrator::tvd_rk3, walls);
      simulation.precision = precision;
      simulation.scheme.time_step = TimeStep::fixed;
      simulation.scheme.dt = 2e-5;
      Solver run = solver(simulation);
      simulation.method = "serial";
      Solver serial(Queue::cpu(1), simulation);
      run.advance_steps(20);
      serial.advance_steps(20);
      const double rounding = precision == Precision::float_ ? 1e-4 : 1e-11;
      EXPECT_LT(difference(run.fields(), serial.fields()).velocity, rounding);
      expect_tension_counts(simulation, serial.fields(), 20);
    }
}

TEST_P(EveryTension, ManyParticlesAgreeWithSerial) {
  const bool is_cuda = GetParam().device == DeviceKind::cuda;  // more particles than teams of threads share
  for (const int dimensions : {2, 3}) {
    SCOPED_TRACE(dimensions);
    Case simulation = dimensions == 2 ? cube_of_oil(2, is_cuda ? 60 : 12, is_cuda ? 180 : 30)
                                      : cube_of_oil(3, is_cuda ? 14 : 6, is_cuda ? 38 : 13);
    Solver run = solver(simulation);
    simulation.method = "serial";
    Solver serial(Queue::cpu(2), simulation);
    run.advance_steps(2);
    serial.advance_steps(2);
    EXPECT_LT(difference(run.fields(), serial.fields()).velocity, 1e-5);
    expect_tension_counts(simulation, serial.fields(), 2);
  }
}

TEST_P(EveryTension, ContinuesWithTheSameBits) {
  for (const Integrator integrator : integrators)
    for (const Precision precision : {Precision::float_, Precision::double_}) {
      SCOPED_TRACE(testing::Message() << to_name(integrator) << ", " << to_name(precision));
      Case simulation = three_liquids(integrator);
      simulation.precision = precision;
      expect_same_bits_after_restart(simulation, 14, 11);
    }
}

TEST_P(EveryTension, ActsBesideApparentViscosities) {
  Case simulation = three_liquids(Integrator::symplectic);
  simulation.materials[0].kinematic_viscosity = 0;
  simulation.materials[0].rheology = {
      .model = RheologyModel::bingham, .yield_stress = 10, .consistency = 0.5, .regularization = 0.3};
  simulation.scheme.time_step = TimeStep::fixed;
  simulation.scheme.dt = 2e-5;
  simulation.precision = Precision::double_;
  Solver run = solver(simulation);
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), simulation);
  run.advance_steps(20);
  serial.advance_steps(20);
  EXPECT_LT(difference(run.fields(), serial.fields()).velocity, 1e-11);
  expect_tension_counts(simulation, serial.fields(), 20);
}

TEST_P(EveryTension, IsNothingWhereTheSupportsOfFluidsBarelyReachEachOther) {
  Case simulation = block_of_water(1, 1);
  simulation.materials.push_back(water(60));
  simulation.materials[1].name = "oil";
  auto lists = std::array{std::make_shared<ParticleList>(), std::make_shared<ParticleList>()};
  for (int pair = 0; pair < 24; ++pair) {  // a share of 0 to 7e-7 of the support is left
    const double support = 2 * simulation.smoothing * simulation.spacing;
    const double x = 0.1 * pair, share = 3e-8 * pair;
    lists[0]->position.push_back({x, 0, 0});
    lists[1]->position.push_back({x + support * (1 - share), 0, 0});
  }
  simulation.bodies.resize(2);
  for (std::size_t k = 0; k < 2; ++k) {
    simulation.bodies[k] = {};
    simulation.bodies[k].material = simulation.materials[k].name;
    simulation.bodies[k].particles = lists[k];
  }
  simulation.domain = Box{{-0.05, -0.1, 0}, {2.4, 0.1, 0}};
  simulation.surface_tensions = {{{"oil", "water"}, 40}};
  simulation.precision = Precision::float_;
  Solver run = solver(simulation);
  run.advance_steps(2);
  for (const float velocity : run.fields().velocity) EXPECT_NEAR(velocity, 0, 1e-6);
}

TEST_P(EveryTension, LimitsTheStep) {
  Case simulation = three_liquids(Integrator::symplectic);
  for (SurfaceTension& tension : simulation.surface_tensions) tension.coefficient *= 1000;
  Solver run = solver(simulation);
  const double h = 0.012, limit = 0.25 * std::sqrt(1000 * h * h * h / (2 * pi * 50'000));
  EXPECT_NEAR(run.clock().next_dt, limit, 1e-12);
  run.advance_steps(1);
  EXPECT_LE(run.clock().next_dt, limit);
}

TEST_P(RanksOfTension, HaveTheBitsOfOneRank) {
  for (const Integrator integrator : integrators) {
    SCOPED_TRACE(to_name(integrator));
    const RankPlan plan{.steps = 12, .rebalance_every = 5};
    expect_bits_of_one_rank<float, 2>(three_liquids(integrator), plan, {2, 3});
    expect_bits_of_one_rank<double, 2>(three_liquids(integrator, Walls::dynamic), plan, {3});
  }
  expect_bits_of_one_rank<float, 3>(cube_of_oil(3, 6, 13), {.steps = 6}, {2});
}

TEST_P(ThreadsOfTension, HaveTheSameBits) {
  const auto run = [&](int threads) {
    Case simulation = three_liquids(Integrator::symplectic);
    simulation.method = GetParam().name;
    Solver solver(Queue::cpu(threads), simulation);
    solver.advance_steps(20);
    return bits_of(solver.snapshot());
  };
  const std::vector<double> one = run(1);
  EXPECT_EQ(one, run(2));
  EXPECT_EQ(one, run(3));
}

}  // namespace
}  // namespace shoal::sph
