// SPDX-License-Identifier: Apache-2.0
#include "io/run/ranks/rank_recorder.hpp"

#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

RankRecorder::RankRecorder(const Communicator& ranks, const std::filesystem::path& folder, const sph::Case& simulation,
                           const std::optional<OutputCounts>& kept, bool particles_change)
    : ranks_(ranks), files_(make_on_first_rank<Recorder>(ranks, folder, simulation, kept, particles_change)) {}

void RankRecorder::fields(std::function<sph::Fields()> part, const sph::Balance& balance) {
  if (ranks_.size() == 1) return files_->fields(std::move(part), balance);
  const sph::Fields fields = part();
  const FieldState state(ranks_, fields);
  state.arrays().read([&] { files_->write_fields(state, balance); });
}

void RankRecorder::balance(const sph::Balance& balance) {
  on_first_rank(ranks_, [&] { files_->balance(balance); });
}

void RankRecorder::probes(double time, const std::vector<std::size_t>& probes, std::vector<double> values) {
  on_first_rank(ranks_, [&] { files_->probes(time, probes, std::move(values)); });
}

void RankRecorder::restart(sph::Snapshot part) {
  if (ranks_.size() == 1) return files_->restart(std::move(part));
  Restart restart{std::move(part), {}, {}};
  std::filesystem::path file;
  on_first_rank(ranks_, [&] { file = files_->begin_restart(restart); });
  write_restart(file, restart, ranks_);
}

void RankRecorder::wait() {
  on_first_rank(ranks_, [&] { files_->wait(); });
}

bool RankRecorder::has_failed() const {
  return decided_by_first_rank(ranks_, [&] { return files_->has_failed(); });
}

}  // namespace shoal::io
