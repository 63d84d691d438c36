// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/collision_term.hpp"

#include <algorithm>

#include "collision/setup/collision_setup.hpp"
#include "gas/stepping/model_term.hpp"

namespace shoal::gas {

namespace {

/// Boltzmann's integral.
template <class Real>
class BoltzmannTerm : public CollisionTerm<Real> {
 public:
  BoltzmannTerm(const Queue& queue, const GasSetup& setup)
      : setup_(setup),
        kernel_(collision::collision_kernel(setup.molecules)),
        collision_(queue, setup.velocities, setup.molecules, setup.options.collision) {}

  void evaluate(const Real* f, const std::vector<VelocityMoments>& moments, Real* q,
                std::vector<NodeFrequency>& frequency) override {
    const std::int64_t count = setup_.cells() * setup_.node_count();
    const Device device = collision_.queue().device();
    collision_.evaluate(View<const Real>(f, count, device), View<Real>(q, count, device));
    std::transform(moments.begin(), moments.end(), frequency.begin(), [&](const VelocityMoments& state) {
      NodeFrequency bound{
          .rate = kernel_.factor * state.density, .square = 3 * state.temperature, .power = kernel_.power};
      std::copy_n(state.velocity.begin(), 3, bound.velocity);
      return bound;
    });
    collision_.queue().wait();
  }
  std::int64_t evaluations() const override { return collision_.evaluations(); }
  void set_evaluations(std::int64_t number) override { collision_.set_evaluations(number); }
  std::vector<Warning> warnings(View<const Real> f) override { return collision_.warnings(f, setup_.first_cell()); }

 private:
  const GasSetup& setup_;
  collision::CollisionKernel kernel_;
  Collision<Real> collision_;
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
