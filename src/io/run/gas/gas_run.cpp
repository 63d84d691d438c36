// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/gas.hpp>
#include <shoal/io/json.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "io/formats/binary/npy.hpp"
#include "io/formats/text/csv.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/driver.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/gas/gas_output.hpp"
#include "io/run/gas/gas_probes.hpp"
#include "io/run/progress/system_info.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/ranks/gathered_rows.hpp"

namespace shoal::io::gas {

namespace {

// Files of the first gas, and of the second one of a mixture.
constexpr const char* profile_files[][2] = {{"profiles.csv", "profiles_y.csv"},  // along x and along y
                                            {"profiles_second.csv", "profiles_second_y.csv"}};
constexpr const char* cells_files[] = {"cells.vtkhdf", "cells_second.vtkhdf"};
constexpr const char* fluxes_file = "fluxes.csv";
constexpr const char* distribution_file = "distribution.npy";

/// Comment of all tables: the definitions that their numbers rest on.
std::vector<std::string> comment(const Case& simulation) {
  std::vector<std::string> lines = {"stresses, fluxes and heat fluxes per mass of a molecule"};
  if (simulation.knudsen)
    lines.push_back(text("Knudsen number ", simulation.knudsen->number, ": mean free path ",
                         to_name(simulation.knudsen->mean_free_path), ", length ", simulation.knudsen->length,
                         " m, density ", simulation.knudsen->density, " 1/m3, temperature ",
                         simulation.knudsen->temperature, " m2/s2"));
  return lines;
}

JsonObject report_json(const Report& report) {
  JsonObject json;
  json.add("name", report.name).add("device", report.device).add("model", report.model);
  json.add("interrupted", report.interrupted).add("time", report.time).add("cells", report.cells);
  json.add("nodes", report.nodes).add("steps", report.steps).add("iterations", report.iterations);
  json.add("evaluations", report.evaluations).add("states", report.states).add("residual", report.residual);
  json.add("converged", report.converged).add("mass_drift", report.mass_drift);
  json.add("seconds", JsonObject().add("wall", report.wall).add("solving", report.solving));
  json.add("warnings", warning_texts(report.warnings)).add("machine", machine_json()).add("files", report.files);
  return json;
}

/// Profile of a flow: of a species along an axis.
struct Profile {
  const char* file;
  std::size_t axis, species;
};

/// Profiles of a flow.
std::vector<Profile> profiles_of(std::size_t dimensions, int species) {
  std::vector<Profile> profiles;
  for (std::size_t k = 0; k < static_cast<std::size_t>(species); ++k)
    for (std::size_t axis = 0; axis < dimensions; ++axis) profiles.push_back({profile_files[k][axis], axis, k});
  return profiles;
}

/// Names of the files of a run.
std::vector<std::string> files_of(std::size_t dimensions, int species, const Case& simulation) {
  std::vector<std::string> names = {case_file_name};
  for (const Profile& profile : profiles_of(dimensions, species)) names.push_back(profile.file);
  for (int k = 0; dimensions == 2 && k < species; ++k) names.push_back(cells_files[k]);
  names.insert(names.end(), {fluxes_file, distribution_file, restart_file_name, summary_file_name});
  for (const Probe& probe : simulation.probes)
    for (const char* ending : {".npy", ".csv"}) names.push_back(probe.name + ending);
  return names;
}

/// Run of kind = "gas": time steps, profiles and fluxes at each output time, then the iteration to a steady state. Rank 0
/// writes; the quantities in the tables are those of the whole flow on all ranks.
template <class Real>
class GasRun : public CaseRun {
 public:
  GasRun(Gas<Real>& flow, Queue queue, const Case& simulation, const RunOptions& options)
      : flow_(flow),
        queue_(std::move(queue)),
        case_(simulation),
        options_(options),
        ranks_(options.ranks),
        lock_(make_on_first_rank<FolderLock>(ranks_, options.folder)),
        resumed_at_(options.resume ? std::optional(flow.clock().time) : std::nullopt),
        faces_(faces_of(flow)),
        profiles_(profiles_of(faces_.size(), flow.species())),
        fluxes_(make_table(fluxes_file, flux_columns(faces_.size(), flow.species()))),
        probes_(
            flow, queue_, simulation, options, [&](const char* file) { return kept_rows(file); }, comment(simulation)) {
    for (const Profile& profile : profiles_)
      profile_tables_.push_back(make_table(profile.file, profile_columns(profile.axis)));
    find_recorded();
    static_cast<RunResult&>(report_) =
        run_result(options, simulation.duration, files_of(faces_.size(), flow.species(), simulation));
    report_.model = to_name(simulation.scheme.model);
    report_.cells = simulation.cells.count * (simulation.cells_y ? simulation.cells_y->count : 1);
    report_.nodes = simulation.grid.node_count();
  }

