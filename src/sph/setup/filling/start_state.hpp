// SPDX-License-Identifier: Apache-2.0
// State of a rank at the start of a run: the particles of its slab, found without those of other ranks in memory.
#pragma once
#include <numeric>
#include <optional>

#include "core/communication/rank_group.hpp"
#include "sph/physics/moving_wall_item.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/filling/fill.hpp"

namespace shoal::sph {

/// Particles of a filling in the precision of the run. Moving walls start with the velocity of their motion, displaced if
/// it has a phase or a mean angle.
template <class Real, int dimensions>
class StartParticles {
 public:
  StartParticles(const Case& simulation, const Filling& filling, const Setup<Real, dimensions>& setup)
      : filling_(filling), parameters_(setup.parameters), tables_(setup.tables) {
    tables_.initial = setup.initial.data();
    parameters_.tables = &tables_;
    for (const Wall& wall : simulation.walls) {
      if (wall.motion.kind == MotionKind::none) continue;
      poses_.push_back(motion::pose_at<dimensions>(tables_.movement[poses_.size()], 0));
      is_displaced_.push_back(start_displacement(wall.motion).has_value());
    }
  }
  StartParticles(const StartParticles&) = delete;
  StartParticles& operator=(const StartParticles&) = delete;

  /// Calls visit(start, particle) for the particles of a plane of the filling.
  template <class Visit>
  void for_each(std::int64_t plane, const Visit& visit) const {
    filling_.for_each(plane, [&](const StartParticle& start) { visit(start, particle(start)); });
  }

 private:
  Particle<Real, dimensions> particle(const StartParticle& start) const {
    GeneralParticle<Real, dimensions> particle{};
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
      particle.position.x[axis] = static_cast<Coordinate<Real>>(start.coordinate[axis]);
      particle.velocity.v[axis] = static_cast<Real>(start.velocity[axis]);
    }
    particle.position.density = static_cast<Real>(start.density_deviation);
    particle.set_pressure_over_density2(static_cast<Real>(start.pressure_over_density2));
    if (start.movement >= 0) {
      const auto movement = static_cast<std::size_t>(start.movement);
      const PositionDensity<Real, dimensions> drawn = particle.position;
      set_pose(parameters_, poses_[movement], start.id, particle);
      if (!is_displaced_[movement]) particle.position = drawn;
    }
    return particle;
  }

  const Filling& filling_;
  Parameters<Real, dimensions> parameters_;
  ModelTables<Real, dimensions> tables_;
  std::vector<motion::Pose<dimensions>> poses_;
  std::vector<bool> is_displaced_;
};

/// Particles and weight of each layer of cells, and the layers that the particles of each plane of a filling are in.
class LayersOfPlanes {
 public:
  LayersOfPlanes(std::size_t layers, std::int64_t planes)
      : particles_(layers), weight_(layers), end_(static_cast<std::size_t>(planes)), extent_(end_) {}

  const std::vector<std::int64_t>& weight() const { return weight_; }  ///< [layers]

  /// Number of particles in the layers of a rank.
  std::int64_t particles_of(const Slabs& slabs, int rank) const {
    return std::accumulate(particles_.begin() + slabs.first(rank), particles_.begin() + slabs.end(rank),
                           std::int64_t{0});
  }

  /// Adds a particle.
  void add(std::int64_t plane, std::int64_t layer, std::int64_t weight) {
    ++particles_[static_cast<std::size_t>(layer)];
    weight_[static_cast<std::size_t>(layer)] += weight;
    extend(plane, layer);
  }
  /// Extends a plane to a layer.
  void extend(std::int64_t plane, std::int64_t layer) {
    const auto k = static_cast<std::size_t>(plane);
    end_[k] = std::max(end_[k], static_cast<std::uint64_t>(layer) + 1);
    extent_[k] = std::max(extent_[k], particles_.size() - static_cast<std::uint64_t>(layer));
  }
  /// Adds what the other ranks have. Collective.
  void join(const Communicator& ranks) {
    ranks.group().all_sum(particles_);
    ranks.group().all_sum(weight_);
    ranks.group().all_max(end_);
    ranks.group().all_max(extent_);
  }
  /// Returns true if a plane has particles in the layers of a rank, or in layers below and above these.
  bool may_be_in(const Slabs& slabs, int rank, std::int64_t plane) const {
    const auto k = static_cast<std::size_t>(plane);
    const auto end = static_cast<std::int64_t>(end_[k]);
    const auto first = static_cast<std::int64_t>(particles_.size() - extent_[k]);
    return end > slabs.first(rank) && first < slabs.end(rank);
  }

