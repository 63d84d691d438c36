// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "io/run/recorder.hpp"

namespace shoal::io {

/// Output files of a run on one or several ranks. Rank 0 writes them, or every rank its rows (RankRows). All ranks make the
/// same calls, and all throw an error of the output.
///
/// One rank writes in a thread of its own. Several ranks wait while fields and restarts are written.
class RankRecorder {
 public:
  /// Opens the output files. The parameters are those of Recorder.
  RankRecorder(const Communicator& ranks, const std::filesystem::path& folder, const sph::Case& simulation,
               const std::optional<OutputCounts>& kept, bool particles_change);

  /// @param part  returns the fields of this rank; called once, on one rank in the thread of the output
  void fields(std::function<sph::Fields()> part, const sph::Balance& balance);
  void balance(const sph::Balance& balance);
  void probes(double time, const std::vector<std::size_t>& probes, std::vector<double> values);
  /// @param part  snapshot of this rank
  void restart(sph::Snapshot part);
  void wait();

  bool has_failed() const;
  double busy_seconds() const { return files_ ? files_->busy_seconds() : 0; }

 private:
  Communicator ranks_;
  std::unique_ptr<Recorder> files_;  ///< null on other ranks than 0
};

}  // namespace shoal::io
