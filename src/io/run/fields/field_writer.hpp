// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <filesystem>
#include <memory>
#include <optional>

namespace shoal::io {

/// Writes the fields of a run, one state after the other. Each write leaves a complete output behind.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  /// @throws Error  disk full or not writable; what was written before is kept
  virtual void write(const sph::Fields& fields) = 0;
};

/// `folder`/fields.vtkhdf: temporal PolyData (docs/output.md has the layout).
/// @param continue_after  s; continues the file that is there after dropping states later than this
std::unique_ptr<FieldWriter> open_vtkhdf(const std::filesystem::path& folder, const sph::Case& simulation,
                                         std::optional<double> continue_after = {});

/// `folder`/fields.pvd with one `folder`/fields/*.vtp a state.
std::unique_ptr<FieldWriter> open_vtp(const std::filesystem::path& folder, const sph::Case& simulation,
                                      std::optional<double> continue_after = {});

/// The one that the case asks for.
inline std::unique_ptr<FieldWriter> open_fields(const std::filesystem::path& folder, const sph::Case& simulation,
                                                std::optional<double> continue_after = {}) {
  return (simulation.output.format == sph::FieldFormat::vtp ? open_vtp : open_vtkhdf)(folder, simulation,
                                                                                      continue_after);
}

}  // namespace shoal::io
