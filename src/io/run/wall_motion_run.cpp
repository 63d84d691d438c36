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
#include "io/run/output_folder.hpp"
#include "io/run/progress/progress.hpp"
#include "io/run/progress/run_log.hpp"
#include "io/run/progress/system_info.hpp"
#include "io/run/schedule.hpp"

namespace shoal::io::wall_motion {

namespace {

constexpr const char* case_file = "case.toml";
constexpr const char* fields_file = "distance.vtkhdf";
constexpr const char* table_file = "distances.csv";
constexpr const char* summary_file = "summary.json";
constexpr const char* files[] = {case_file, fields_file, table_file, summary_file};

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

/// The answers on the device, and those of the last state in host memory.
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

class Run {
 public:
  Run(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene, const RunOptions& options)
      : queue_(queue),
        case_(simulation),
        scene_(scene),
        options_(options),
        plan_(plan),
        x_(to_device(queue, scene.points.x)),
        y_(to_device(queue, scene.points.y)),
        z_(to_device(queue, scene.points.z)),
        answers_(queue, scene.points.count()),
        fields_(options.folder / fields_file, scene.mesh, simulation.mesh.points, simulation.text,
                simulation.compression),
        table_(options.folder / table_file,
               {"time [s]", "least distance [m]", "greatest distance [m]", "answers without a search"}),
        log_(options.json_log, false),
        progress_(options.progress, name_of(options.folder), options.device, simulation.duration, units) {
    report_.name = name_of(options.folder);
    report_.device = options.device;
    report_.method = plan_.method().name;
    report_.points = scene.points.count();
    report_.faces = plan_.face_count();
    report_.duration = simulation.duration;
    report_.files.assign(std::begin(files), std::end(files));
  }

  Report go() {
    try {
      write_text(options_.folder / case_file, case_.text);
      log_.write("start", JsonObject().add("device", options_.device).add("duration", case_.duration));
      follow();
      end();
    } catch (const Error& error) {
      progress_.finish();
      log_.write("error", JsonObject().add("time", report_.time).add("message", error.what()));
      throw;
    }
    return report_;
  }

 private:
  void follow() {
    const double every = case_.output_every > 0 ? case_.output_every : case_.step;
    Schedule schedule(case_.duration, {every, case_.step}, 1e-9 * case_.duration, -1);
    while (const auto event = schedule.next()) {
      update(event->time);
      if (event->fields) write_state();
      show();
      report_.interrupted = options_.interrupted && options_.interrupted();
      if (report_.interrupted) return;
    }
  }

  void update(double time) {
    for (const Body& body : case_.bodies) plan_.move(body.name, body.at(time));
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

  void write_state() {
    timed(report_.collecting, [&] { answers_.collect(queue_, scene_.body_of_wall); });
    const auto [least, most] = std::minmax_element(answers_.host_distance.begin(), answers_.host_distance.end());
    report_.least = *least;
    report_.most = *most;
    timed(report_.writing, [&] {
      fields_.append(report_.time, answers_.arrays());
      table_.append(report_.time, report_.least, report_.most, plan_.reused());
    });
    ++report_.states;
    log_.write("output", JsonObject().add("time", report_.time).add("reused", plan_.reused()));
  }

  void show() {
    sph::Clock clock;
    clock.time = report_.time;
    clock.step = report_.updates;
    clock.dt = case_.step;
    clock.particles = report_.points;
    const double share = static_cast<double>(plan_.reused()) / static_cast<double>(report_.points);
    progress_.update(clock, fmt::format("reused {:.0f} %", 100 * share));
  }

  void end() {
    progress_.finish();
    const double later = static_cast<double>(report_.points) * static_cast<double>(report_.updates - 1);
    report_.reused = later > 0 ? reused_ / later : 0;
    report_.wall = watch_.seconds();
    write_text(options_.folder / summary_file, report_json(report_).line() + "\n");
    log_.write(report_.interrupted ? "interrupted" : "end", report_json(report_));
  }

  Queue queue_;
  const Case& case_;
  const Scene& scene_;
  const RunOptions& options_;
  WallDistance& plan_;
  Array<double> x_, y_, z_;
  Answers answers_;
  MeshSteps fields_;
  Csv table_;
  RunLog log_;
  Progress progress_;
  Report report_;
  Stopwatch watch_;
  double reused_ = 0;
};

}  // namespace

std::int64_t update_count(const Case& simulation) {
  const double every = simulation.output_every > 0 ? simulation.output_every : simulation.step;
  Schedule schedule(simulation.duration, {every, simulation.step}, 1e-9 * simulation.duration, -1);
  std::int64_t count = 0;
  while (schedule.next()) ++count;
  return count;
}

void prepare_output(const std::filesystem::path& folder, bool force) {
  make_output_folder(folder, force);
  for (const char* file : files) std::filesystem::remove(folder / file);
}

Report run(const Queue& queue, WallDistance& plan, const Case& simulation, const Scene& scene,
           const RunOptions& options) {
  return Run(queue, plan, simulation, scene, options).go();
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
