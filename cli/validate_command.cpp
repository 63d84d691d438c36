// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/validation.hpp>

#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "core/text.hpp"
#include "interrupt.hpp"
#include "own_folder.hpp"
#include "running.hpp"

namespace shoal::cli {

namespace {

namespace validation = io::validation;

struct Options {
  std::vector<std::string> cases;
  std::filesystem::path folder;  ///< empty: `cases` here, or else those that come with this program
  std::filesystem::path out = "out/validate";
  std::string size;  ///< empty: what suits the device
  RunningOptions running;
};

bool is_validation(const std::filesystem::path& folder) { return std::filesystem::exists(folder / "validation.toml"); }

std::filesystem::path folder_of_cases(const Options& options) {
  if (!options.folder.empty()) return options.folder;
  if (std::filesystem::is_directory("cases")) return "cases";
  return own_folder({"share/shoal/cases", "cases"}, "dam_break/validation.toml").value_or("cases");
}

/// The folders asked for, by name or as they are; all that have a validation if none is.
std::vector<std::filesystem::path> chosen_folders(const Options& options) {
  const std::filesystem::path all = folder_of_cases(options);
  std::vector<std::filesystem::path> folders;
  for (const std::string& name : options.cases)
    folders.push_back(is_validation(name) ? std::filesystem::path(name) : all / name);
  if (!folders.empty()) return folders;
  require(std::filesystem::is_directory(all), all.string(),
          ": there is no such folder of cases. Name it with --cases.");
  for (const auto& entry : std::filesystem::directory_iterator(all))
    if (is_validation(entry.path())) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  require(!folders.empty(), all.string(), ": no folder in it has a validation.toml.");
  return folders;
}

/// What a plan's runs need: its own folder of output, and the cases read.
struct Job {
  validation::Plan plan;
  std::string name;
  std::vector<validation::Done> runs;
};

Job prepared(const std::filesystem::path& folder, validation::Size most, const Options& options) {
  Job job{validation::read(folder), folder.lexically_normal().filename().string(), {}};
  if (job.name.empty()) job.name = folder.lexically_normal().parent_path().filename().string();
  for (const validation::Run& run : job.plan.runs) {
    if (run.size > most) continue;
    sph::Case simulation = io::read_case(job.plan.folder / run.case_file, run.set);
    job.runs.push_back({run, std::move(simulation), options.out / job.name / run.name});
  }
  return job;
}

/// @return  false if the user interrupted it
bool run(const validation::Done& done, const Queue& queue, const Options& options) {
  io::prepare_output(done.folder, done.simulation, true);
  sph::Solver solver(queue, done.simulation);
  return !io::run(solver, run_options(queue, options.running, done.folder)).interrupted;
}

void print_header() {
  std::cout << fmt::format("{:<34} {:<50}{:>20}{:>26}{:>12}  verdict\n", "case/run", "quantity", "got", "reference",
                           "tolerance");
}

/// @return  the number of those that failed
int print(const Job& job, const std::vector<validation::Finding>& findings) {
  int failed = 0;
  for (const validation::Finding& f : findings) {
    std::cout << fmt::format("{:<34} {:<50}{:>20}{:>26}{:>12}  {}\n", job.name + "/" + f.run, f.quantity, f.got,
                             f.expected, f.tolerance, f.passed ? "pass" : "FAIL")
              << std::flush;
    failed += !f.passed;
  }
  return failed;
}

int validate(const Options& options) {
  const Queue queue = preparing([&] { return open_queue(options.running.device); });
  const std::vector<Job> jobs = preparing([&] {
    const std::string standard = queue.on_cpu() ? "small" : "large";
    const auto size = from_name<validation::Size>(options.size.empty() ? standard : options.size);
    std::vector<Job> all;
    for (const std::filesystem::path& folder : chosen_folders(options)) all.push_back(prepared(folder, size, options));
    return all;
  });
  const Interrupt interrupt;
  print_header();
  int failed = 0;
  for (const Job& job : jobs) {
    for (const validation::Done& done : job.runs)
      if (!run(done, queue, options)) return exit_interrupted;
    failed += print(job, validation::check(job.plan, job.runs));
    for (const validation::Done& done : job.runs) validation::write_plots(job.plan, done);
  }
  std::cout << (failed == 0 ? std::string("all passed") : text(failed, " failed")) << "; tables and plots are in "
            << options.out.string() << '\n';
  return failed == 0 ? exit_done : exit_failed;
}

}  // namespace

void add_validate(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("validate", "Run cases and hold them against their references");
  command->add_option("CASE", options->cases, "folders with a validation.toml, or their names; default: all");
  command->add_option(
      "--cases", options->folder,
      "folder in which names are looked up; default: cases, or if there is none here the installed ones");
  command->add_option("--out", options->out, "folder for the output of all runs")->capture_default_str();
  command->add_option("--size", options->size,
                      "largest runs to make: small, medium or large; default: small on a CPU, large on a GPU");
  add_running_options(*command, options->running);
  command->callback([&chosen, options] { chosen = [options] { return validate(*options); }; });
}

}  // namespace shoal::cli
