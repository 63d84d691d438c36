// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>
#include <shoal/io/run.hpp>

namespace shoal::io {

/// Sets the drifts of a report from its first and last balance.
void set_drifts(RunReport& report, const sph::Case& simulation);

/// "mass +0.0e0   momentum 1.2e-15   3 lost": what does not apply is left out.
std::string drift_text(const RunReport& report);

/// The report as a JSON object.
JsonObject report_json(const RunReport& report);

}  // namespace shoal::io
