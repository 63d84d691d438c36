// SPDX-License-Identifier: Apache-2.0
// The particles of a solver of any precision and number of dimensions, behind one interface.
#pragma once
#include <shoal/sph/particles.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "sph/control/particle_control.hpp"

namespace shoal::sph {

/// Properties of a run that its particles have.
struct RunProperties {
  Queue queue;
  Communicator ranks;
  int dimensions;
  Precision precision;
  bool has_energy;  ///< the case integrates energy
};

class ParticleAccess {
 public:
  using Stored = Particles::Stored;

  explicit ParticleAccess(RunProperties run) : run_(std::move(run)) {}
  virtual ~ParticleAccess() = default;
  ParticleAccess(const ParticleAccess&) = delete;

  /// @name Steps since the start, and the end of the solver
  /// @{
  std::uint64_t version() const { return version_; }
  void end_version() { ++version_; }
  bool is_closed() const { return closed_; }
  void close() { closed_ = true; }
  /// @}

  const RunProperties& run() const { return run_; }

  virtual Clock clock() const = 0;
  virtual std::int64_t count() = 0;
  virtual ParticleValues::Column stored(Stored what, int axis) = 0;
  virtual void copy(const ParticleCopies& copies) = 0;
  /// Finds rows of this rank, −1 for particles of other ranks. Collective.
  /// @return  the first refusal, of ids that no rank has
  virtual std::uint64_t find_rows(View<const std::int64_t> ids, std::int64_t* row) = 0;
  /// Id of a row.
  virtual std::int64_t id_of_row(std::int64_t row) = 0;
  virtual std::uint64_t check(const SetRequest& request) = 0;
  virtual void set(const SetRequest& request) = 0;
  virtual void clear_acceleration() = 0;

  /// @name Changes of the particles. Collective.
  /// @{
  /// @throws Error  the run cannot change its particles
  virtual void require_changeable() const = 0;
  /// Index of a material of new particles.
  virtual int material_named(std::string_view name) const = 0;
  /// @return  id of the first new particle
  virtual std::int64_t add(const NewValues& values) = 0;
  /// Marks particles of this rank.
  /// @return  the first refusal
  virtual std::uint64_t mark(const RemoveRequest& request) = 0;
  /// Removes marked particles.
  /// @return  their number on all ranks
  virtual std::int64_t remove_marked() = 0;
  /// @}

 private:
  RunProperties run_;
  std::atomic<std::uint64_t> version_{0};
  std::atomic<bool> closed_{false};
};

/// Parts of a solver that ParticleAccessOf uses.
template <class Real, int dimensions>
struct AccessHooks {
  const Parameters<Real, dimensions>& domain;  ///< parameters of the whole domain
  ParticleChanges& changes;
  std::function<Clock()> clock;
  std::function<std::int64_t()> end_of_ids;  ///< a number above all ids
  std::function<void()> on_change;           ///< called when the state was set
};

template <class Real, int dimensions>
class ParticleAccessOf final : public ParticleAccess {
 public:
  ParticleAccessOf(const Queue& queue, const Communicator& ranks, const Case& simulation, const Lattice& lattice,
                   ParticleControl<Real, dimensions>& control, AccessHooks<Real, dimensions> hooks)
      : ParticleAccess({queue, ranks, dimensions, simulation.precision, simulation.scheme.energy}),
        simulation_(simulation),
        lattice_(lattice),
        control_(control),
        hooks_(std::move(hooks)) {}

  Clock clock() const override { return hooks_.clock(); }
  std::int64_t count() override { return control_.particles().count; }

  ParticleValues::Column stored(Stored what, int axis) override {
    const ParticleRows<Real, dimensions> rows = control_.particles();
    using Position = PositionDensity<Real, dimensions>;
    using Velocity = PackedVelocity<Real, dimensions>;
    const Position* const position = rows.state.position;
    const Velocity* const velocity = rows.state.velocity;
    const auto column = [&](const void* data, std::size_t bytes_apart) {
      return ParticleValues::Column{data, rows.count, static_cast<std::int64_t>(bytes_apart / sizeof(Real)),
                                    run().queue.device()};
    };
    if (what == Stored::coordinate) return column(&position->x[axis], sizeof(Position));
    if (what == Stored::velocity) return column(&velocity->v[axis], sizeof(Velocity));
    if (what == Stored::density_deviation) return column(&position->density, sizeof(Position));
    if (what == Stored::energy && !run().has_energy) return {.device = run().queue.device()};
    if (what == Stored::energy) return column(rows.state.energy, sizeof(Real));
    if constexpr (dimensions < 3)
      return column(&position->pressure_over_density2, sizeof(Position));
    else
      return column(&velocity->pressure_over_density2, sizeof(Velocity));
  }

