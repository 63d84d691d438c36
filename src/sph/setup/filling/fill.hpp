// SPDX-License-Identifier: Apache-2.0
// Particles of a case at its start, made plane by plane: no process needs memory for those of all ranks.
#pragma once
#include <shoal/sph.hpp>

#include <functional>

#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/physics/parameters.hpp"
#include "sph/setup/parts/case_parts.hpp"
#include "sph/setup/parts/part_ids.hpp"

namespace shoal::sph {

/// Particles with ids from `first` on, up to the next group's: those of one body or wall.
struct ParticleGroup {
  std::int64_t first;
  double mass;  ///< kg, of each
  int material;
  int movement;  ///< index among the moving walls; −1: fixed
};

/// Index of the material of a name that the case has; of an empty one that of the first material.
int material_index(const Case& simulation, const std::string& name);

/// Group of the particles of a body or wall.
/// @param first      id of the first of them
/// @param movements  number of moving walls before this one
ParticleGroup group_of(const Case& simulation, const Body& body, std::int64_t first);
ParticleGroup group_of(const Case& simulation, const Wall& wall, std::int64_t first, int movements);

/// A particle at the start of a run; of a moving wall as drawn, before a phase or mean angle displaces it.
struct StartParticle {
  std::int64_t id = 0;
  std::uint8_t tag = 0;
  int movement = -1;                         ///< index of its wall among the moving ones; −1: none
  std::array<std::int64_t, 3> coordinate{};  ///< units of the lattice
  Vector velocity{};                         ///< m/s
  double density_deviation = 0;              ///< kg/m³
  double pressure_over_density2 = 0;         ///< m⁵/(kg s²)
  double energy = 0;                         ///< J/kg
};

/// Particles of the case's bodies, then those of its walls. Ids count up from 0 in that order, and in the planes of a
/// body or wall. The case outlives this object.
class Filling {
 public:
  /// Finds the points of particles. Collective: ranks share the work, and all know all points.
  /// @param queue  for what can be asked on a device: what is inside closed surfaces
  /// @throws Error  no particles, bodies that overlap each other or a wall
  Filling(const Case& simulation, const Lattice& lattice, const Queue& queue, const Communicator& ranks);

  const std::vector<ParticleGroup>& groups() const { return groups_; }
  PartIds part_ids() const { return PartIds(parts_); }
  std::int64_t count() const { return count_; }            ///< number of particles
  std::int64_t wall_count() const { return wall_count_; }  ///< number of those of walls
  std::int64_t end_of_group(std::size_t group) const {
    return group + 1 < groups_.size() ? groups_[group + 1].first : count_;
  }

  std::int64_t planes() const { return static_cast<std::int64_t>(planes_.size()); }
  /// Id of the first particle of a plane.
  std::int64_t first(std::int64_t plane) const { return planes_[static_cast<std::size_t>(plane)].first; }
  /// Number of particles of a plane.
  std::int64_t count(std::int64_t plane) const {
    return (plane + 1 < planes() ? first(plane + 1) : count_) - first(plane);
  }

  /// Returns true if this rank works on a plane where ranks share the work: planes of ascending ids in the order of ranks.
  bool is_work_of(const Communicator& ranks, std::int64_t plane) const;

  /// Calls visit(particle) for the particles of a plane in the order of their ids.
  /// @throws Error  a particle outside the domain
  template <class Visit>
  void for_each(std::int64_t plane, const Visit& visit) const {
    const PlaneOfPart& place = planes_[static_cast<std::size_t>(plane)];
    std::int64_t id = place.first;
    part(place.group).for_each(place.plane, [&](const Vector& point) {
      visit(is_wall(place.group) ? wall_particle(place.group, id, point) : body_particle(place.group, id, point));
      ++id;
    });
  }

 private:
  struct PlaneOfPart {
    std::size_t group;
    std::int64_t plane;  ///< number in the part
    std::int64_t first;  ///< id
  };

  bool is_wall(std::size_t group) const { return group >= parts_.bodies.size(); }
  const Part& part(std::size_t group) const {
    return is_wall(group) ? parts_.walls[group - parts_.bodies.size()] : parts_.bodies[group];
  }
  void add_group(ParticleGroup group);
  void find_surfaces(const Communicator& ranks);
  StartParticle body_particle(std::size_t group, std::int64_t id, const Vector& drawn) const;
  StartParticle wall_particle(std::size_t group, std::int64_t id, const Vector& point) const;
  void require_inside(std::int64_t id, const Vector& position) const;
  std::array<std::int64_t, 3> coordinates(const Vector& position, bool wall) const;

  const Case& simulation_;
  Lattice lattice_;
  Box domain_;
  CaseParts parts_;
  std::vector<ParticleGroup> groups_;
  std::vector<PlaneOfPart> planes_;
  std::vector<EosParameters<double>> eos_;  ///< [bodies]
  std::vector<double> surface_;             ///< [bodies] potential energy at the free surface, J/kg, if hydrostatic
  std::int64_t count_ = 0;
  std::int64_t wall_count_ = 0;
};

/// Calls work(plane) for the planes of a filling, several at the same time. If it throws for some, the exception of the
/// first of these planes leaves, as if they were taken in turn.
void for_each_plane(const Filling& filling, const std::function<void(std::int64_t)>& work);

}  // namespace shoal::sph
