// SPDX-License-Identifier: Apache-2.0
// Every method with every kind of wall, fixed and moving, in every number of dimensions: the bits of one rank. Each test
// goes through integrators, plain and general physics, and takes another precision, kernel, diffusion, periodic axis, number of
// ranks and movement of cuts each time.
#include "sph/ranks/rank_bits.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/sph_cases.hpp"
#include "support/enumerators.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// Walls of a case.
struct Boundary {
  Walls walls = Walls::adami;
  bool exists = true;
  bool moves = false;
};

std::string name_of(const Boundary& boundary) {
  if (!boundary.exists) return "without";
  return std::string(boundary.moves ? "moving_" : "") + std::string(to_name(boundary.walls));
}

std::vector<Boundary> boundaries() {
  std::vector<Boundary> list{{.exists = false}};
  for (const bool moves : {false, true})
    for (const Walls walls : every<Walls>()) list.push_back({walls, true, moves});
  return list;
}

struct Combination {
  MethodInfo method;
  int boundary;  ///< index in boundaries()
  int dimensions;
};

DeviceKind device_kind(const Combination& combination) { return combination.method.device; }

std::ostream& operator<<(std::ostream& stream, const Combination& combination) {
  return stream << combination.method.name << ", " << combination.dimensions << "-D";
}

std::vector<Combination> combinations() {
  std::vector<Combination> list;
  for (const MethodInfo& method : methods("sph"))
    for (int boundary = 0; boundary < static_cast<int>(boundaries().size()); ++boundary)
      for (int dimensions = 1; dimensions <= 3; ++dimensions) list.push_back({method, boundary, dimensions});
  return list;
}

std::string combination_name(const testing::TestParamInfo<Combination>& test) {
  const Combination& combination = test.param;
  return name_of(boundaries()[static_cast<std::size_t>(combination.boundary)]) + "_" +
         std::to_string(combination.dimensions) + "d_" + combination.method.name + "_" +
         device_word(combination.method.device);
}

constexpr double spacing = 0.01;

/// Two bodies of water that move along the cut axis, against each other or, in a period, apart.
std::vector<Body> moving_bodies(int dimensions, bool repeats) {
  const int cut_axis = dimensions - 1;
  Body low{"water", {}, {}, {}};
  for (int axis = 0; axis < cut_axis; ++axis) low.box.to[axis] = (dimensions == 2 ? 12 : 8) * spacing;
  low.box.to[cut_axis] = 10 * spacing;
  low.jitter = 0.2;
  Body high = low;
  const double gap = dimensions == 1 ? 2 * spacing : 0;  // for the wall between them
  high.box.from[cut_axis] = low.box.to[cut_axis] + gap;
  high.box.to[cut_axis] = high.box.from[cut_axis] + low.box.to[cut_axis];
  low.velocity[0] = 1;
  low.velocity[cut_axis] = repeats ? -12 : 12;
  high.velocity[cut_axis] = -low.velocity[cut_axis];
  return {low, high};
}

/// A floor, and a wall that ranks share: at a side, which spans all layers of cells, or in 1-D between the bodies.
std::vector<Wall> walls_around(const std::vector<Body>& bodies, int dimensions, bool moves) {
  Wall tank{"tank", {{0, 0, 0}, bodies[1].box.to}, {Side::right}, 2, ""};
  if (dimensions > 1) tank.open.push_back(Side::top);
  if (dimensions > 2) tank.open.insert(tank.open.end(), {Side::front, Side::back});
  std::vector<Wall> walls{tank};
  if (dimensions == 1) {
    walls.push_back({"middle", {bodies[0].box.to, bodies[1].box.from}, {}, 2, ""});
    walls.back().solid = true;
  }
  for (Wall& wall : walls) {
    wall.motion.kind = moves ? MotionKind::translation : MotionKind::none;
    wall.motion.velocity[dimensions - 1] = 9;
  }
  return walls;
}

/// Domain with an end of a layer of cells just above the wall particles of the floor.
Box domain_around(const Case& simulation, const Box& bodies, const std::vector<Axis>& periodic) {
  const int cut_axis = simulation.dimensions - 1;
  Box domain = bodies;
  for (int axis = 0; axis < simulation.dimensions; ++axis) {
    const bool repeats = std::find(periodic.begin(), periodic.end(), static_cast<Axis>(axis)) != periodic.end();
    domain.from[axis] -= repeats ? 0 : 3 * spacing;
    domain.to[axis] += repeats ? 0 : 4 * spacing;
  }
  const double above_wall = -0.3 * spacing;
  domain.from[cut_axis] = above_wall - std::max(2 * spacing, support(simulation));
  return domain;
}

/// Axes that repeat: none, that of the cut, the first one, or both.
std::vector<Axis> periodic_axes(int choice, int dimensions) {
  const auto cut_axis = static_cast<Axis>(dimensions - 1);
  const bool is_cut = choice == 1 || choice == 3, is_first = choice >= 2 && dimensions > 1;
  std::vector<Axis> axes;
  if (is_first) axes.push_back(Axis::x);
  if (is_cut) axes.push_back(cut_axis);
  return axes;
}

/// Choices of one run, which differ from run to run.
struct Choices {
  bool is_double;
  Integrator integrator;
  bool is_full;  ///< every term of general physics
  int turn;      ///< counts up, so that other choices take turns
};

