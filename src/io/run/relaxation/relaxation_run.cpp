// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/json.hpp>
#include <shoal/io/relaxation.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>

#include <cmath>
#include <memory>
#include <optional>

#include "collision/relaxation/exact_solutions.hpp"
#include "core/text.hpp"
#include "io/formats/binary/npy.hpp"
#include "io/formats/text/csv.hpp"
#include "io/run/driver.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/progress/system_info.hpp"
#include "io/run/ranks/first_rank.hpp"

namespace shoal::io::relaxation {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr const char* table_file = "moments.csv";
constexpr const char* distribution_file = "distribution.npy";

std::vector<std::string> columns() {
  std::vector<std::string> names = {"time [s]"};
  for (const char* prefix : {"", "exact "})
    for (const char* moment : {"m2", "m4", "m6", "m8", "m10"}) names.push_back(std::string(prefix) + moment);
  for (const char* name :
       {"stress xx [1/(m s2)]", "exact stress xx", "stress xy [1/(m s2)]", "exact stress xy", "entropy",
        "exact entropy", "density [1/m3]", "velocity x [m/s]", "velocity y [m/s]", "velocity z [m/s]",
        "temperature [m2/s2]", "mass drift", "momentum drift", "energy drift", "least f [s3/m6]"})
    names.emplace_back(name);
  return names;
}

/// Drifts of the invariants since the start, relative to their initial values. Momentum may begin at zero, so that its
/// drift is relative to density times thermal speed.
struct Drifts {
  double mass, momentum, energy;

  Drifts(const RelaxationState& first, const RelaxationState& now) {
    const VelocityMoments &before = first.moments, &after = now.moments;
    double difference2 = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      difference2 += std::pow(after.density * after.velocity[axis] - before.density * before.velocity[axis], 2);
    mass = after.density / before.density - 1;
    momentum = std::sqrt(difference2) / (before.density * std::sqrt(before.temperature));
    energy = now.energy() / first.energy() - 1;
  }
};

/// Exact values of a gas at one time; NaN where no exact solution exists.
struct Exact {
  EvenMoments even;
  double stress_xx, stress_xy, entropy;
};

/// Exact solutions of a case. Maxwell molecules have exact m2, m4 and stress from any initial state; BKW has all
/// values.
class ExactCurves {
 public:
  /// @param first  state at time 0
  ExactCurves(const Case& simulation, const RelaxationState& first)
      : maxwell_(simulation.gas.model == MoleculeModel::maxwell),
        bkw_(maxwell_ && simulation.initial.distribution == Distribution::bkw) {
    const Initial& initial = simulation.initial;
    solution_ = {initial.density, initial.temperature, simulation.gas.rate * initial.density, initial.amplitude};
    decay_ = collision::MaxwellDecay::from_moments(first.moments, first.even[1],
                                                   simulation.gas.rate * first.moments.density);
  }

  Exact at(double time) const {
    Exact exact{{unknown, unknown, unknown, unknown, unknown}, unknown, unknown, unknown};
    if (!maxwell_) return exact;
    exact.even[0] = decay_.temperature;
    exact.even[1] = decay_.m4(time);
    exact.stress_xx = decay_.stress(time)[0];
    exact.stress_xy = decay_.stress(time)[3];
    if (!bkw_) return exact;
    exact.even = solution_.moments(time);
    exact.entropy = solution_.entropy(time);
    return exact;
  }

