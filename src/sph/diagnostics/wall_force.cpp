// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/wall_force.hpp"

#include <algorithm>

#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/particle_item.hpp"

namespace shoal::sph {

namespace {

template <class Physics, class Real, int dimensions>
class WallPairs {
 public:
  WallPairs(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
            const WallIds& wall)
      : state_(state), parameters_(parameters) {
    for (int axis = 0; axis < dimensions; ++axis) parameters_.gravity[axis] = 0;  // no force of the wall
    collect_wall(wall);
    find_pairs();
    with_summing_walls(parameters_.walls, [&]<class Treatment> { set_pressures<Treatment>(parameters); });
  }

  Vector force() const {
    Vector force{};
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const Vector push = push_of(k);
      for (int axis = 0; axis < dimensions; ++axis) force[axis] -= push[axis];
    }
    return force;
  }

  double power() const {
    double power = 0;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const Vector push = push_of(k);
      for (int axis = 0; axis < dimensions; ++axis)
        power += push[axis] * static_cast<double>(wall_[pairs_[k].wall].velocity.v[axis]);
    }
    return power;
  }

 private:
  struct Pair {
    std::size_t fluid;  ///< index into the state
    std::size_t wall;   ///< index into wall_
  };

  ParticleOf<Physics, Real, dimensions> particle(std::size_t i) const {
    if constexpr (Physics::has_properties)
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

  /// Collects the wall's particles in the order of their cells.
  void collect_wall(const WallIds& ids) {
    std::vector<std::pair<std::uint32_t, std::size_t>> collected;
    for (std::size_t i = 0; i < static_cast<std::size_t>(state_.clock.particles); ++i)
      if (is_wall(state_.position[i]) && state_.id[i] >= ids.first && state_.id[i] < ids.end)
        collected.emplace_back(cell_of(parameters_, state_.position[i]), i);
    std::sort(collected.begin(), collected.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : state_.id[a.second] < state_.id[b.second];
    });
    for (const auto& [cell, i] : collected) {
      cell_.push_back(cell);
      wall_.push_back(particle(i));
      id_.push_back(state_.id[i]);
    }
  }

  void find_pairs() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(state_.clock.particles); ++i) {
      const PositionDensity<Real, dimensions>& position = state_.position[i];
      const std::uint32_t cell = cell_of(parameters_, position);
      if (is_wall(position) || cell == parameters_.cell_count) continue;
      for (int run = 0; run < run_count<Physics>(parameters_); ++run) {
        const CellRun cells = run_of<Physics>(parameters_, cell, run);
        auto wall_cell = std::lower_bound(cell_.begin(), cell_.end(), cells.first);
        for (; wall_cell != cell_.end() && *wall_cell < cells.end; ++wall_cell) {
          const auto wall = static_cast<std::size_t>(wall_cell - cell_.begin());
          if (within_support<Physics>(parameters_, position, wall_[wall].position)) pairs_.push_back({i, wall});
        }
      }
    }
  }

  template <class Treatment>
  void set_pressures(const Parameters<Real, dimensions>& with_gravity) {
    std::vector<typename Treatment::template Sums<Physics, Real, dimensions>> sums(wall_.size());
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      Treatment::template add_fluid<Physics>(with_gravity, wall_[pairs_[k].wall], fluid(k), sums[pairs_[k].wall]);
    for (std::size_t i = 0; i < wall_.size(); ++i)
      wall_[i] = Treatment::template with_pressure<Physics>(with_gravity, 0, id_[i], wall_[i], sums[i]);
  }

  const HostState<Real, dimensions>& state_;
  Parameters<Real, dimensions> parameters_;
  std::vector<std::uint32_t> cell_;                          ///< cells of the wall's particles, ascending
  std::vector<ParticleOf<Physics, Real, dimensions>> wall_;  ///< wall particles in that order
  std::vector<std::int64_t> id_;                             ///< ids in that order
  std::vector<Pair> pairs_;
};

}  // namespace

template <class Real, int dimensions>
Vector wall_force(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                  const WallIds& wall) {
  return with_physics(
      parameters, [&]<class Physics> { return WallPairs<Physics, Real, dimensions>(state, parameters, wall).force(); });
}

template <class Real, int dimensions>
double wall_power(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                  const WallIds& wall) {
  return with_physics(
      parameters, [&]<class Physics> { return WallPairs<Physics, Real, dimensions>(state, parameters, wall).power(); });
}

#define SHOAL_WALL_FORCES(Real, D)                                                                   \
  template Vector wall_force(const HostState<Real, D>&, const Parameters<Real, D>&, const WallIds&); \
  template double wall_power(const HostState<Real, D>&, const Parameters<Real, D>&, const WallIds&);
SHOAL_WALL_FORCES(float, 1)
SHOAL_WALL_FORCES(float, 2)
SHOAL_WALL_FORCES(float, 3)
SHOAL_WALL_FORCES(double, 1)
SHOAL_WALL_FORCES(double, 2)
SHOAL_WALL_FORCES(double, 3)

}  // namespace shoal::sph
