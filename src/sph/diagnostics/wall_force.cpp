// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/wall_force.hpp"

#include <algorithm>

#include "ranks/exact_sums.hpp"
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/physics/rheologies/apparent_viscosity_physics.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

namespace {

/// A pair of a wall's particle and one of the fluid.
template <class Real, int dimensions>
struct WallPush {
  Particle<Real, dimensions> wall;
  Vector force;  ///< force on the fluid, N
};

template <class Physics, class Real, int dimensions>
class WallPairs {
 public:
  WallPairs(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
            const IdRange& wall)
      : state_(state), parameters_(parameters) {
    for (int axis = 0; axis < dimensions; ++axis) parameters_.gravity[axis] = 0;  // no force of the wall
    collect_wall(wall);
    find_pairs();
    with_summing_walls(parameters_.walls, [&]<class Treatment> { set_pressures<Treatment>(parameters); });
  }

  std::vector<WallPush<Real, dimensions>> pushes(int threads) const {
    std::vector<WallPush<Real, dimensions>> pushes(pairs_.size());
#pragma omp parallel for num_threads(threads)
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) pushes[pair] = {wall_[pairs_[pair].wall], push_of(pair)};
    return pushes;
  }

 private:
  struct Pair {
    std::size_t fluid;  ///< index into the state
    std::size_t wall;   ///< index into wall_
  };

  ParticleOf<Physics, Real, dimensions> particle(std::size_t i) const {
    if constexpr (Physics::has_apparent_viscosity)
      return {{state_.particle(i), state_.properties[i], state_.velocity[i]}, state_.viscosity[i]};
    else if constexpr (Physics::has_properties)
      return {state_.particle(i), state_.properties[i], state_.velocity[i]};
    else
      return state_.particle(i);
  }
  ParticleOf<Physics, Real, dimensions> fluid(std::size_t pair) const { return particle(pairs_[pair].fluid); }

  /// Force of the wall's particle of a pair on the fluid's, N.
  Vector push_of(std::size_t pair) const {
    const ParticleOf<Physics, Real, dimensions> pushed = fluid(pair);
    RatesOf<Physics, Real, dimensions> rates;
    add_neighbor<Physics>(parameters_, pushed, wall_[pairs_[pair].wall], rates);
    const Rates<Real, dimensions> completed = complete<Physics>(parameters_, rates);
    const Real mass = Physics::mass(parameters_, pushed);
    Vector push{};
    for (int axis = 0; axis < dimensions; ++axis)
      push[axis] = static_cast<double>(mass) * static_cast<double>(completed.acceleration[axis]);
    return push;
  }

  /// A particle and its cell; particles are sorted by cell, then by id.
  struct InCell {
    std::uint32_t cell;
    std::size_t particle;
  };
  void sort_by_cell_and_id(std::vector<InCell>& particles) const {
    std::sort(particles.begin(), particles.end(), [&](const InCell& a, const InCell& b) {
      return a.cell != b.cell ? a.cell < b.cell : state_.id[a.particle] < state_.id[b.particle];
    });
  }

  void collect_wall(const IdRange& ids) {
    std::vector<InCell> collected;
    for (std::size_t i = 0; i < state_.count(); ++i)
      if (is_wall(state_.position[i]) && state_.id[i] >= ids.first && state_.id[i] < ids.end)
        collected.push_back({cell_of(parameters_, state_.position[i]), i});
    std::erase_if(collected, [&](const InCell& wall) { return wall.cell == parameters_.cell_count; });
    sort_by_cell_and_id(collected);
    for (const auto& [cell, i] : collected) {
      cell_.push_back(cell);
      wall_.push_back(particle(i));
      id_.push_back(state_.id[i]);
      movement_.push_back(state_.properties.empty() ? -1 : state_.properties[i].movement());
    }
  }

