// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/cuda/launch.cuh"
#include "core/device/queue_order.hpp"
#include "core/device/status.hpp"
#include "core/memory/pinned_array.hpp"
#include "gas/stepping/cuda/block_team.cuh"
#include "gas/stepping/model_term.hpp"

namespace shoal::gas {

namespace {

constexpr int fit_threads = 128;    ///< Threads of a block that fits the target of a cell.
constexpr int relax_threads = 256;  ///< Threads of a block that relaxes a plane of nodes.

/// Fits the target of a cell, one block each. The frequency of a cell without a target becomes NaN.
template <class Model>
__global__ void fit_cells(NodeVelocities nodes, const CellState* states, double prandtl, Model* models,
                          NodeFrequency* frequencies, Status* status) {
  __shared__ DiscreteMaxwellian table;
  const std::int64_t cell = blockIdx.x;
  Model model;
  const bool fits = model.fit(BlockTeam<fit_threads>(), nodes, states[cell], prandtl, table);
  if (threadIdx.x != 0) return;
  models[cell] = model;
  if (fits) return;
  frequencies[cell].rate = NAN;
  record(status, cell, 0);
}

/// Relaxation of a plane of nodes of a cell, one block each.
template <class Model, class Real>
__global__ void relax_planes(NodeVelocities nodes, const Model* models, const NodeFrequency* frequencies, const Real* f,
                             Real* q) {
  __shared__ DiscreteMaxwellian table;
  const int n = nodes.n, z = static_cast<int>(blockIdx.x % static_cast<unsigned>(n));
  const std::int64_t plane = blockIdx.x, cell = plane / n;
  const Model model = models[cell];
  const double nu = frequencies[cell].rate;
  table.fill(BlockTeam<relax_threads>(), nodes, model.shape);
  for (int k = static_cast<int>(threadIdx.x); k < n * n; k += relax_threads) {
    const std::int64_t i = plane * n * n + k;
    q[i] = static_cast<Real>(nu * (model.target(nodes, table, k % n, k / n, z) - static_cast<double>(f[i])));
  }
}

template <class Real, class Model>
class CudaModelTerm : public CollisionTerm<Real> {
 public:
  CudaModelTerm(const Queue& queue, const GasSetup& setup)
      : queue_(queue),
        setup_(setup),
        page_locked_states_(queue),
        page_locked_frequencies_(queue),
        states_(queue, setup.cells()),
        frequencies_(queue, setup.cells()),
        models_(queue, setup.cells()),
        status_(watch_status(queue, [this](int, std::int64_t cell, const double*) {
          const CellState& state = host_states_[static_cast<std::size_t>(cell)];
          return model_fault<Model>(setup_, cell, state.density, state.temperature);
        })) {}

  ~CudaModelTerm() override {
    try {
      wait_for_work(queue_);  // it copies from page-locked memory
    } catch (...) {
      return;  // the device has failed: nothing copies any more
    }
  }

  void evaluate(const Real* f, const std::vector<VelocityMoments>& moments, Real* q,
                std::vector<NodeFrequency>& frequency) override {
    find_targets<Model>(setup_, moments, host_states_, frequency);
    upload(host_states_, page_locked_states_, states_);
    upload(frequency, page_locked_frequencies_, frequencies_);
    const std::int64_t cells = setup_.cells();
    launch<fit_threads>(queue_, cells * fit_threads, fit_cells<Model>, setup_.nodes, states_.data(),
                        setup_.options.prandtl, models_.data(), frequencies_.data(), status_->device_pointer());
    launch<relax_threads>(queue_, cells * setup_.nodes.n * relax_threads, relax_planes<Model, Real>, setup_.nodes,
                          models_.data(), frequencies_.data(), f, q);
  }

 private:
  /// Copies values of the host without a wait. The caller has waited since the call before, for the moments.
  template <class Value>
  void upload(const std::vector<Value>& values, PinnedArray<Value>& page_locked, Array<Value>& device_values) {
    page_locked.resize(static_cast<std::int64_t>(values.size()));
    std::copy(values.begin(), values.end(), page_locked.data());
    copy_from_pinned(queue_, device_values.data(), page_locked.data(), static_cast<std::size_t>(device_values.bytes()));
  }

  Queue queue_;
  const GasSetup& setup_;
  std::vector<CellState> host_states_;
  PinnedArray<CellState> page_locked_states_;
  PinnedArray<NodeFrequency> page_locked_frequencies_;
  Array<CellState> states_;
  Array<NodeFrequency> frequencies_;
  Array<Model> models_;
  std::shared_ptr<StatusBlock> status_;
};

}  // namespace

template <class Real>
const ModelTermBackend<Real> ModelTermBackend<Real>::cuda = {.make = make_model_term<CudaModelTerm, Real>};
template const ModelTermBackend<float> ModelTermBackend<float>::cuda;
template const ModelTermBackend<double> ModelTermBackend<double>::cuda;

}  // namespace shoal::gas
