// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/relaxation.hpp>

#include <cmath>
#include <optional>

#include "core/text.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/relaxation/relaxation_schema.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "io/run/kinds/kinds.hpp"
#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

namespace {

/// Returns the time step of the case or, without one, its share of the stability bound, s.
double first_step(const relaxation::Case& simulation, double bound) {
  const double step = simulation.scheme.step > 0 ? simulation.scheme.step : simulation.scheme.step_share * bound;
  require_possible_count(simulation.duration, step, most_steps, "relaxation: the time step", "Shorten the run.");
  return step;
}

std::string check(const CaseSource& source) {
  const relaxation::Case simulation = relaxation::read_case(source.file, source.overrides);
  relaxation::Gas gas = relaxation::open_gas(Queue::cpu(), simulation);
  const double bound = relaxation::step_bound(gas);
  const double step = first_step(simulation, bound);
  std::string out = fmt::format("{}: this case can run\n", source.file.string());
  if (!simulation.title.empty()) out += fmt::format("  title      {}\n", simulation.title);
  out += warning_lines(relaxation::warnings(gas));
  out += fmt::format("  nodes      {} in {}^3; {}\n", simulation.grid.node_count(), simulation.grid.nodes,
                     to_name(simulation.collision.approach));
  out += fmt::format("  steps      about {:.0f} of {:.3g} s to {:.6g} s; the bound is {:.3g} s\n",
                     std::ceil(simulation.duration / step), step, simulation.duration, bound);
  return out;
}

class PreparedRelaxation : public PreparedRun {
 public:
  PreparedRelaxation(const Queue& queue, const CaseSource& source, const RunTarget& target, const Communicator& ranks)
      : queue_(queue) {
    ranks.agree([&] { case_ = relaxation::read_case(source.file, source.overrides); });
    gas_.emplace(relaxation::open_gas(queue, case_, ranks));
    ranks.agree([&] { first_step(case_, relaxation::step_bound(*gas_)); });
    on_first_rank(ranks, [&] {
      require_separate_files(files_read(source, case_), paths_in(target.folder, relaxation::output_names()), target);
      relaxation::prepare_output(target.folder, target.force);
      store_inputs(target.folder, case_);
    });
  }

  std::vector<Warning> warnings() override { return relaxation::warnings(*gas_); }

  RunOutcome run(const RunOptions& options) override {
    const relaxation::Report report = relaxation::run(*gas_, queue_, case_, options);
    return {
        report.interrupted, relaxation::summary_text(report),
        text("the output has all rows up to t = ", report.time, " s, and the distribution then in distribution.npy.")};
  }

 private:
  Queue queue_;
  relaxation::Case case_;
  std::optional<relaxation::Gas> gas_;
};

}  // namespace

const CaseKind relaxation_kind = {.name = "relaxation",
                                  .command = "run",
                                  .keys = [] { return key_infos(relaxation_schema()); },
                                  .probes = no_probes<relaxation::read_case>,
                                  .check = check,
                                  .open = [](const Queue& queue, const CaseSource& source, const RunTarget& target,
                                             const Communicator& ranks) -> std::unique_ptr<PreparedRun> {
                                    return std::make_unique<PreparedRelaxation>(queue, source, target, ranks);
                                  }};

}  // namespace shoal::io
