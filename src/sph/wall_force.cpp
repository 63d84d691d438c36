// SPDX-License-Identifier: Apache-2.0
#include "sph/wall_force.hpp"

#include <algorithm>

#include "sph/cell_item.hpp"
#include "sph/wall_item.hpp"

namespace shoal::sph {

namespace {

template <class Real, int dimensions>
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
      const Particle<Real, dimensions> fluid = state_.particle(pairs_[k].fluid);
      Rates<Real, dimensions> rates;
      add(fluid, wall_[pairs_[k].wall], rates);
      rates = finished(parameters_, rates);
      for (int axis = 0; axis < dimensions; ++axis)
        force[axis] -= static_cast<double>(parameters_.mass) * static_cast<double>(rates.acceleration[axis]);
    }
    return force;
  }

 private:
  struct Pair {
    std::size_t fluid;  ///< in the state
    std::size_t wall;   ///< in wall_
  };

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
      wall_.push_back(state_.particle(i));
    }
  }

  void find_pairs() {
    for (std::size_t i = 0; i < static_cast<std::size_t>(state_.clock.particles); ++i) {
      const Place<Real, dimensions>& place = state_.place[i];
      const std::uint32_t cell = cell_of(parameters_, place);
      if (is_wall(place) || cell == parameters_.cell_count) continue;
      for (int row = 0; row < neighbor_rows<dimensions>; ++row) {
        const std::uint32_t first = row_of(parameters_, cell, row);
        auto at = std::lower_bound(cell_.begin(), cell_.end(), first);
        for (; at != cell_.end() && *at < first + 3; ++at) {
          const auto wall = static_cast<std::size_t>(at - cell_.begin());
          if (within_support(parameters_, place, wall_[wall].place)) pairs_.push_back({i, wall});
        }
      }
    }
  }

  void set_pressures(const Parameters<Real, dimensions>& with_gravity) {
    std::vector<WallSums<Real, dimensions>> sums(wall_.size());
    for (const Pair& pair : pairs_) {
      const Particle<Real, dimensions> fluid = state_.particle(pair.fluid);
      if (with_gravity.kernel == Kernel::wendland_c2)
        add_fluid<Kernel::wendland_c2>(with_gravity, wall_[pair.wall], fluid, sums[pair.wall]);
      else
        add_fluid<Kernel::cubic_spline>(with_gravity, wall_[pair.wall], fluid, sums[pair.wall]);
    }
    for (std::size_t i = 0; i < wall_.size(); ++i) wall_[i] = with_pressure(with_gravity, wall_[i], sums[i]);
  }

  template <Kernel kernel>
  void add_by(const Particle<Real, dimensions>& fluid, const Particle<Real, dimensions>& wall,
              Rates<Real, dimensions>& rates) const {
    if (parameters_.walls == Walls::repulsive)
      add_repulsion<kernel>(parameters_, fluid, wall, rates);
    else
      add_pair<kernel>(parameters_, fluid, wall, rates);
  }
  void add(const Particle<Real, dimensions>& fluid, const Particle<Real, dimensions>& wall,
           Rates<Real, dimensions>& rates) const {
    if (parameters_.kernel == Kernel::wendland_c2)
      add_by<Kernel::wendland_c2>(fluid, wall, rates);
    else
      add_by<Kernel::cubic_spline>(fluid, wall, rates);
  }

  const HostState<Real, dimensions>& state_;
  Parameters<Real, dimensions> parameters_;
  std::vector<std::uint32_t> cell_;               ///< of the wall's particles, ascending
  std::vector<Particle<Real, dimensions>> wall_;  ///< as many
  std::vector<Pair> pairs_;
};

}  // namespace

template <class Real, int dimensions>
Vector wall_force(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                  const WallIds& wall) {
  return WallPairs<Real, dimensions>(state, parameters, wall).force();
}

template Vector wall_force(const HostState<float, 2>&, const Parameters<float, 2>&, const WallIds&);
template Vector wall_force(const HostState<float, 3>&, const Parameters<float, 3>&, const WallIds&);
template Vector wall_force(const HostState<double, 2>&, const Parameters<double, 2>&, const WallIds&);
template Vector wall_force(const HostState<double, 3>&, const Parameters<double, 3>&, const WallIds&);

}  // namespace shoal::sph
