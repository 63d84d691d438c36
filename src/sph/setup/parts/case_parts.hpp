// SPDX-License-Identifier: Apache-2.0
// Initial positions of the particles of a case's bodies and walls.
#pragma once
#include "sph/setup/filling/lattice_region.hpp"

namespace shoal::sph {

/// Particles of one body or wall. They are made when they are visited, plane by plane: a part has no array of them.
struct Part {
  std::string name{};                          ///< "body 0", "wall \"tank\""
  LatticeRegion region{};                      ///< lattice cells that contain the points
  Box bounds{};                                ///< m, bounding box of these cells at t = 0
  std::shared_ptr<const ParticleList> list{};  ///< the points; null: those of the lattice
  /// Points that no previous part has and that Case::crop holds; none: those of the region.
  std::optional<LatticeRegion> remaining{};
  std::optional<RigidTransform> displacement{};  ///< initial displacement; none: the part starts where it was drawn

  /// Number of planes: of the lattice, or of groups of listed points.
  std::int64_t planes() const;
  std::int64_t count() const;                    ///< number of points
  std::int64_t count(std::int64_t plane) const;  ///< number of points in a plane

  /// Calls visit(point) for the points of a plane as drawn, m, in the order of their ids.
  template <class Visit>
  void for_each(std::int64_t plane, const Visit& visit) const {
    if (list) {
      const std::int64_t first = plane * points_of_group;
      for (std::int64_t k = first; k < first + count(plane); ++k) visit(list->position[static_cast<std::size_t>(k)]);
    } else {
      lattice().for_each(plane, [&](const LatticeIndex& index) { visit(region.point(index)); });
    }
  }

  /// Calls visit(point) for all points of the region, also those that other parts have or that Case::crop leaves out.
  template <class Visit>
  void for_each_of_region(const Visit& visit) const {
    for (std::int64_t plane = 0; plane < region.planes(); ++plane)
      region.for_each(plane, [&](const LatticeIndex& index) { visit(region.point(index)); });
  }

  /// Position at t = 0 of a point of the drawing.
  Vector start(const Vector& point) const;

  /// Returns true if a point is in a cell of the part at t = 0.
  bool holds(const Vector& point) const;

 private:
  static constexpr std::int64_t points_of_group = 65'536;
  const LatticeRegion& lattice() const { return remaining ? *remaining : region; }
};

/// Displacement of a wall at t = 0; none if it starts where it was drawn.
std::optional<RigidTransform> start_displacement(const Case& simulation, const Wall& wall);

struct CaseParts {
  std::vector<Part> bodies;
  std::vector<Part> walls;  ///< each without the points of previous walls
};

/// Collective: ranks share the tests of points.
/// @throws Error  a part without particles or without end, bodies that overlap each other or a wall
CaseParts parts_of(const Case& simulation, const Queue& queue, const Communicator& ranks = Communicator::alone());

/// Bounding box of all bodies and walls at t = 0.
Box bounds_of_parts(const Case& simulation);

/// Box that particles must stay in: the domain of the case, or the bounding box of all bodies and walls, extended on
/// every side by half its longest side.
Box domain_of(const Case& simulation);

}  // namespace shoal::sph