  Report run() {
    RunMonitor monitor(options_, report_, {"nodes", "node stages", 2});
    const Schedule schedule(case_.duration, {case_.output_every}, 1e-9 * case_.duration, resumed_at_.value_or(-1));
    drive(*this, schedule, case_.text, options_, monitor, report_);
    return report_;
  }

  RunPosition position() const override {
    return {flow_.clock().time, flow_.clock().steps, 0, report_.cells * flow_.species() * report_.nodes};
  }
  std::string note() const override {
    if (flow_.clock().iterations > 0)
      return fmt::format("iteration {}   residual {}", flow_.clock().iterations, scientific(report_.residual));
    return fmt::format("mass {}", scientific(report_.mass_drift, true));
  }

  JsonObject start() override {
    report_.warnings = flow_.warnings();
    return JsonObject().add("warnings", warning_texts(report_.warnings));
  }

  void advance_to(double time, RunMonitor& monitor) override {
    timed(report_.solving, [&] { flow_.advance_to(time, [&] { return may_continue(monitor); }); });
  }

  void record(const Schedule::Event&, RunMonitor& monitor) override {
    write_profiles();
    write_fluxes();
    probes_.record();
    ++report_.states;
    report_.time = flow_.clock().time;
    recorded_step_ = flow_.clock().steps;
    monitor.log("output", position(), JsonObject().add("residual", report_.residual));
  }

  void save_if_due(RunMonitor& monitor) override {
    if (restart_is_due_) save_restart(monitor, false);
  }

  /// The restart of an interrupted run precedes the output at the interruption, which a run that resumes removes.
  void finish(RunMonitor& monitor) override {
    if (case_.steady && !monitor.interrupted()) iterate(monitor);
    if (monitor.interrupted()) save_restart(monitor, false);
    if (recorded_step_ != flow_.clock().steps) record({}, monitor);
    if (!monitor.interrupted()) save_restart(monitor, true);
    const std::vector<VelocityMoments> moments = flow_.moments();
    const std::vector<Real> f = gathered_f();
    on_first_rank(ranks_, [&] {
      for (std::size_t k = 0; faces_.size() == 2 && k < static_cast<std::size_t>(flow_.species()); ++k)
        write_plane(options_.folder / cells_files[k], faces_, cells_of(moments, k));
      const auto n = static_cast<std::uint64_t>(case_.grid.nodes);
      write_npy(options_.folder / distribution_file,
                {static_cast<std::uint64_t>(report_.cells * flow_.species()), n, n, n}, f);
    });
    const GasClock& clock = flow_.clock();
    report_.iterations = clock.iterations;
    report_.steps = clock.steps - clock.iterations;
    report_.evaluations = clock.evaluations;
  }

  JsonObject summary() const override { return report_json(report_); }

  std::string after_error(const std::string& message, bool) override {
    return text(message, " The profiles up to t = ", report_.time, " s are in ",
                (options_.folder / profile_files[0][0]).string(), ".",
                std::filesystem::exists(restart_path())
                    ? text("\nThe restart before this error is in ", restart_path().string(), ".")
                    : "\nThe run had not written a restart yet.");
  }

 private:
  std::filesystem::path restart_path() const { return options_.folder / restart_file_name; }

  std::unique_ptr<Csv> make_table(const char* file, const std::vector<std::string>& columns) const {
    std::unique_ptr<Csv> table;
    on_first_rank(ranks_, [&] {
      table = std::make_unique<Csv>(options_.folder / file, columns, kept_rows(file), comment(case_));
    });
    return table;
  }