 private:
  std::vector<std::int64_t> particles_;  ///< [layers]
  std::vector<std::int64_t> weight_;     ///< [layers]
  std::vector<std::uint64_t> end_;       ///< [planes] last layer + 1; 0 without particles
  std::vector<std::uint64_t> extent_;    ///< [planes] number of layers from the first one up; 0 without particles
};

/// Finds the layers of all particles, and the slabs of the ranks unless they are given. Collective: ranks share the planes.
template <class Real, int dimensions>
LayersOfPlanes share_out(const Filling& filling, const StartParticles<Real, dimensions>& particles,
                         Setup<Real, dimensions>& setup) {
  const Communicator& ranks = setup.ranks;
  const Parameters<Real, dimensions>& parameters = setup.parameters;
  LayersOfPlanes layers(layers_of_domain(parameters), filling.planes());
  ranks.agree([&] {
    for (std::int64_t plane = 0; plane < filling.planes(); ++plane)
      if (filling.is_work_of(ranks, plane))
        particles.for_each(plane, [&](const StartParticle&, const Particle<Real, dimensions>& particle) {
          if (is_outside(parameters, particle.position))
            layers.extend(plane, 0);  // the first rank has those outside the domain
          else
            layers.add(plane, slab_layer(parameters, particle.position), slab_weight(parameters, particle.position));
        });
  });
  layers.join(ranks);
  if (setup.slabs.cut.empty()) ranks.agree([&] { setup.slabs = cut_by_weight(layers.weight(), ranks.size()); });
  return layers;
}

/// Makes room for particles of a new run, which get properties later.
template <class Real, int dimensions>
void reserve(HostState<Real, dimensions>& state, std::int64_t count) {
  const auto n = static_cast<std::size_t>(count);
  state.position.reserve(n);
  state.velocity.reserve(n);
  state.energy.reserve(n);
  state.tag.reserve(n);
  state.id.reserve(n);
}

template <class Real, int dimensions>
void append(const StartParticle& start, const Particle<Real, dimensions>& particle,
            HostState<Real, dimensions>& state) {
  state.position.push_back(particle.position);
  state.velocity.push_back(particle.velocity);
  state.energy.push_back(static_cast<Real>(start.energy));
  state.tag.push_back(start.tag);
  state.id.push_back(start.id);
}

/// Makes the state of this rank and, on several, the slabs. Collective.
template <class Real, int dimensions>
void make_start_state(const Case& simulation, const Filling& filling, Setup<Real, dimensions>& setup) {
  const StartParticles<Real, dimensions> particles(simulation, filling, setup);
  const int rank = setup.ranks.rank();
  std::optional<LayersOfPlanes> layers;
  if (setup.ranks.size() > 1) layers = share_out(filling, particles, setup);
  setup.ranks.agree([&] {
    reserve(setup.state, layers ? layers->particles_of(setup.slabs, rank) : filling.count());
    for (std::int64_t plane = 0; plane < filling.planes(); ++plane) {
      if (layers && !layers->may_be_in(setup.slabs, rank, plane)) continue;
      particles.for_each(plane, [&](const StartParticle& start, const Particle<Real, dimensions>& particle) {
        if (!layers || owner_of(setup.parameters, setup.slabs, particle.position) == rank)
          append(start, particle, setup.state);
      });
    }
  });
}

}  // namespace shoal::sph