  /// Calls visit(wall) for the wall's particles in the cells around one.
  template <class Visit>
  void for_each_near(std::uint32_t cell, const Visit& visit) const {
    for (int run = 0; run < run_count<Physics>(parameters_); ++run) {
      const CellRun cells = run_of<Physics>(parameters_, cell, run);
      auto wall_cell = std::lower_bound(cell_.begin(), cell_.end(), cells.first);
      for (; wall_cell != cell_.end() && *wall_cell < cells.end; ++wall_cell)
        visit(static_cast<std::size_t>(wall_cell - cell_.begin()));
    }
  }

  /// Fluid in the cells around the wall's particles.
  std::vector<InCell> near_fluid() const {
    std::vector<InCell> near;
    for (std::size_t i = 0; i < state_.count(); ++i) {
      const std::uint32_t cell = cell_of(parameters_, state_.position[i]);
      if (is_wall(state_.position[i]) || cell == parameters_.cell_count) continue;
      bool is_near = false;
      for_each_near(cell, [&](std::size_t) { is_near = true; });
      if (is_near) near.push_back({cell, i});
    }
    sort_by_cell_and_id(near);
    return near;
  }

  void find_pairs() {
    for (const InCell& fluid : near_fluid())
      for_each_near(fluid.cell, [&](std::size_t wall) {
        if (within_support<Physics>(parameters_, state_.position[fluid.particle], wall_[wall].position))
          pairs_.push_back({fluid.particle, wall});
      });
  }

  template <class Treatment>
  void set_pressures(const Parameters<Real, dimensions>& with_gravity) {
    std::vector<typename Treatment::template Sums<Physics, Real, dimensions>> sums(wall_.size());
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      Treatment::template add_fluid<Physics>(with_gravity, wall_[pairs_[k].wall], fluid(k), sums[pairs_[k].wall]);
    for (std::size_t i = 0; i < wall_.size(); ++i)
      wall_[i] = Treatment::template with_pressure<Physics>(with_gravity, 0, id_[i], movement_[i], wall_[i], sums[i]);
  }

  const HostState<Real, dimensions>& state_;
  Parameters<Real, dimensions> parameters_;
  std::vector<std::uint32_t> cell_;                          ///< cells of the wall's particles, ascending
  std::vector<ParticleOf<Physics, Real, dimensions>> wall_;  ///< wall particles in that order
  std::vector<std::int64_t> id_;                             ///< ids in that order
  std::vector<int> movement_;                                ///< movements of their walls, likewise; −1: none
  std::vector<Pair> pairs_;                                  ///< pairs in the order of cell and id of the fluid
};

/// Sums of values of all pairs of a wall. The pushes are computed once, whatever is summed.
/// @param terms  terms(push, values)
template <std::size_t count, class Real, int dimensions, class Terms>
GroupSums<count> sum_pushes(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                            int threads, const IdRange& wall, const Terms& terms) {
  const auto pushes = with_physics(parameters, !state.viscosity.empty(), [&]<class Physics> {
    return WallPairs<Physics, Real, dimensions>(state, parameters, wall).pushes(threads);
  });
  const auto terms_of_pair = [&](std::int64_t, std::int64_t pair, std::array<double, count>& values) {
    terms(pushes[static_cast<std::size_t>(pair)], values);
  };
  return exact_sums<count>(Communicator::alone(), threads, 1, static_cast<std::int64_t>(pushes.size()), terms_of_pair)
      .front();
}

}  // namespace

