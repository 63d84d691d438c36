// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/wall_force.hpp"

#include <algorithm>

#include "sph/physics/cell_item.hpp"
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
    if (parameters_.walls == Walls::adami) set_pressures(parameters);
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
        power += push[axis] * static_cast<double>(wall_[pairs_[k].wall].motion.velocity[axis]);
    }
    return power;
  }

 private:
  struct Pair {
    std::size_t fluid;  ///< in the state
    std::size_t wall;   ///< in wall_
  };

  ParticleOf<Physics, Real, dimensions> particle(std::size_t i) const {
    if constexpr (Physics::full)
      return {state_.particle(i), state_.trait[i], state_.motion[i]};
    else
      return state_.particle(i);
  }
  ParticleOf<Physics, Real, dimensions> fluid(std::size_t pair) const { return particle(pairs_[pair].fluid); }

  /// What the wall's particle of a pair does to the fluid's, N.
  Vector push_of(std::size_t pair) const {
    const ParticleOf<Physics, Real, dimensions> pushed = fluid(pair);
    RatesOf<Physics, Real, dimensions> rates;
    add_neighbor<Physics>(parameters_, pushed, wall_[pairs_[pair].wall], rates);
    Rates<Real, dimensions> complete = rates;
    Real mass = parameters_.mass;
    if constexpr (Physics::full) {
      complete = with_gravity(parameters_, rates);
      mass = pushed.trait.mass;
    } else {
      complete = finished(parameters_, rates);
    }
    Vector push{};
    for (int axis = 0; axis < dimensions; ++axis)
      push[axis] = static_cast<double>(mass) * static_cast<double>(complete.acceleration[axis]);
    return push;
  }

  /// The wall's particles in the order of their cells.
  void collect_wall(const WallIds& ids) {
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(state_.clock.particles); ++i)
      if (is_wall(state_.place[i]) && state_.id[i] >= ids.first && state_.id[i] < ids.end)
        found.emplace_back(cell_of(parameters_, state_.place[i]), i);
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : state_.id[a.second] < state_.id[b.second];
    });
    for (const auto& [cell, i] : found) {
      cell_.push_back(cell);
      wall_.push_back(particle(i));
      id_.push_back(state_.id[i]);
    }
  }

  void find_pairs() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(state_.clock.particles); ++i) {
      const Place<Real, dimensions>& place = state_.place[i];
      const std::uint32_t cell = cell_of(parameters_, place);
      if (is_wall(place) || cell == parameters_.cell_count) continue;
      for (int run = 0; run < run_count<Physics>(parameters_); ++run) {
        const CellRun cells = run_of<Physics>(parameters_, cell, run);
        auto at = std::lower_bound(cell_.begin(), cell_.end(), cells.first);
        for (; at != cell_.end() && *at < cells.end; ++at) {
          const auto wall = static_cast<std::size_t>(at - cell_.begin());
          if (within_support<Physics>(parameters_, place, wall_[wall].place)) pairs_.push_back({i, wall});
        }
      }
    }
  }

  void set_pressures(const Parameters<Real, dimensions>& with_gravity) {
    std::vector<WallSumsOf<Physics, Real, dimensions>> sums(wall_.size());
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      add_wall_neighbor<Physics>(with_gravity, wall_[pairs_[k].wall], fluid(k), sums[pairs_[k].wall]);
    for (std::size_t i = 0; i < wall_.size(); ++i) {
      if constexpr (Physics::full)
        wall_[i] = with_full_pressure(with_gravity, 0, id_[i], wall_[i], sums[i]);
      else
        wall_[i] = with_pressure(with_gravity, wall_[i], sums[i]);
    }
  }

  const HostState<Real, dimensions>& state_;
  Parameters<Real, dimensions> parameters_;
  std::vector<std::uint32_t> cell_;                          ///< of the wall's particles, ascending
  std::vector<ParticleOf<Physics, Real, dimensions>> wall_;  ///< as many
  std::vector<std::int64_t> id_;                             ///< as many
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
