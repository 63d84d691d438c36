// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "collision/distribution/plane_sums.cuh"
#include "core/cuda/launch.cuh"
#include "gas/physics/limiters.hpp"
#include "gas/physics/moments_item.hpp"
#include "gas/stepping/line.cuh"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

namespace {

constexpr int wall_threads = 256;  ///< Threads of a block that adds what arrives at the ends.
constexpr int piece_cells = 32;    ///< Cells that a thread of advance_cells() visits.
constexpr int ahead = 4;           ///< Cells whose values a thread loads before it uses the first.

/// Step of a cell.
template <class Real>
struct alignas(2 * sizeof(Real)) CellStep {
  Real length;            ///< s
  Real length_per_width;  ///< s/m
};

/// Terms of the moments of a cell, as CellSums.
template <class Real>
struct MomentTerms {
  static constexpr int count = CellSums::count;
  NodeVelocities nodes;
  const Real* f;

  __device__ void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double w = v[0] - nodes.center[0], value = static_cast<double>(f[i]), first = w * value, second = w * first;
    CellSums::add({{value, first, second, w * second}}, v[1] - nodes.center[1], v[2] - nodes.center[2], sums);
  }
};

/// Terms of the fluxes through an end; the ends take the place of cells.
template <class Real>
struct FluxTerms {
  static constexpr int count = FluxSums::count;
  const Real* ends;

  __device__ void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double term = v[0] * static_cast<double>(ends[i]);
    FluxSums::add(term, v[0] * term, v[0] * v[0] * term, v[1], v[2], sums);
  }
};

/// Term |∂f/∂t|.
template <class Limiter, class Real>
struct ChangeTerms {
  static constexpr int count = 1;
  Line<Real> line;
  const double* widths;  ///< [cells] m
  const Real* q;

  __device__ void add(std::int64_t i, std::int64_t cell, const double* v, double* sums) const {
    const FaceValues<Real> face = line.template faces<Limiter>(static_cast<int>(cell), i - cell * line.nodes);
    const double transport = std::abs(v[0]) / widths[cell] * static_cast<double>(face.arriving - face.leaving);
    sums[0] += std::abs(transport + static_cast<double>(q[i]));
  }
};

/// Values at both ends of molecules that leave the gas; a periodic line joins its ends. Adds |v_x| f of a block to the sums
/// of what arrives at each end.
/// @param ends      [2 × nodes] those of leaving molecules are overwritten
/// @param arriving  [2 × blocks] overwritten
template <class Limiter, class Real>
__global__ void find_leaving(Line<Real> line, NodeVelocities nodes, Real* ends, double* arriving) {
  const std::int64_t k = thread_index();
  double sums[2] = {};
  if (k < line.nodes) {
    const bool forward = line.forward(k);
    const int cell = forward ? line.cells - 1 : 0;
    const Real center = line.value(cell, k);
    const Real rise =
        line.template rise<Limiter>(cell, forward, line.value(cell - 1, k), center, line.value(cell + 1, k));
    const Real value = forward ? center + rise : center - rise;
    ends[(forward ? line.nodes : 0) + k] = value;
    if (line.periodic) ends[(forward ? 0 : line.nodes) + k] = value;
    sums[forward ? 1 : 0] = std::abs(nodes.velocity(0, static_cast<int>(k % nodes.n))) * static_cast<double>(value);
  }
  const double sum = collision::block_sum<wall_threads>(sums);
  if (threadIdx.x < 2) arriving[threadIdx.x * gridDim.x + blockIdx.x] = sum;
}

/// Values at one end of molecules that enter the gas.
/// @param arriving  [blocks] sums of find_leaving() for this end
/// @param values    [nodes] f at the end
template <class Law, class Real>
__global__ void balance_wall(Law law, double unit_flux, const DiscreteMaxwellian* maxwellian, NodeVelocities nodes,
                             int begin, int end, const double* arriving, int blocks, Real* values) {
  __shared__ double total;
  double sums[1] = {};
  for (int block = static_cast<int>(threadIdx.x); block < blocks; block += wall_threads) sums[0] += arriving[block];
  const double sum = collision::block_sum<wall_threads>(sums);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  law.balance(total, unit_flux);
  const std::int64_t k = thread_index();
  const int n = nodes.n, x = static_cast<int>(k % n), opposite = n - 1 - x;
  if (k >= nodes.count() || x < begin || x >= end) return;
  const bool has_opposite = opposite < begin || opposite >= end;  // else the wall does not reflect
  const double reflected = has_opposite ? static_cast<double>(values[k - x + opposite]) : 0;
  const double emitted = maxwellian->value(x, static_cast<int>(k / n % n), static_cast<int>(k / n / n));
  values[k] = static_cast<Real>(law.entering(emitted, reflected));
}

