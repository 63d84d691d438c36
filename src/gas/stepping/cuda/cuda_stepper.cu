// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <variant>

#include "collision/distribution/plane_sums.cuh"
#include "core/cuda/launch.cuh"
#include "core/cuda/prior_queue.cuh"
#include "core/device/queue_order.hpp"
#include "core/memory/pinned_array.hpp"
#include "gas/physics/limiters.hpp"
#include "gas/physics/moments_item.hpp"
#include "gas/stepping/cuda/advance_kernel.cuh"
#include "gas/stepping/cuda/boundary_kernels.cuh"
#include "gas/stepping/cuda/lines.cuh"
#include "gas/stepping/cuda/plane_kernel.cuh"
#include "gas/stepping/cuda/sum_terms.cuh"
#include "gas/stepping/cuda/sweep_kernels.cuh"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

namespace {

/// @param part  nodes of a species in a layer of cells
template <class Real>
__global__ void scale_each(Real first, Real second, std::int64_t part, std::int64_t count, Real* f) {
  const std::int64_t i = thread_index();
  if (i < count) f[i] *= i / part % 2 == 0 ? first : second;
}

template <class Real>
__global__ void raise_each(Real share, const Real* values, std::int64_t count, Real* f) {
  const std::int64_t i = thread_index();
  if (i < count) f[i] = max(f[i], share * values[i]);
}

template <class Real>
__global__ void clear_outside_ball(NodeFrequency frequency, NodeVelocities nodes, std::int64_t count, Real* q) {
  const std::int64_t i = thread_index();
  if (i >= count) return;
  const int n = nodes.n, x = static_cast<int>(i % n), y = static_cast<int>(i / n % n),
            z = static_cast<int>(i / n / n % n);
  if (frequency.at(nodes.velocity(0, x), nodes.velocity(1, y), nodes.velocity(2, z)) == 0) q[i] = 0;
}

template <class Real>
__global__ void add_each(Real factor, const Real* values, std::int64_t period, std::int64_t count, Real* sum) {
  const std::int64_t i = thread_index();
  if (i < count) sum[i] += factor * values[i % period];
}

/// Steps of equal length of all cells.
template <class Real>
__global__ void fill_steps(Lines<Real> along_x, double length, std::int64_t count, CellStep<Real>* steps) {
  const std::int64_t cell = thread_index();
  if (cell >= count) return;
  const double width = along_x.widths[along_x.place_of(static_cast<int>(cell))];
  steps[cell] = {static_cast<Real>(length), static_cast<Real>(length / width)};
}

/// Tables of the cells of lines along an axis, on the device.
template <class Real>
struct AxisTables {
  Array<SlopeFactors<Real>> factors;
  Array<double> widths;
  Array<Real> inverse_widths;

  AxisTables(const Queue& queue, const std::vector<CellShape>& shapes)
      : factors(queue, 0), widths(queue, 0), inverse_widths(queue, 0) {
    std::vector<SlopeFactors<Real>> host_factors;
    std::vector<double> host_widths;
    std::vector<Real> inverses;
    for (const CellShape& shape : shapes) {
      host_factors.push_back({static_cast<Real>(shape.left_factor), static_cast<Real>(shape.right_factor)});
      host_widths.push_back(shape.width);
      inverses.push_back(static_cast<Real>(1 / shape.width));
    }
    factors = to_device(queue, host_factors);
    widths = to_device(queue, host_widths);
    inverse_widths = to_device(queue, inverses);
    queue.wait();
  }
};

/// Kernels with one thread for each node, or for each node of a piece of a line. Every sum has an order that depends on
/// nothing but the case. In a plane the faces of the sides have a queue of their own: cells that need no faces advance beside
/// them, and queue_ waits for that queue wherever the faces are used.
template <class Real>
class CudaStepper : public Stepper<Real> {
 public:
  CudaStepper(const Queue& queue, const GasSetup& setup)
      : Stepper<Real>(queue, setup),
        scratch_(queue),
        face_queue_(setup.dimensions() == 2 ? prior_queue(queue) : queue),
        face_scratch_(face_queue_),
        sums_(queue),
        steps_(queue, cells_),
        host_frequencies_(queue),
        frequencies_(queue, own_cells_),
        faces_(to_device(queue, setup.boundary_faces)),
        wall_blocks_(static_cast<int>(blocks_for(nodes_, wall_threads))),
        arriving_(queue, static_cast<std::int64_t>(setup.boundary_faces.size()) * wall_blocks_),
        passed_(queue, setup.dimensions() == 2 ? setup.lines[0].count * nodes_ : 0),
        flux_sums_(queue, Stepper<Real>::most_records * faces_.count() * FluxSums::count) {
    for (const CellLines& along : setup.lines) tables_.emplace_back(queue, along.shapes);
    queue.wait();
  }

