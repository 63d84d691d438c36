// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/gas.hpp>

#include <optional>

#include "core/text.hpp"
#include "io/case/kinds/gas_schema.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/kinds/kinds.hpp"

namespace shoal::io {

namespace {

std::string check(const CaseSource& source) {
  const gas::Case simulation = gas::read_case(source.file, source.overrides);
  gas::Flow flow = gas::open_flow(Queue::cpu(), simulation);
  std::string out = fmt::format("{}: this case can run\n", source.file.string());
  if (!simulation.title.empty()) out += fmt::format("  title      {}\n", simulation.title);
  out += warning_lines(gas::warnings(flow));
  out += fmt::format("  cells      {} of {} velocity nodes; {}\n", simulation.cells.count, simulation.grid.node_count(),
                     to_name(simulation.scheme.model));
  if (simulation.duration > 0) out += fmt::format("  time       {:.6g} s\n", simulation.duration);
  if (simulation.steady)
    out += fmt::format("  steady     {} to a residual of {:.3g}\n", to_name(simulation.steady->method),
                       simulation.steady->residual);
  return out;
}

class PreparedGas : public PreparedRun {
 public:
  PreparedGas(const Queue& queue, const CaseSource& source, const RunTarget& target)
      : queue_(queue), case_(gas::read_case(source.file, source.overrides)), flow_(gas::open_flow(queue, case_)) {
    require_separate_files({source.file}, paths_in(target.folder, gas::output_names()), target);
    gas::prepare_output(target.folder, target.force);
  }

  std::vector<Warning> warnings() override { return gas::warnings(flow_); }

  RunOutcome run(const RunOptions& options) override {
    const gas::Report report = gas::run(flow_, queue_, case_, options);
    return {report.interrupted, gas::summary_text(report),
            text("the output has all profiles up to t = ", report.time, " s, and f then in distribution.npy.")};
  }

 private:
  Queue queue_;
  gas::Case case_;
  gas::Flow flow_;
};

std::unique_ptr<PreparedRun> open(const Queue& queue, const CaseSource& source, const RunTarget& target,
                                  const Communicator& ranks) {
  ranks.agree([&] {
    require(ranks.size() == 1, source.file.string(), ": ", ranks.size(),
            " ranks, but a run of kind = \"gas\" uses one. Start it without mpirun; threads share its cells.");
  });
  return std::make_unique<PreparedGas>(queue, source, target);
}

}  // namespace

const CaseKind gas_kind = {
    .name = "gas", .command = "run", .keys = [] { return key_infos(gas_schema()); }, .check = check, .open = open};

}  // namespace shoal::io
