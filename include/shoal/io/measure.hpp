// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/sph/isosurface.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Measuring in the output of a finished run. Host only.
namespace shoal::io {

/// Probes and files to make from the fields of a run.
struct MeasureOptions {
  std::filesystem::path folder;  ///< output folder of a run of kind sph
  /// Each the keys of a probe as a TOML table, "{ kind = 'pressure', at = [0.1, 0] }", or the name of a probe of the case.
  /// Empty: all probes of the case, or none where a vorticity or an isosurface is made.
  std::vector<std::string> probes = {};
  bool vorticity = false;  ///< true: writes fields.vtkhdf, the fields of the run with their vorticity
  /// Writes isosurface.vtkhdf. A spacing of 0 is that of the case's isosurface, or of its particles.
  std::optional<sph::Isosurface> isosurface = {};
  std::filesystem::path out = {};  ///< folder of the tables; empty: `measured` in the output folder
  bool force = false;              ///< true: replace tables that exist
};

/// Result of measure().
struct MeasureReport {
  std::int64_t states = 0;                   ///< number of states in the fields
  std::vector<std::filesystem::path> files;  ///< tables in the order of the probes, then fields and isosurface
};

/// Measures probes, vorticity and isosurface at the times of the states in fields.vtkhdf, and writes one table NAME.csv a
/// probe, with the columns of a run, and the files that a run with `run.vorticity` or `[isosurface]` has.
///
/// Values are those of the run to the rounding of the stored numbers: floats, also for positions unless the case computes in
/// double. Tables are written after all states have been measured.
/// Cost: one pass over the file, and one over the particles of a state for each point of a probe; memory for one state.
/// @param queue  of the CPU, for its threads
/// @throws Error  no fields.vtkhdf, or one of another kind, of an earlier version or of a run that was killed; a probe that
///                is not valid or not in the case; a force or moment; a table that exists
MeasureReport measure(const Queue& queue, const MeasureOptions& options);

}  // namespace shoal::io
