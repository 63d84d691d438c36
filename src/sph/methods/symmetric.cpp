// SPDX-License-Identifier: Apache-2.0
// symmetric: each pair once, on CPU threads.
//
// idea           a pair adds to both of its particles. A row of cells adds to itself and to the rows after it; rows of
//                one color have no particles in common and run in parallel, color after color
// source         Massidda (THINS report), the pair loop of its CPU version; colors instead of locks are shoal's
// memory         half a list, 4 bytes a pair, and the rates of every particle
// atomics        none
// deterministic  yes: the colors have a fixed order, and within a color no two rows add to one particle
// wins when      pairs cost more than memory and the CPU has no wide vectors
// loses when     vectors are wide: scattered sums keep pairs from being summed side by side
// deviations     general physics and repulsive walls sum each side of a pair: the two sides differ
#include <algorithm>

#include "core/first_exception.hpp"
#include "core/text.hpp"
#include "sph/sph_method.hpp"
#include "sph/stepping/host_stepper.hpp"

namespace shoal::sph {

namespace {

template <class Real, int dimensions>
class Symmetric final : public HostStepper<Real, dimensions> {
  using Base = HostStepper<Real, dimensions>;
  using State = StateView<Real, dimensions>;

 public:
  Symmetric(const Queue& queue, Setup<Real, dimensions>&& setup) : Base(queue, std::move(setup)) {
    require(this->count() < std::numeric_limits<std::int32_t>::max(), "sph: ", this->count(),
            " particles are more than the method symmetric can number (2147483647).");
  }

 protected:
  void find_neighbors() override {
    const Parameters<Real, dimensions>& parameters = this->parameters_;
    const int layers = parameters.slab.count;
    along_[0] = dimensions == 2 ? layers : dimensions == 3 ? parameters.cells[dimensions > 1 ? 1 : 0] : 1;
    along_[1] = dimensions == 3 ? layers : 1;
    rows_.resize(static_cast<std::size_t>(along_[0]) * along_[1]);
    this->with_model([&]<class Physics> {
      rates_of<Physics>().reserve(static_cast<std::size_t>(this->count()));
      FirstException failure;
#pragma omp parallel for schedule(dynamic, 4) num_threads(this->queue_.threads())
      for (std::size_t row = 0; row < rows_.size(); ++row)
        failure.guard([&] {
          if (is_two_sided<Physics>()) find_pairs<Physics>(row);
        });
      failure.rethrow();
    });
    this->lap("find_neighbors");
  }

  void set_wall_pressures(int stage, State now) override {
    this->with_walls_and_physics([&]<class Treatment, class Physics> {
#pragma omp parallel for schedule(dynamic, 64) num_threads(this->queue_.threads())
      for (std::int64_t i = this->owned().begin; i < this->alive(); ++i) {
        if (!is_wall(this->base().position[i])) continue;
        typename Treatment::template Sums<Physics, Real, dimensions> sums;
        const auto wall = load<Physics>(now, i);
        this->template for_each_neighbor<Physics>(i, [&](std::int64_t j) {
          if (!is_wall(this->base().position[j]))
            Treatment::template add_fluid<Physics>(this->parameters_, wall, load<Physics>(now, j), sums);
        });
        set_wall_pressure<Treatment, Physics>(this->parameters_, stage, this->id(i), now, i, wall, sums);
      }
    });
  }

  StageExtremes stage(StageStep<Real> step, State now, State next) override {
    return this->with_model([&]<class Physics> {
      auto& rates = rates_of<Physics>();
      rates.assign(static_cast<std::size_t>(this->count()), {});
      if (is_two_sided<Physics>()) {
        if constexpr (!Physics::is_general) sum_pairs<Physics>(now, rates);
      } else {
        sum_one_sided<Physics>(now, rates);
      }
      this->lap("sum_pairs");
      return pass<Physics>(step, now, next, rates);
    });
  }

 private:
  /// The pairs that begin in a row of cells: the neighbors of particle k are neighbor[start[k]] to neighbor[start[k + 1]].
  struct Row {
    std::vector<std::int32_t> start;
    std::vector<std::int32_t> neighbor;
  };

  /// Rows of one color are this far apart along y and z, so that their sums do not meet.
  static constexpr int apart[2] = {dimensions == 3 ? 3 : 2, 2};

  template <class Physics>
  auto& rates_of() {
    if constexpr (Physics::is_general)
      return general_rates_;
    else
      return rates_;
  }

  template <class Physics>
  bool is_two_sided() const {
    return !Physics::is_general && !has_own_force(this->parameters_.walls);
  }

  /// Calls visit(j) for the neighbors of particle i, which may be a ghost of the layer below: of those only the pairs with
  /// particles of this rank count.
  template <class Physics, class Visit>
  void for_each_partner(std::int64_t i, const Visit& visit) const {
    if (i >= this->owned().begin) return this->template for_each_neighbor<Physics>(i, visit);
    const PositionDensity<Real, dimensions>* position = this->base_position();
    const std::uint32_t cell = Base::ghost_cell(i);
    for (int run = 0; run < this->template runs<Physics>(); ++run) {
      if (row_offset<dimensions>(run, dimensions - 1) != 1) continue;
      const auto candidates = this->template range_of_cell<Physics>(cell, run);
      for (std::int64_t j = candidates.begin; j < candidates.end; ++j)
        if (within_support<Physics>(this->parameters_, position[i], position[j])) visit(j);
    }
  }

