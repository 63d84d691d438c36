// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace shoal::io {

/// What the run loop needs of a solver; sph::Solver has members of the same names and meaning.
class Simulation {
 public:
  virtual ~Simulation() = default;
  virtual void advance_to(double time, const sph::Solver::Observer& observer) = 0;
  /// One that knows nothing of kernels advances to `time`, however many steps that takes.
  virtual std::vector<sph::KernelProfile> profile(std::int64_t steps, double time,
                                                  const sph::Solver::Observer& observer) {
    static_cast<void>(steps);
    advance_to(time, observer);
    return {};
  }
  /// Whether steps take no longer when a profile is taken.
  virtual bool profiles_for_free() const { return false; }
  virtual sph::Clock clock() const = 0;
  virtual sph::Snapshot snapshot() const = 0;
  virtual sph::Fields fields() const = 0;
  virtual sph::Balance balance() const = 0;
  virtual std::vector<double> measure(const std::vector<sph::Probe>& probes) const = 0;
};

/// sph::Solver as a Simulation.
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
  sph::Snapshot snapshot() const override { return solver_.snapshot(); }
  sph::Fields fields() const override { return solver_.fields(); }
  sph::Balance balance() const override { return solver_.balance(); }
  std::vector<double> measure(const std::vector<sph::Probe>& probes) const override { return solver_.measure(probes); }

 private:
  sph::Solver& solver_;
};

/// Where the progress line goes, and how.
struct ProgressOptions {
  std::ostream* out = nullptr;  ///< none: no progress
  bool terminal = false;        ///< one line that is rewritten; else a line every 10 s
  bool color = false;
  int width = 0;  ///< columns of the terminal; 0: not known
};

struct RunOptions {
  std::filesystem::path folder = {};  ///< for all output; prepare_output() made it ready, or an earlier run filled it
  bool resume = false;  ///< continue the files that are there, after dropping what is later than the clock
  std::string device;   ///< for people: Queue::name()
  ProgressOptions progress = {};
  std::filesystem::path json_log = {};       ///< one JSON object a line; empty: none
  std::function<bool()> interrupted = {};    ///< asked now and then; true ends the run after the batch at hand
  std::optional<double> restart_every = {};  ///< s of wall time between restarts; by default what the case says
};

/// Result of a run of any kind of case.
struct RunResult {
  bool interrupted = false;
  std::string name;                ///< name of the output folder
  std::string device;              ///< name of the device, Queue::name()
  double duration = 0;             ///< s, duration of the case
  double wall = 0;                 ///< s, wall time of the run
  std::vector<std::string> files;  ///< names of the files in the folder
};

/// Result of a run of kind = "sph". `solving`, `collecting` and `waiting` are parts of `wall`.
struct RunReport : RunResult {
  sph::Balance first, last;  ///< at the start and the end of this run
  double solving = 0;       ///< s in the solver
  double collecting = 0;    ///< s for fields, totals, probes and snapshots to come from the device
  double waiting = 0;       ///< s for the writer thread, when it lags behind
  double writing = 0;       ///< s of the writer thread, beside the rest
  double particle_steps = 0;
  std::vector<sph::KernelProfile> kernels;  ///< of `profiled_steps`, the first of this run but one, or all but one
  std::int64_t profiled_steps = 0;
  double mass_drift = 0;                 ///< relative to the start; what left the domain counts as drift
  std::optional<double> momentum_drift;  ///< relative to √(2 m E_kin); only without walls and gravity
};

/// Makes `folder` ready for a new run of `simulation`.
/// @param force  removes the files that such a run writes, and no other, from a folder that has some
/// @throws Error  the folder has files and `force` is false; it cannot be made or written
void prepare_output(const std::filesystem::path& folder, const sph::Case& simulation, bool force);

/// Runs `simulation` from where its clock stands to the end of its case, and writes fields, probes (one CSV each),
/// the conservation balance (balance.csv), restarts, case.toml and summary.json into the folder of `options` (docs/output.md).
///
/// When the solver or an output fails, the last good state goes into restart.h5 and what was written stays.
/// @throws Error  what the solver or an output threw, with the name of the restart file added
RunReport run(Simulation& simulation, const sph::Case& description, const RunOptions& options);
RunReport run(sph::Solver& solver, const RunOptions& options);

/// The summary that a run ends with, some lines of text.
std::string summary_text(const RunReport& report);

}  // namespace shoal::io
