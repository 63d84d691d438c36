// SPDX-License-Identifier: Apache-2.0
// State of a rank at the start of a run: the particles of its slab, found without those of other ranks in memory.
#pragma once
#include <mutex>
#include <numeric>

#include "core/communication/rank_group.hpp"
#include "sph/physics/steps/moving_wall_item.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

/// Particles of a filling in the precision of the run. Moving walls start with the velocity of their motion or rigid body,
/// displaced if a motion has a phase or a mean angle.
template <class Real, int dimensions>
class StartParticles {
 public:
  StartParticles(const Case& simulation, const Filling& filling, const Setup<Real, dimensions>& setup)
      : filling_(filling), parameters_(setup.parameters), tables_(setup.tables) {
    tables_.initial = setup.initial.data();
    tables_.knots = setup.knots.data();
    parameters_.tables = &tables_;
    for (const Wall& wall : simulation.walls) {
      if (!moves(simulation, wall)) continue;
      poses_.push_back(pose_of_wall(tables_, static_cast<int>(poses_.size()), 0));
      is_displaced_.push_back(start_displacement(simulation, wall).has_value());
    }
    for (const BodyParameters& body : setup.rigid_bodies)
      poses_[static_cast<std::size_t>(body.movement)] = pose_of<dimensions>(body, body.start);
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
    Particle<Real, dimensions> particle{};
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

/// Writes a particle to a row of the state.
template <class Real, int dimensions>
void put(const StartParticle& start, const Particle<Real, dimensions>& particle, HostState<Real, dimensions>& state,
         std::size_t row) {
  state.view().store(static_cast<std::int64_t>(row), particle);
  state.energy[row] = static_cast<Real>(start.energy);
  state.tag[row] = start.tag;
  state.id[row] = start.id;
}

/// Weight of the layers of cells, of one plane of a filling.
struct PlaneLayers {
  explicit PlaneLayers(std::size_t layers) : weight(layers), first(layers) {}

  /// Adds a particle.
  void add(std::int64_t layer, std::int64_t particle_weight) {
    weight[static_cast<std::size_t>(layer)] += particle_weight;
    extend(layer);
  }
  /// Extends the plane to a layer.
  void extend(std::int64_t layer) {
    first = std::min(first, static_cast<std::uint64_t>(layer));
    end = std::max(end, static_cast<std::uint64_t>(layer) + 1);
  }

  std::vector<std::int64_t> weight;  ///< [layers]
  std::uint64_t first, end = 0;      ///< range of layers; empty without particles
};

/// Weight of each layer of cells, and the layers that the particles of each plane of a filling are in.
class LayersOfPlanes {
 public:
  LayersOfPlanes(std::size_t layers, std::int64_t planes)
      : weight_(layers), end_(static_cast<std::size_t>(planes)), extent_(end_) {}

  const std::vector<std::int64_t>& weight() const { return weight_; }  ///< [layers]

  /// Adds a plane. Threads may add planes at the same time.
  void add(std::int64_t plane, const PlaneLayers& layers) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t k = layers.first; k < layers.end; ++k) weight_[k] += layers.weight[k];
    end_[static_cast<std::size_t>(plane)] = layers.end;
    extent_[static_cast<std::size_t>(plane)] = weight_.size() - layers.first;
  }
  /// Adds what the other ranks have. Collective.
  void join(const Communicator& ranks) {
    ranks.group().all_sum(weight_);
    ranks.group().all_max(end_);
    ranks.group().all_max(extent_);
  }
  /// Returns true if a plane has particles in the layers of a rank, or in layers below and above these.
  bool may_be_in(const Slabs& slabs, int rank, std::int64_t plane) const {
    return end(plane) > slabs.first(rank) && first(plane) < slabs.end(rank);
  }
  /// Returns true if all particles of a plane are in the layers of a rank.
  bool is_within(const Slabs& slabs, int rank, std::int64_t plane) const {
    return first(plane) >= slabs.first(rank) && end(plane) <= slabs.end(rank);
  }

