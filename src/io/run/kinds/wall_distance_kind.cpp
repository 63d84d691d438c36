// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/wall_motion.hpp>

#include <optional>

#include "core/text.hpp"
#include "io/case/kinds/wall_motion/wall_motion_schema.hpp"
#include "io/run/folder/output_folder.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "io/run/kinds/kinds.hpp"
#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

namespace {

std::string check(const CaseSource& source) {
  const wall_motion::Case simulation = wall_motion::read_case(source.file, source.overrides);
  const wall_motion::Scene scene = wall_motion::make_scene(simulation);
  const WallDistance plan = wall_motion::open_plan(Queue::cpu(), simulation, scene);
  std::string out = fmt::format("{}: this case can run\n", source.file.string());
  if (!simulation.title.empty()) out += fmt::format("  title      {}\n", simulation.title);
  out += fmt::format("  points     {} {}; {} dimensions\n", scene.points.count(), to_name(simulation.mesh.points),
                     simulation.dimensions);
  out += fmt::format("  walls      {} with {} faces; {} bodies\n", join(scene.walls.wall_names), plan.face_count(),
                     scene.bodies.size());
  out += fmt::format("  updates    {} to {:.6g} s\n", wall_motion::update_count(simulation), simulation.duration);
  return out;
}

class PreparedWallMotion : public PreparedRun {
 public:
  PreparedWallMotion(const Queue& queue, const CaseSource& source, const RunTarget& target, const Communicator& ranks)
      : queue_(queue) {
    ranks.agree([&] {
      case_ = wall_motion::read_case(source.file, source.overrides);
      scene_ = wall_motion::make_scene(case_);
      plan_.emplace(wall_motion::open_plan(queue, case_, scene_));
    });
    on_first_rank(ranks, [&] {
      require_separate_files(files_read(source, case_), paths_in(target.folder, wall_motion::output_names()), target);
      wall_motion::prepare_output(target.folder, target.force);
      store_inputs(target.folder, case_);
    });
  }

  RunOutcome run(const RunOptions& options) override {
    const wall_motion::Report report = wall_motion::run(queue_, *plan_, case_, scene_, options);
    return {report.interrupted, wall_motion::summary_text(report),
            text("the output has all states up to t = ", report.time, " s.")};
  }

 private:
  Queue queue_;
  wall_motion::Case case_;
  wall_motion::Scene scene_;
  std::optional<WallDistance> plan_;
};

}  // namespace

const CaseKind wall_distance_kind = {.name = "wall_distance",
                                     .command = "run",
                                     .keys = [] { return key_infos(wall_motion_schema()); },
                                     .probes = no_probes<wall_motion::read_case>,
                                     .check = check,
                                     .open = [](const Queue& queue, const CaseSource& source, const RunTarget& target,
                                                const Communicator& ranks) -> std::unique_ptr<PreparedRun> {
                                       return std::make_unique<PreparedWallMotion>(queue, source, target, ranks);
                                     }};

}  // namespace shoal::io