 private:
  bool maxwell_, bkw_;
  collision::BkwSolution solution_;
  collision::MaxwellDecay decay_;
};

/// Warnings of Collision::warnings().
template <class Real>
std::vector<Warning> warnings_of(Relaxation<Real>& gas) {
  return gas.collision().warnings(gas.f());
}

JsonObject report_json(const Report& report) {
  JsonObject json;
  json.add("name", report.name).add("device", report.device).add("approach", report.approach);
  json.add("method", report.method).add("interrupted", report.interrupted).add("time", report.time);
  json.add("nodes", report.nodes).add("steps", report.steps).add("evaluations", report.evaluations);
  json.add("states", report.states).add("mass_drift", report.mass_drift);
  json.add("momentum_drift", report.momentum_drift).add("energy_drift", report.energy_drift);
  json.add("entropy_rise", report.entropy_rise).add("m4_error", report.m4_error);
  json.add("seconds", JsonObject().add("wall", report.wall).add("solving", report.solving));
  json.add("warnings", warning_texts(report.warnings)).add("machine", machine_json()).add("files", report.files);
  return json;
}

/// Run of kind = "relaxation": time steps, a row of moments at each output time, and the final distribution. On several
/// ranks all have the same f, and rank 0 writes.
template <class Real>
class RelaxationRun : public CaseRun {
 public:
  RelaxationRun(Relaxation<Real>& gas, const Queue& queue, const Case& simulation, const RunOptions& options)
      : gas_(gas),
        queue_(queue),
        case_(simulation),
        options_(options),
        lock_(make_on_first_rank<FolderLock>(options.ranks, options.folder)),
        first_(gas.states()[0]),
        exact_(simulation, first_),
        table_(make_on_first_rank<Csv>(options.ranks, options.folder / table_file, columns())) {
    static_cast<RunResult&>(report_) = run_result(options, simulation.duration, output_names());
    report_.approach = to_name(simulation.collision.approach);
    report_.method = gas.collision().method().name;
    report_.nodes = simulation.grid.node_count();
  }

  Report run() {
    const ProgressUnits units{"nodes", "node evaluations", static_cast<double>(gas_.stages())};
    RunMonitor monitor(options_, report_, units);
    const Schedule schedule(case_.duration, {case_.output_every}, 1e-9 * case_.duration, -1);
    drive(*this, schedule, case_.text, options_, monitor, report_);
    return report_;
  }

  RunPosition position() const override { return {gas_.time(), gas_.steps(), gas_.step(), report_.nodes}; }
  std::string note() const override { return fmt::format("energy {}", scientific(report_.energy_drift, true)); }

  JsonObject start() override {
    report_.warnings = warnings_of(gas_);
    return JsonObject().add("warnings", warning_texts(report_.warnings));
  }

  void advance_to(double time, RunMonitor& monitor) override {
    timed(report_.solving, [&] { gas_.advance_to(time, [&] { return monitor.keep_going(position(), note()); }); });
  }

  void record(const Schedule::Event&, RunMonitor& monitor) override {
    const RelaxationState now = gas_.states()[0];
    const Exact exact = exact_.at(gas_.time());
    const Drifts drifts(first_, now);
    const VelocityMoments& moments = now.moments;
    std::vector<double> row = {gas_.time()};
    const double thermal = first_.moments.temperature;
    for (const EvenMoments& even : {now.even, exact.even})
      for (std::size_t i = 0; i < even_moment_count; ++i)
        row.push_back(even[i] / std::pow(thermal, static_cast<double>(i + 1)));
    row.insert(row.end(), {moments.stress[0], exact.stress_xx, moments.stress[3], exact.stress_xy, now.entropy,
                           exact.entropy, moments.density});
    row.insert(row.end(), moments.velocity.begin(), moments.velocity.end());
    row.insert(row.end(), {moments.temperature, drifts.mass, drifts.momentum, drifts.energy, now.least});
    std::vector<std::string> fields;
    for (const double value : row) fields.push_back(std::isnan(value) ? "" : text(value));
    on_first_rank(options_.ranks, [&] { table_->append(join(fields, ",")); });
    ++report_.states;
    report_.time = gas_.time();
    report_.mass_drift = drifts.mass;
    report_.momentum_drift = drifts.momentum;
    report_.energy_drift = drifts.energy;
    report_.entropy_rise = now.entropy - first_.entropy;
    report_.m4_error = std::fmax(report_.m4_error, std::abs(now.even[1] / exact.even[1] - 1));
    monitor.log("output", position(), JsonObject().add("energy_drift", drifts.energy));
  }

  void finish(RunMonitor& monitor) override {
    if (report_.time != gas_.time()) record({}, monitor);  // the run was interrupted between two output times
    on_first_rank(options_.ranks, [&] { write_distribution(); });
    report_.steps = gas_.steps();
    report_.evaluations = gas_.steps() * gas_.stages();
  }

  JsonObject summary() const override { return report_json(report_); }

