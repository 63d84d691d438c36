// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "gas/stepping/model_term.hpp"

namespace shoal::gas {

namespace {

template <class Real, class Model>
class HostModelTerm : public CollisionTerm<Real> {
 public:
  HostModelTerm(Queue queue, const GasSetup& setup) : queue_(std::move(queue)), setup_(setup) {}

  void evaluate(const Real* f, const std::vector<VelocityMoments>& moments, Real* q,
                std::vector<NodeFrequency>& frequency) override {
    const std::int64_t cells = setup_.cells(), nodes = setup_.node_count();
    std::int64_t first_fault = cells;
    find_targets<Model>(setup_, moments, states_, frequency);
#pragma omp parallel for num_threads(queue_.threads()) schedule(dynamic, 1) reduction(min : first_fault)
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      const CellState& state = states_[static_cast<std::size_t>(cell)];
      Model model;
      DiscreteMaxwellian table;
      if (!model.fit(SerialTeam(), setup_.nodes, state, setup_.options.prandtl, table)) {
        first_fault = std::min(first_fault, cell);
        continue;
      }
      relax(model, table, frequency[static_cast<std::size_t>(cell)].rate, f + cell * nodes, q + cell * nodes);
    }
    if (first_fault == cells) return;
    const CellState& state = states_[static_cast<std::size_t>(first_fault)];
    throw Error(model_fault<Model>(setup_, first_fault, state.density, state.temperature));
  }

 private:
  void relax(const Model& model, const DiscreteMaxwellian& table, double nu, const Real* f, Real* q) const {
    const int n = setup_.nodes.n;
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y) {
        const std::int64_t row = (static_cast<std::int64_t>(z) * n + y) * n;
        for (int x = 0; x < n; ++x)
          q[row + x] = static_cast<Real>(nu * (model.target(setup_.nodes, table, x, y, z) - f[row + x]));
      }
  }

  Queue queue_;
  const GasSetup& setup_;
  std::vector<CellState> states_;  ///< [cells] states that determine the targets
};

}  // namespace

template <class Real>
const ModelTermBackend<Real> ModelTermBackend<Real>::cpu = {.make = make_model_term<HostModelTerm, Real>};
template const ModelTermBackend<float> ModelTermBackend<float>::cpu;
template const ModelTermBackend<double> ModelTermBackend<double>::cpu;

}  // namespace shoal::gas
