// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/wall_motion.hpp>

#include "io/case/document/case_reader.hpp"
#include "io/case/keys/count_limits.hpp"
#include "io/case/kinds/wall_motion/wall_motion_schema.hpp"
#include "io/case/motions/motion_file.hpp"

namespace shoal::io::wall_motion {

namespace {

void require_valid(const Body& body, int dimensions) {
  if (body.motion.kind == MotionKind::none || body.motion.kind == MotionKind::translation ||
      body.motion.kind == MotionKind::oscillation)
    return;
  const std::array<double, 3>& axis = body.motion.axis;
  require(axis[0] != 0 || axis[1] != 0 || axis[2] != 0, body.place, ": the axis of body \"", body.name,
          "\" has no length.");
  require(dimensions == 3 || (axis[0] == 0 && axis[1] == 0), body.place, ": the axis of body \"", body.name,
          "\" leaves the plane of the 2-D mesh; expected [0, 0, 1].");
}

void require_valid(const Case& simulation) {
  require(simulation.step <= simulation.duration, "run.step = ", simulation.step,
          " s, expected at most run.duration = ", simulation.duration, " s.");
  require(simulation.output_every == 0 || simulation.output_every >= simulation.step,
          "run.output_every = ", simulation.output_every, " s, expected at least run.step = ", simulation.step,
          " s, or 0 for each step.");
  const Mesh& mesh = simulation.mesh;
  require(mesh.source == MeshSource::file || simulation.dimensions == 2, mesh.place,
          ": an O-grid has 2 dimensions, and the case ", simulation.dimensions, ".");
  require(mesh.source == MeshSource::file || mesh.around != Around::naca0012 || mesh.points_around % 2 == 1, mesh.place,
          ": `mesh.points_around` = ", mesh.points_around, ", expected an odd number for naca0012.");
  for (const Body& body : simulation.bodies) require_valid(body, simulation.dimensions);
}

Case read(const Document& document) {
  SectionReader sections(document);
  Case simulation = read_sections(wall_motion_schema(), document, sections);
  simulation.mesh.place = sections.place("mesh");
  require_possible_count(simulation.duration, simulation.step, most_outputs,
                         sections.where("run.step") + ": `run.step`");
  for (std::size_t i = 0; i < simulation.bodies.size(); ++i)
    simulation.bodies[i].place = sections.where(text("body.", i, ".name"));
  return simulation;
}

}  // namespace

Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides) {
  const Document document(text, name, overrides);
  Case simulation = read(document);
  try {
    require_valid(simulation);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(document.name()) || message.starts_with("--set")
                    ? message
                    : document.name() + ": " + message);
  }
  std::filesystem::path& file = simulation.mesh.file;
  if (simulation.mesh.source == MeshSource::file && file.is_relative()) file = beside_case_file(name, file);
  for (Body& body : simulation.bodies) read_motion(body.motion, std::filesystem::path(name).parent_path());
  simulation.text = case_text(simulation);
  return simulation;
}

Case read_case(const std::filesystem::path& file, const Overrides& overrides) {
  return parse_case(case_file_content(file), file.string(), overrides);
}

std::string case_text(const Case& simulation) { return sections_text(wall_motion_schema(), simulation); }

}  // namespace shoal::io::wall_motion
