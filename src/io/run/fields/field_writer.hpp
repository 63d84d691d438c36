// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace shoal::io {

/// Writer of the fields of a run, one state after the other. The output is complete after each write.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  /// Appends a state.
  /// @throws Error  disk full or not writable; earlier states remain
  virtual void write(const sph::Fields& fields) = 0;
};

/// Opens `folder`/fields.vtkhdf: temporal PolyData (docs/output.md has the layout).
/// @param continue_after  s; continues the existing file and drops states later than this
std::unique_ptr<FieldWriter> open_vtkhdf(const std::filesystem::path& folder, const sph::Case& simulation,
                                         std::optional<double> continue_after = {});

/// Opens `folder`/fields.pvd with one `folder`/fields/*.vtp per state.
std::unique_ptr<FieldWriter> open_vtp(const std::filesystem::path& folder, const sph::Case& simulation,
                                      std::optional<double> continue_after = {});

/// Opens the writer of the format that the case selects.
inline std::unique_ptr<FieldWriter> open_fields(const std::filesystem::path& folder, const sph::Case& simulation,
                                                std::optional<double> continue_after = {}) {
  return (simulation.output.format == sph::FieldFormat::vtp ? open_vtp : open_vtkhdf)(folder, simulation,
                                                                                      continue_after);
}

}  // namespace shoal::io
