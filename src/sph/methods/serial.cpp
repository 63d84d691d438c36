// SPDX-License-Identifier: Apache-2.0
// serial: the oracle. One thread tests every candidate of the nine (27) cells around each particle.
//
// idea           equations (4) to (6) as they are written
// source         Massidda (THINS report), the CPU version
// memory         no list
// atomics        none
// deterministic  yes
// wins when      never; every other method is tested against it
// loses when     always
// deviations     no list: candidates are tested in every stage, against the positions at the start of the step; counting
//                sort instead of quicksort; rows of cells, in 3-D cut into slices; mass, momentum and energy in one
//                pass, with the update; fixed-point positions, density as deviation
#include "sph/sph_method.hpp"
#include "sph/stepping/host_stepper.hpp"

namespace shoal::sph {

namespace {

template <class Real, int dimensions>
class Serial final : public HostStepper<Real, dimensions> {
  using Base = HostStepper<Real, dimensions>;
  using State = StateView<Real, dimensions>;

 public:
  using Base::Base;

 protected:
  void set_wall_pressures(int stage, State now) override {
    this->with_walls_and_physics(
        [&]<class Treatment, class Physics> { set_pressures<Treatment, Physics>(stage, now); });
  }
  StageExtremes stage(StageStep<Real> step, State now, State next) override {
    return this->with_model([&]<class Physics> { return pass<Physics>(step, now, next); });
  }

 private:
  template <class Treatment, class Physics>
  void set_pressures(int stage, State now) {
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
  }

  template <class Physics>
  StageExtremes pass(StageStep<Real> step, State now, State next) {
    const StageStates<Real, dimensions> states{this->base(), now, next};
    StageExtremes extremes;
    for (std::int64_t i = this->owned().begin; i < this->owned().end; ++i) {
      const auto particle = load<Physics>(now, i);
      const bool inside = i < this->alive();
      const bool active = inside && is_active(this->parameters_, particle.position);
      RatesOf<Physics, Real, dimensions> rates;
      if (active)
        this->template for_each_neighbor<Physics>(i, [&](std::int64_t j) {
          add_neighbor<Physics>(this->parameters_, particle, load<Physics>(now, j), rates);
        });
      extremes.take(
          this->parameters_,
          pass_stage<Physics>(this->parameters_, step, states, i, this->id(i), inside, active, particle, rates),
          step.stage, this->id(i));
    }
    return extremes;
  }
};

}  // namespace

constinit const Method serial = host_method<Serial>({"serial", DeviceKind::cpu, true, "Massidda (THINS)"});

}  // namespace shoal::sph
