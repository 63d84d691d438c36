// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/output_file.hpp>

#include "commands.hpp"
#include "support/message.hpp"
#include "support/process/ranks.hpp"
#include "support/process/running.hpp"

namespace shoal::cli {

namespace {

struct Options {
  io::CaseSource source;
  std::filesystem::path out;
  bool force = false;
  RunningOptions running;
};

/// Default folder for the output: out/NAME. NAME is the folder of a file case.toml, or the name of another file.
std::filesystem::path default_folder(const std::filesystem::path& file) {
  const bool named_by_folder = file.filename() == "case.toml";
  const std::filesystem::path parent = file.has_parent_path() ? file.parent_path() : ".";
  const std::string name = named_by_folder ? io::folder_name(parent) : file.stem().string();
  require(!name.empty() && name != "." && name != "..",
          "{}: its name gives no name for the output folder. Choose a folder with --out.", file.string());
  return std::filesystem::path("out") / name;
}

int run_case(const Options& options) {
  start_ranks(options.running.ranks);
  const std::filesystem::path folder = prepared([&] {
    std::filesystem::path chosen = options.out;
    if (chosen.empty()) ranks().agree([&] { chosen = default_folder(options.source.file); });
    return chosen;
  });
  const Queue queue = prepared([&] { return open_rank_queue(options.running.device); });
  const auto run = prepared([&] {
    return io::prepare_run(queue, options.source, {folder, options.force, options.running.json_log}, ranks());
  });
  return run_and_report(*run, run_options(queue, options.running, folder), options.running.quiet);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a case file to its end");
  command->add_option("CASE", options->source.file, "case file (TOML); `shoal keys` lists its keys")->required();
  add_set_option(*command, options->source.overrides.values);
  command->add_option("--out", options->out, "folder for the output; default: out/<folder of case.toml>");
  command->add_flag("--force", options->force, "replace the output of an earlier run in that folder");
  add_running_options(*command, options->running);
  command->callback([&action, options] { action = [options] { return run_case(*options); }; });
}

}  // namespace shoal::cli
