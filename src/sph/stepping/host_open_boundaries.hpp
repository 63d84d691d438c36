// SPDX-License-Identifier: Apache-2.0
// Open boundaries of the CPU methods: the particles in their boxes during a step, and those that enter and leave after it.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "sph/open_boundaries/held_particle_item.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/ranks/particle_exchange.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class HostOpenBoundaries {
 public:
  using State = StateView<Real, dimensions>;

  explicit HostOpenBoundaries(OpenBoundaries<Real, dimensions> boundaries, int threads)
      : boundaries_(std::move(boundaries)), view_(boundaries_.view()), threads_(threads) {}

  HostOpenBoundaries(const HostOpenBoundaries&) = delete;

  bool empty() const { return boundaries_.empty(); }

  /// Finds the particles in the boxes.
  /// @param count  number of particles with ghosts
  /// @param begin  first particle of this rank; `end` is behind the last in the domain
  void find(const State& base, std::int64_t count, std::int64_t begin, std::int64_t end) {
    box_.assign(static_cast<std::size_t>(count), View::none);
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t i = 0; i < count; ++i)
      if (!is_wall(base.position[i])) box_[i] = view_.box_of(base.position[i]);
    held_.clear();
    for (std::int64_t i = begin; i < end; ++i)
      if (is_held(i)) held_.push_back(i);
  }

  /// Gives the particles in the boxes the velocity and pressure that hold during the step.
  /// @param for_each_near  for_each_near(position, visit) calls visit(j) for the particles within the support of a position
  template <class ForEachNear>
  void prescribe(const Parameters<Real, dimensions>& parameters, const State& base, double time,
                 const ForEachNear& for_each_near) const {
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < held_.size(); ++k)
      sph::prescribe(parameters, view_, box(held_[k]), base, held_[k], time, [&](auto& near) {
        for_each_near(near.point, [&](std::int64_t j) {
          if (!is_wall(base.position[j]) && !is_held(j)) near.fit.add(near.terms_of(base, j));
        });
      });
  }

  /// Moves the particles in the boxes through a stage, in place of what the method wrote for them.
  void hold(const Parameters<Real, dimensions>& parameters, int stage, double time, double dt, const State& base,
            const State& next) const {
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < held_.size(); ++k)
      sph::hold(parameters, view_, box(held_[k]), stage, time, dt, base, next, held_[k]);
  }

  /// A particle that enters behind another one.
  struct Returning {
    ReturningParticle<Real, dimensions> particle;
    std::int64_t parent;  ///< id of the other one
    const OpenBoundaryParameters<Real, dimensions>* boundary;
  };

  /// Finds the particles that enter behind those of this rank that have returned: in each column of all ranks the one with the
  /// smallest parent. Collective.
  /// @param state  after the last stage, in the order of the step
  std::vector<Returning> find_returning(const Parameters<Real, dimensions>& parameters, const Communicator& ranks,
                                        HostState<Real, dimensions>& state) const {
    std::vector<Returning> particles;
    for (const std::int64_t i : held_) {
      Returning returning{{}, state.id[i], &box(i)};
      if (sph::find_returning(parameters, view_, box(i), state.view(), i, returning.particle))
        particles.push_back(returning);
    }
    std::vector<std::uint64_t> first(static_cast<std::size_t>(view_.return_columns()));  // ~parent: the largest wins
    const auto first_of = [&](const Returning& r) -> std::uint64_t& {
      return first[static_cast<std::size_t>(r.particle.column - view_.column_count)];
    };
    const auto word_of = [](const Returning& r) { return ~static_cast<std::uint64_t>(r.parent); };
    for (const Returning& r : particles) first_of(r) = std::max(first_of(r), word_of(r));
    ranks.group().all_max(first);
    std::erase_if(particles, [&](const Returning& r) { return first_of(r) != word_of(r); });
    return particles;
  }

  /// Puts particles that enter behind others into a state.
  /// @param end  end of the particles of this rank, where the new ones go
  void add_returning(const Parameters<Real, dimensions>& parameters, const ArraysOf<Real, dimensions>& arrays,
                     const std::vector<Returning>& returning, std::int64_t end,
                     HostState<Real, dimensions>& state) const {
    const auto room = static_cast<std::size_t>(end) + returning.size();
    if (room > state.count()) arrays.resize(state, room);
    for (const Returning& behind : returning) {
      put(parameters, *behind.boundary, behind.particle.position, behind.particle.values, state.view(), end);
      label(*behind.boundary, view_.id_of(behind.particle.column, state.clock.step), state,
            static_cast<std::size_t>(end++));
    }
  }
  /// Returns true if fluid may enter through outlets.
  bool lets_return() const { return view_.return_columns() > 0; }

  /// Removes the particles behind boxes. Those that stay move up.
  /// @param begin  first particle of this rank, `end` behind the last one
  /// @return  end of those that stay
  std::int64_t remove(std::int64_t begin, std::int64_t end, HostState<Real, dimensions>& state) const {
    std::int64_t kept = begin;
    for (std::int64_t i = begin; i < end; ++i) {
      if (!is_wall(state.position[i]) && view_.is_behind_a_box(state.position[i])) continue;
      if (kept != i) copy_particle(state, static_cast<std::size_t>(i), state, static_cast<std::size_t>(kept));
      ++kept;
    }
    return kept;
  }

  /// Lets particles enter after a step from `begin` to `end`.
  /// @param state  particles of this rank without ghosts
  /// @param owns   owns(position) is true for places of this rank
  /// @return  number of particles that entered
  template <class Owns>
  std::int64_t enter_all(const Parameters<Real, dimensions>& parameters, const ArraysOf<Real, dimensions>& arrays,
                         double begin, double end, const Owns& owns, HostState<Real, dimensions>& state) const {
    std::size_t count = state.count();
    std::vector<EnteringParticle<Real, dimensions>> entering = boundaries_.entering(begin, end);
    std::erase_if(entering, [&](const auto& particle) { return !owns(particle.position); });
    arrays.resize(state, count + entering.size());
    for (const EnteringParticle<Real, dimensions>& particle : entering) {
      enter(parameters, view_, particle, end, state.view(), static_cast<std::int64_t>(count));
      label(view_.boundaries[particle.boundary], particle.id, state, count++);
    }
    return static_cast<std::int64_t>(entering.size());
  }

 private:
  using View = OpenBoundaryView<Real, dimensions>;

  bool is_held(std::int64_t i) const { return box_[i] != View::none; }
  const OpenBoundaryParameters<Real, dimensions>& box(std::int64_t i) const { return view_.boundaries[box_[i]]; }

  static void label(const OpenBoundaryParameters<Real, dimensions>& boundary, std::int64_t id,
                    HostState<Real, dimensions>& state, std::size_t i) {
    state.tag[i] = static_cast<std::uint8_t>(boundary.material);
    state.id[i] = id;
  }

  OpenBoundaries<Real, dimensions> boundaries_;
  View view_;  ///< pointers to the memory of boundaries_
  int threads_;
  std::vector<int> box_;            ///< [n] box that holds each particle in this step
  std::vector<std::int64_t> held_;  ///< particles of this rank that a box holds
};

}  // namespace shoal::sph