/// Runge-Kutta stage of node k in the cells from `first` to `end`.
/// @param line  f of the previous stage
template <class Limiter, class Real, bool Inner>
__device__ void advance_piece(const Line<Real, Inner>& line, std::int64_t k, int first, int end, Real speed,
                              const Real* __restrict__ start, const Real* __restrict__ q,
                              const CellStep<Real>* __restrict__ steps, Real share, Real* __restrict__ result) {
  const bool forward = line.forward(k);
  const Real sign = forward ? 1 : -1;
  Real left = line.value(first - 1, k), center = line.value(first, k), right = line.value(first + 1, k);
  Real rise_left = line.template rise<Limiter>(first - 1, forward, line.value(first - 2, k), left, center);
  Real rise_center = line.template rise<Limiter>(first, forward, left, center, right);
  for (; first < end; first += ahead) {
    const std::int64_t base = first * line.nodes + k;
    Real beyond[ahead], starts[ahead], sources[ahead];
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      if (first + j >= end) break;
      const std::int64_t i = base + j * line.nodes;
      beyond[j] = line.value(first + j + 2, k);
      starts[j] = start != nullptr ? start[i] : Real(0);
      sources[j] = q != nullptr ? q[i] : Real(0);
    }
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      const int cell = first + j;
      if (cell >= end) break;
      const Real rise_right = line.template rise<Limiter>(cell + 1, forward, center, right, beyond[j]);
      const Real arriving = (forward ? left : right) + sign * (forward ? rise_left : rise_right);
      const Real leaving = center + sign * rise_center;
      const CellStep<Real> step = steps[cell];
      result[base + j * line.nodes] = stage_value(starts[j], center, arriving, leaving, sources[j], share,
                                                  step.length_per_width * speed, step.length);
      left = center, center = right, right = beyond[j];
      rise_left = rise_center, rise_center = rise_right;
    }
  }
}

/// One thread for each node of a piece of the line: f is read once, with slopes in registers.
/// @param start  null: f at the start of the step has no weight
/// @param q      null: no collisions
template <class Limiter, class Real>
__global__ void advance_cells(Line<Real> line, NodeVelocities nodes, const Real* start, const Real* q,
                              const CellStep<Real>* steps, Real share, Real* result) {
  const std::int64_t piece = thread_index() / line.nodes, k = thread_index() - piece * line.nodes;
  const std::int64_t begin = piece * piece_cells;
  if (begin >= line.cells) return;
  const int first = static_cast<int>(begin), end = min(first + piece_cells, line.cells);
  const auto speed = static_cast<Real>(std::abs(nodes.velocity(0, static_cast<int>(k % nodes.n))));
  if (first >= 2 && end + 2 <= line.cells)
    advance_piece<Limiter>(line.inner(), k, first, end, speed, start, q, steps, share, result);
  else
    advance_piece<Limiter>(line, k, first, end, speed, start, q, steps, share, result);
}