  std::string after_error(const std::string& message, bool) override {
    return text(message, " The rows up to t = ", report_.time, " s are in ", (options_.folder / table_file).string(),
                ".");
  }

 private:
  void write_distribution() const {
    const auto n = static_cast<std::uint64_t>(case_.grid.nodes);
    write_npy(options_.folder / distribution_file, {n, n, n}, to_host(queue_, gas_.f()));
  }

  Relaxation<Real>& gas_;
  Queue queue_;
  const Case& case_;
  const RunOptions& options_;
  std::unique_ptr<FolderLock> lock_;  ///< null on other ranks than 0
  RelaxationState first_;
  ExactCurves exact_;
  std::unique_ptr<Csv> table_;  ///< null on other ranks than 0
  Report report_;
};

/// @param ranks  those that share the work of the cell
template <class Real>
Relaxation<Real> opened(const Queue& queue, const Case& simulation, const std::vector<double>& f,
                        const Communicator& ranks) {
  Collision<Real> collision(queue, simulation.grid, simulation.gas, simulation.collision, ranks);
  std::optional<Relaxation<Real>> gas;
  ranks.agree([&] {
    gas.emplace(std::move(collision), simulation.scheme);
    gas->start(to_device(queue, std::vector<Real>(f.begin(), f.end())));
    if (simulation.scheme.step > 0) gas->collision().require_step(gas->f(), simulation.scheme.step);
  });
  return std::move(*gas);
}

}  // namespace

Gas open_gas(const Queue& queue, const Case& simulation, const Communicator& ranks) {
  std::vector<double> f;
  ranks.agree([&] { f = initial_distribution(simulation); });
  if (simulation.precision == sph::Precision::float_) return opened<float>(queue, simulation, f, ranks);
  return opened<double>(queue, simulation, f, ranks);
}

std::vector<Warning> warnings(Gas& gas) {
  return std::visit([](auto& relaxation) { return warnings_of(relaxation); }, gas);
}

double step_bound(Gas& gas) {
  return std::visit([](auto& relaxation) { return relaxation.collision().step_bound(relaxation.f()); }, gas);
}

std::vector<std::string> output_names() { return {case_file_name, table_file, distribution_file, summary_file_name}; }

void prepare_output(const std::filesystem::path& folder, bool force) {
  make_output_folder(folder, force);
  const FolderLock lock(folder);
  remove_files(paths_in(folder, output_names()));
}

Report run(Gas& gas, const Queue& queue, const Case& simulation, const RunOptions& options) {
  return std::visit(
      [&]<class Real>(Relaxation<Real>& relaxation) {
        return RelaxationRun<Real>(relaxation, queue, simulation, options).run();
      },
      gas);
}

std::string summary_text(const Report& report) {
  std::string out = fmt::format("{}: {} at t = {:.6g} s of {:.6g} s, {} steps, {} rows, {} nodes\n", report.name,
                                report.interrupted ? "interrupted" : "done", report.time, report.duration,
                                grouped(report.steps), grouped(report.states), grouped(report.nodes));
  out +=
      fmt::format("  wall time      {:.3g} s on {}; {:.3g} s in steps\n", report.wall, report.device, report.solving);
  if (report.evaluations > 0)
    out += fmt::format("  speed          {} node evaluations/s, {:.4g} s for each evaluation of Q; {} by {}\n",
                       scientific(static_cast<double>(report.nodes * report.evaluations) / report.solving),
                       report.solving / static_cast<double>(report.evaluations), report.approach, report.method);
  out += fmt::format("  drift          mass {}, momentum {}, energy {}\n", scientific(report.mass_drift, true),
                     scientific(report.momentum_drift, true), scientific(report.energy_drift, true));
  out += std::isnan(report.entropy_rise) ? "  entropy        none: f is negative somewhere\n"
                                         : fmt::format("  entropy        rose by {:.6g}\n", report.entropy_rise);
  if (!std::isnan(report.m4_error))
    out += fmt::format("  m4             within {} of the exact curve\n", scientific(report.m4_error));
  out += fmt::format("  files          {}\n", join(report.files));
  return out;
}

}  // namespace shoal::io::relaxation
