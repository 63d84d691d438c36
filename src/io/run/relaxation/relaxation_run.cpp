// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/json.hpp>
#include <shoal/io/relaxation.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <array>
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

// Files of the first gas, and of the second one of a mixture.
constexpr const char* table_files[] = {"moments.csv", "moments_second.csv"};
constexpr const char* distribution_files[] = {"distribution.npy", "distribution_second.npy"};

/// Names of the files of a run.
std::vector<std::string> files_of(std::size_t gases) {
  std::vector<std::string> names = {case_file_name};
  names.insert(names.end(), table_files, table_files + gases);
  names.insert(names.end(), distribution_files, distribution_files + gases);
  names.emplace_back(summary_file_name);
  return names;
}

std::vector<std::string> columns(bool of_mixture) {
  std::vector<std::string> names = {"time [s]"};
  for (const char* prefix : {"", "exact "})
    for (const char* moment : {"m2", "m4", "m6", "m8", "m10"}) names.push_back(std::string(prefix) + moment);
  for (const char* name :
       {"stress xx [1/(m s2)]", "exact stress xx", "stress xy [1/(m s2)]", "exact stress xy", "entropy",
        "exact entropy", "density [1/m3]", "velocity x [m/s]", "velocity y [m/s]", "velocity z [m/s]",
        "temperature [m2/s2]", "mass drift", "momentum drift", "energy drift", "least f [s3/m6]"})
    names.emplace_back(name);
  if (of_mixture)
    for (const char* name : {"exact velocity x", "exact velocity y", "exact velocity z", "exact temperature"})
      names.emplace_back(name);
  return names;
}

/// States of the gases of a case.
using States = std::vector<RelaxationState>;

/// Drifts of the invariants since the start, relative to their initial values: mass of each gas, momentum and energy of all
/// together. Momentum may begin at zero, so that its drift is relative to density times thermal speed.
struct Drifts {
  std::vector<double> mass;  ///< [gases]
  double momentum = 0, energy = 0;

  /// @param masses  [gases] of a molecule
  Drifts(const States& first, const States& now, const std::vector<double>& masses) {
    double difference[3] = {}, thermal = 0, energy_before = 0, energy_after = 0;
    for (std::size_t gas = 0; gas < masses.size(); ++gas) {
      const VelocityMoments &before = first[gas].moments, &after = now[gas].moments;
      mass.push_back(after.density / before.density - 1);
      for (std::size_t axis = 0; axis < 3; ++axis)
        difference[axis] +=
            masses[gas] * (after.density * after.velocity[axis] - before.density * before.velocity[axis]);
      thermal += masses[gas] * before.density * std::sqrt(before.temperature);
      energy_before += masses[gas] * first[gas].energy();
      energy_after += masses[gas] * now[gas].energy();
    }
    momentum = std::hypot(difference[0], difference[1], difference[2]) / thermal;
    energy = energy_after / energy_before - 1;
  }

  /// Largest drift of the mass of a gas.
  double largest_mass() const {
    return *std::max_element(mass.begin(), mass.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  }
};

/// Exact values of a gas at one time; NaN where no exact solution exists.
struct Exact {
  EvenMoments even = {unknown, unknown, unknown, unknown, unknown};
  double stress_xx = unknown, stress_xy = unknown, entropy = unknown;
  std::array<double, 3> velocity = {unknown, unknown, unknown};
  double temperature = unknown;
};

/// Exact solutions of a case. Maxwell molecules have exact m2, m4 and stress from any initial state; BKW has all
/// values. A mixture of them has exact velocities and temperatures.
class ExactCurves {
 public:
  /// @param first  states at time 0
  ExactCurves(const Case& simulation, const States& first)
      : maxwell_(simulation.gas.model == MoleculeModel::maxwell),
        mixture_(simulation.second_gas.has_value()),
        bkw_(maxwell_ && simulation.initial.distribution == Distribution::bkw) {
    const Initial& initial = simulation.initial;
    solution_ = {initial.density, initial.temperature, simulation.gas.rate * initial.density, initial.amplitude};
    const VelocityMoments& moments = first[0].moments;
    decay_ = collision::MaxwellDecay::from_moments(moments, first[0].even[1],
                                                   simulation.gas.rate * first[0].moments.density);
    if (!mixture_) return;
    const VelocityMoments& second = first[1].moments;
    exchange_ = {{simulation.gas.mass, simulation.second_gas->mass},
                 {moments.density, second.density},
                 simulation.second_gas->cross_rate,
                 {moments.velocity, second.velocity},
                 {moments.temperature, second.temperature}};
  }