  /// Particle range of a row of cells.
  typename Base::Range particles(std::size_t row) const {
    const auto cells = static_cast<std::uint32_t>(this->parameters_.cells[0]);
    const auto first = static_cast<std::uint32_t>(row) * cells;
    return {this->cell_begin(first), this->cell_begin(first + cells)};
  }

  template <class Physics>
  void find_pairs(std::size_t row) {
    Row& pairs = rows_[row];
    const auto range = particles(row);
    pairs.start.assign(1, 0);
    pairs.neighbor.clear();
    const PositionDensity<Real, dimensions>* position = this->base().position;
    if (range.begin >= this->owned().end) return;  // ghosts of the layer above
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      const bool active = is_active(this->parameters_, position[i]);
      for_each_partner<Physics>(i, [&](std::int64_t j) {
        if (j > i && (active || is_active(this->parameters_, position[j])))
          pairs.neighbor.push_back(static_cast<std::int32_t>(j));
      });
      pairs.start.push_back(static_cast<std::int32_t>(pairs.neighbor.size()));
    }
  }

  template <class Physics>
  void sum_pairs(State now, std::vector<Rates<Real, dimensions>>& rates) {
    // Colors are those of the rows of the domain, so that they do not depend on the ranks.
    const int shift_y = dimensions == 2 ? this->parameters_.slab.first : 0;
    const int shift_z = dimensions == 3 ? this->parameters_.slab.first : 0;
    const auto first = [](int color, int shift, int step) { return ((color - shift) % step + step) % step; };
    for (int color = 0; color < apart[0] * (dimensions == 3 ? apart[1] : 1); ++color) {
#pragma omp parallel for collapse(2) schedule(dynamic, 1) num_threads(this->queue_.threads())
      for (int z = first(color / apart[0], shift_z, apart[1]); z < along_[1]; z += apart[1])
        for (int y = first(color % apart[0], shift_y, apart[0]); y < along_[0]; y += apart[0])
          sum_row<Physics>(static_cast<std::size_t>(z) * along_[0] + y, now, rates.data());
    }
  }

  template <class Physics>
  void sum_row(std::size_t row, State now, Rates<Real, dimensions>* rates) {
    const Row& pairs = rows_[row];
    const std::int64_t begin = particles(row).begin;
    for (std::size_t k = 0; k + 1 < pairs.start.size(); ++k) {
      const std::int64_t i = begin + static_cast<std::int64_t>(k);
      const Particle<Real, dimensions> particle = now.load(i);
      Rates<Real, dimensions> sums;
      for (std::int32_t pair = pairs.start[k]; pair < pairs.start[k + 1]; ++pair) {
        const std::int32_t j = pairs.neighbor[static_cast<std::size_t>(pair)];
        add_both<Physics>(this->parameters_, particle, now.load(j), sums, rates[j]);
      }
      rates[i].density += sums.density;
      rates[i].heating += sums.heating;
      for (int axis = 0; axis < dimensions; ++axis) rates[i].acceleration[axis] += sums.acceleration[axis];
    }
  }

  template <class Physics>
  void sum_one_sided(State now, std::vector<RatesOf<Physics, Real, dimensions>>& rates) {
#pragma omp parallel for schedule(dynamic, 64) num_threads(this->queue_.threads())
    for (std::int64_t i = this->owned().begin; i < this->alive(); ++i) {
      const auto particle = load<Physics>(now, i);
      if (!is_active(this->parameters_, particle.position)) continue;
      this->template for_each_neighbor<Physics>(i, [&](std::int64_t j) {
        add_neighbor<Physics>(this->parameters_, particle, load<Physics>(now, j), rates[static_cast<std::size_t>(i)]);
      });
    }
  }

  template <class Physics>
  StageExtremes pass(StageStep<Real> step, State now, State next,
                     const std::vector<RatesOf<Physics, Real, dimensions>>& rates) {
    const StageStates<Real, dimensions> states{this->base(), now, next};
    StageExtremes extremes;
#pragma omp parallel num_threads(this->queue_.threads())
    {
      StageExtremes thread_extremes;
#pragma omp for schedule(static)
      for (std::int64_t i = this->owned().begin; i < this->owned().end; ++i) {
        const auto particle = load<Physics>(now, i);
        const bool inside = i < this->alive();
        const bool active = inside && is_active(this->parameters_, particle.position);
        thread_extremes.take(this->parameters_,
                             pass_stage<Physics>(this->parameters_, step, states, i, this->id(i), inside, active,
                                                 particle, rates[static_cast<std::size_t>(i)]),
                             step.stage, this->id(i));
      }
#pragma omp critical
      extremes.take(thread_extremes);
    }
    return extremes;
  }

  int along_[2];  ///< rows along y and z
  std::vector<Row> rows_;
  std::vector<Rates<Real, dimensions>> rates_;                  ///< [n] in plain physics
  std::vector<ShiftingRates<Real, dimensions>> general_rates_;  ///< [n] in general physics
};

}  // namespace

constinit const Method symmetric = host_method<Symmetric>({"symmetric", DeviceKind::cpu, true, "Massidda (THINS)"});

}  // namespace shoal::sph
