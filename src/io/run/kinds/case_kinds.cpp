// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_kinds.hpp>

#include "core/text.hpp"
#include "io/case/keys/kind_key.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/kinds/kinds.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/restart/restart_file.hpp"

namespace shoal::io {

std::span<const CaseKind* const> case_kinds() {
  static constexpr const CaseKind* kinds[] = {&sph_kind, &wall_distance_kind, &relaxation_kind, &gas_kind,
                                              &validation_kind};
  return kinds;
}

const CaseKind& case_kind(const CaseSource& source) {
  return case_kind(Document(case_file_content(source.file), source.file.string(), source.overrides));
}

std::unique_ptr<PreparedRun> prepare_run(const Queue& queue, const CaseSource& source, const RunTarget& target,
                                         const Communicator& ranks) {
  const CaseKind* kind = nullptr;
  ranks.agree([&] { kind = &runnable_case_kind(source); });
  return kind->open(queue, source, target, ranks);
}

const CaseKind& runnable_case_kind(const CaseSource& source) {
  const CaseKind& kind = case_kind(source);
  require(kind.open != nullptr, source.file.string(), ": a file of kind = \"", kind.name,
          "\" describes no single run. Use: shoal ", kind.command, " ", source.file.parent_path().string());
  return kind;
}

std::vector<sph::Probe> probes_of(const CaseSource& source) { return runnable_case_kind(source).probes(source); }

namespace {

/// Requires a restart in an output folder. The message says why a folder may have none.
void require_restart(const std::filesystem::path& folder) {
  const std::string name = folder.string();
  const std::filesystem::path file = folder / restart_file_name, case_file = folder / case_file_name;
  if (std::filesystem::exists(file)) return;
  require(std::filesystem::is_directory(folder), name,
          ": there is no such folder. Give the output folder of a run, such as out/dam_break.");
  require(std::filesystem::exists(case_file), name,
          ": this is not the output folder of a run: it has neither restart.h5 nor case.toml.");
  const CaseSource source{case_file};
  const CaseKind& kind = case_kind(source);
  require(kind.resume != nullptr, name, ": a run of kind = \"", kind.name,
          "\" writes no restarts and cannot be continued. Run its case again.");
  throw Error(text(file.string(),
                   ": there is no such restart file. The run ended before its first restart, or the file "
                   "was removed. Run the case again."));
}

}  // namespace

std::unique_ptr<PreparedRun> prepare_resume(const Queue& queue, const ResumeSource& source, const Communicator& ranks) {
  const std::filesystem::path file = source.folder / restart_file_name;
  on_first_rank(ranks, [&] { require_restart(source.folder); });
  const RestartFile restart = open_restart(file, ranks);
  const CaseKind* kind = nullptr;
  ranks.agree([&] {
    kind = &case_kind(Document(restart.case_text, file.string(), {}));
    require(kind->resume != nullptr, file.string(), ": a run of kind = \"", kind->name, "\" cannot be continued.");
  });
  return kind->resume(queue, source, restart, ranks);
}

std::string warning_lines(const std::vector<Warning>& warnings) {
  std::string lines;
  for (const Warning& warning : warnings) lines += "  warning    " + warning.text() + '\n';
  return lines;
}

std::vector<KeyInfo> case_keys() {
  std::vector<KeyInfo> list;
  for (const CaseKind* kind : case_kinds())
    for (KeyInfo& key : kind->keys()) list.push_back(std::move(key));
  return list;
}

}  // namespace shoal::io
