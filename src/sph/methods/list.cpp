// SPDX-License-Identifier: Apache-2.0
// list, list_z_order: a neighbor list once a step, on CPU threads; cells in rows, or along the Z-order curve.
//
// idea           chunks of particles close in space, each with a list padded to whole vectors; eight pairs side by side
// source         Massidda (THINS report), the CPU version; its outlook for the Z-order: Morton (1966)
// memory         4 bytes a neighbor
// atomics        none
// deterministic  yes: a particle's sum has a fixed order, whatever the number of threads and the vector width
// wins when      list: always, on a CPU; list_z_order: the paper's suggestion is repeated
// loses when     list: never, on a CPU; list_z_order: always, nine (27) runs of candidates instead of three (nine)
// deviations     counting sort instead of quicksort; rows of cells (list_z_order: single cells, as in the paper), in 3-D
//                cut into slices; no cap on neighbors; mass, momentum and energy in one pass, with the update;
//                many particles at a time on threads; fixed-point positions, density as deviation
#include <algorithm>

#include "core/cpu_variants.hpp"
#include "core/first_exception.hpp"
#include "core/text.hpp"
#include "sph/sph_method.hpp"
#include "sph/stepping/host_stepper.hpp"

namespace shoal::sph {

namespace {

constexpr std::int64_t chunk_size = 256;
/// Neighbors that are summed side by side. Rows are padded with the particle itself, which adds nothing.
constexpr int lanes = 8;

/// The neighbors of a chunk of particles.
struct ChunkList {
  std::vector<std::int32_t> neighbor;
  std::int32_t start[chunk_size + 1] = {};
};

template <class Real, int dimensions>
struct ChunkWork {
  const Parameters<Real, dimensions>& parameters;
  const ChunkList& list;
  const std::int64_t* id;
  std::int64_t begin;
  std::int64_t end;
  std::int64_t alive;
  StageStep<Real> step;
  StateView<Real, dimensions> base;
  StateView<Real, dimensions> now;
  StateView<Real, dimensions> next;
};

/// Some neighbors side by side: what vector registers hold.
template <class Real, int dimensions>
struct Lanes {
  Coordinate<Real> x[dimensions][lanes];
  Real velocity[dimensions][lanes];
  Real density[lanes];
  Real stress[lanes];

