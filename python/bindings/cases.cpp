// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_kinds.hpp>

#include "bindings.hpp"
#include "support/interrupts.hpp"
#include "support/overrides.hpp"
#include "support/rank_calls.hpp"

namespace shoal::python {

namespace {

/// Runs a prepared case without Python's lock; its warnings are Python's. Ctrl-C ends the run between two batches of
/// steps.
io::RunOutcome run_prepared(io::PreparedRun& run, const Queue& queue, const std::filesystem::path& folder,
                            const Communicator& ranks) {
  for (const Warning& warning : run.warnings())
    if (ranks.rank() == 0) warn(warning);
  Interrupts interrupts;
  io::RunOptions options;
  options.ranks = ranks;
  options.folder = folder;
  options.device = device_of_ranks(queue, ranks);
  options.on_warning = [&](const Warning& warning) { interrupts.run([&] { warn(warning); }); };
  options.interrupted = [&] { return !interrupts.may_continue(); };
  io::RunOutcome outcome;
  {
    const GilRelease gil_release;
    outcome = run.run(options);
  }
  interrupts.raise();
  if (outcome.interrupted) {  // on rank 0, which decides for all
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
  return outcome;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const io::CaseKind* kind : io::case_kinds())
    if (kind->open != nullptr) names.emplace_back(kind->name);
  return names;
}

std::string check_case(const std::string& file, const std::vector<std::string>& overrides) {
  const GilRelease gil_release;
  const io::CaseSource source{file, python_overrides(overrides)};
  return io::runnable_case_kind(source).check(source);
}

io::RunOutcome run_case(const std::string& file, const std::string& folder, const std::vector<std::string>& overrides,
                        nb::handle device, int threads, bool force, const std::optional<Communicator>& several) {
  const Communicator ranks = ranks_or_alone(several);
  const Queue queue = queue_of(read_device(device), threads, ranks);
  const io::CaseSource source{file, python_overrides(overrides)};
  const auto prepare = [&] {
    const GilRelease gil_release;
    return io::prepare_run(queue, source, {folder, force}, ranks);
  };
  return run_prepared(*prepare(), queue, folder, ranks);
}

io::RunOutcome resume_case(const std::string& folder, const std::optional<double>& until, nb::handle device,
                           int threads, const std::optional<Communicator>& several) {
  const Communicator ranks = ranks_or_alone(several);
  const Queue queue = queue_of(read_device(device), threads, ranks);
  const auto prepare = [&] {
    const GilRelease gil_release;
    return io::prepare_resume(queue, {.folder = folder, .until = until}, ranks);
  };
  return run_prepared(*prepare(), queue, folder, ranks);
}

}  // namespace

void bind_cases(nb::module_& module) {
  nb::class_<io::RunOutcome>(module, "RunOutcome", "Result of a run of a case file.")
      .def_ro("summary", &io::RunOutcome::summary, "str: summary of the run, a few lines.")
      .def("__str__", [](const io::RunOutcome& outcome) { return outcome.summary; });

  module.def("case_kinds", &kind_names);
  module.def("check_case", &check_case, "file"_a, "overrides"_a);
  module.def("run_case", &run_case, "file"_a, "folder"_a, "overrides"_a, "device"_a, "threads"_a, "force"_a,
             "ranks"_a.none());
  module.def("resume_case", &resume_case, "folder"_a, "until"_a, "device"_a, "threads"_a, "ranks"_a.none());
}

}  // namespace shoal::python