  void copy(const ParticleCopies& copies) override { control_.copy(lattice_, copies); }
  std::uint64_t find_rows(View<const std::int64_t> ids, std::int64_t* row) override {
    const std::uint64_t refused = control_.find_rows(ids, hooks_.end_of_ids(), row);
    if (run().ranks.size() == 1) return refused;
    std::vector<std::int64_t> owners =
        to_host(run().queue, View<const std::int64_t>(row, ids.count, run().queue.device()));
    for (std::int64_t& owner : owners) owner = owner >= 0;
    run().ranks.group().all_sum(owners);
    const auto missing = std::find(owners.begin(), owners.end(), 0);
    return missing == owners.end() ? refusal::none : refusal::word(missing - owners.begin(), refusal::no_particle);
  }
  std::int64_t id_of_row(std::int64_t row) override {
    const ParticleRows<Real, dimensions> rows = control_.particles();
    if (!rows.label) return rows.id[row];
    return id_of_label(to_host(run().queue, View<const std::int64_t>(rows.label + row, 1, run().queue.device()))[0]);
  }
  std::uint64_t check(const SetRequest& request) override { return control_.check(request); }
  void set(const SetRequest& request) override {
    control_.set(request, hooks_.end_of_ids());
    hooks_.on_change();
  }
  void clear_acceleration() override { control_.clear_acceleration(); }

  void require_changeable() const override {
    require(simulation_.open_boundaries.empty(),
            "sph: a program adds or removes particles, which cases with open boundaries do themselves. Leave out "
            "[[open_boundary]], or let the boundaries do it.");
  }
  int material_named(std::string_view name) const override { return material_of_new_particles(simulation_, name); }
  std::int64_t add(const NewValues& values) override {
    const Communicator& ranks = run().ranks;
    const std::int64_t first = hooks_.end_of_ids();
    const double least = simulation_.spacing / 2;
    HostState<Real, dimensions> added;
    std::array<std::uint64_t, 1> near{};
    ranks.agree([&] {
      added = make_new_particles(simulation_, lattice_, hooks_.domain, values, first);
      const SortedPositions<Real, dimensions> sorted(hooks_.domain, added.position, least);
      require_apart(hooks_.domain, sorted, values, least);
      near[0] = static_cast<std::uint64_t>(no_number - control_.find_near(hooks_.domain, sorted));
    });
    ranks.group().all_max(near);
    const std::int32_t number = no_number - static_cast<std::int32_t>(near[0]);
    ranks.agree([&] {
      if (number != no_number)
        throw Error(text("sph: ", text_of_position(values, static_cast<std::size_t>(number), dimensions),
                         " is nearer than ", least,
                         " m, half a spacing, to a particle of the run. Nothing was added."));
    });
    control_.add(added, step_of_new_particles(hooks_.domain, added));
    hooks_.changes.added += static_cast<std::int64_t>(values.count());
    hooks_.changes.added_mass +=
        static_cast<double>(values.count()) * new_particle_mass<Real>(simulation_, values.material);
    end_particles();
    return first;
  }
  std::uint64_t mark(const RemoveRequest& request) override { return control_.mark(lattice_, request); }
  std::int64_t remove_marked() override {
    std::array<std::int64_t, 1> removed{control_.marked()};
    run().ranks.group().all_sum(removed);
    if (removed[0] == 0) return 0;
    control_.remove_marked();
    hooks_.changes.removed += removed[0];
    end_particles();
    return removed[0];
  }

 private:
  /// Ends the particles of before a change.
  void end_particles() {
    end_version();
    hooks_.on_change();
  }

  const Case& simulation_;
  Lattice lattice_;
  ParticleControl<Real, dimensions>& control_;
  AccessHooks<Real, dimensions> hooks_;
};

}  // namespace shoal::sph
