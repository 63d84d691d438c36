// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <filesystem>
#include <memory>
#include <optional>

#include "io/run/fields/field_state.hpp"

namespace shoal::io {

/// Writer of the fields of a run, one state after the other. The output is complete after each write.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  /// Appends a state. On several ranks it is called within RankRows::read().
  /// @throws Error  disk full or not writable; earlier states remain
  virtual void write(const FieldState& state) = 0;
  /// Appends a state that lies on this rank alone.
  void write(const sph::Fields& fields) { write(FieldState(Communicator::alone(), fields)); }
  /// Returns the number of states in the output, also those of the run that this one continues.
  virtual std::int64_t count() const = 0;
  /// Forces all states to the disk.
  virtual void sync() = 0;
};

/// Opens `folder`/fields.vtkhdf: temporal PolyData (docs/output.md has the layout).
/// @param kept_states  continues the existing file after so many states and removes those behind; empty: a new file
/// @throws Error  the continued file has fewer states, or is damaged
std::unique_ptr<FieldWriter> open_vtkhdf(const std::filesystem::path& folder, const sph::Case& simulation,
                                         std::optional<std::int64_t> kept_states = {});

/// Opens `folder`/fields.pvd with one `folder`/fields/*.vtp per state.
std::unique_ptr<FieldWriter> open_vtp(const std::filesystem::path& folder, const sph::Case& simulation,
                                      std::optional<std::int64_t> kept_states = {});

/// Opens the writer of the format that the case selects.
inline std::unique_ptr<FieldWriter> open_fields(const std::filesystem::path& folder, const sph::Case& simulation,
                                                std::optional<std::int64_t> kept_states = {}) {
  return (simulation.output.format == sph::FieldFormat::vtp ? open_vtp : open_vtkhdf)(folder, simulation, kept_states);
}

}  // namespace shoal::io
