// SPDX-License-Identifier: Apache-2.0
// Particles of the CPU methods that a program adds and removes between two steps.
#pragma once
#include <algorithm>
#include <functional>
#include <vector>

#include "sph/control/change/new_particles.hpp"
#include "sph/ranks/particle_exchange.hpp"

namespace shoal::sph {

/// Functions of a method that HostChange calls.
template <class Real, int dimensions>
struct HostChangeHooks {
  std::function<bool(const PositionDensity<Real, dimensions>&)> owns;  ///< true for a place of this rank
  std::function<void(std::int64_t)> recount;  ///< takes a new number of particles of this rank, and its change
};

template <class Real, int dimensions>
class HostChange {
 public:
  using State = HostState<Real, dimensions>;

  /// @param state  between steps
  HostChange(const ArraysOf<Real, dimensions>& arrays, State& state, int threads,
             HostChangeHooks<Real, dimensions> hooks)
      : arrays_(arrays), state_(state), threads_(threads), hooks_(std::move(hooks)) {}

  /// Number of the first new particle that is too near to one of this rank, or no_number.
  /// @param domain  parameters of the whole domain
  std::int32_t find_near(const Parameters<Real, dimensions>& domain,
                         const SortedPositions<Real, dimensions>& added) const {
    const NewPositions<Real, dimensions> positions = added.view();
    const auto n = static_cast<std::int64_t>(state_.count());
    std::int32_t first = no_number;
#pragma omp parallel for num_threads(threads_) reduction(min : first)
    for (std::int64_t i = 0; i < n; ++i)
      first = std::min(first, first_too_near(domain, positions, state_.position[static_cast<std::size_t>(i)]));
    return first;
  }

  void add(const State& added, double most_dt) {
    const std::size_t before = state_.count();
    std::vector<std::size_t> owned;
    for (std::size_t k = 0; k < added.count(); ++k)
      if (hooks_.owns(added.position[k])) owned.push_back(k);
    arrays_.resize(state_, before + owned.size());
    for (std::size_t k = 0; k < owned.size(); ++k) copy_particle(added, owned[k], state_, before + k);
    state_.clock.next_dt = std::min(state_.clock.next_dt, most_dt);
    hooks_.recount(static_cast<std::int64_t>(owned.size()));
  }

  /// Marks the particles of a request.
  /// @return  the first refusal
  std::uint64_t mark(const Lattice& lattice, const ParticleRows<Real, dimensions>& rows, const RemoveRequest& request) {
    mark_.assign(static_cast<std::size_t>(rows.count), 0);
    std::uint64_t refused = refusal::none;
    for (std::int64_t k = 0; k < visits_of(request, rows.count); ++k)
      refused = std::min(refused, mark_row(lattice, rows, request, k, mark_.data()));
    return refused;
  }
  /// Number of marked particles.
  std::int64_t marked() const { return std::count(mark_.begin(), mark_.end(), 1); }

  void remove_marked() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < state_.count(); ++i) {
      if (mark_[i]) continue;
      if (kept != i) copy_particle(state_, i, state_, kept);
      ++kept;
    }
    const auto change = static_cast<std::int64_t>(kept) - static_cast<std::int64_t>(state_.count());
    arrays_.resize(state_, kept);
    mark_.clear();
    hooks_.recount(change);
  }

 private:
  const ArraysOf<Real, dimensions>& arrays_;
  State& state_;
  int threads_;
  HostChangeHooks<Real, dimensions> hooks_;
  std::vector<std::uint8_t> mark_;  ///< [n] 1: the particle is removed
};

}  // namespace shoal::sph
