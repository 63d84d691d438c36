// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace shoal::io {

/// Key or section that had another name in an earlier version.
struct RenamedKey {
  std::string_view kind;     ///< kind of case: "sph"
  std::string_view section;  ///< section name: "run"; empty if the section itself was renamed
  std::string_view before;
  std::string_view now;
};

/// Renamed keys. An old name is an error whose message gives the new name.
inline constexpr RenamedKey renamed_keys[] = {
    {"sph", "run", "ledger_every", "balance_every"},
    {"sph", "run", "checkpoint_every", "restart_every"},
    {"sph", "", "heat", "heat_pulse"},
    {"sph", "wall", "swing", "angle_amplitude"},
    {"wall_distance", "body", "mean", "mean_angle"},
};

/// Returns the new name of a key, or an empty name if the key was not renamed.
/// @param section  section name; empty if `before` is a section
constexpr std::string_view renamed_key(std::string_view kind, std::string_view section, std::string_view before) {
  for (const RenamedKey& key : renamed_keys)
    if (key.kind == kind && key.section == section && key.before == before) return key.now;
  return {};
}

}  // namespace shoal::io
