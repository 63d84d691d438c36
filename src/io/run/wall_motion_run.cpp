// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/json.hpp>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>
#include <shoal/io/wall_motion.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "io/formats/text/csv.hpp"
#include "io/mesh/writers/mesh_steps.hpp"
#include "io/run/driver.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/progress/system_info.hpp"

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

/// Distances on the device, and a host copy of the last state.
struct Answers {
  Array<double> distance;
  Array<std::int64_t> face;
  Array<std::int32_t> wall;
  std::vector<double> host_distance = {};
  std::vector<std::int64_t> host_face = {};
  std::vector<std::int32_t> host_wall = {}, host_body = {};

  Answers(const Queue& queue, std::int64_t count) : distance(queue, count), face(queue, count), wall(queue, count) {}

  void collect(const Queue& queue, const std::vector<std::int32_t>& body_of_wall) {
    host_distance = to_host(queue, distance);
    host_face = to_host(queue, face);
    host_wall = to_host(queue, wall);
    host_body.resize(host_wall.size());
    std::transform(host_wall.begin(), host_wall.end(), host_body.begin(),
                   [&](std::int32_t number) { return body_of_wall[static_cast<std::size_t>(number)]; });
  }
  std::vector<MeshArray> arrays() const {
    return {{"wall_distance", View<const double>(host_distance)},
            {"nearest_face", View<const std::int64_t>(host_face)},
            {"wall", View<const std::int32_t>(host_wall)},
            {"body", View<const std::int32_t>(host_body)}};
  }
};

/// Returns the schedule of states and updates: a state every `output_every`, an update every `step`.
Schedule schedule_of(const Case& simulation) {
  const double every = simulation.output_every > 0 ? simulation.output_every : simulation.step;
  return {simulation.duration, {every, simulation.step}, 1e-9 * simulation.duration, -1};
}

/// Run of kind = "wall_distance": moves the bodies, updates all distances, writes states.
class WallMotionRun : public CaseRun {
 public:
  WallMotionRun(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene,
                const RunOptions& options)
      : queue_(queue),
        case_(simulation),
        scene_(scene),
        options_(options),
        lock_(options.folder),
        plan_(plan),
        x_(to_device(queue, scene.points.x)),
        y_(to_device(queue, scene.points.y)),
        z_(to_device(queue, scene.points.z)),
        answers_(queue, scene.points.count()),
        fields_(options.folder / fields_file, scene.mesh, simulation.mesh.points, simulation.text,
                simulation.compression),
        table_(options.folder / table_file,
               {"time [s]", "least distance [m]", "greatest distance [m]", "answers without a search"}) {
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
    const double share = static_cast<double>(plan_.reused()) / static_cast<double>(report_.points);
    return fmt::format("reused {:.0f} %", 100 * share);
  }

  JsonObject start() override { return {}; }

  void advance_to(double time, RunMonitor&) override {
    for (const Body& body : case_.bodies) plan_.move(body.name, body.motion.at(time));
    const WallDistanceOutputs out{.distance = answers_.distance, .face = answers_.face, .wall = answers_.wall};
    timed(report_.updating, [&] {
      if (case_.dimensions == 3)
        plan_.update(x_, y_, z_, out);
      else
        plan_.update(x_, y_, out);
      queue_.wait();
    });
    report_.time = time;
    ++report_.updates;
    if (report_.updates > 1) reused_ += static_cast<double>(plan_.reused());
  }

  void record(const Schedule::Event& event, RunMonitor& monitor) override {
    if (!event.fields) return;
    timed(report_.collecting, [&] { answers_.collect(queue_, scene_.body_of_wall); });
    const auto [least, most] = std::minmax_element(answers_.host_distance.begin(), answers_.host_distance.end());
    report_.least = *least;
    report_.most = *most;
    timed(report_.writing, [&] {
      fields_.append(report_.time, answers_.arrays());
      table_.append(report_.time, report_.least, report_.most, plan_.reused());
    });
    ++report_.states;
    monitor.log("output", position(), JsonObject().add("reused", plan_.reused()));
  }

  void finish(RunMonitor&) override {
    const double later = static_cast<double>(report_.points) * static_cast<double>(report_.updates - 1);
    report_.reused = later > 0 ? reused_ / later : 0;
  }

  JsonObject summary() const override { return report_json(report_); }
  std::string after_error(const std::string& message, bool) override { return message; }

 private:
  Queue queue_;
  const Case& case_;
  const Scene& scene_;
  const RunOptions& options_;
  FolderLock lock_;
  WallDistance& plan_;
  Array<double> x_, y_, z_;
  Answers answers_;
  MeshSteps fields_;
  Csv table_;
  Report report_;
  double reused_ = 0;  ///< number of distances that needed no search, over all updates but the first
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