void set_full_physics(const Choices& choices, Case& simulation) {
  simulation.materials.push_back(water(40));
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 800;
  for (Material& material : simulation.materials) material.kinematic_viscosity = 1e-3;
  simulation.bodies[1].material = "oil";
  simulation.heat = {{{0.02, 0.02, 0.02}, 0.03, 50}};
  simulation.heat[0].length = 2e-4;
  if (choices.turn % 3 == 0) {
    simulation.smoothing_length = SmoothingLength::by_density;
    simulation.most_smoothing = 1.25;
  }
  Scheme& scheme = simulation.scheme;
  scheme.kernel = every<Kernel>()[static_cast<std::size_t>(choices.turn % 4)];
  scheme.density_diffusion = every<DensityDiffusion>()[static_cast<std::size_t>((choices.turn / 2) % 4)];
  scheme.diffusion_coefficient = 0.1;
  scheme.energy = scheme.laminar_viscosity = true;
  scheme.quadratic_viscosity = 0.5;
  scheme.shifting.coefficient = 2;
  if (has_pressure(scheme.walls)) scheme.wall_flow = WallFlow::no_slip;
}

Case case_of(const Combination& combination, const Choices& choices) {
  const Boundary boundary = boundaries()[static_cast<std::size_t>(combination.boundary)];
  const int dimensions = combination.dimensions;
  Case simulation;
  simulation.dimensions = dimensions;
  simulation.spacing = spacing;
  simulation.smoothing = 0.8;
  simulation.materials = {water()};
  Scheme& scheme = simulation.scheme;
  scheme.walls = boundary.walls;
  scheme.integrator = choices.integrator;
  scheme.time_step = choices.turn % 2 ? TimeStep::cfl : TimeStep::fixed;
  scheme.dt = 5e-5;
  scheme.cfl = 0.4;
  scheme.gravity[dimensions - 1] = -9.81;
  scheme.kernel = choices.turn % 4 < 2 ? Kernel::wendland_c2 : Kernel::cubic_spline;
  const bool may_repeat = choices.is_full || boundary.moves;
  scheme.periodic = periodic_axes(may_repeat ? choices.turn % 4 : 0, dimensions);
  const bool cut_repeats = std::find(scheme.periodic.begin(), scheme.periodic.end(),
                                     static_cast<Axis>(dimensions - 1)) != scheme.periodic.end();
  simulation.bodies = moving_bodies(dimensions, cut_repeats);
  const Box bodies{{0, 0, 0}, simulation.bodies[1].box.to};
  if (choices.is_full) set_full_physics(choices, simulation);
  if (boundary.exists) simulation.walls = walls_around(simulation.bodies, dimensions, boundary.moves);
  if (std::find(scheme.periodic.begin(), scheme.periodic.end(), Axis::x) != scheme.periodic.end())
    for (Wall& wall : simulation.walls) wall.open.push_back(Side::left);
  simulation.domain = domain_around(simulation, bodies, scheme.periodic);
  return simulation;
}

class RankCombinations : public TestOnDevice<Combination> {
 protected:
  template <class Real, int dimensions>
  void expect_bits_of_one_rank(const Case& simulation, int turn) {
    const auto layers = [&] {
      const Lattice lattice = make_lattice(simulation, 8 * sizeof(Coordinate<Real>));
      return std::int64_t{lattice.cells[dimensions - 1]} - 2;
    }();
    const int count = static_cast<int>(std::min<std::int64_t>(2 + turn % 3, layers / 2));
    RankPlan plan{.steps = 8};
    if (turn % 2) {
      plan.rebalance_every = 3;
      for (int rank = 0; rank < count; ++rank) plan.cut.push_back(2 * rank);
      plan.cut.push_back(layers);
    }
    SCOPED_TRACE(testing::Message() << count << " ranks, " << 8 * sizeof(Real) << " bits, turn " << turn);
    const MethodInfo& method = GetParam().method;
    const RankResult one = run_case_on_ranks<Real, dimensions>(method, simulation, 1, plan);
    EXPECT_EQ(one.failure, "");
    expect_same_result(one, run_case_on_ranks<Real, dimensions>(method, simulation, count, plan));
    RankPlan start = plan;
    start.steps = 0;
    count_crossings(run_case_on_ranks<Real, dimensions>(method, simulation, 1, start), one);
  }

  void count_crossings(const RankResult& start, const RankResult& end) {
    for (const auto& [id, layer] : end.layer) {
      up_ += layer > start.layer.at(id);
      down_ += layer < start.layer.at(id);
    }
  }

  template <class Real>
  void expect_bits_of_one_rank(const Choices& choices) {
    const Case simulation = case_of(GetParam(), choices);
    const int dimensions = GetParam().dimensions;
    if (dimensions == 1) expect_bits_of_one_rank<Real, 1>(simulation, choices.turn);
    if (dimensions == 2) expect_bits_of_one_rank<Real, 2>(simulation, choices.turn);
    if (dimensions == 3) expect_bits_of_one_rank<Real, 3>(simulation, choices.turn);
  }

  int up_ = 0;    ///< particles that have crossed the upper end of a layer, in all runs
  int down_ = 0;  ///< particles that have crossed the lower end of a layer
};

INSTANTIATE_TEST_SUITE_P(AllMethods, RankCombinations, testing::ValuesIn(combinations()), combination_name);

TEST_P(RankCombinations, HaveTheBitsOfOneRank) {
  for (const bool is_full : {false, true})
    for (const Integrator integrator : every<Integrator>()) {
      const int turn = static_cast<int>(integrator) + 3 * is_full + GetParam().boundary + GetParam().dimensions;
      const bool is_double = (turn + GetParam().boundary / 2) % 2 == 0;
      const Choices choices{is_double, integrator, is_full, turn};
      is_double ? expect_bits_of_one_rank<double>(choices) : expect_bits_of_one_rank<float>(choices);
    }
  EXPECT_GT(up_, 0);
  EXPECT_GT(down_, 0);
}

}  // namespace
}  // namespace shoal::sph
