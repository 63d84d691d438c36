// SPDX-License-Identifier: Apache-2.0
// Control of the particles of the CPU methods.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "sph/control/change/host_change.hpp"
#include "sph/control/particle_control.hpp"

namespace shoal::sph {

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

  ParticleRows<Real, dimensions> particles() override;
  void copy(const Lattice& lattice, const ParticleCopies& copies) override;
  std::uint64_t find_rows(View<const std::int64_t> ids, std::int64_t end_of_ids, std::int64_t* row) override;
  std::uint64_t check(const SetRequest& request) override;
  void set(const SetRequest& request, std::int64_t end_of_ids) override;
  void clear_acceleration() override;
  std::int32_t find_near(const Parameters<Real, dimensions>& domain,
                         const SortedPositions<Real, dimensions>& added) override;
  void add(const HostState<Real, dimensions>& added, double most_dt) override;
  std::uint64_t mark(const Lattice& lattice, const RemoveRequest& request) override;
  std::int64_t marked() override;
  void remove_marked() override;

  /// Returns true if accelerations act.
  bool accelerates() const { return !acceleration_.empty(); }

  /// Adds the accelerations after a stage to particles that are in the domain.
  /// @param id  [n] ids of the particles of next
  /// @return    limits of the next step
  ValueLimits<Real> accelerate(const StageStep<Real>& step, const StateView<Real, dimensions>& next,
                               const std::int64_t* id, std::int64_t begin, std::int64_t end) const;

 private:
  const Communicator& ranks_;
  const Parameters<Real, dimensions>& parameters_;
  HostState<Real, dimensions>& state_;
  const std::vector<std::uint32_t>& cell_;
  int threads_;
  HostChange<Real, dimensions> change_;
  std::vector<Real> acceleration_;  ///< [ids][D] m/s², by a program; empty: none
};

extern template class HostControl<float, 1>;
extern template class HostControl<float, 2>;
extern template class HostControl<float, 3>;
extern template class HostControl<double, 1>;
extern template class HostControl<double, 2>;
extern template class HostControl<double, 3>;

}  // namespace shoal::sph
