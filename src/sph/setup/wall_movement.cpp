// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/wall_movement.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/physics/parameters.hpp"
#include "sph/require_number.hpp"
#include "sph/waves/wavemaker.hpp"

namespace shoal::sph {

namespace {

bool is_of(const std::string& name, const Wall& wall) { return !name.empty() && name == wall.name; }

/// @param section  section of the case file: "wall" or "motion"
void check_motion(const Motion& motion, int dimensions, const std::string& section) {
  const auto require_finite = [&](const Vector& vector, const char* key, const char* unit) {
    for (const double component : vector)
      require(std::isfinite(component), "sph: ", section, ".", key, " has the component ", component, unit,
              ", expected finite numbers.");
  };
  const auto require_at_least_0 = [&](double value, const char* key, const char* unit) {
    require_not_negative(value, (section + "." + key).c_str(), unit);
  };
  if (motion.kind == MotionKind::none) return;
  require(motion.kind != MotionKind::file || motion.path, "sph: ", section,
          " has a motion of kind file, but no path. Set Motion::path, or read the case from a file.");
  const bool turns = motion.kind == MotionKind::rotation || motion.kind == MotionKind::pitch ||
                     (motion.kind == MotionKind::file && motion.path->turns());
  require(dimensions > 1 || !turns, "sph: ", section, ".motion = \"", to_name(motion.kind),
          "\" turns a wall, which a 1-D case cannot.");
  require_finite(motion.velocity, "velocity", " m/s");
  require_finite(motion.amplitude, "amplitude", " m");
  require_finite(motion.about, "about", " m");
  require_at_least_0(motion.frequency, "frequency", " Hz");
  if (motion.start) require_at_least_0(*motion.start, "start", " s");
  require_at_least_0(motion.ramp, "ramp", " s");
  for (const double angle : {motion.phase, motion.mean_angle, motion.angular_velocity, motion.angle_amplitude})
    require(std::isfinite(angle), "sph: ", section, ".phase, ", section, ".mean_angle, ", section,
            ".angular_velocity or ", section, ".angle_amplitude = ", angle, ", expected a finite number.");
  require(std::hypot(motion.axis[0], motion.axis[1], motion.axis[2]) > 0 &&
              (dimensions == 3 || (motion.axis[0] == 0 && motion.axis[1] == 0)),
          "sph: ", section, ".axis = (", motion.axis[0], ", ", motion.axis[1], ", ", motion.axis[2],
          "), expected a direction, along z in 2-D.");
}

}  // namespace

std::size_t wall_named(const Case& simulation, const std::string& name, const char* section) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < simulation.walls.size(); ++k) {
    if (is_of(name, simulation.walls[k])) return k;
    if (!simulation.walls[k].name.empty()) names.push_back(simulation.walls[k].name);
  }
  throw Error(text("sph: ", section, ".wall = \"", name, "\", expected the name of a wall: ",
                   names.empty() ? std::string("the case has none with a name") : join(names), "."));
}

bool moves(const Case& simulation, const Wall& wall) {
  const auto names_wall = [&](const auto& part) { return is_of(part.wall, wall); };
  return wall.motion.kind != MotionKind::none || std::ranges::any_of(simulation.motions, names_wall) ||
         std::ranges::any_of(simulation.wavemakers, names_wall) ||
         std::ranges::any_of(simulation.rigid_bodies, names_wall);
}

std::vector<Motion> motions_of(const Case& simulation, const Wall& wall, double until) {
  std::vector<Motion> motions;
  if (wall.motion.kind != MotionKind::none) motions.push_back(wall.motion);
  for (const WallMotion& added : simulation.motions)
    if (is_of(added.wall, wall)) motions.push_back(added.motion);
  for (const Wavemaker& wavemaker : simulation.wavemakers)
    if (is_of(wavemaker.wall, wall)) motions.push_back(wavemaker_motion(wavemaker, simulation.scheme.gravity, until));
  return motions;
}

RigidTransform start_position(const Case& simulation, const Wall& wall) {
  RigidTransform position;
  for (const Motion& motion : motions_of(simulation, wall, 0)) position = position.then(motion.at(0));
  return position;
}

void check_motions(const Case& simulation) {
  for (const Wall& wall : simulation.walls) check_motion(wall.motion, simulation.dimensions, "wall");
  for (const WallMotion& added : simulation.motions) {
    wall_named(simulation, added.wall, "motion");
    require(added.motion.kind != MotionKind::none, "sph: motion.kind = \"none\", expected a motion.");
    check_motion(added.motion, simulation.dimensions, "motion");
  }
  for (const Wavemaker& wavemaker : simulation.wavemakers) {
    wall_named(simulation, wavemaker.wall, "wavemaker");
    require_valid(wavemaker, simulation);
  }
  int moving = 0, motions = 0;
  for (const Wall& wall : simulation.walls) {
    moving += moves(simulation, wall);
    motions += static_cast<int>(motions_of(simulation, wall, 0).size());
  }
  require(moving <= max_movements, "sph: the case has ", moving, " moving walls, expected at most ", max_movements,
          ".");
  require(motions <= max_motions, "sph: the walls of the case have ", motions, " motions in all, expected at most ",
          max_motions, ".");
}

}  // namespace shoal::sph
