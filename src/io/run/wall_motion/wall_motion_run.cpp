// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/json.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>
#include <shoal/io/wall_motion.hpp>
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "core/text.hpp"
#include "io/formats/text/csv.hpp"
#include "io/mesh/writers/mesh_steps.hpp"
#include "io/run/driver.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/progress/system_info.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/ranks/gathered_rows.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::io::wall_motion {

namespace {

constexpr const char* fields_file = "distance.vtkhdf";
constexpr const char* table_file = "distances.csv";

constexpr ProgressUnits units{"points", "queries", 1};

JsonObject report_json(const Report& report) {
  JsonObject seconds, json;
  seconds.add("wall", report.wall).add("updating", report.updating).add("collecting", report.collecting);
  seconds.add("writing", report.writing);
  json.add("name", report.name).add("device", report.device).add("method", report.method);
  json.add("interrupted", report.interrupted).add("time", report.time).add("points", report.points);
  json.add("faces", report.faces).add("updates", report.updates).add("states", report.states);
  json.add("queries_per_second", report.queries_per_second()).add("reused", report.reused);
  json.add("min", report.least).add("max", report.most).add("seconds", seconds);
  json.add("machine", machine_json()).add("files", report.files);
  return json;
}

/// Results on the host: on rank 0 those of all points, on other ranks none.
struct HostAnswers {
  std::vector<double> distance;
  std::vector<std::int64_t> face;
  std::vector<std::int32_t> wall, body;

  std::vector<MeshArray> arrays() const {
    return {{"wall_distance", View<const double>(distance)},
            {"nearest_face", View<const std::int64_t>(face)},
            {"wall", View<const std::int32_t>(wall)},
            {"body", View<const std::int32_t>(body)}};
  }
};

/// Points of one rank and their results, on its device.
class RankPoints {
 public:
  /// @param points  those of all ranks
  RankPoints(const Queue& queue, const MeshPoints& points, const Share& share)
      : queue_(queue),
        x_(to_device(queue, part_of(points.x, share))),
        y_(to_device(queue, part_of(points.y, share))),
        z_(to_device(queue, part_of(points.z, share))),
        distance_(queue, share.count),
        face_(queue, share.count),
        wall_(queue, share.count) {}

  void update(WallDistance& plan, int dimensions) {
    const WallDistanceOutputs out{.distance = distance_, .face = face_, .wall = wall_};
    if (dimensions == 3)
      plan.update(x_, y_, z_, out);
    else
      plan.update(x_, y_, out);
    queue_.wait();
  }

  /// All ranks call it.
  HostAnswers collect(const Communicator& ranks, const std::vector<std::int32_t>& body_of_wall) const {
    HostAnswers part;
    ranks.agree([&] {
      part.distance = to_host(queue_, distance_);
      part.face = to_host(queue_, face_);
      part.wall = to_host(queue_, wall_);
      for (const std::int32_t number : part.wall) part.body.push_back(body_of_wall[static_cast<std::size_t>(number)]);
    });
    return {gathered_rows(ranks, std::move(part.distance)), gathered_rows(ranks, std::move(part.face)),
            gathered_rows(ranks, std::move(part.wall)), gathered_rows(ranks, std::move(part.body))};
  }

 private:
  /// @param values  of all points; empty for an axis that they do not have
  static std::vector<double> part_of(const std::vector<double>& values, const Share& share) {
    if (values.empty()) return {};
    const auto first = values.begin() + share.first;
    return {first, first + share.count};
  }

  Queue queue_;
  Array<double> x_, y_, z_;
  Array<double> distance_;
  Array<std::int64_t> face_;
  Array<std::int32_t> wall_;
};

/// Returns the schedule of states and updates: a state every `output_every`, an update every `step`.
Schedule schedule_of(const Case& simulation) {
  const double every = simulation.output_every > 0 ? simulation.output_every : simulation.step;
  return {simulation.duration, {every, simulation.step}, 1e-9 * simulation.duration, -1};
}

/// Run of kind = "wall_distance": moves the bodies, updates all distances, writes states. On several ranks each updates
/// its share of the points, and rank 0 writes.
class WallMotionRun : public CaseRun {
 public:
  WallMotionRun(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene,
                const RunOptions& options)
      : case_(simulation),
        scene_(scene),
        options_(options),
        ranks_(options.ranks),
        lock_(make_on_first_rank<FolderLock>(ranks_, options.folder)),
        plan_(plan),
        fields_(make_on_first_rank<MeshSteps>(ranks_, options.folder / fields_file, scene.mesh, simulation.mesh.points,
                                              simulation.text, simulation.compression)),
        table_(make_on_first_rank<Csv>(ranks_, options.folder / table_file,
                                       std::vector<std::string>{"time [s]", "least distance [m]",
                                                                "greatest distance [m]", "answers without a search"})) {
    ranks_.agree(
        [&] { points_ = std::make_unique<RankPoints>(queue, scene.points, share_of(scene.points.count(), ranks_)); });
    static_cast<RunResult&>(report_) = run_result(options, simulation.duration, output_names());
    report_.method = plan_.method().name;
    report_.points = scene.points.count();
    report_.faces = plan_.face_count();
  }

