// SPDX-License-Identifier: Apache-2.0
#include "sph/refinement/levels.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/parts/case_parts.hpp"

namespace shoal::sph {

namespace {

/// A box whose sides are moved outward, or inward by a negative number.
Box widened(Box box, double by, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis) {
    box.from[axis] -= by;
    box.to[axis] += by;
  }
  return box;
}

Box intersection(Box a, const Box& b, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis) {
    a.from[axis] = std::max(a.from[axis], b.from[axis]);
    a.to[axis] = std::min(a.to[axis], b.to[axis]);
  }
  return a;
}

/// Width of the guard zone of a level: a support of its kernel and a spacing, as whole spacings of its parent.
double guard_width(const Case& level, double parent_spacing) {
  return parent_spacing * std::ceil((support(level) + level.spacing) / parent_spacing - 1e-9);
}

/// Case of a level without what the whole run has once.
Case case_of_level(const Case& simulation, const Box& domain, double spacing) {
  Case level = simulation;
  level.spacing = spacing;
  level.refinements.clear();
  level.probes.clear();
  level.scheme.periodic.clear();
  level.crop = domain;
  level.domain = domain;
  return level;
}

}  // namespace

std::vector<Level> levels_of(const Case& simulation) {
  const int dimensions = simulation.dimensions;
  const Box domain = domain_of(simulation);
  std::vector<Level> levels(1);
  levels[0].simulation = simulation;
  levels[0].simulation.refinements.clear();
  levels[0].simulation.probes.clear();
  for (const Refinement& refinement : simulation.refinements) {
    Level& parent = levels.back();
    const double spacing = parent.simulation.spacing;
    Level level{.simulation = case_of_level(simulation, refinement.box, spacing / refinement.ratio)};
    level.box = refinement.box;
    level.region =
        intersection(widened(refinement.box, guard_width(level.simulation, spacing), dimensions), domain, dimensions);
    level.simulation.crop = level.region;
    level.simulation.domain = widened(*level.region, spacing, dimensions);
    parent.finer = level.box;
    parent.covered = widened(refinement.box, -support(parent.simulation), dimensions);
    parent.finer_region = level.region;
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace shoal::sph
