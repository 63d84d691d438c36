// SPDX-License-Identifier: Apache-2.0
// Parts of CaseKind::resume() that are the same for all kinds of case.
#pragma once
#include <shoal/io/case_kinds.hpp>

#include <cmath>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "io/run/folder/output_folder.hpp"

namespace shoal::io {

/// Requires that the case of a restart equals case.toml of its folder, which the user may have edited, and `case_file`.
/// @param read  returns the text of a case file with all defaults filled in
template <class Read>
void require_case_of_restart(const ResumeSource& source, const std::string& case_text, const Read& read) {
  const std::filesystem::path own_file = source.folder / case_file_name;
  if (std::filesystem::exists(own_file)) {
    try {
      require_same_case(case_text, read(own_file), own_file.string());
    } catch (const Error& error) {
      throw Error(text(error.what(), " Or delete ", own_file.string(), ": the restart holds the case, too."));
    }
  }
  if (!source.case_file.empty()) require_same_case(case_text, read(source.case_file), source.case_file.string());
}

/// Requires an end of a run that a user gave, s.
inline void require_valid_end(double until) {
  require(std::isfinite(until) && until > 0, "the end of the run (until) is ", until,
          " s, expected a finite number above 0.");
}

/// Run that has already reached its end.
class FinishedRun : public PreparedRun {
 public:
  explicit FinishedRun(std::string summary) : summary_(std::move(summary)) {}
  FinishedRun(double time, double duration)
      : FinishedRun(text("This run is at its end already: t = ", time, " s of ", duration,
                         " s. To continue, give a later end (until).\n")) {}
  RunOutcome run(const RunOptions&) override { return {false, summary_, {}}; }

 private:
  std::string summary_;
};

}  // namespace shoal::io
