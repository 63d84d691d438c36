// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/sph/warnings.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/sph/sph_schema.hpp"
#include "io/case/shapes/case_shape.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "io/run/kinds/kinds.hpp"
#include "io/run/kinds/resuming.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/restart/restart_file.hpp"

namespace shoal::io {

namespace {

std::vector<KeyInfo> keys() {
  std::vector<KeyInfo> list = key_infos(sph_schema());
  for (KeyInfo& key : shape_key_infos()) list.push_back(std::move(key));
  return list;
}

double peak_memory_in_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

/// Lines about the sound speeds that the case leaves open.
std::string sound_speed_lines(const sph::Case& simulation) {
  std::string lines;
  for (const sph::Material& material : simulation.materials)
    if (material.sound_speed_is_chosen)
      lines += fmt::format("  sound      {:.6g} m/s in {}, chosen for speeds of about {:.3g} m/s\n",
                           material.sound_speed, material.name, sph::expected_speed(simulation));
  return lines;
}

std::string check(const CaseSource& source) {
  const sph::Case simulation = read_case(source.file, source.overrides);
  const sph::Solver solver(Queue::cpu(), simulation);
  const sph::Fields fields = solver.fields();
  const auto walls = std::count(fields.wall.begin(), fields.wall.end(), 1);
  const auto particles = static_cast<std::int64_t>(fields.id.size());
  const double step = std::min(expected_step(simulation), solver.clock().next_dt);  // viscosity may make it shorter
  const bool fixed = simulation.scheme.time_step == sph::TimeStep::fixed;
  std::string out = fmt::format("{}: this case can run\n", source.file.string());
  if (!simulation.title.empty()) out += fmt::format("  title      {}\n", simulation.title);
  out += warning_lines(sph::warnings(simulation));
  out += fmt::format("  particles  {}: {} fluid, {} wall; {} dimensions\n", particles, particles - walls, walls,
                     simulation.dimensions);
  out += fmt::format("  steps      {} {:.0f} of {:.3g} s to {:.6g} s\n", fixed ? "exactly" : "about",
                     std::ceil(simulation.duration / step - 0.5), step, simulation.duration);
  out += sound_speed_lines(simulation);
  out += fmt::format("  memory     {:.0f} MB, as built here on the CPU\n", peak_memory_in_mb());
  return out;
}

class PreparedSph : public PreparedRun {
 public:
  /// @param kept  output that the restart claims; empty: a new run
  PreparedSph(sph::Solver solver, sph::Case description, int ranks, std::optional<OutputCounts> kept)
      : solver_(std::move(solver)), case_(std::move(description)), ranks_(ranks), kept_(std::move(kept)) {}

  /// Copies the files of the case into the output folder.
  void store_inputs_in(const std::filesystem::path& folder) { store_inputs(folder, case_); }

  std::vector<Warning> warnings() override { return sph::warnings(case_, ranks_); }

  RunOutcome run(const RunOptions& given) override {
    RunOptions options = given;
    options.resume = kept_;
    SolverSimulation simulation(solver_);
    const RunReport report = io::run(simulation, case_, options);
    return {report.interrupted, summary_text(report),
            text("the state of step ", report.last.clock.step, " is in ", (options.folder / restart_file_name).string(),
                 ". Continue with: shoal resume ", options.folder.string())};
  }

 private:
  sph::Solver solver_;
  sph::Case case_;
  int ranks_;  ///< number of ranks
  std::optional<OutputCounts> kept_;
};

std::unique_ptr<PreparedRun> open(const Queue& queue, const CaseSource& source, const RunTarget& target,
                                  const Communicator& ranks) {
  sph::Case simulation;
  ranks.agree([&] { simulation = read_case(source.file, source.overrides); });
  on_first_rank(ranks, [&] {
    require_separate_files(files_read(source, simulation), replaced_files(target.folder, simulation), target);
  });
  auto run =
      std::make_unique<PreparedSph>(sph::Solver(queue, simulation, ranks), simulation, ranks.size(), std::nullopt);
  on_first_rank(ranks, [&] {
    prepare_output(target.folder, simulation, target.force);
    run->store_inputs_in(target.folder);
  });
  return run;
}

/// Requires that the log of a continued run is none of its other files.
void require_own_log(const sph::Case& simulation, const ResumeSource& source) {
  std::vector<std::filesystem::path> files = input_files(simulation);
  files.push_back(source.case_file);
  io::require_own_log(source.json_log, files);
  io::require_own_log(source.json_log, replaced_files(source.folder, simulation));
}

std::unique_ptr<PreparedRun> resume(const Queue& queue, const ResumeSource& source, const RestartFile& file,
                                    const Communicator& ranks) {
  const Restart restart = read_restart(file, ranks);
  on_first_rank(ranks, [&] {
    require_case_of_restart(source, restart.case_text, [&](const std::filesystem::path& given_file) {
      sph::Case given = read_case(given_file);
      use_stored_inputs(source.folder, given);
      return given.text;
    });
  });
  std::vector<std::string> overrides;
  if (source.until) {
    require_valid_end(*source.until);
    overrides.push_back(text("run.duration=", *source.until));
  }
  const std::string name = (source.folder / restart_file_name).string() + " (its case)";
  sph::Case simulation;
  ranks.agree([&] { simulation = parse_case(restart.case_text, name, overrides); });
  on_first_rank(ranks, [&] { require_own_log(simulation, source); });
  const double time = restart.snapshot.clock.time, last_step = restart.snapshot.clock.dt;
  if (time >= simulation.duration - last_step / 2) return std::make_unique<FinishedRun>(time, simulation.duration);
  auto run = std::make_unique<PreparedSph>(sph::Solver(queue, simulation, restart.snapshot, ranks), simulation,
                                           ranks.size(), restart.outputs);
  on_first_rank(ranks, [&] { run->store_inputs_in(source.folder); });
  return run;
}

}  // namespace

const CaseKind sph_kind = {
    .name = "sph",
    .command = "run",
    .keys = keys,
    .probes = [](const CaseSource& source) { return read_case(source.file, source.overrides).probes; },
    .check = check,
    .open = open,
    .resume = resume};

}  // namespace shoal::io