  SHOAL_HD void load(const StateView<Real, dimensions>& state, const std::int32_t* index) {
    for (int lane = 0; lane < lanes; ++lane) {
      const Particle<Real, dimensions> particle = state.load(index[lane]);
      for (int axis = 0; axis < dimensions; ++axis) {
        x[axis][lane] = particle.position.x[axis];
        velocity[axis][lane] = particle.velocity.v[axis];
      }
      density[lane] = particle.position.density;
      stress[lane] = particle.pressure_over_density2();
    }
  }
  SHOAL_HD Particle<Real, dimensions> particle(int lane) const {
    Particle<Real, dimensions> one;
    for (int axis = 0; axis < dimensions; ++axis) {
      one.position.x[axis] = x[axis][lane];
      one.velocity.v[axis] = velocity[axis][lane];
    }
    one.position.density = density[lane];
    one.set_pressure_over_density2(stress[lane]);
    return one;
  }
};

/// Sum of the lanes as a fixed tree.
template <class Real>
SHOAL_HD Real sum_lanes(const Real (&lane)[lanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Plain physics without repulsive walls: eight pairs at a time.
template <class Physics, class Real, int dimensions>
SHOAL_HD Rates<Real, dimensions> sum_lanes_of_pairs(const Parameters<Real, dimensions>& parameters,
                                                    const StateView<Real, dimensions>& now,
                                                    const Particle<Real, dimensions>& particle,
                                                    const std::int32_t* neighbor, int count) {
  Real density[lanes] = {};
  Real acceleration[dimensions][lanes] = {};
  Real heating[lanes] = {};
  for (int k = 0; k < count; k += lanes) {
    Lanes<Real, dimensions> others;
    others.load(now, neighbor + k);
#pragma omp simd
    for (int lane = 0; lane < lanes; ++lane) {
      Rates<Real, dimensions> one;
      add_pair<Physics>(parameters, particle, others.particle(lane), one);
      density[lane] += one.density;
      for (int axis = 0; axis < dimensions; ++axis) acceleration[axis][lane] += one.acceleration[axis];
      heating[lane] += one.heating;
    }
  }
  Rates<Real, dimensions> rates;
  rates.density = sum_lanes(density);
  for (int axis = 0; axis < dimensions; ++axis) rates.acceleration[axis] = sum_lanes(acceleration[axis]);
  rates.heating = sum_lanes(heating);
  return rates;
}

template <class Physics, class Real, int dimensions>
SHOAL_HD RatesOf<Physics, Real, dimensions> sum_neighbors(const Parameters<Real, dimensions>& parameters,
                                                          const StateView<Real, dimensions>& now,
                                                          const ParticleOf<Physics, Real, dimensions>& particle,
                                                          const std::int32_t* neighbor, int count) {
  if constexpr (!Physics::is_general)
    if (!has_own_force(parameters.walls))
      return sum_lanes_of_pairs<Physics>(parameters, now, particle, neighbor, count);
  RatesOf<Physics, Real, dimensions> rates;
  for (int k = 0; k < count; ++k) add_neighbor<Physics>(parameters, particle, load<Physics>(now, neighbor[k]), rates);
  return rates;
}

template <class Physics, class Real, int dimensions>
SHOAL_CPU_VARIANTS StageExtremes chunk_stage(const ChunkWork<Real, dimensions>& work) {
  const Parameters<Real, dimensions>& parameters = work.parameters;
  const StageStates<Real, dimensions> states{work.base, work.now, work.next};
  StageExtremes extremes;
  for (std::int64_t i = work.begin; i < work.end; ++i) {
    const ParticleOf<Physics, Real, dimensions> particle = load<Physics>(work.now, i);
    const bool inside = i < work.alive;
    const bool active = inside && is_active(parameters, particle.position);
    const std::int32_t* neighbor = work.list.neighbor.data() + work.list.start[i - work.begin];
    const int count = work.list.start[i - work.begin + 1] - work.list.start[i - work.begin];
    RatesOf<Physics, Real, dimensions> rates;
    if (active) rates = sum_neighbors<Physics>(parameters, work.now, particle, neighbor, count);
    extremes.take(parameters,
                  pass_stage<Physics>(parameters, work.step, states, i, work.id[i], inside, active, particle, rates),
                  work.step.stage, work.id[i]);
  }
  return extremes;
}

template <class Treatment, class Physics, class Real, int dimensions>
SHOAL_CPU_VARIANTS void chunk_walls(const ChunkWork<Real, dimensions>& work) {
  for (std::int64_t i = work.begin; i < std::min(work.end, work.alive); ++i) {
    if (!is_wall(work.now.position[i])) continue;
    typename Treatment::template Sums<Physics, Real, dimensions> sums;
    const ParticleOf<Physics, Real, dimensions> wall = load<Physics>(work.now, i);
    for (std::int32_t k = work.list.start[i - work.begin]; k < work.list.start[i - work.begin + 1]; ++k) {
      const std::int32_t j = work.list.neighbor[static_cast<std::size_t>(k)];
      if (!is_wall(work.now.position[j]))
        Treatment::template add_fluid<Physics>(work.parameters, wall, load<Physics>(work.now, j), sums);
    }
    set_wall_pressure<Treatment, Physics>(work.parameters, work.step.stage, work.id[i], work.now, i, wall, sums);
  }
}

template <class Real, int dimensions>
class List : public HostStepper<Real, dimensions> {
  using Base = HostStepper<Real, dimensions>;
  using State = StateView<Real, dimensions>;

 public:
  List(const Queue& queue, Setup<Real, dimensions>&& setup, const HostCells& cells = {})
      : Base(queue, std::move(setup), cells) {
    require(this->count() < std::numeric_limits<std::int32_t>::max(), "sph: ", this->count(),
            " particles are more than the method list can number (2147483647).");
  }

 protected:
  void find_neighbors() override {
    lists_.resize(static_cast<std::size_t>(chunks()));
    FirstException failure;
#pragma omp parallel for schedule(dynamic) num_threads(this->queue_.threads())
    for (std::int64_t c = 0; c < chunks(); ++c)
      failure.guard([&] { this->with_model([&]<class Physics> { fill_chunk<Physics>(c); }); });
    failure.rethrow();
    this->lap("find_neighbors");
  }

  void set_wall_pressures(int stage, State now) override {
    const StageStep<Real> step(this->parameters_.integrator, stage, 0, 0);  // walls use the stage only
    this->with_walls_and_physics([&]<class Treatment, class Physics> {
#pragma omp parallel for schedule(dynamic) num_threads(this->queue_.threads())
      for (std::int64_t c = 0; c < chunks(); ++c) chunk_walls<Treatment, Physics>(work_of(c, step, now, now));
    });
  }

  StageExtremes stage(StageStep<Real> step, State now, State next) override {
    StageExtremes extremes;
#pragma omp parallel num_threads(this->queue_.threads())
    {
      StageExtremes thread_extremes;
#pragma omp for schedule(dynamic)
      for (std::int64_t c = 0; c < chunks(); ++c)
        thread_extremes.take(
            this->with_model([&]<class Physics> { return chunk_stage<Physics>(work_of(c, step, now, next)); }));
#pragma omp critical
      extremes.take(thread_extremes);
    }
    return extremes;
  }

 private:
  std::int64_t chunks() const { return (this->owned().end - this->owned().begin + chunk_size - 1) / chunk_size; }
  std::int64_t chunk_begin(std::int64_t chunk) const { return this->owned().begin + chunk * chunk_size; }

  ChunkWork<Real, dimensions> work_of(std::int64_t chunk, StageStep<Real> step, State now, State next) {
    return {this->parameters_,
            lists_[static_cast<std::size_t>(chunk)],
            this->ids(),
            chunk_begin(chunk),
            std::min(chunk_begin(chunk + 1), this->owned().end),
            this->alive(),
            step,
            this->base(),
            now,
            next};
  }

  template <class Physics>
  void fill_chunk(std::int64_t chunk) {
    ChunkList& list = lists_[static_cast<std::size_t>(chunk)];
    const std::int64_t begin = chunk_begin(chunk);
    const std::int64_t end = std::min(begin + chunk_size, this->alive());
    std::int32_t filled = 0;
    for (std::int64_t i = begin; i < end; ++i) {
      list.start[i - begin] = filled;
      std::int64_t candidates = lanes;
      for (int run = 0; run < this->template runs<Physics>(); ++run) {
        const auto range = this->template range<Physics>(i, run);
        candidates += range.end - range.begin;
      }
      if (list.neighbor.size() < static_cast<std::size_t>(filled + candidates))
        list.neighbor.resize(static_cast<std::size_t>(filled + candidates) * 5 / 4);
      filled = append_neighbors<Physics>(i, list.neighbor.data(), filled);
      while ((filled - list.start[i - begin]) % lanes)
        list.neighbor[static_cast<std::size_t>(filled++)] = static_cast<std::int32_t>(i);
    }
    for (std::int64_t i = std::max(begin, end); i <= begin + chunk_size; ++i) list.start[i - begin] = filled;
    if (end >= begin) list.start[end - begin] = filled;
  }

  /// Writes the neighbors that particle i needs: a wall that takes no part in sums needs fluid, or nothing.
  template <class Physics>
  std::int32_t append_neighbors(std::int64_t i, std::int32_t* neighbor, std::int32_t filled) {
    const State base = this->base();
    const bool active = is_active(this->parameters_, base.position[i]);
    if (!active && !sums_over_fluid(this->parameters_.walls)) return filled;
    for (int run = 0; run < this->template runs<Physics>(); ++run) {
      const auto range = this->template range<Physics>(i, run);
      filled =
          append_range<Physics>(this->parameters_, base.position, i, !active, range.begin, range.end, neighbor, filled);
    }
    return filled;
  }

  /// Writes every candidate and keeps those that are neighbors: no branch to mispredict.
  template <class Physics>
  SHOAL_CPU_VARIANTS static std::int32_t append_range(const Parameters<Real, dimensions>& parameters,
                                                      const PositionDensity<Real, dimensions>* position, std::int64_t i,
                                                      bool fluid_only, std::int64_t begin, std::int64_t end,
                                                      std::int32_t* neighbor, std::int32_t filled) {
    for (std::int64_t j = begin; j < end; ++j) {
      const bool needed = j != i && !(fluid_only && is_wall(position[j]));
      neighbor[filled] = static_cast<std::int32_t>(j);
      filled += needed && within_support<Physics>(parameters, position[i], position[j]);
    }
    return filled;
  }

  std::vector<ChunkList> lists_;
};

/// On a line the curve goes through the cells in their order.
template <class Real, int dimensions>
struct ListInZOrder final : List<Real, dimensions> {
  ListInZOrder(const Queue& queue, Setup<Real, dimensions>&& setup)
      : List<Real, dimensions>(queue, std::move(setup), {.are_in_z_order = dimensions > 1}) {}
};

}  // namespace

constinit const Method list = host_method<List>({"list", DeviceKind::cpu, true, "Massidda (THINS)"});
constinit const Method list_z_order =
    host_method<ListInZOrder>({"list_z_order", DeviceKind::cpu, true, "Massidda (THINS), Morton (1966)"});

}  // namespace shoal::sph
