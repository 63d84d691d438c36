// SPDX-License-Identifier: Apache-2.0
// Ids and values that programs give on several ranks.
#pragma once
#include "sph/control/particle_access.hpp"

namespace shoal::sph {

/// Copy of ids without a stride.
std::vector<std::int64_t> host_ids(const Queue& queue, View<const std::int64_t> ids);

/// @throws Error  on all ranks: the ids differ between ranks
void require_same_ids(const ParticleAccess& access, View<const std::int64_t> ids);

/// Values of the fluid of all ranks, in the order of ranks, the same on each.
struct ValuesOfRanks {
  Array<std::int64_t> id;              ///< [n] on the device of the solver
  std::array<Array<double>, 3> value;  ///< [n] of each column

  /// Request to set these.
  /// @param row  [n] rows of this rank, −1 for particles of other ranks
  SetRequest request(Quantity quantity, const std::int64_t* row) const;
};

/// Gathers the values that each rank has for its rows. Collective: each rank has the values of all particles in memory.
ValuesOfRanks gather_values(ParticleAccess& access, const SetRequest& request);

}  // namespace shoal::sph