  ~CudaStepper() override {
    try {
      wait_for_work(face_queue_);  // it reads f
    } catch (...) {
      return;  // the device has failed: nothing reads any more
    }
  }

 private:
  using Stepper<Real>::queue_, Stepper<Real>::setup_, Stepper<Real>::n_, Stepper<Real>::nodes_, Stepper<Real>::cells_;
  using Stepper<Real>::f_, Stepper<Real>::next_, Stepper<Real>::q_, Stepper<Real>::ends_, Stepper<Real>::frequency_;
  using Stepper<Real>::source_, Stepper<Real>::laws_, Stepper<Real>::own_cells_, Stepper<Real>::leaving_;

  bool plane() const { return setup_.dimensions() == 2; }

  Lines<Real> lines(const Real* f, const CellLines& along) const {
    const AxisTables<Real>& table = tables_[static_cast<std::size_t>(along.axis)];
    return {.f = f,
            .ends = ends_.data() + along.first_boundary_face * nodes_,
            .factors = table.factors.data(),
            .widths = table.widths.data(),
            .inverse_widths = table.inverse_widths.data(),
            .nodes = nodes_,
            .count = static_cast<int>(along.count),
            .cells = static_cast<int>(along.length),
            .step = static_cast<int>(along.step),
            .apart = static_cast<int>(along.apart),
            .axis = along.axis,
            .n = n_,
            .first_forward = along.first_forward,
            .own_begin = static_cast<int>(along.own_begin()),
            .own_last = static_cast<int>(along.own_last()),
            .periodic = along.periodic};
  }

  /// A line of a flow along x: the only one, or that of a species.
  Line<Real> line(const Real* f, std::int64_t number) const {
    const CellLines& along = setup_.lines[0];
    return {f + along.first(number) * nodes_,
            ends_.data() + along.boundary_face(0, number) * nodes_,
            ends_.data() + along.boundary_face(1, number) * nodes_,
            tables_[0].factors.data(),
            along.step * nodes_,
            static_cast<int>(along.length),
            along.periodic};
  }

  AllLines<Real> all_lines(const Real* f) const {
    return {{lines(f, setup_.lines.front()), lines(f, setup_.lines.back())}, static_cast<int>(setup_.dimensions())};
  }

  /// Lines of a species in a plane.
  AllLines<Real> lines_of_species(const Real* f, std::int64_t species) const {
    AllLines<Real> axes = all_lines(f);
    for (const CellLines& along : setup_.lines) {
      Lines<Real>& part = axes.axis[along.axis];
      part.first_number = static_cast<int>(along.number(species, 0));
      part.between = static_cast<int>(along.number(species, 1)) - part.first_number;
    }
    return axes;
  }

  /// Orders work of the faces behind that of the cells, or the other way round.
  void let_faces_wait() const {
    if (plane()) enqueue_wait(face_queue_, queue_);
  }
  void wait_for_faces() const {
    if (plane()) enqueue_wait(queue_, face_queue_);
  }

