// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace shoal::io {

/// A key or section that had another name in an earlier version.
struct RenamedKey {
  std::string_view kind;     ///< kind of case: "sph"
  std::string_view section;  ///< name of its section: "run"; empty for a section itself
  std::string_view before;
  std::string_view now;
};

/// An old name is an error that names the new one.
inline constexpr RenamedKey renamed_keys[] = {
    {"sph", "run", "ledger_every", "balance_every"},
    {"sph", "run", "checkpoint_every", "restart_every"},
    {"sph", "", "heat", "heat_pulse"},
    {"sph", "wall", "swing", "angle_amplitude"},
    {"wall_distance", "body", "mean", "mean_angle"},
};

/// New name of a key, or an empty name if the key was not renamed.
/// @param section  empty for a section itself
constexpr std::string_view renamed_key(std::string_view kind, std::string_view section, std::string_view before) {
  for (const RenamedKey& key : renamed_keys)
    if (key.kind == kind && key.section == section && key.before == before) return key.now;
  return {};
}

}  // namespace shoal::io
