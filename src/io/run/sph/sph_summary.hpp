// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>
#include <shoal/io/run.hpp>

namespace shoal::io {

/// Sets the drifts of a report from its first and last balance.
void set_drifts(RunReport& report, const sph::Case& simulation);

/// Returns "mass +0.0e0   momentum 1.2e-15   3 lost", without the parts that do not apply.
std::string drift_text(const RunReport& report);

/// Returns "heaviest rank 1.04 x mean   halo 6 %".
std::string load_text(const sph::RankLoad& load);

/// Returns the report as a JSON object.
JsonObject report_json(const RunReport& report);

}  // namespace shoal::io