  void find_faces(const Real* f) override {
    let_faces_wait();
    for (const CellLines& along : setup_.lines) {
      with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
        launch<wall_threads>(face_queue_, along.count * wall_blocks_ * wall_threads, find_leaving<Limiter, Real>,
                             lines(f, along), setup_.nodes, wall_blocks_,
                             ends_.data() + along.first_boundary_face * nodes_,
                             arriving_.data() + along.first_boundary_face * wall_blocks_);
      });
      if (along.periodic) continue;
      for (const std::size_t end : {0, 1})
        if (along.ghosts[end] == 0) balance_end(f, along, end);
    }
  }

  void balance_end(const Real* f, const CellLines& along, std::size_t end) {
    const int begin = end == 0 ? along.first_forward : 0, last = end == 0 ? n_ : along.first_forward;
    const std::int64_t first = along.boundary_face(end, 0);
    std::visit(
        [&](const auto& law) {
          using Law = std::decay_t<decltype(law)>;
          launch<wall_threads>(face_queue_, along.count * wall_blocks_ * wall_threads, balance_walls<Law, Real>, law,
                               lines(f, along), faces_.data() + first, begin, last,
                               arriving_.data() + first * wall_blocks_, wall_blocks_, ends_.data() + first * nodes_);
        },
        laws_[2 * static_cast<std::size_t>(along.axis) + end]);
  }

  std::vector<VelocityMoments> moments_at(const Real* f, const std::function<void()>& beside) override {
    const double* sums = host_sums(MomentTerms<Real>{setup_.nodes, f}, own_cells_, 1, beside);
    std::vector<VelocityMoments> moments;
    moments.reserve(static_cast<std::size_t>(own_cells_));
    for (std::int64_t cell = 0; cell < own_cells_; ++cell) {
      CellSums cell_sums;
      std::copy_n(sums + cell * CellSums::count, CellSums::count, cell_sums.value);
      moments.push_back(moments_from_sums(setup_.nodes, cell_sums));
    }
    return moments;
  }

  void advance(const Real* start, const Real* stage, double share, const StepLengths& steps, Real* result) override {
    set_steps(steps);
    const Stage<Real> arguments{share == 0 ? nullptr : start,
                                this->has_q() ? q_.data() : nullptr,
                                steps_.data(),
                                static_cast<Real>(share),
                                result,
                                static_cast<int>(setup_.lines.front().step)};
    const CellLines& along_x = setup_.lines.front();
    let_faces_wait();  // for the collision term and the steps
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      for (std::int64_t number = 0; !plane() && number < along_x.count; ++number)
        launch(queue_, (along_x.length + piece_cells - 1) / piece_cells * nodes_, advance_line<Limiter, Real>,
               line(stage, number), setup_.nodes, along_x.first_forward, arguments.from(along_x.first(number), nodes_));
      for (std::int64_t species = 0; plane() && species < along_x.species; ++species)
        advance_species<Limiter>(lines_of_species(stage, species),
                                 arguments.from(species * setup_.species_cells(), nodes_));
    });
    wait_for_faces();
  }

  /// Advances a species in a plane: the cells that need no faces of the sides, and beside them the others.
  template <class Limiter>
  void advance_species(const AllLines<Real>& axes, const Stage<Real>& stage) const {
    const StripGrid grid(axes.axis[0].cells, axes.axis[1].cells, static_cast<int>(nodes_));
    const std::int64_t threads = static_cast<std::int64_t>(grid.blocks) * strip_threads;
    launch<strip_threads>(queue_, threads, advance_plane<Limiter, true, Real>, axes, setup_.nodes, stage);
    launch<strip_threads>(face_queue_, threads, advance_plane<Limiter, false, Real>, axes, setup_.nodes, stage);
  }

  void set_steps(const StepLengths& steps) {
    if (steps == device_steps_) return;
    device_steps_ = steps;
    const CellLines& along_x = setup_.lines[0];
    if (steps.each.empty()) {
      launch(queue_, cells_, fill_steps<Real>, lines(f_.data(), along_x), steps.same, cells_, steps_.data());
      return;
    }
    std::vector<CellStep<Real>> cell_steps;
    cell_steps.reserve(steps.each.size());
    for (std::int64_t cell = 0; cell < cells_; ++cell) {
      const double step = steps.at(cell);
      cell_steps.push_back({static_cast<Real>(step), static_cast<Real>(step / along_x.shape(cell).width)});
    }
    copy(queue_, View<const CellStep<Real>>(cell_steps), steps_.view());
  }

  void sweep_lines(const std::array<bool, 2>& directions) override {
    wait_for_faces();
    if (!directions[0] && !directions[1]) return;
    host_frequencies_.resize(own_cells_);
    std::copy(frequency_.begin(), frequency_.end(), host_frequencies_.data());
    copy_from_pinned(queue_, frequencies_.data(), host_frequencies_.data(),
                     static_cast<std::size_t>(frequencies_.bytes()));
    const Sweep<Real> sweep{.q = q_.data(),
                            .frequencies = frequencies_.data(),
                            .least = this->accepts_negative() ? std::numeric_limits<Real>::lowest() : Real(0),
                            .result = next_.data(),
                            .solves = {directions[0], directions[1]},
                            .leaving = leaving_.data()};
    const AllLines<Real> axes = all_lines(f_.data());
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      for (std::int64_t number = 0; !plane() && number < setup_.lines[0].count; ++number)
        launch<128>(queue_, nodes_, sweep_line<Limiter, Real>, axes, setup_.nodes, sweep, static_cast<int>(number));
      if (!plane()) return;
      const std::int64_t columns = setup_.lines[0].length, rows = setup_.slab.count;
      const std::int64_t groups = blocks_for(nodes_, diagonal_threads);
      for (std::int64_t diagonal = 0; diagonal < columns + rows - 1; ++diagonal) {
        const std::int64_t cells = std::min(columns - 1, diagonal) - std::max<std::int64_t>(0, diagonal - rows + 1) + 1;
        for (std::int64_t species = 0; species < setup_.lines[0].species; ++species)
          launch<diagonal_threads>(queue_, cells * groups * diagonal_threads, sweep_diagonal<Limiter, Real>,
                                   lines_of_species(f_.data(), species), setup_.nodes, sweep,
                                   static_cast<int>(diagonal), static_cast<int>(groups), passed_.data());
      }
    });
  }

  void scale_nodes(const std::array<Real, 2>& factors) override {
    launch(queue_, f_.count(), scale_each<Real>, factors[0], factors[setup_.species() - 1],
           setup_.species_cells() * nodes_, f_.count(), f_.data());
  }

  void raise_nodes(Real share, const Array<Real>& values) override {
    launch(queue_, f_.count(), raise_each<Real>, share, values.data(), f_.count(), f_.data());
  }

  void clear_q_outside_ball(const NodeFrequency& frequency) override {
    launch(queue_, q_.count(), clear_outside_ball<Real>, frequency, setup_.nodes, q_.count(), q_.data());
  }

  std::vector<double> cell_products(const Real* weights, const Real* x, const std::vector<const Real*>& ys) override {
    using Terms = ProductTerms<Real>;
    std::vector<double> products(static_cast<std::size_t>(own_cells_) * ys.size());
    for (std::size_t first = 0; first < ys.size(); first += Terms::count) {
      Terms terms{weights, nodes_, x, {}};
      const std::size_t count = std::min<std::size_t>(Terms::count, ys.size() - first);
      std::copy_n(ys.begin() + static_cast<std::ptrdiff_t>(first), count, terms.ys);
      const double* sums = host_sums(terms, own_cells_, 1, [] {});
      for (std::size_t cell = 0; cell < static_cast<std::size_t>(own_cells_); ++cell)
        std::copy_n(sums + cell * Terms::count, count, products.data() + cell * ys.size() + first);
    }
    return products;
  }

  void add_nodes(Real factor, const Array<Real>& values, Array<Real>& sum) override {
    launch(queue_, sum.count(), add_each<Real>, factor, values.data(), values.count(), sum.count(), sum.data());
  }

  std::vector<double> changes() override {
    std::vector<double> changes;
    wait_for_faces();
    with_limiter(setup_.options.limiter, [&]<class Limiter>(Limiter) {
      const double* sums = host_sums(ChangeTerms<Limiter, Real>{all_lines(f_.data()), q_.data(), setup_.own_begin()},
                                     own_cells_, setup_.nodes.volume(), [] {});
      changes.assign(sums, sums + own_cells_);
    });
    return changes;
  }

  void record_fluxes() override {
    const std::int64_t faces = faces_.count();
    const std::int64_t first_along_y = plane() ? setup_.lines[1].first_boundary_face : faces;
    ScratchFrame frame(face_scratch_);
    collision::sum_cells(frame, face_queue_, setup_.nodes, FluxTerms<Real>{ends_.data(), first_along_y}, faces, 1.0,
                         flux_sums_.data() + records_++ * faces * FluxSums::count);
  }

  std::vector<GasFlux> recorded_fluxes() override {
    const std::int64_t count = std::exchange(records_, 0) * faces_.count();
    wait_for_faces();
    sums_.copy_from(queue_, {flux_sums_.data(), count * FluxSums::count, queue_.device()});
    wait_for_work(queue_);
    std::vector<GasFlux> fluxes;
    for (std::int64_t face = 0; face < count; ++face)
      fluxes.push_back(flux_from_sums(setup_.nodes, sums_.data() + face * FluxSums::count));
    return fluxes;
  }

  void forget_recorded() override { records_ = 0; }

  /// Sums over the nodes of each cell.
  /// @param beside  work of the host while the device adds
  /// @return        [cells][Terms::count] valid until the next call
  template <class Terms>
  const double* host_sums(const Terms& terms, std::int64_t cells, double factor, const std::function<void()>& beside) {
    ScratchFrame frame(scratch_);
    const double* sums = collision::sum_cells(frame, queue_, setup_.nodes, terms, cells, factor);
    sums_.copy_from(queue_, {sums, cells * Terms::count, queue_.device()});
    beside();
    wait_for_work(queue_);
    return sums_.data();
  }

  Scratch scratch_;
  Queue face_queue_;  ///< Queue of the faces of the sides and of the cells beside them; on a line it is queue_.
  Scratch face_scratch_;
  PinnedArray<double> sums_;
  std::vector<AxisTables<Real>> tables_;  ///< [axes]
  Array<CellStep<Real>> steps_;           ///< [cells]
  PinnedArray<NodeFrequency> host_frequencies_;
  Array<NodeFrequency> frequencies_;
  Array<BoundaryFace> faces_;  ///< faces of all boundaries
  int wall_blocks_;
  Array<double> arriving_;   ///< [faces × wall_blocks_] sums of what arrives at the faces
  Array<Real> passed_;       ///< [rows × nodes] f at the downwind faces along x of the diagonal of a sweep
  Array<double> flux_sums_;  ///< [records × faces][FluxSums::count]
  std::int64_t records_ = 0;
  StepLengths device_steps_;  ///< steps in steps_
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
