// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/collision_term.hpp"

#include <algorithm>

#include "collision/setup/collision_setup.hpp"
#include "gas/mixture/mixture_rates.hpp"
#include "gas/mixture/species_order.hpp"
#include "gas/stepping/model_term.hpp"

namespace shoal::gas {

namespace {

/// Collisions of a setup.
template <class Real>
Collision<Real> make_collision(const Queue& queue, const GasSetup& setup) {
  if (setup.mixture) return {queue, setup.velocities, *setup.mixture, setup.options.collision};
  return {queue, setup.velocities, setup.molecules, setup.options.collision};
}

/// Boltzmann's integral.
template <class Real>
class BoltzmannTerm : public CollisionTerm<Real> {
 public:
  BoltzmannTerm(const Queue& queue, const GasSetup& setup)
      : setup_(setup), collision_(make_collision<Real>(queue, setup)), order_(queue, setup) {
    if (!setup.mixture) return;
    for (Array<Real>* array : {&f_, &q_}) *array = Array<Real>(queue, setup.cells() * setup.node_count());
  }

  void evaluate(const Real* f, const std::vector<VelocityMoments>& moments, Real* q,
                std::vector<NodeFrequency>& frequency) override {
    const std::int64_t count = setup_.cells() * setup_.node_count();
    const Device device = collision_.queue().device();
    if (setup_.mixture) {
      order_.to_species(f, f_.data());
      collision_.evaluate(f_.view(), q_.view());
      order_.to_layers(q_.data(), q);
    } else {
      collision_.evaluate(View<const Real>(f, count, device), View<Real>(q, count, device));
    }
    find_bounds(moments, frequency);
    collision_.queue().wait();
  }
  std::int64_t evaluations() const override { return collision_.evaluations(); }
  void set_evaluations(std::int64_t number) override { collision_.set_evaluations(number); }
  std::vector<Warning> warnings(View<const Real> f) override { return collision_.warnings(f, setup_.first_cell()); }

 private:
  void find_bounds(const std::vector<VelocityMoments>& moments, std::vector<NodeFrequency>& frequency) const {
    if (setup_.mixture)
      return for_each_species(setup_, moments, [&](std::size_t species, std::size_t i, const SpeciesMoments& cell) {
        frequency[i] = mixture_frequency(*setup_.mixture, species, cell);
      });
    const collision::CollisionKernel kernel = collision::collision_kernel(setup_.molecules);
    const CollisionOptions& options = setup_.options.collision;
    const bool in_ball =
        options.support == CollisionSupport::ball &&
        (options.approach == CollisionApproach::conservative || options.approach == CollisionApproach::interpolated);
    constexpr double rounding = 1e-9;  // nodes on the sphere collide
    const double radius = setup_.velocities.half_width * (1 + rounding);
    std::transform(moments.begin(), moments.end(), frequency.begin(), [&](const VelocityMoments& state) {
      NodeFrequency bound{
          .rate = kernel.factor * state.density, .square = 3 * state.temperature, .power = kernel.power};
      std::copy_n(state.velocity.begin(), 3, bound.velocity);
      if (setup_.has_inverse_collisions()) bound.inverse_share = 0.04;  // the mean of w² is 0.024
      if (!in_ball) return bound;
      std::copy_n(setup_.velocities.center.begin(), 3, bound.center);
      bound.ball_square = radius * radius;
      return bound;
    });
  }

  const GasSetup& setup_;
  Collision<Real> collision_;
  SpeciesOrder<Real> order_;
  Array<Real> f_, q_;  ///< [2][own cells × nodes] of a mixture
};

}  // namespace

template <class Real>
std::unique_ptr<CollisionTerm<Real>> make_collision_term(const Queue& queue, const GasSetup& setup) {
  if (setup.options.model == GasModel::none) return nullptr;
  if (setup.options.model == GasModel::boltzmann) return std::make_unique<BoltzmannTerm<Real>>(queue, setup);
  return backend<ModelTermBackend<Real>>(queue).make(queue, setup);
}
template std::unique_ptr<CollisionTerm<float>> make_collision_term(const Queue&, const GasSetup&);
template std::unique_ptr<CollisionTerm<double>> make_collision_term(const Queue&, const GasSetup&);

}  // namespace shoal::gas