/// One thread for each velocity, from the upwind end of the line to the other.
template <class Limiter, class Real>
__global__ void sweep_line(Line<Real> line, NodeVelocities nodes, const Real* __restrict__ q,
                           const double* __restrict__ widths, const NodeFrequency* __restrict__ frequencies, Real least,
                           Real* __restrict__ result) {
  const std::int64_t k = thread_index();
  if (k >= line.nodes) return;
  const bool forward = line.forward(k);
  const int n = nodes.n, along = forward ? 1 : -1, upwind = forward ? 0 : line.cells - 1;
  const double v[3] = {nodes.velocity(0, static_cast<int>(k % n)), nodes.velocity(1, static_cast<int>(k / n % n)),
                       nodes.velocity(2, static_cast<int>(k / n / n))};
  const double speed = std::abs(v[0]);
  Real before = line.value(upwind - along, k), center = line.value(upwind, k);
  Real arriving = line.ends[(forward ? 0 : line.nodes) + k];
  for (int first = 0; first < line.cells; first += ahead) {
    Real after[ahead], sources[ahead];
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      const int cell = upwind + along * min(first + j, line.cells - 1);
      after[j] = line.value(cell + along, k);
      sources[j] = q[cell * line.nodes + k];
    }
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      if (first + j >= line.cells) break;
      const int cell = upwind + along * (first + j);
      const Real left = forward ? before : after[j], right = forward ? after[j] : before;
      const Real rise = static_cast<Real>(along) * line.template rise<Limiter>(cell, forward, left, center, right);
      const auto frequency = static_cast<Real>(frequencies[cell].at(v[0], v[1], v[2]));
      const Real gain = sources[j] + frequency * center;
      const auto rate = static_cast<Real>(speed / widths[cell]);
      const Real value = sweep_value(arriving, rise, gain, rate, frequency, least);
      result[cell * line.nodes + k] = value;
      arriving = value + rise;
      before = center, center = after[j];
    }
  }
}

template <class Real>
__global__ void scale_each(Real factor, std::int64_t count, Real* f) {
  const std::int64_t i = thread_index();
  if (i < count) f[i] *= factor;
}

template <class Real>
__global__ void add_source_each(const Real* source, std::int64_t nodes, std::int64_t count, Real* q) {
  const std::int64_t i = thread_index();
  if (i < count) q[i] += source[i % nodes];
}

/// Kernels with one thread for each node, or for each node of a piece of the line. Every sum has an order that depends on
/// nothing but the case.
template <class Real>
class CudaStepper : public Stepper<Real> {
 public:
  CudaStepper(const Queue& queue, const GasSetup& setup)
      : Stepper<Real>(queue, setup),
        scratch_(queue),
        factors_(queue, cells_),
        widths_(queue, cells_),
        steps_(queue, cells_),
        frequencies_(queue, cells_),
        wall_blocks_(static_cast<int>(blocks_for(nodes_, wall_threads))),
        arriving_(queue, 2 * static_cast<std::int64_t>(wall_blocks_)) {
    std::vector<SlopeFactors<Real>> factors;
    std::vector<double> widths;
    for (const CellShape& shape : setup.shapes) {
      factors.push_back({static_cast<Real>(shape.left_factor), static_cast<Real>(shape.right_factor)});
      widths.push_back(shape.width);
    }
    factors_ = to_device(queue, factors);
    widths_ = to_device(queue, widths);
    maxwellians_ =
        to_device(queue, std::vector{setup.boundary_states[0].maxwellian, setup.boundary_states[1].maxwellian});
    queue.wait();
  }

 private:
  using Stepper<Real>::queue_, Stepper<Real>::setup_, Stepper<Real>::n_, Stepper<Real>::nodes_, Stepper<Real>::cells_;
  using Stepper<Real>::f_, Stepper<Real>::next_, Stepper<Real>::q_, Stepper<Real>::ends_, Stepper<Real>::frequency_;
  using Stepper<Real>::source_, Stepper<Real>::boundaries_;

  Line<Real> line(const Real* f) const {
    return {f,  ends_.data(),         factors_.data(),  nodes_, static_cast<int>(cells_),
            n_, setup_.first_forward, setup_.periodic()};
  }

