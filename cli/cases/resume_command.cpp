// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>

#include "commands.hpp"
#include "support/process/ranks.hpp"
#include "support/process/running.hpp"

namespace shoal::cli {

namespace {

struct Options {
  io::ResumeSource source;
  RunningOptions running;
};

int resume(const Options& options) {
  start_ranks(options.running.ranks);
  const Queue queue = prepared([&] { return open_rank_queue(options.running.device); });
  io::ResumeSource source = options.source;
  source.json_log = options.running.json_log;
  const auto run = prepared([&] { return io::prepare_resume(queue, source, ranks()); });
  return run_and_report(*run, run_options(queue, options.running, options.source.folder), options.running.quiet);
}

}  // namespace

void add_resume(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("resume", "Continue a run from the restart in its output folder");
  command->add_option("DIR", options->source.folder, "output folder of the run")->required();
  command->add_option("--until", options->source.until, "run to this time, in s, instead of the duration of the case");
  command->add_option("--case", options->source.case_file, "case file, which must be that of the run");
  add_running_options(*command, options->running);
  command->callback([&action, options] { action = [options] { return resume(*options); }; });
}

}  // namespace shoal::cli
