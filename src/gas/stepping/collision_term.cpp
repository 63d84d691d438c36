// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/collision_term.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "gas/models/bgk.hpp"
#include "gas/models/es_bgk.hpp"
#include "gas/models/shakhov.hpp"

namespace shoal::gas {

namespace {

/// Relaxation to the target of a model, ν (G − f).
template <class Real, class Model>
class ModelTerm : public CollisionTerm<Real> {
 public:
  ModelTerm(Queue queue, const GasSetup& setup) : queue_(std::move(queue)), setup_(setup) {}

  void evaluate(const Real* f, const std::vector<VelocityMoments>& moments, Real* q,
                std::vector<double>& frequency) override {
    const std::int64_t cells = setup_.cells(), nodes = setup_.node_count();
    std::int64_t first_fault = cells;
#pragma omp parallel for num_threads(queue_.threads()) schedule(dynamic, 1) reduction(min : first_fault)
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      const VelocityMoments& state = moments[static_cast<std::size_t>(cell)];
      Model model;
      if (!model.fit(setup_.nodes, state, setup_.options.prandtl)) {
        first_fault = std::min(first_fault, cell);
        continue;
      }
      double& nu = frequency[static_cast<std::size_t>(cell)];
      nu = model_frequency(state);
      relax(model, nu, f + cell * nodes, q + cell * nodes);
    }
    if (first_fault < cells) fail(first_fault, moments[static_cast<std::size_t>(first_fault)]);
  }

 private:
  double model_frequency(const VelocityMoments& state) const {
    return Model::frequency_share(setup_.options.prandtl) * state.density * state.temperature /
           viscosity(setup_.molecules, state.temperature);
  }

  void relax(const Model& model, double nu, const Real* f, Real* q) const {
    const int n = setup_.nodes.n;
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y) {
        const std::int64_t row = (static_cast<std::int64_t>(z) * n + y) * n;
        model.row(setup_.nodes, y, z,
                  [&](int x, double target) { q[row + x] = static_cast<Real>(nu * (target - f[row + x])); });
      }
  }

  [[noreturn]] void fail(std::int64_t cell, const VelocityMoments& state) const {
    throw Error(text("gas: the velocity grid of ", setup_.nodes.n, " nodes and half width ", setup_.nodes.half_width,
                     " m/s cannot represent the target of ", to_name(Model::name), " in cell ", cell, ": density ",
                     state.density, " 1/m3, temperature ", state.temperature,
                     " m2/s2. Use a half width of about 5 thermal speeds, and a spacing of at most 0.7 of one."));
  }

  Queue queue_;
  const GasSetup& setup_;
};

/// Boltzmann's integral.
template <class Real>
class BoltzmannTerm : public CollisionTerm<Real> {
 public:
  BoltzmannTerm(const Queue& queue, const GasSetup& setup)
      : setup_(setup),
        collision_(queue, setup.velocities, setup.molecules, setup.options.collision),
        frequencies_(queue, setup.cells() * setup.node_count()) {}

  void evaluate(const Real* f, const std::vector<VelocityMoments>&, Real* q, std::vector<double>& frequency) override {
    const std::int64_t nodes = setup_.node_count(), count = setup_.cells() * nodes;
    const View<const Real> distributions(f, count);
    collision_.evaluate(distributions, View<Real>(q, count));
    collision_.frequency(distributions, frequencies_);
    collision_.queue().wait();
#pragma omp parallel for num_threads(collision_.queue().threads())
    for (std::int64_t cell = 0; cell < setup_.cells(); ++cell) {
      const Real* first = frequencies_.data() + cell * nodes;
      frequency[static_cast<std::size_t>(cell)] = static_cast<double>(*std::max_element(first, first + nodes));
    }
  }
  std::int64_t evaluations() const override { return collision_.evaluations(); }
  void set_evaluations(std::int64_t number) override { collision_.set_evaluations(number); }
  std::vector<Warning> warnings(View<const Real> f) override { return collision_.warnings(f); }

 private:
  const GasSetup& setup_;
  Collision<Real> collision_;
  Array<Real> frequencies_;  ///< [cells × nodes]
};

}  // namespace

template <class Real>
std::unique_ptr<CollisionTerm<Real>> make_collision_term(const Queue& queue, const GasSetup& setup) {
  switch (setup.options.model) {
    case GasModel::none:
      break;
    case GasModel::bgk:
      return std::make_unique<ModelTerm<Real, Bgk>>(queue, setup);
    case GasModel::es_bgk:
      return std::make_unique<ModelTerm<Real, EsBgk>>(queue, setup);
    case GasModel::shakhov:
      return std::make_unique<ModelTerm<Real, Shakhov>>(queue, setup);
    case GasModel::boltzmann:
      return std::make_unique<BoltzmannTerm<Real>>(queue, setup);
  }
  return nullptr;
}
template std::unique_ptr<CollisionTerm<float>> make_collision_term(const Queue&, const GasSetup&);
template std::unique_ptr<CollisionTerm<double>> make_collision_term(const Queue&, const GasSetup&);

}  // namespace shoal::gas
