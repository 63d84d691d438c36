// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/output_file.hpp>
#include <shoal/io/text.hpp>
#include <shoal/io/validation.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "commands.hpp"
#include "support/arguments/description.hpp"
#include "support/message.hpp"
#include "support/process/installation.hpp"
#include "support/process/interrupt.hpp"
#include "support/process/ranks.hpp"
#include "support/process/running.hpp"

namespace shoal::cli {

namespace {

namespace validation = io::validation;

struct Options {
  std::vector<std::string> cases;
  std::filesystem::path folder;  ///< empty: the folder `cases` here, or else the installed one
  std::filesystem::path out = "out/validate";
  std::string size;  ///< empty: small on a CPU, large on a GPU
  bool list = false;
  RunningOptions running;
};

bool is_validation(const std::filesystem::path& folder) { return std::filesystem::exists(folder / "validation.toml"); }

std::filesystem::path parent_folder(const Options& options) {
  if (!options.folder.empty()) return options.folder;
  if (std::filesystem::is_directory("cases")) return "cases";
  return installed_folder("cases", "dam_break/validation.toml").value_or("cases");
}

/// Folders of the command line, given as names or paths; every folder with a validation if it names none.
std::vector<std::filesystem::path> case_folders(const Options& options) {
  const std::filesystem::path parent = parent_folder(options);
  std::vector<std::filesystem::path> folders;
  for (const std::string& name : options.cases)
    folders.push_back(is_validation(name) ? std::filesystem::path(name) : parent / name);
  if (!folders.empty()) return folders;
  require(std::filesystem::is_directory(parent), "{}: there is no such folder of cases. Name it with --cases.",
          parent.string());
  for (const auto& entry : std::filesystem::directory_iterator(parent))
    if (is_validation(entry.path())) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  require(!folders.empty(), "{}: no folder in it has a validation.toml.", parent.string());
  return folders;
}

/// Validation with its runs: their cases and output folders.
struct Job {
  validation::Plan plan;
  std::string name;
  std::vector<validation::Done> runs;
};

Job make_job(const std::filesystem::path& folder, validation::Size most, const Options& options) {
  Job job{validation::read(folder), io::folder_name(folder), {}};
  for (const validation::Run& run : job.plan.runs) {
    if (run.size > most) continue;
    const io::CaseSource source{job.plan.folder / run.case_file, run.set};
    job.runs.push_back({run, io::probes_of(source), options.out / job.name / run.name});
  }
  return job;
}

/// Returns false if the user interrupted the run.
/// @param is_first  true: begin a new log; false: append to it
bool run(const Job& job, const validation::Done& done, const Queue& queue, const Options& options, bool is_first) {
  const io::CaseSource source{job.plan.folder / done.run.case_file, done.run.set};
  const io::RunTarget target{done.folder, true, options.running.json_log};
  const auto prepared_run = io::prepare_run(queue, source, target, ranks());
  io::RunOptions run = run_options(queue, options.running, done.folder);
  run.append_log = !is_first;
  const Interrupt interrupt;
  return !prepared_run->run(run).interrupted;
}

void print_header() {
  std::cout << fmt::format("{:<34} {:<50}{:>20}{:>26}{:>12}  verdict\n", "case/run", "quantity", "got", "reference",
                           "tolerance");
}

/// Prints a line for each check. Returns the number of failures.
int print(const Job& job, const std::vector<validation::Finding>& findings) {
  int failed = 0;
  for (const validation::Finding& f : findings) {
    std::cout << fmt::format("{:<34} {:<50}{:>20}{:>26}{:>12}  {}\n", io::printable(job.name + "/" + f.run),
                             io::printable(f.quantity), f.got, f.expected, f.tolerance, f.passed ? "pass" : "FAIL")
              << std::flush;
    failed += !f.passed;
  }
  return failed;
}

/// Field of a CSV file, in quotes because lists of numbers have commas.
std::string quoted(const std::string& field) {
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

/// Table of all checks, OUT/checks.csv.
class CheckTable {
 public:
  /// @param folder  exists when checks are appended
  explicit CheckTable(const std::filesystem::path& folder) : path_(folder / "checks.csv") {}

  void append(const std::string& name, const std::vector<validation::Finding>& findings) {
    if (!out_.is_open()) {
      out_.open(path_);
      out_ << "case,run,quantity,computed,reference,tolerance,verdict\n";
    }
    for (const validation::Finding& f : findings)
      out_ << fmt::format("{},{},{},{},{},{},{}\n", quoted(name), quoted(f.run), quoted(f.quantity), quoted(f.got),
                          quoted(f.expected), quoted(f.tolerance), f.passed ? "pass" : "FAIL");
    require(bool(out_.flush()), "{}: writing failed.", path_.string());
  }

 private:
  std::filesystem::path path_;
  std::ofstream out_;
};

int print_cases(const Options& options) {
  for (const std::filesystem::path& folder : prepared([&] { return case_folders(options); }))
    std::cout << io::printable(io::folder_name(folder)) << '\n';
  return exit_done;
}

int validate(const Options& options) {
  if (options.list) return print_cases(options);
  start_ranks(options.running.ranks);
  const Queue queue = prepared([&] { return open_rank_queue(options.running.device); });
  DeviceOptions on_cpu = options.running.device;
  on_cpu.device = "cpu";
  const Queue cpu = queue.on_cpu() ? queue : prepared([&] { return open_rank_queue(on_cpu); });
  std::vector<Job> jobs;
  const auto read_jobs = [&] {
    const std::string standard = queue.on_cpu() ? "small" : "large";
    const auto size = from_name<validation::Size>(options.size.empty() ? standard : options.size);
    for (const std::filesystem::path& folder : case_folders(options)) jobs.push_back(make_job(folder, size, options));
  };
  prepared([&] { ranks().agree(read_jobs); });
  CheckTable table(options.out);
  if (is_reporting_process()) print_header();
  int failed = 0;
  bool is_first = true;
  for (const Job& job : jobs) {
    for (const validation::Done& done : job.runs) {
      if (!run(job, done, done.run.on_cpu ? cpu : queue, options, is_first)) return exit_interrupted;
      is_first = false;
    }
    ranks().agree([&] {
      if (!is_reporting_process()) return;
      const std::vector<validation::Finding> findings = validation::check(job.plan, job.runs);
      failed += print(job, findings);
      table.append(job.name, findings);
      for (const validation::Done& done : job.runs) validation::write_plots(job.plan, done);
    });
  }
  if (!is_reporting_process()) return exit_done;
  std::cout << (failed == 0 ? std::string("all passed") : fmt::format("{} failed", failed))
            << "; tables and plots are in " << options.out.string() << '\n';
  return failed == 0 ? exit_done : exit_failed;
}

}  // namespace

void add_validate(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("validate", "Run cases and compare them with their references");
  offer(command->add_option("CASE", options->cases, "folders with a validation.toml, or their names; default: all"),
        {{}, "shoal validate --list 2>/dev/null"});
  command->add_flag("--list", options->list, "print the names of the cases and do nothing else");
  command->add_option("--cases", options->folder,
                      "folder that contains the named cases; default: ./cases, or else the installed cases");
  command->add_option("--out", options->out, "folder for the output of all runs")->capture_default_str();
  offer(
      command->add_option("--size", options->size,
                          "size of the largest runs: small, medium or large; default: small on a CPU, large on a GPU"),
      {{"small", "medium", "large"}});
  add_running_options(*command, options->running);
  command->callback([&action, options] { action = [options] { return validate(*options); }; });
}

}  // namespace shoal::cli
