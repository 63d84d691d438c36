// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/restart.hpp>
#include <shoal/sph.hpp>
#include <shoal/warning.hpp>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shoal::io {

/// Interface of a solver for the run loop; sph::Solver has members of the same names and meaning.
class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual void advance_to(double time, const sph::Solver::Observer& observer) = 0;
  /// Advances up to `steps` steps toward `time` and returns kernel times. A solver without kernels advances to `time`
  /// and returns an empty list.
  virtual std::vector<sph::KernelProfile> profile(std::int64_t steps, double time,
                                                  const sph::Solver::Observer& observer) {
    static_cast<void>(steps);
    advance_to(time, observer);
    return {};
  }
  /// Returns true if profiling does not slow down the steps.
  virtual bool profiles_for_free() const { return false; }
  virtual sph::Clock clock() const = 0;
  virtual sph::RankLoad load() const { return {}; }
  virtual sph::Snapshot snapshot() const = 0;
  virtual sph::Fields fields() const = 0;
  /// Function for another thread that returns the fields of the present state, once.
  virtual std::function<sph::Fields()> fields_later() const {
    return [made = std::make_shared<sph::Fields>(fields())] { return std::move(*made); };
  }
  virtual sph::Balance balance() const = 0;
  virtual std::vector<double> measure(const std::vector<sph::Probe>& probes) const = 0;
};

/// Adapter from sph::Solver to Simulation.
class SolverSimulation : public Simulation {
 public:
  explicit SolverSimulation(sph::Solver& solver) : solver_(solver) {}
  void advance_to(double time, const sph::Solver::Observer& observer) override { solver_.advance_to(time, observer); }
  std::vector<sph::KernelProfile> profile(std::int64_t steps, double time,
                                          const sph::Solver::Observer& observer) override {
    return solver_.profile(steps, time, observer);
  }
  bool profiles_for_free() const override { return solver_.method().device == DeviceKind::cpu; }
  sph::Clock clock() const override { return solver_.clock(); }
  sph::RankLoad load() const override { return solver_.load(); }
  sph::Snapshot snapshot() const override { return solver_.snapshot(); }
  sph::Fields fields() const override { return solver_.fields(); }
  std::function<sph::Fields()> fields_later() const override { return solver_.fields_later(); }
  sph::Balance balance() const override { return solver_.balance(); }
  std::vector<double> measure(const std::vector<sph::Probe>& probes) const override { return solver_.measure(probes); }

 private:
  sph::Solver& solver_;
};

/// Destination and format of the progress line.
struct ProgressOptions {
  std::ostream* out = nullptr;  ///< output stream; null: no progress line
  bool terminal = false;        ///< true: one line that is rewritten; false: a new line every 10 s
  bool color = false;
  int width = 0;  ///< number of columns of the terminal; 0: unknown
};

struct RunOptions {
  /// Ranks that run the case, those of the solver: all call run() together. Rank 0 writes files, the large ones with all
  /// ranks where HDF5 is parallel. It shows the progress, and decides on restarts and on the end by an interruption.
  Communicator ranks = Communicator::alone();
  std::filesystem::path folder = {};  ///< output folder, made by prepare_output() or by the run that resumes
  /// Output that belongs to the state that the run starts from, Restart::outputs: the files of the folder are continued,
  /// and entries behind are dropped. Empty: a new run.
  std::optional<OutputCounts> resume = {};
  /// A program may add or remove particles: balance.csv of a new run of kind = "sph" has columns of their mass.
  bool particles_change = false;
  std::string device;  ///< device name for the output, Queue::name()
  ProgressOptions progress = {};
  std::filesystem::path json_log = {};  ///< log file with one JSON object per line; empty: none
  bool append_log = false;              ///< true: append to an existing log, as a run that resumes does
  /// Interruption request, polled during the run. True ends the run after the current batch of steps.
  std::function<bool()> interrupted = {};
  /// Receives each warning about the state of the run when it first applies.
  std::function<void(const Warning&)> on_warning = {};
  std::optional<double> restart_every = {};  ///< wall time between restarts, s; by default that of the case
};

/// Result of a run of any kind of case.
struct RunResult {
  bool interrupted = false;
  std::string name;                ///< name of the output folder
  std::string device;              ///< device name, Queue::name()
  double duration = 0;             ///< duration of the case, s
  double wall = 0;                 ///< wall time of the run, s
  std::vector<std::string> files;  ///< names of the files in the folder
  std::vector<Warning> warnings;   ///< warnings about the case and about the run
};

/// Result of a run of kind = "sph". `solving`, `collecting` and `waiting` are parts of `wall`.
struct RunReport : RunResult {
  sph::Balance first, last;  ///< balances at the start and the end of this run
  double solving = 0;        ///< wall time in the solver, s
  double collecting = 0;     ///< wall time of transfers from the device for fields, balances, probes and snapshots, s
  double waiting = 0;        ///< wall time in which the run waits for the writer thread, s
  double writing = 0;        ///< busy time of the writer thread, concurrent with the rest, s
  double particle_steps = 0;
  int ranks = 1;
  sph::RankLoad load;                       ///< latest load of several ranks
  std::vector<sph::KernelProfile> kernels;  ///< kernel times of the profiled steps; the first step is not profiled
  std::int64_t profiled_steps = 0;
  double mass_drift = 0;                 ///< mass change relative to the start, including mass that left the domain
  std::optional<double> momentum_drift;  ///< momentum change relative to √(2 m E_kin); empty with walls or gravity
};

/// Prepares `folder` for a new run of `simulation`.
/// @param force  true: remove the files that such a run writes; other files remain
/// @throws Error  the folder has files and `force` is false; the folder cannot be created or written
void prepare_output(const std::filesystem::path& folder, const sph::Case& simulation, bool force);

/// Runs `simulation` from its current time to the end of its case. Writes fields, probes (one CSV each), the
/// conservation balance (balance.csv), restarts, case.toml and summary.json into the folder of `options`
/// (docs/output.md).
///
/// If the solver fails, restart.h5 receives the last valid state. If an output fails, the restart before it stays, because
/// a restart never claims output that is not on the disk. Earlier output remains in both cases.
/// @throws Error  an error of the solver or of an output, with the name of the restart file added
RunReport run(Simulation& simulation, const sph::Case& description, const RunOptions& options);
RunReport run(sph::Solver& solver, const RunOptions& options);

/// Returns the summary of a run, a few lines of text.
std::string summary_text(const RunReport& report);

}  // namespace shoal::io