  void find_faces(const Real* f) override {
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      launch<wall_threads>(queue_, nodes_, find_leaving<Limiter, Real>, line(f), setup_.nodes, ends_.data(),
                           arriving_.data());
    });
    if (setup_.periodic()) return;
    for (std::size_t end = 0; end < 2; ++end) balance_end(end);
  }

  void balance_end(std::size_t end) {
    const BoundaryState& state = boundaries_[end];
    const int begin = end == 0 ? setup_.first_forward : 0, last = end == 0 ? n_ : setup_.first_forward;
    std::visit(
        [&](const auto& law) {
          using Law = std::decay_t<decltype(law)>;
          launch<wall_threads>(queue_, nodes_, gas::balance_wall<Law, Real>, law, state.unit_flux,
                               maxwellians_.data() + end, setup_.nodes, begin, last,
                               arriving_.data() + end * static_cast<std::size_t>(wall_blocks_), wall_blocks_,
                               ends_.data() + static_cast<std::int64_t>(end) * nodes_);
        },
        state.law);
  }

  std::vector<VelocityMoments> moments_at(const Real* f) override {
    const std::vector<double> sums = host_sums(MomentTerms<Real>{setup_.nodes, f}, cells_, 1);
    std::vector<VelocityMoments> moments;
    for (auto cell = sums.begin(); cell != sums.end(); cell += CellSums::count) {
      CellSums cell_sums;
      std::copy_n(cell, CellSums::count, cell_sums.value);
      moments.push_back(moments_from_sums(setup_.nodes, cell_sums));
    }
    return moments;
  }

  void advance(const Real* start, const Real* stage, double share, const std::vector<double>& steps,
               Real* result) override {
    upload(steps);
    const std::int64_t pieces = (cells_ + piece_cells - 1) / piece_cells;
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      launch(queue_, pieces * nodes_, advance_cells<Limiter, Real>, line(stage), setup_.nodes,
             share == 0 ? nullptr : start, this->has_q() ? q_.data() : nullptr, steps_.data(), static_cast<Real>(share),
             result);
    });
  }

  void upload(const std::vector<double>& steps) {
    if (steps == uploaded_steps_) return;
    std::vector<CellStep<Real>> cell_steps;
    for (std::size_t cell = 0; cell < steps.size(); ++cell)
      cell_steps.push_back(
          {static_cast<Real>(steps[cell]), static_cast<Real>(steps[cell] / setup_.shapes[cell].width)});
    copy(queue_, View<const CellStep<Real>>(cell_steps), steps_.view());
    uploaded_steps_ = steps;
  }

  void sweep_lines() override {
    copy(queue_, View<const NodeFrequency>(frequency_), frequencies_.view());
    const Real least = setup_.accepts_negative() ? std::numeric_limits<Real>::lowest() : Real(0);
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      launch<128>(queue_, nodes_, sweep_line<Limiter, Real>, line(f_.data()), setup_.nodes, q_.data(), widths_.data(),
                  frequencies_.data(), least, next_.data());
    });
  }

  void scale_nodes(Real factor) override {
    launch(queue_, f_.count(), scale_each<Real>, factor, f_.count(), f_.data());
  }

  void add_source() override {
    launch(queue_, q_.count(), add_source_each<Real>, source_.data(), nodes_, q_.count(), q_.data());
  }

  std::vector<double> changes() override {
    std::vector<double> changes;
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      changes = host_sums(ChangeTerms<Limiter, Real>{line(f_.data()), widths_.data(), q_.data()}, cells_,
                          setup_.nodes.volume());
    });
    return changes;
  }

  std::array<GasFlux, 2> end_fluxes() override {
    const std::vector<double> sums = host_sums(FluxTerms<Real>{ends_.data()}, 2, 1);
    return {flux_from_sums(setup_.nodes, sums.data()), flux_from_sums(setup_.nodes, sums.data() + FluxSums::count)};
  }

  template <class Terms>
  std::vector<double> host_sums(const Terms& terms, std::int64_t cells, double factor) {
    ScratchFrame frame(scratch_);
    const double* sums = collision::sum_cells(frame, queue_, setup_.nodes, terms, cells, factor);
    return to_host(queue_, View<const double>(sums, cells * Terms::count, queue_.device()));
  }

  Scratch scratch_;
  Array<SlopeFactors<Real>> factors_;
  Array<double> widths_;
  Array<CellStep<Real>> steps_;
  Array<NodeFrequency> frequencies_;
  Array<DiscreteMaxwellian> maxwellians_;  ///< [2] of both ends
  int wall_blocks_;
  Array<double> arriving_;  ///< [2 × wall_blocks_] sums of what arrives at both ends
  std::vector<double> uploaded_steps_;
};

}  // namespace

template <class Real>
const StepperBackend<Real> StepperBackend<Real>::cuda = {
    .make = [](const Queue& queue, const GasSetup& setup) -> std::unique_ptr<Stepper<Real>> {
      return std::make_unique<CudaStepper<Real>>(queue, setup);
    }};
template const StepperBackend<float> StepperBackend<float>::cuda;
template const StepperBackend<double> StepperBackend<double>::cuda;

}  // namespace shoal::gas