  /// f of all cells of each gas on rank 0, and nothing on other ranks.
  std::vector<Real> gathered_f() const {
    const std::vector<Real> own_f = to_host(queue_, flow_.f());
    if (flow_.species() == 1) return gathered_rows(ranks_, own_f);
    const auto part = static_cast<std::ptrdiff_t>(own_f.size()) / flow_.species();
    std::vector<Real> f;
    for (int k = 0; k < flow_.species(); ++k) {
      const auto first = own_f.begin() + k * part;
      const std::vector<Real> of_gas = gathered_rows(ranks_, std::vector<Real>(first, first + part));
      f.insert(f.end(), of_gas.begin(), of_gas.end());
    }
    return f;
  }

  /// Moments of the cells of a species.
  std::vector<VelocityMoments> cells_of(const std::vector<VelocityMoments>& moments, std::size_t species) const {
    const auto first = moments.begin() + static_cast<std::ptrdiff_t>(species) * report_.cells;
    return {first, first + report_.cells};
  }

  /// Number of rows of a table to keep; empty: a new table.
  std::optional<std::int64_t> kept_rows(const char* file) const {
    if (!options_.resume) return {};
    const auto count = options_.resume->find(file);
    require(count != options_.resume->end(), restart_path().string(), ": this restart does not state how many rows of ",
            file, " belong to it. Run the case again.");
    return count->second;
  }

  /// Mass at the start, residual and step of the last output.
  struct Recorded {
    double first_mass, residual = 0;
    std::int64_t step = -1;
  };

  /// Finds the mass at the start and the last output of a run that is resumed, in its table of fluxes.
  void find_recorded() {
    Recorded recorded{mass_of(faces_, flow_.moments())};
    on_first_rank(ranks_, [&] { read_recorded(recorded); });
    ranks_.group().broadcast(&recorded, sizeof recorded, 0);
    first_mass_ = recorded.first_mass;
    recorded_step_ = recorded.step;
    report_.time = flow_.clock().time;
    report_.residual = recorded.residual;
  }

  void read_recorded(Recorded& recorded) const {
    const std::vector<double> first = Csv::first_row(fluxes_->path()), last = Csv::last_row(fluxes_->path());
    if (first.size() != flux_columns(faces_.size(), flow_.species()).size() || last.size() != first.size()) return;
    const GasClock& clock = flow_.clock();
    recorded.first_mass = first[mass_column];
    recorded.residual = last[residual_column];
    if (last[0] == clock.time && last[1] == static_cast<double>(clock.iterations)) recorded.step = clock.steps;
  }

  bool may_continue(RunMonitor& monitor) {
    if (!monitor.keep_going(position(), note())) return false;
    restart_is_due_ =
        decided_by_first_rank(ranks_, [&] { return since_restart_.seconds() > seconds_between_restarts(); });
    return !restart_is_due_;
  }

  double seconds_between_restarts() const {
    if (options_.restart_every) return *options_.restart_every;
    return case_.restart_every > 0 ? 60 * case_.restart_every : std::numeric_limits<double>::infinity();
  }

  /// Writes a restart that claims all rows, after they are on the disk.
  void save_restart(RunMonitor& monitor, bool is_finished) {
    Restart restart{flow_.clock(), is_finished, gathered_f(), case_.text, {}};
    on_first_rank(ranks_, [&] {
      const auto claim = [&](const std::filesystem::path& file, std::int64_t count) {
        sync_to_disk(file);
        restart.outputs[file.filename().string()] = count;
      };
      claim(fluxes_->path(), fluxes_->row_count());
      for (const std::unique_ptr<Csv>& profile : profile_tables_) claim(profile->path(), profile->row_count());
      probes_.for_each_file(claim);
      write_restart(restart_path(), restart);
    });
    monitor.log("restart", position());
    since_restart_ = {};
    restart_is_due_ = false;
  }

  /// Iterates to the steady state, with restarts on the way.
  void iterate(RunMonitor& monitor) {
    const double residual = flow_.residual();
    SteadyResult result{.converged = residual <= case_.steady->residual, .residual = residual};
    SteadyOptions options = *case_.steady;
    do {
      save_if_due(monitor);
      options.max_iterations = case_.steady->max_iterations - static_cast<int>(flow_.clock().iterations);
      if (options.max_iterations <= 0) break;
      result = timed(report_.solving, [&] {
        return flow_.advance_to_steady(options, [&] {
          report_.residual = flow_.residual();
          return may_continue(monitor);
        });
      });
    } while (restart_is_due_);
    report_.converged = result.converged;
    if (result.converged || monitor.interrupted()) return;
    const Warning warning{"residual", result.residual, case_.steady->residual,
                          text("gas: the residual is ", result.residual, " after ", flow_.clock().iterations,
                               " iterations, expected at most ", case_.steady->residual, "."),
                          "Raise steady.max_iterations, or use the limiter van_leer or none."};
    report_.warnings.push_back(warning);
    monitor.warn(position(), warning);
  }

