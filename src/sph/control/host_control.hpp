// SPDX-License-Identifier: Apache-2.0
// Control of the particles of the CPU methods.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "ranks/exact_sum_item.hpp"
#include "sph/control/change/host_change.hpp"
#include "sph/control/particle_control.hpp"

namespace shoal::sph {

/// The largest limits of all ranks.
template <class Real>
ValueLimits<Real> limits_of_ranks(const Communicator& ranks, const ValueLimits<Real>& limits) {
  if (ranks.size() == 1) return limits;
  std::array<std::uint64_t, 2> words{magnitude_bits(static_cast<double>(limits.speed_squared)),
                                     magnitude_bits(static_cast<double>(limits.acceleration_squared))};
  ranks.group().all_max(words);
  return {static_cast<Real>(std::bit_cast<double>(words[0])), static_cast<Real>(std::bit_cast<double>(words[1]))};
}

template <class Real, int dimensions>
class HostControl final : public ParticleControl<Real, dimensions> {
 public:
  /// @param state  between steps
  /// @param cell   [n] of state
  HostControl(const Communicator& ranks, const Parameters<Real, dimensions>& parameters,
              HostState<Real, dimensions>& state, const std::vector<std::uint32_t>& cell, int threads,
              HostChange<Real, dimensions> change)
      : ranks_(ranks),
        parameters_(parameters),
        state_(state),
        cell_(cell),
        threads_(threads),
        change_(std::move(change)) {}

  ParticleRows<Real, dimensions> particles() override {
    return {.state = state_.view(),
            .id = state_.id.data(),
            .tag = state_.tag.data(),
            .cell = cell_.data(),
            .count = static_cast<std::int64_t>(state_.count()),
            .outside = parameters_.cell_count};
  }

  void copy(const Lattice& lattice, const ParticleCopies& copies) override {
    const ParticleRows<Real, dimensions> present = particles();
    with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_)
      for (std::int64_t i = 0; i < present.count; ++i) copy_row<Physics>(parameters_, lattice, present, copies, i);
    });
  }

  std::uint64_t find_rows(View<const std::int64_t> ids, std::int64_t end_of_ids, std::int64_t* row) override {
    const ParticleRows<Real, dimensions> present = particles();
    std::vector<std::int64_t> row_of_id(static_cast<std::size_t>(end_of_ids), -1);
    for (std::int64_t i = 0; i < present.count; ++i)
      if (const std::int64_t id = present.id_of(i); id >= 0) row_of_id[static_cast<std::size_t>(id)] = i;
    std::uint64_t refused = refusal::none;
    for (std::int64_t k = 0; k < ids.count; ++k) {
      const std::int64_t id = ids.data[k * ids.stride];
      row[k] = id >= 0 && id < end_of_ids ? row_of_id[static_cast<std::size_t>(id)] : -1;
      if (row[k] < 0) refused = std::min(refused, refusal::word(k, refusal::no_particle));
    }
    return refused;
  }

  std::uint64_t check(const SetRequest& request) override {
    const ParticleRows<Real, dimensions> present = particles();
    std::uint64_t refused = find_twice(request, present.count);
    with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_) reduction(min : refused)
      for (std::int64_t k = 0; k < request.count; ++k)
        refused = std::min(refused, check_value<Physics>(parameters_, present, request, k));
    });
    return refused;
  }

  void set(const SetRequest& request, std::int64_t end_of_ids) override {
    if (request.quantity == Quantity::acceleration)
      acceleration_.resize(std::max(acceleration_.size(), static_cast<std::size_t>(end_of_ids * dimensions)));
    const ParticleRows<Real, dimensions> present = particles();
    Real speed_squared = 0, acceleration_squared = 0;
    with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_) reduction(max : speed_squared, acceleration_squared)
      for (std::int64_t k = 0; k < request.count; ++k) {
        const ValueLimits<Real> limits = set_row<Physics>(parameters_, present, request, k, acceleration_.data());
        speed_squared = std::max(speed_squared, limits.speed_squared);
        acceleration_squared = std::max(acceleration_squared, limits.acceleration_squared);
      }
    });
    state_.clock.next_dt = shortened_step<Real>(parameters_.control, state_.clock.next_dt,
                                                limits_of_ranks<Real>(ranks_, {speed_squared, acceleration_squared}));
  }

  void clear_acceleration() override { acceleration_.clear(); }

  std::int32_t find_near(const Parameters<Real, dimensions>& domain,
                         const SortedPositions<Real, dimensions>& added) override {
    return change_.find_near(domain, added);
  }
  void add(const HostState<Real, dimensions>& added, double most_dt) override { change_.add(added, most_dt); }
  std::uint64_t mark(const Lattice& lattice, const RemoveRequest& request) override {
    return change_.mark(lattice, particles(), request);
  }
  std::int64_t marked() override { return change_.marked(); }
  void remove_marked() override { change_.remove_marked(); }

  /// Returns true if accelerations act.
  bool accelerates() const { return !acceleration_.empty(); }

  /// Adds the accelerations after a stage to particles that are in the domain.
  /// @param id  [n] ids of the particles of next
  /// @return    limits of the next step
  ValueLimits<Real> accelerate(const StageStep<Real>& step, const StateView<Real, dimensions>& next,
                               const std::int64_t* id, std::int64_t begin, std::int64_t end) const {
    const auto known = static_cast<std::int64_t>(acceleration_.size()) / dimensions;
    Real speed_squared = 0, acceleration_squared = 0;
    with_physics(parameters_, [&]<class Physics> {
#pragma omp parallel for num_threads(threads_) reduction(max : speed_squared, acceleration_squared)
      for (std::int64_t i = begin; i < end; ++i) {
        if (is_wall(next.position[i]) || id[i] >= known) continue;
        const ValueLimits<Real> limits =
            add_acceleration<Physics>(parameters_, step, acceleration_.data() + id[i] * dimensions, next, i);
        speed_squared = std::max(speed_squared, limits.speed_squared);
        acceleration_squared = std::max(acceleration_squared, limits.acceleration_squared);
      }
    });
    return {speed_squared, acceleration_squared};
  }

 private:
  /// Finds the first row that a request names for the second time.
  static std::uint64_t find_twice(const SetRequest& request, std::int64_t rows) {
    if (!request.row) return refusal::none;
    std::vector<bool> named(static_cast<std::size_t>(rows));
    for (std::int64_t k = 0; k < request.count; ++k) {
      if (request.row[k] < 0) continue;
      if (named[static_cast<std::size_t>(request.row[k])]) return refusal::word(k, refusal::twice);
      named[static_cast<std::size_t>(request.row[k])] = true;
    }
    return refusal::none;
  }

  const Communicator& ranks_;
  const Parameters<Real, dimensions>& parameters_;
  HostState<Real, dimensions>& state_;
  const std::vector<std::uint32_t>& cell_;
  int threads_;
  HostChange<Real, dimensions> change_;
  std::vector<Real> acceleration_;  ///< [ids][D] m/s², by a program; empty: none
};

}  // namespace shoal::sph