  Report run() {
    RunMonitor monitor(options_, report_, units);
    drive(*this, schedule_of(case_), case_.text, options_, monitor, report_);
    return report_;
  }

  RunPosition position() const override { return {report_.time, report_.updates, case_.step, report_.points}; }

  std::string note() const override {
    const double share = static_cast<double>(reused_now_) / static_cast<double>(report_.points);
    return fmt::format("reused {:.0f} %", 100 * share);
  }

  JsonObject start() override { return {}; }

  void advance_to(double time, RunMonitor&) override {
    for (const Body& body : case_.bodies) plan_.move(body.name, body.motion.at(time));
    timed(report_.updating, [&] {
      agree_naming_rank(ranks_, [&] {
        points_->update(plan_, case_.dimensions);
        reused_now_ = plan_.reused();
      });
    });
    ranks_.group().all_sum({&reused_now_, 1});
    report_.time = time;
    ++report_.updates;
    if (report_.updates > 1) reused_ += static_cast<double>(reused_now_);
  }

  void record(const Schedule::Event& event, RunMonitor& monitor) override {
    if (!event.fields) return;
    const HostAnswers answers =
        timed(report_.collecting, [&] { return points_->collect(ranks_, scene_.body_of_wall); });
    timed(report_.writing, [&] { on_first_rank(ranks_, [&] { write(answers); }); });
    std::array<double, 2> range{report_.least, report_.most};
    ranks_.group().broadcast(range.data(), sizeof range, 0);
    report_.least = range[0];
    report_.most = range[1];
    ++report_.states;
    monitor.log("output", position(), JsonObject().add("reused", reused_now_));
  }

  void finish(RunMonitor&) override {
    const double later = static_cast<double>(report_.points) * static_cast<double>(report_.updates - 1);
    report_.reused = later > 0 ? reused_ / later : 0;
  }

  JsonObject summary() const override { return report_json(report_); }
  std::string after_error(const std::string& message, bool) override { return message; }

 private:
  /// Writes a state. For rank 0.
  void write(const HostAnswers& answers) {
    const auto [least, most] = std::minmax_element(answers.distance.begin(), answers.distance.end());
    report_.least = *least;
    report_.most = *most;
    fields_->append(report_.time, answers.arrays());
    table_->append(report_.time, report_.least, report_.most, reused_now_);
  }

  const Case& case_;
  const Scene& scene_;
  const RunOptions& options_;
  Communicator ranks_;
  std::unique_ptr<FolderLock> lock_;  ///< null on other ranks than 0
  WallDistance& plan_;
  std::unique_ptr<MeshSteps> fields_;  ///< null on other ranks than 0
  std::unique_ptr<Csv> table_;         ///< null on other ranks than 0
  std::unique_ptr<RankPoints> points_;
  Report report_;
  std::int64_t reused_now_ = 0;  ///< number of distances of the last update that needed no search, on all ranks
  double reused_ = 0;            ///< number of distances that needed no search, over all updates but the first
};

}  // namespace

std::int64_t update_count(const Case& simulation) {
  Schedule schedule = schedule_of(simulation);
  std::int64_t count = 0;
  while (schedule.next()) ++count;
  return count;
}

std::vector<std::string> output_names() { return {case_file_name, fields_file, table_file, summary_file_name}; }

void prepare_output(const std::filesystem::path& folder, bool force) {
  make_output_folder(folder, force);
  const FolderLock lock(folder);
  remove_files(paths_in(folder, output_names()));
}

Report run(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene,
           const RunOptions& options) {
  return WallMotionRun(queue, plan, simulation, scene, options).run();
}

std::string summary_text(const Report& report) {
  std::string out =
      fmt::format("{}: {} at t = {:.6g} s of {:.6g} s, {} updates, {} states, {} points, {} faces\n", report.name,
                  report.interrupted ? "interrupted" : "done", report.time, report.duration, grouped(report.updates),
                  grouped(report.states), grouped(report.points), grouped(report.faces));
  out += fmt::format("  wall time      {:.3g} s on {}\n", report.wall, report.device);
  out += fmt::format("  where it went  updates {:.3g} s, collecting output {:.3g} s, writing {:.3g} s\n",
                     report.updating, report.collecting, report.writing);
  out += fmt::format("  speed          {} queries/s by {}; {:.0f} % without a search after the first update\n",
                     scientific(report.queries_per_second()), report.method, 100 * report.reused);
  out += fmt::format("  distance       {:.6g} to {:.6g} m in the last state\n", report.least, report.most);
  out += fmt::format("  files          {}\n", join(report.files));
  return out;
}

}  // namespace shoal::io::wall_motion
