// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/gas.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "io/case/kinds/gas/gas_schema.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/kinds/kinds.hpp"
#include "io/run/kinds/resuming.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/restart/gas_restart.hpp"

namespace shoal::io {

namespace {

std::string check(const CaseSource& source) {
  const gas::Case simulation = gas::read_case(source.file, source.overrides);
  gas::Flow flow = gas::open_flow(Queue::cpu(), simulation);
  std::string out = fmt::format("{}: this case can run\n", source.file.string());
  if (!simulation.title.empty()) out += fmt::format("  title      {}\n", simulation.title);
  out += warning_lines(gas::warnings(flow));
  std::string cells = fmt::format("{}", simulation.cells.count);
  if (simulation.cells_y) cells += fmt::format(" x {}", simulation.cells_y->count);
  if (simulation.second_gas) cells += " for each of two gases";
  out += fmt::format("  cells      {} of {} velocity nodes; {}\n", cells, simulation.grid.node_count(),
                     to_name(simulation.scheme.model));
  if (simulation.duration > 0) out += fmt::format("  time       {:.6g} s\n", simulation.duration);
  if (simulation.steady)
    out += fmt::format("  steady     {} to a residual of {:.3g}\n", to_name(simulation.steady->method),
                       simulation.steady->residual);
  return out;
}

class PreparedGas : public PreparedRun {
 public:
  /// @param kept  rows of the output to continue; empty: a new run
  PreparedGas(const Queue& queue, gas::Case simulation, gas::Flow flow, std::optional<OutputCounts> kept)
      : queue_(queue), case_(std::move(simulation)), flow_(std::move(flow)), kept_(std::move(kept)) {}

  std::vector<Warning> warnings() override { return gas::warnings(flow_); }

  RunOutcome run(const RunOptions& given) override {
    RunOptions options = given;
    options.resume = kept_;
    const gas::Report report = gas::run(flow_, queue_, case_, options);
    return {
        report.interrupted, gas::summary_text(report),
        text("the state of step ", report.steps + report.iterations, " is in ",
             (options.folder / restart_file_name).string(), ". Continue with: shoal resume ", options.folder.string())};
  }

 private:
  Queue queue_;
  gas::Case case_;
  gas::Flow flow_;
  std::optional<OutputCounts> kept_;
};

std::unique_ptr<PreparedRun> open(const Queue& queue, const CaseSource& source, const RunTarget& target,
                                  const Communicator& ranks) {
  gas::Case simulation;
  ranks.agree([&] { simulation = gas::read_case(source.file, source.overrides); });
  auto run = std::make_unique<PreparedGas>(queue, simulation, gas::open_flow(queue, simulation, ranks), std::nullopt);
  on_first_rank(ranks, [&] {
    require_separate_files({source.file}, paths_in(target.folder, gas::output_names(simulation)), target);
    gas::prepare_output(target.folder, simulation, target.force);
  });
  return run;
}

/// Case of a restart, with the end that `source` gives.
gas::Case case_to_continue(const ResumeSource& source, const gas::Restart& restart) {
  const std::filesystem::path file = source.folder / restart_file_name;
  std::vector<std::string> overrides;
  if (source.until) {
    const double until = *source.until, time = restart.clock.time;
    require_valid_end(until);
    require(until >= time, "the end of the run (until) is ", until, " s, but the run is at ", time,
            " s already. Give a later end.");
    require(restart.clock.iterations == 0, file.string(), ": this run is at iteration ", restart.clock.iterations,
            " to its steady state, where time stands. Resume it without a later end (until).");
    overrides.push_back(text("run.duration=", until));
  }
  return gas::parse_case(restart.case_text, file.string() + " (its case)", overrides);
}

std::unique_ptr<PreparedRun> resume(const Queue& queue, const ResumeSource& source, const RestartFile& file,
                                    const Communicator& ranks) {
  on_first_rank(ranks, [&] {
    require_case_of_restart(source, file.case_text,
                            [](const std::filesystem::path& given) { return gas::read_case(given).text; });
  });
  const gas::Restart restart = gas::read_restart(file, ranks);
  gas::Case simulation;
  ranks.agree([&] { simulation = case_to_continue(source, restart); });
  on_first_rank(ranks, [&] {
    require_own_log(source.json_log, {source.case_file});
    require_own_log(source.json_log, paths_in(source.folder, gas::output_names(simulation)));
  });
  if (restart.finished && restart.clock.iterations > 0)
    return std::make_unique<FinishedRun>(
        text("This run is at its end already: iteration ", restart.clock.iterations, " to its steady state.\n"));
  if (restart.finished && restart.clock.time >= simulation.duration)
    return std::make_unique<FinishedRun>(restart.clock.time, simulation.duration);
  return std::make_unique<PreparedGas>(queue, simulation, gas::open_flow(queue, simulation, restart, ranks),
                                       restart.outputs);
}

}  // namespace

const CaseKind gas_kind = {.name = "gas",
                           .command = "run",
                           .keys = [] { return key_infos(gas_schema()); },
                           .probes = no_probes<gas::read_case>,
                           .check = check,
                           .open = open,
                           .resume = resume};

}  // namespace shoal::io