template <class Real, int dimensions>
HostState<Real, dimensions> gather_near_wall(const HostState<Real, dimensions>& state,
                                             const Parameters<Real, dimensions>& parameters, const Communicator& ranks,
                                             const ArraysOf<Real, dimensions>& arrays, const IdRange& wall) {
  const auto gather_if = [&](const auto& is_wanted) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < state.count(); ++i)
      if (is_wanted(i)) wanted.push_back(i);
    HostState<Real, dimensions> chosen = arrays.make(wanted.size());
    for (std::size_t k = 0; k < wanted.size(); ++k) copy_particle(state, wanted[k], chosen, k);
    return gather(ranks, arrays, chosen);
  };
  HostState<Real, dimensions> near = gather_if(
      [&](std::size_t i) { return is_wall(state.position[i]) && state.id[i] >= wall.first && state.id[i] < wall.end; });
  std::vector<std::uint32_t> cells;
  for (const PositionDensity<Real, dimensions>& position : near.position)
    cells.push_back(cell_of(parameters, position));
  std::sort(cells.begin(), cells.end());
  const HostState<Real, dimensions> fluid = gather_if([&](std::size_t i) {
    const std::uint32_t cell = cell_of(parameters, state.position[i]);
    if (is_wall(state.position[i]) || cell == parameters.cell_count) return false;
    for (int run = 0; run < run_count<GeneralPhysics>(parameters); ++run) {
      const CellRun around = run_of<GeneralPhysics>(parameters, cell, run);
      const auto first = std::lower_bound(cells.begin(), cells.end(), around.first);
      if (first != cells.end() && *first < around.end) return true;
    }
    return false;
  });
  const std::size_t walls = near.count();
  arrays.resize(near, walls + fluid.count());
  for (std::size_t i = 0; i < fluid.count(); ++i) copy_particle(fluid, i, near, walls + i);
  near.clock = state.clock;
  return near;
}

template <class Real, int dimensions>
Vector wall_force(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters, int threads,
                  const IdRange& wall) {
  const GroupSums<3> sums = sum_pushes<3>(state, parameters, threads, wall,
                                          [](const WallPush<Real, dimensions>& push, std::array<double, 3>& terms) {
                                            for (std::size_t axis = 0; axis < dimensions; ++axis)
                                              terms[axis] = -push.force[axis];
                                          });
  return {sums.sum[0], sums.sum[1], sums.sum[2]};
}

template <class Real, int dimensions>
Vector wall_moment(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                   const Lattice& lattice, int threads, const IdRange& wall, const Vector& about) {
  const GroupSums<3> sums = sum_pushes<3>(
      state, parameters, threads, wall, [&](const WallPush<Real, dimensions>& push, std::array<double, 3>& terms) {
        Vector lever{};
        for (int axis = 0; axis < dimensions; ++axis)
          lever[axis] = meters(lattice, axis, push.wall.position.x[axis]) - about[axis];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
          terms[axis] = lever[last] * push.force[next] - lever[next] * push.force[last];
        }
      });
  return {sums.sum[0], sums.sum[1], sums.sum[2]};
}

template <class Real, int dimensions>
double wall_power(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters, int threads,
                  const IdRange& wall) {
  const GroupSums<1> sums = sum_pushes<1>(
      state, parameters, threads, wall, [](const WallPush<Real, dimensions>& push, std::array<double, 1>& terms) {
        for (int axis = 0; axis < dimensions; ++axis)
          terms[0] += push.force[axis] * static_cast<double>(push.wall.velocity.v[axis]);
      });
  return sums.sum[0];
}

#define SHOAL_WALL_FORCES(Real, D)                                                                             \
  template HostState<Real, D> gather_near_wall(const HostState<Real, D>&, const Parameters<Real, D>&,          \
                                               const Communicator&, const ArraysOf<Real, D>&, const IdRange&); \
  template Vector wall_force(const HostState<Real, D>&, const Parameters<Real, D>&, int, const IdRange&);      \
  template Vector wall_moment(const HostState<Real, D>&, const Parameters<Real, D>&, const Lattice&, int,      \
                              const IdRange&, const Vector&);                                                  \
  template double wall_power(const HostState<Real, D>&, const Parameters<Real, D>&, int, const IdRange&);
SHOAL_WALL_FORCES(float, 1)
SHOAL_WALL_FORCES(float, 2)
SHOAL_WALL_FORCES(float, 3)
SHOAL_WALL_FORCES(double, 1)
SHOAL_WALL_FORCES(double, 2)
SHOAL_WALL_FORCES(double, 3)

}  // namespace shoal::sph
