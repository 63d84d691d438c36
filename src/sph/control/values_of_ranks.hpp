// SPDX-License-Identifier: Apache-2.0
// Ids and values that programs give on several ranks.
#pragma once
#include "sph/control/particle_access.hpp"

namespace shoal::sph {

/// Host copy of a column of float or double.
std::vector<double> host_column(const Queue& queue, const ValueColumns& columns, int column, std::int64_t count);

/// Hash of numbers that must be the same on all ranks, FNV-1a.
class SameOnRanks {
 public:
  explicit SameOnRanks(std::int64_t count) { add(static_cast<std::uint64_t>(count)); }
  void add(std::uint64_t number) { hash_ = (hash_ ^ number) * 1'099'511'628'211; }
  /// @param difference  message of the error, from "sph: the " on
  /// @throws Error      on all ranks: a rank has another hash
  void require_same(const Communicator& ranks, const std::string& difference) const;

 private:
  std::uint64_t hash_ = 14'695'981'039'346'656'037ull;
};

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
