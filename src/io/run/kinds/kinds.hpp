// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_kinds.hpp>

#include <string>
#include <vector>

namespace shoal::io {

/// @name Entries of case_kinds(), each defined in its own file
/// @{
extern const CaseKind sph_kind, wall_distance_kind, relaxation_kind, gas_kind, validation_kind;
/// @}

/// CaseKind::probes of a kind that has none: reads the case, so that its faults are found.
template <auto read_case>
std::vector<sph::Probe> no_probes(const CaseSource& source) {
  read_case(source.file, source.overrides);
  return {};
}

/// Returns the lines of `check` that show warnings.
std::string warning_lines(const std::vector<Warning>& warnings);

}  // namespace shoal::io