  Exact at(std::size_t gas, double time) const {
    Exact exact;
    if (!maxwell_) return exact;
    if (mixture_) {
      exact.velocity = exchange_.velocity_at(gas, time);
      exact.temperature = exchange_.temperature_at(gas, time);
      return exact;
    }
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
  bool maxwell_, mixture_, bkw_;
  collision::BkwSolution solution_;
  collision::MaxwellDecay decay_;
  collision::MixtureDecay exchange_ = {};
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
  json.add("temperature_error", report.temperature_error);
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
        first_(gas.states()),
        exact_(simulation, first_),
        masses_{simulation.second_gas ? simulation.gas.mass : 1} {
    if (simulation.second_gas) masses_.push_back(simulation.second_gas->mass);
    for (std::size_t k = 0; k < masses_.size(); ++k)
      tables_.push_back(
          make_on_first_rank<Csv>(options.ranks, options.folder / table_files[k], columns(masses_.size() > 1)));
    static_cast<RunResult&>(report_) = run_result(options, simulation.duration, files_of(masses_.size()));
    report_.approach = to_name(simulation.collision.approach);
    report_.method = gas.collision().method().name;
    report_.nodes = static_cast<std::int64_t>(masses_.size()) * simulation.grid.node_count();
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
    const States now = gas_.states();
    const Drifts drifts(first_, now, masses_);
    for (std::size_t k = 0; k < now.size(); ++k) write_row(k, now[k], drifts);
    ++report_.states;
    report_.time = gas_.time();
    report_.mass_drift = drifts.largest_mass();
    report_.momentum_drift = drifts.momentum;
    report_.energy_drift = drifts.energy;
    report_.entropy_rise = 0;
    for (std::size_t k = 0; k < now.size(); ++k) report_.entropy_rise += now[k].entropy - first_[k].entropy;
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
    return text(message, " The rows up to t = ", report_.time, " s are in ",
                (options_.folder / table_files[0]).string(), ".");
  }

 private:
  void write_row(std::size_t gas, const RelaxationState& now, const Drifts& drifts) {
    const Exact exact = exact_.at(gas, gas_.time());
    const VelocityMoments& moments = now.moments;
    std::vector<double> row = {gas_.time()};
    const double thermal = first_[gas].moments.temperature;
    for (const EvenMoments& even : {now.even, exact.even})
      for (std::size_t i = 0; i < even_moment_count; ++i)
        row.push_back(even[i] / std::pow(thermal, static_cast<double>(i + 1)));
    row.insert(row.end(), {moments.stress[0], exact.stress_xx, moments.stress[3], exact.stress_xy, now.entropy,
                           exact.entropy, moments.density});
    row.insert(row.end(), moments.velocity.begin(), moments.velocity.end());
    row.insert(row.end(), {moments.temperature, drifts.mass[gas], drifts.momentum, drifts.energy, now.least});
    if (masses_.size() > 1) {
      row.insert(row.end(), exact.velocity.begin(), exact.velocity.end());
      row.push_back(exact.temperature);
    }
    std::vector<std::string> fields;
    for (const double value : row) fields.push_back(std::isnan(value) ? "" : text(value));
    on_first_rank(options_.ranks, [&] { tables_[gas]->append(join(fields, ",")); });
    report_.m4_error = std::fmax(report_.m4_error, std::abs(now.even[1] / exact.even[1] - 1));
    report_.temperature_error =
        std::fmax(report_.temperature_error, std::abs(moments.temperature / exact.temperature - 1));
  }

  void write_distribution() const {
    const auto n = static_cast<std::uint64_t>(case_.grid.nodes);
    const std::vector<Real> f = to_host(queue_, gas_.f());
    const auto nodes = static_cast<std::ptrdiff_t>(case_.grid.node_count());
    for (std::size_t k = 0; k < masses_.size(); ++k) {
      const auto first = f.begin() + static_cast<std::ptrdiff_t>(k) * nodes;
      write_npy(options_.folder / distribution_files[k], {n, n, n}, std::vector<Real>(first, first + nodes));
    }
  }

  Relaxation<Real>& gas_;
  Queue queue_;
  const Case& case_;
  const RunOptions& options_;
  std::unique_ptr<FolderLock> lock_;  ///< null on other ranks than 0
  States first_;
  ExactCurves exact_;
  std::vector<double> masses_;                ///< [gases] of a molecule; of one gas 1
  std::vector<std::unique_ptr<Csv>> tables_;  ///< [gases] null on other ranks than 0
  Report report_;
};

/// @param ranks  those that share the work of the cell
template <class Real>
Relaxation<Real> opened(const Queue& queue, const Case& simulation, const std::vector<double>& f,
                        const Communicator& ranks) {
  std::optional<Collision<Real>> collision;
  if (simulation.second_gas)
    ranks.agree([&] {
      require(ranks.size() == 1, "relaxation: ", ranks.size(),
              " ranks share a cell of a mixture, expected one rank. Run it on one.");
      collision.emplace(queue, simulation.grid, simulation.second_gas->with(simulation.gas), simulation.collision);
    });
  else
    collision.emplace(queue, simulation.grid, simulation.gas, simulation.collision, ranks);
  std::optional<Relaxation<Real>> gas;
  ranks.agree([&] {
    gas.emplace(std::move(*collision), simulation.scheme);
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

std::vector<std::string> output_names() { return files_of(2); }

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
  if (!std::isnan(report.temperature_error))
    out += fmt::format("  temperatures   within {} of the exact curves\n", scientific(report.temperature_error));
  out += fmt::format("  files          {}\n", join(report.files));
  return out;
}

}  // namespace shoal::io::relaxation
