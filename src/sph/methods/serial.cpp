// SPDX-License-Identifier: Apache-2.0
// serial: the oracle. One thread, one particle after another, every candidate of the nine (27) cells around it tested.
//
// idea           equations (4) to (6) as they are written
// source         Massidda (THINS report), the CPU version
// memory         no list
// atomics        none
// deterministic  yes
// wins when      never; every other method is tested against it
// loses when     always
// differs        candidates are tested against the positions at the start of the step, as the paper's list is, but not
// stored
#include "sph/host_stepper.hpp"
#include "sph/sph_methods.hpp"
#include "sph/wall_item.hpp"

namespace shoal::sph {

namespace {

template <class Real, int dimensions>
class Serial final : public HostStepper<Real, dimensions> {
  using Base = HostStepper<Real, dimensions>;
  using State = StateView<Real, dimensions>;

 public:
  using Base::Base;

 protected:
  void set_wall_pressures(State now) override {
    for (std::int64_t i = 0; i < this->alive(); ++i) {
      if (!is_wall(this->base().place[i])) continue;
      WallSums<Real, dimensions> sums;
      for_each_neighbor(i, [&](std::int64_t j) {
        if (!is_wall(this->base().place[j]))
          with_kernel([&]<Kernel kernel> { add_fluid<kernel>(this->parameters_, now.load(i), now.load(j), sums); });
      });
      now.store(i, with_pressure(this->parameters_, now.load(i), sums));
    }
  }

  StageExtremes stage(StageStep<Real> step, State now, State next) override {
    const State base = this->base();
    StageExtremes extremes;
    for (std::int64_t i = 0; i < this->count(); ++i) {
      const bool wall = is_wall(this->base().place[i]);
      next.store(i, now.load(i));
      next.energy[i] = now.energy[i];
      if (i >= this->alive() || (wall && this->parameters_.walls != Walls::dynamic)) continue;
      const Rates<Real, dimensions> rates = rates_of(i, now);
      if (wall) {
        next.store(i, advanced_wall(this->parameters_, step, base.load(i), now.load(i), rates));
        continue;
      }
      const auto result =
          advanced(this->parameters_, step, base.load(i), base.energy[i], now.load(i), now.energy[i], rates);
      next.store(i, result.particle);
      next.energy[i] = result.energy;
      extremes.take(this->parameters_, result, step.stage, this->id(i));
    }
    return extremes;
  }

 private:
  Rates<Real, dimensions> rates_of(std::int64_t i, State now) {
    Rates<Real, dimensions> rates;
    for_each_neighbor(i, [&](std::int64_t j) {
      with_kernel([&]<Kernel kernel> {
        if (this->parameters_.walls == Walls::repulsive && is_wall(this->base().place[j]))
          add_repulsion<kernel>(this->parameters_, now.load(i), now.load(j), rates);
        else
          add_pair<kernel>(this->parameters_, now.load(i), now.load(j), rates);
      });
    });
    return finished(this->parameters_, rates);
  }

  template <class Visit>
  void for_each_neighbor(std::int64_t i, const Visit& visit) {
    const State base = this->base();
    for (int r = 0; r < neighbor_rows<dimensions>; ++r)
      for (std::int64_t j = this->row(i, r).begin; j < this->row(i, r).end; ++j)
        if (j != i && within_support(this->parameters_, base.place[i], base.place[j])) visit(j);
  }

  template <class Visit>
  void with_kernel(const Visit& visit) {
    if (this->parameters_.kernel == Kernel::wendland_c2)
      visit.template operator()<Kernel::wendland_c2>();
    else
      visit.template operator()<Kernel::cubic_spline>();
  }
};

template <class Real, int dimensions>
std::unique_ptr<Stepper<Real, dimensions>> make(const Queue& queue, const Parameters<Real, dimensions>& parameters,
                                                HostState<Real, dimensions> state) {
  return std::make_unique<Serial<Real, dimensions>>(queue, parameters, std::move(state));
}

}  // namespace

const Method serial{{"serial", DeviceKind::cpu, true, "Massidda (THINS)"},
                    make<float, 2>,
                    make<float, 3>,
                    make<double, 2>,
                    make<double, 3>};

}  // namespace shoal::sph
