// SPDX-License-Identifier: Apache-2.0
// Particles of the CUDA methods that a program adds and removes between two steps. A removed particle becomes a free place,
// and a new one takes one, as with open boundaries. On several ranks new particles are put behind those of their rank, and no
// sort takes those removed.
#pragma once
#include <shoal/array.hpp>

#include <functional>

#include "core/memory/scratch.hpp"
#include "sph/control/change/new_particles.hpp"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

/// Functions of a method that DeviceChange calls.
template <class Real, int dimensions>
struct DeviceChangeHooks {
  bool is_shared;                                                      ///< several ranks share the particles
  std::function<bool(const PositionDensity<Real, dimensions>&)> owns;  ///< true for a place of this rank
  std::function<StepArrays<Real, dimensions>()> arrays;
  /// Makes free places on this rank. @param end_of_ids  a number above all ids
  std::function<void(std::int64_t count, std::int64_t end_of_ids)> make_places;
  std::function<void(std::int64_t change)> recount;  ///< takes a change of the number of particles of this rank
};

template <class Real, int dimensions>
class DeviceChange {
 public:
  DeviceChange(const Queue& queue, DeviceChangeHooks<Real, dimensions> hooks);

  /// @name As those of ParticleControl
  /// @{
  std::int32_t find_near(const Parameters<Real, dimensions>& domain, const ParticleRows<Real, dimensions>& rows,
                         const SortedPositions<Real, dimensions>& added);
  void add(const HostState<Real, dimensions>& added, double most_dt);
  std::uint64_t mark(const Lattice& lattice, const ParticleRows<Real, dimensions>& rows, const RemoveRequest& request);
  std::int64_t marked() const { return marked_; }
  void remove_marked();
  /// @}

 private:
  HostState<Real, dimensions> owned_of(const HostState<Real, dimensions>& added) const;
  View<std::int32_t> find_free_places(ScratchFrame& frame, const StepArrays<Real, dimensions>& arrays);

  Queue queue_;
  DeviceChangeHooks<Real, dimensions> hooks_;
  Scratch scratch_;
  Array<std::uint8_t> mark_;  ///< [rows] 1: the particle is removed
  Array<unsigned long long> word_;
  std::int64_t marked_ = 0;
};

}  // namespace shoal::sph
