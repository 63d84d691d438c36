// SPDX-License-Identifier: Apache-2.0
#include "io/run/sph/sph_summary.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "io/run/driver.hpp"
#include "io/run/progress/progress.hpp"
#include "io/run/progress/system_info.hpp"

namespace shoal::io {

namespace {

/// Returns √(2 m E_kin), kg m/s: the momentum if all particles had the same velocity.
double momentum_scale(const sph::Balance& balance) { return std::sqrt(2 * balance.mass * balance.kinetic); }

double particle_steps_per_second(const RunReport& report) {
  return report.solving > 0 ? report.particle_steps / report.solving : 0;
}

/// Returns the solver's wall time by kernel, s. The shares of the profiled steps stand for all steps.
std::vector<std::pair<std::string, double>> solver_seconds(const RunReport& report) {
  double total = 0;
  for (const sph::KernelProfile& kernel : report.kernels) total += kernel.seconds;
  std::vector<std::pair<std::string, double>> seconds;
  for (const sph::KernelProfile& kernel : report.kernels)
    seconds.emplace_back(kernel.name, total > 0 ? report.solving * kernel.seconds / total : 0);
  return seconds;
}

}  // namespace

void set_drifts(RunReport& report, const sph::Case& simulation) {
  const sph::Balance& first = report.first;
  const sph::Balance& last = report.last;
  report.mass_drift = first.mass > 0 ? (last.mass - first.mass) / first.mass : 0;
  const bool nothing_acts = simulation.walls.empty() && simulation.scheme.gravity == sph::Vector{};
  const double scale = std::max(momentum_scale(first), momentum_scale(last));
  if (!nothing_acts || scale == 0) return;
  double squared = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) squared += std::pow(last.momentum[axis] - first.momentum[axis], 2);
  report.momentum_drift = std::sqrt(squared) / scale;
}

std::string drift_text(const RunReport& report) {
  std::string shown = "mass " + scientific(report.mass_drift, true);
  if (report.momentum_drift) shown += "   momentum " + scientific(*report.momentum_drift);
  if (report.last.clock.lost > 0) shown += "   " + grouped(report.last.clock.lost) + " lost";
  return shown;
}

std::string load_text(const sph::RankLoad& load) {
  return fmt::format("heaviest rank {:.2f} x mean   halo {:.0f} %", load.heaviest, 100 * load.halo);
}

JsonObject report_json(const RunReport& report) {
  const sph::Clock& clock = report.last.clock;
  JsonObject seconds;
  seconds.add("wall", report.wall).add("solving", report.solving).add("collecting", report.collecting);
  seconds.add("waiting_for_writer", report.waiting).add("writer_thread", report.writing);
  if (!report.kernels.empty()) {
    JsonObject kernels;
    for (const auto& [name, spent] : solver_seconds(report)) kernels.add(name, spent);
    seconds.add("kernels", kernels);
  }
  JsonObject energy;
  energy.add("kinetic", report.last.kinetic).add("potential", report.last.potential);
  energy.add("internal", report.last.internal).add("elastic", report.last.elastic);
  JsonObject json;
  json.add("name", report.name).add("device", report.device).add("interrupted", report.interrupted);
  json.add("time", clock.time).add("step", clock.step).add("particles", clock.particles).add("lost", clock.lost);
  json.add("steps_of_this_run", clock.step - report.first.clock.step);
  if (!report.kernels.empty()) json.add("profiled_steps", report.profiled_steps);
  json.add("particle_steps_per_second", particle_steps_per_second(report));
  json.add("evaluations_per_second", evaluations_per_step * particle_steps_per_second(report));
  json.add("seconds", seconds).add("mass", report.last.mass).add("mass_drift", report.mass_drift);
  if (report.momentum_drift) json.add("momentum_drift", *report.momentum_drift);
  if (report.ranks > 1)
    json.add("ranks", JsonObject()
                          .add("count", static_cast<std::int64_t>(report.ranks))
                          .add("heaviest", report.load.heaviest)
                          .add("halo", report.load.halo));
  json.add("energy", energy)
      .add("warnings", warning_texts(report.warnings))
      .add("machine", machine_json())
      .add("files", report.files);
  return json;
}

std::string summary_text(const RunReport& report) {
  const sph::Clock& clock = report.last.clock;
  const double rate = particle_steps_per_second(report);
  std::string out = fmt::format("{}: {} at t = {:.6g} s of {:.6g} s, step {}, {} particles\n", report.name,
                                report.interrupted ? "interrupted" : "done", clock.time, report.duration,
                                grouped(clock.step), grouped(clock.particles));
  out += fmt::format("  wall time      {:.3g} s on {}\n", report.wall, report.device);
  out += fmt::format(
      "  where it went  solver {:.3g} s, collecting output {:.3g} s, waiting for the writer {:.3g} s "
      "(the writer worked {:.3g} s beside the solver)\n",
      report.solving, report.collecting, report.waiting, report.writing);
  if (!report.kernels.empty() && report.solving > 0) {
    std::vector<std::string> shares;
    for (const auto& [name, spent] : solver_seconds(report))
      shares.push_back(fmt::format("{} {:.0f} %", name, 100 * spent / report.solving));
    out += fmt::format("  in the solver  {}\n", join(shares));
  }
  out += fmt::format("  speed          {} particle-steps/s, {} evaluations/s\n", scientific(rate),
                     scientific(evaluations_per_step * rate));
  if (report.ranks > 1) out += fmt::format("  ranks          {}   {}\n", report.ranks, load_text(report.load));
  out += fmt::format("  conservation   {}\n", drift_text(report));
  for (const Warning& warning : report.warnings) out += fmt::format("  warning        {}\n", warning.text());
  out += fmt::format("  files          {}\n", join(report.files));
  return out;
}

}  // namespace shoal::io