 private:
  std::int64_t end(std::int64_t plane) const {
    return static_cast<std::int64_t>(end_[static_cast<std::size_t>(plane)]);
  }
  std::int64_t first(std::int64_t plane) const {
    return static_cast<std::int64_t>(weight_.size() - extent_[static_cast<std::size_t>(plane)]);
  }

  std::mutex mutex_;
  std::vector<std::int64_t> weight_;   ///< [layers]
  std::vector<std::uint64_t> end_;     ///< [planes] last layer + 1; 0 without particles
  std::vector<std::uint64_t> extent_;  ///< [planes] number of layers from the first one up; 0 without particles
};

/// Finds the layers of all particles, and the slabs of the ranks unless they are given. Collective: ranks share the planes.
template <class Real, int dimensions>
void share_out(const Filling& filling, const StartParticles<Real, dimensions>& particles,
               Setup<Real, dimensions>& setup, LayersOfPlanes& layers) {
  const Communicator& ranks = setup.ranks;
  const Parameters<Real, dimensions>& parameters = setup.parameters;
  ranks.agree([&] {
    for_each_plane(filling, [&](std::int64_t plane) {
      if (!filling.is_work_of(ranks, plane)) return;
      PlaneLayers of_plane(layers.weight().size());
      particles.for_each(plane, [&](const StartParticle&, const Particle<Real, dimensions>& particle) {
        if (is_outside(parameters, particle.position))
          of_plane.extend(0);  // the first rank has those outside the domain
        else
          of_plane.add(slab_layer(parameters, particle.position), slab_weight(parameters, particle.position));
      });
      layers.add(plane, of_plane);
    });
  });
  layers.join(ranks);
  if (setup.slabs.cut.empty()) ranks.agree([&] { setup.slabs = cut_by_layers(layers.weight(), setup); });
}

/// Makes the state of this rank and, on several, the slabs. Collective.
template <class Real, int dimensions>
void make_start_state(const Case& simulation, const Filling& filling, Setup<Real, dimensions>& setup) {
  const StartParticles<Real, dimensions> particles(simulation, filling, setup);
  const int rank = setup.ranks.rank();
  LayersOfPlanes layers(setup.ranks.size() > 1 ? layers_of_domain(setup.parameters) : 0, filling.planes());
  if (setup.ranks.size() > 1) share_out(filling, particles, setup, layers);
  const auto is_alone_in = [&](std::int64_t plane) {
    return setup.ranks.size() == 1 || layers.is_within(setup.slabs, rank, plane);
  };
  const auto is_own = [&](const Particle<Real, dimensions>& particle) {
    return owner_of(setup.parameters, setup.slabs, particle.position) == rank;
  };
  setup.ranks.agree([&] {
    std::vector<std::int64_t> end(static_cast<std::size_t>(filling.planes()));  // row after the last one of each plane
    for_each_plane(filling, [&](std::int64_t plane) {
      std::int64_t& count = end[static_cast<std::size_t>(plane)];
      if (is_alone_in(plane))
        count = filling.count(plane);
      else if (layers.may_be_in(setup.slabs, rank, plane))
        particles.for_each(plane, [&](const StartParticle&, const auto& particle) { count += is_own(particle); });
    });
    std::partial_sum(end.begin(), end.end(), end.begin());
    HostState<Real, dimensions>& state = setup.state;
    state = HostState<Real, dimensions>(end.empty() ? 0 : static_cast<std::size_t>(end.back()));
    for_each_plane(filling, [&](std::int64_t plane) {
      const auto number = static_cast<std::size_t>(plane);
      auto row = static_cast<std::size_t>(plane > 0 ? end[number - 1] : 0);
      if (row == static_cast<std::size_t>(end[number])) return;
      particles.for_each(plane, [&](const StartParticle& start, const Particle<Real, dimensions>& particle) {
        if (is_alone_in(plane) || is_own(particle)) put(start, particle, state, row++);
      });
    });
  });
}

}  // namespace shoal::sph