  void write_profile(const std::vector<VelocityMoments>& moments, const Profile& profile, Csv& table) const {
    const std::vector<double> places = centers_of(faces_[profile.axis]);
    const std::vector<VelocityMoments> values =
        center_profile(faces_, cells_of(moments, profile.species), profile.axis);
    for (std::size_t i = 0; i < values.size(); ++i) table.append_row(profile_row(flow_.clock(), places[i], values[i]));
  }

  void write_profiles() {
    const std::vector<VelocityMoments> moments = flow_.moments();
    on_first_rank(ranks_, [&] {
      for (std::size_t k = 0; k < profiles_.size(); ++k) write_profile(moments, profiles_[k], *profile_tables_[k]);
    });
    double entered = 0;
    for (std::size_t side = 0; side < flow_.clock().transfers.size(); ++side)
      entered += (side % 2 == 0 ? 1 : -1) * flow_.clock().transfers[side].mass;
    report_.mass_drift = (mass_of(faces_, moments) - entered) / first_mass_ - 1;
  }

  void write_fluxes() {
    report_.residual = flow_.residual();
    std::vector<double> row = {flow_.clock().time, static_cast<double>(flow_.clock().iterations), report_.residual,
                               mass_of(faces_, flow_.moments())};
    for (const GasFlux& flux : flow_.fluxes()) {
      row.push_back(flux.mass);
      row.insert(row.end(), flux.momentum.begin(), flux.momentum.end());
      row.push_back(flux.energy);
    }
    on_first_rank(ranks_, [&] { fluxes_->append_row(row); });
  }

  Gas<Real>& flow_;
  Queue queue_;
  const Case& case_;
  const RunOptions& options_;
  Communicator ranks_;
  std::unique_ptr<FolderLock> lock_;  ///< null on other ranks than 0, as the tables
  std::optional<double> resumed_at_;
  AxisFaces faces_;
  std::vector<Profile> profiles_;
  std::vector<std::unique_ptr<Csv>> profile_tables_;  ///< Table of each profile.
  std::unique_ptr<Csv> fluxes_;
  GasProbes<Real> probes_;
  double first_mass_ = 0;
  std::int64_t recorded_step_ = -1;
  Report report_;
  Stopwatch since_restart_;
  bool restart_is_due_ = false;
};

}  // namespace

std::vector<Warning> warnings(Flow& flow) {
  return std::visit([](auto& gas) { return gas.warnings(); }, flow);
}

std::vector<std::string> output_names(const Case& simulation) { return files_of(2, 2, simulation); }

void prepare_output(const std::filesystem::path& folder, const Case& simulation, bool force) {
  make_output_folder(folder, force);
  const FolderLock lock(folder);
  remove_files(paths_in(folder, output_names(simulation)));
}

Report run(Flow& flow, const Queue& queue, const Case& simulation, const RunOptions& options) {
  return std::visit([&]<class Real>(Gas<Real>& gas) { return GasRun<Real>(gas, queue, simulation, options).run(); },
                    flow);
}

std::string summary_text(const Report& report) {
  std::string out =
      fmt::format("{}: {} at t = {:.6g} s of {:.6g} s, {} steps, {} iterations, {} cells of {} nodes\n", report.name,
                  report.interrupted ? "interrupted" : "done", report.time, report.duration, grouped(report.steps),
                  grouped(report.iterations), grouped(report.cells), grouped(report.nodes));
  out += fmt::format("  wall time      {:.3g} s on {}; {:.3g} s in steps and iterations\n", report.wall, report.device,
                     report.solving);
  out += fmt::format("  model          {}\n", report.model);
  out += fmt::format("  residual       {}{}\n", scientific(report.residual),
                     report.converged ? "" : ": the steady state was not reached");
  out += fmt::format("  drift          mass {}\n", scientific(report.mass_drift, true));
  out += fmt::format("  files          {}\n", join(report.files));
  return out;
}

}  // namespace shoal::io::gas
