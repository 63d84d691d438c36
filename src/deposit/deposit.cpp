// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit.hpp>

#include <cmath>
#include <utility>

#include "core/primitives/primitives.hpp"
#include "deposit/binning/binning.hpp"
#include "deposit/binning/deposit_faults.hpp"
#include "deposit/binning/device_grid.hpp"
#include "deposit/binning/sorted_particles.hpp"
#include "deposit/deposit_checks.hpp"
#include "deposit/grid_to_particles/grid_to_particles.hpp"
#include "deposit/ranks/rank_layers.hpp"
#include "deposit/ranks/slab_space.hpp"
#include "deposit/shapes/shape_methods.hpp"
#include "deposit/support/support_grid.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::deposit {

template <class Real>
struct Deposit<Real>::Plan {
  Queue queue;
  DepositGrid grid;
  DepositOptions options;
  RankLayers layers;
  DeviceGrid<Real> memory;
  DepositSpace<Real> slab;  ///< the layers of this rank; on one rank the grid
  const DepositMethod* method;
  Scratch scratch;
  SortedParticles<Real> sorted_particles;
  Array<std::int64_t> start_of_sorted;  ///< [cells + 2] offsets of the cells after bin_sorted()
  BinnedParticles<Real> particles;
  std::unique_ptr<SupportGrid<Real>> support;  ///< null before the first to_cells()
  bool is_in_support = false;                  ///< true: `support` has the particles
  bool has_order = false;                      ///< true after bin(): sorted_particles has their order
  std::shared_ptr<StatusBlock> status;
  std::unique_ptr<SharedNodes> shared;  ///< null on one rank

  Plan(const Queue& plan_queue, const DepositGrid& plan_grid, const DepositOptions& plan_options,
       const RankLayers& plan_layers)
      : queue(plan_queue),
        grid(plan_grid),
        options(checked_options(plan_options)),
        layers(plan_layers),
        memory(queue, grid, options),
        slab(slab_space(memory.space(), layers.range(grid))),
        method(&find_method("deposit", deposit_method_table(), options.method, queue.device().kind)),
        scratch(queue),
        sorted_particles(queue, grid.grid.dimensions),
        start_of_sorted(queue, 0),
        status(watch_status(queue, [this, message = fault_message(memory.space(), layers.range(grid), options.ranges)](
                                       int kind, std::int64_t item, const double* value) {
          if (kind <= DepositFault::outside_slab) clear_particles();
          return message(kind, item, value);
        })) {
    layers.require_method(method->name);
    require_shape(grid, options, *method, ranks().size());
  }

  const DepositSpace<Real>& space() const { return slab; }
  const Communicator& ranks() const { return layers.ranks; }
  bool is_alone() const { return ranks().size() == 1; }
  bool has_cic() const { return options.shape == DepositShape::cic; }
  std::int64_t first_cell() const { return layers.range(grid).begin * cells_of_layer(memory.space()); }

  /// Finds the nodes that this rank shares. All ranks call it after their plans exist.
  void share_nodes() {
    if (is_alone()) return;
    layers.require_same_on_all_ranks();
    if (layers.has_slabs())
      shared = std::make_unique<SharedNodes>(queue, ranks(), layers.slabs, nodes_of_plane(space()),
                                             memory.space().axes[slab_axis(space())].cells.periodic);
    else
      shared = std::make_unique<SharedNodes>(queue, ranks());
  }

  /// Clears the result of bin(), so that nothing can be computed from refused particles.
  void clear_particles() {
    particles = {};
    has_order = false;
    is_in_support = false;
  }

  void bin(const Points<Real>& points, bool sorted) {
    clear_particles();  // there are none if a check or an allocation below fails
    agree_naming_rank(ranks(), [&] {
      bin_on_rank(points, sorted);
      if (!is_alone()) queue.wait();
    });
  }

  void bin_on_rank(const Points<Real>& points, bool sorted) {
    require_points(queue, "deposit", points, grid.grid.dimensions);
    const BinningInput<Real> input{
        .grid = memory.space(),
        .space = space(),
        .first_cell = first_cell(),
        .points = cells::PointReader<Real>(points),
        .count = points.count(),
        .skip = options.outside == DepositOutside::skip,
        .report_blocked = options.blocked == DepositBlocked::report,
        .status = status->device_pointer(),
    };
    particles = sorted ? bin_in_order(input) : bin_and_sort(input);
    has_order = !sorted;
  }

  BinnedParticles<Real> bin_in_order(const BinningInput<Real>& input) {
    const BinningBackend<Real>& binning = backend<BinningBackend<Real>>(queue);
    BinnedParticles<Real> binned = sorted_particles.resize(input.count);
    binning.find_positions(queue, input, sorted_particles.positions());
    start_of_sorted.resize(space().cell_count() + 2);
    binning.find_cell_starts(queue, input, sorted_particles.cells(), start_of_sorted);
    sorted_particles.set_cell_starts(queue, binned, start_of_sorted.data(), space().cell_count());
    return binned;
  }

  BinnedParticles<Real> bin_and_sort(const BinningInput<Real>& input) {
    const auto find_positions = [&](const PackedPositions<Real>& positions) {
      backend<BinningBackend<Real>>(queue).find_packed_positions(queue, input, positions);
    };
    return sorted_particles.sort(scratch, input.count, space().cell_count(), find_positions);
  }

  const GridToParticlesBackend<Real>& gather() const { return backend<GridToParticlesBackend<Real>>(queue); }
  const ShapeInterpolationBackend<Real>& gather_shape() const {
    return backend<ShapeInterpolationBackend<Real>>(queue);
  }

  void require_binned() const {
    require(particles.cell_start != nullptr,
            "deposit: there are no particles, since bin() was not called or refused them. Call bin() first.");
  }

  void require_finite(ParticleValues values) {
    agree_naming_rank(ranks(), [&] { require_finite_on_rank(values); });
  }

  void require_finite_on_rank(ParticleValues values) {
    require_binned();
    checked_fields(queue, "value", values, particles.count);
    ScratchFrame frame(scratch);
    const View<Real> sum = frame.array<Real>(1);
    for (std::size_t k = 0; k < values.size(); ++k) {
      reduce<Real>(scratch, Reduction::sum, values[k], sum);
      if (std::isfinite(to_host(queue, sum).front())) continue;
      const std::vector<Real> host = to_host(queue, values[k]);  // the sum of finite values may overflow, too
      for (std::size_t particle = 0; particle < host.size(); ++particle)
        require(std::isfinite(host[particle]), "deposit: value ", k, " of particle ", particle, " is ", host[particle],
                ", expected a finite number. Repair or remove it.");
    }
  }

  void deposit(const DepositCall<Real>& call) {
    const auto run = [&] { method->run(call); };
    if (is_alone()) return run();
    if (method->adds_shared_nodes) {
      run();
      agree_naming_rank(ranks(), [&] { queue.wait(); });
    } else {
      agree_naming_rank(ranks(), run);
      call.shared->add(scratch, call.nodes, call.space.node_count());
    }
  }

  /// Input and output of a transfer to nodes or cells after checks, which all ranks agree on.
  std::pair<Fields<const Real>, Fields<Real>> checked_transfer(ParticleValues values, const char* name, Outputs outputs,
                                                               std::int64_t count) {
    std::pair<Fields<const Real>, Fields<Real>> checked;
    agree_naming_rank(ranks(), [&] {
      require_binned();
      checked = {checked_fields(queue, "value", values, particles.count), checked_fields(queue, name, outputs, count)};
      require_equal_numbers("value", checked.first.count, name, checked.second.count);
      require(options.ranges.empty() || static_cast<int>(options.ranges.size()) >= checked.first.count,
              "deposit: ", checked.first.count, " values, but ", options.ranges.size(),
              " ranges; expected one for each value, or none.");
    });
    return checked;
  }

  void to_nodes(ParticleValues values, Outputs nodes) {
    const auto [in, out] = checked_transfer(values, "node", nodes, space().node_count());
    DepositCall<Real> call{scratch,     space(), particles, in, out, options.ranges, status->device_pointer(),
                           shared.get()};
    call.shape = options.shape;
    deposit(call);
  }

  void to_cells(ParticleValues values, Outputs cells) {
    require(has_cic(), "deposit: to_cells() has shape \"cic\" alone, got \"", to_name(options.shape),
            "\". Use to_nodes() on a grid whose nodes are the centers of the cells, or shape = \"cic\".");
    const auto [in, out] = checked_transfer(values, "cell", cells, space().cell_count());
    bin_in_support();
    SupportRanks<Real>* const parts = support->ranks();
    ScratchFrame frame(scratch);
    Fields<Real> nodes;
    agree_naming_rank(ranks(), [&] {
      if (parts != nullptr && RankLayers::is_of_any_partition(method->name)) require_finite_on_rank(values);
      nodes = make_fields<Real>(frame, in.count, support->space().support.node_count());
    });
    DepositCall<Real> call{scratch, support->space().support, support->particles(),     in,
                           nodes,   options.ranges,           status->device_pointer(), shared.get()};
    if (parts != nullptr) {
      call.values = parts->exchange(frame, particles, in);
      call.shared = &parts->shared_nodes();
      call.measured = parts->own_range();
    }
    deposit(call);
    backend<SupportBackend<Real>>(queue).copy_to_cells(queue, support->space(), nodes, out);
  }

  void bin_in_support() {
    if (layers.is_true_on_all(is_in_support)) return;
    agree_naming_rank(ranks(), [&] {
      if (!support) support = std::make_unique<SupportGrid<Real>>(queue, grid, options, memory.space(), layers);
    });
    support->bin(scratch, particles, status->device_pointer());
    is_in_support = true;
  }

  void interpolate(NodeValues nodes, Outputs values) {
    require_binned();
    const NodeInterpolation<Real> job{space(), particles, checked_fields(queue, "node", nodes, space().node_count()),
                                      checked_fields(queue, "value", values, particles.count)};
    require_equal_numbers("node", job.nodes.count, "value", job.out.count);
    has_cic() ? gather().interpolate(queue, job) : gather_shape().interpolate(queue, options.shape, job);
  }

  void interpolate_gradient(NodeValues node, Outputs components) {
    require_binned();
    const NodeInterpolation<Real> job{space(), particles, checked_fields(queue, "node", node, space().node_count()),
                                      checked_fields(queue, "component", components, particles.count)};
    has_cic() ? gather().interpolate_gradient(queue, job)
              : gather_shape().interpolate_gradient(queue, options.shape, job);
  }

  double lost(View<const Real> value) {
    require_binned();
    const Fields<const Real> in = checked_fields(queue, "value", ParticleValues(&value, 1), particles.count);
    ScratchFrame frame(scratch);
    const View<double> shares = frame.array<double>(particles.count);
    const View<double> total = frame.array<double>(1);
    gather().find_lost(queue, space(), particles, in, shares);
    reduce<double>(scratch, Reduction::sum, shares, total);
    return to_host(queue, total).front();
  }

  View<const std::int64_t> cell_start() const {
    return {particles.cell_start, particles.cell_start != nullptr ? space().cell_count() + 2 : 0, queue.device()};
  }
};

template <class Real>
Deposit<Real>::Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options)
    : plan_(std::make_unique<Plan>(queue, grid, options, RankLayers())) {}
template <class Real>
Deposit<Real>::Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options, const Slabs& slabs,
                       const Communicator& ranks) {
  agree_naming_rank(ranks,
                    [&] { plan_ = std::make_unique<Plan>(queue, grid, options, RankLayers(grid, slabs, ranks)); });
  plan_->share_nodes();
}
template <class Real>
Deposit<Real>::Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
                       const Communicator& ranks) {
  agree_naming_rank(ranks, [&] {
    plan_ = std::make_unique<Plan>(queue, grid, RankLayers::options_for_all(options), RankLayers(ranks));
  });
  plan_->share_nodes();
}
template <class Real>
Deposit<Real>::~Deposit() = default;
template <class Real>
Deposit<Real>::Deposit(Deposit&&) noexcept = default;
template <class Real>
Deposit<Real>& Deposit<Real>::operator=(Deposit&&) noexcept = default;

template <class Real>
void Deposit<Real>::bin(View<const Real> x, View<const Real> y, View<const Real> z) {
  plan_->bin({x, y, z}, false);
}
template <class Real>
void Deposit<Real>::bin(View<const Real> x, View<const Real> y) {
  require(plan_->grid.grid.dimensions == 2, "deposit: the grid has 3 dimensions, got x and y alone. Pass z too.");
  plan_->bin({x, y}, false);
}
template <class Real>
void Deposit<Real>::bin_sorted(View<const Real> x, View<const Real> y, View<const Real> z) {
  plan_->bin({x, y, z}, true);
}
template <class Real>
void Deposit<Real>::bin_sorted(View<const Real> x, View<const Real> y) {
  require(plan_->grid.grid.dimensions == 2, "deposit: the grid has 3 dimensions, got x and y alone. Pass z too.");
  plan_->bin({x, y}, true);
}

template <class Real>
void Deposit<Real>::reorder(View<const Real> in, View<Real> out) const {
  plan_->require_binned();
  require(plan_->has_order, "deposit: the particles were given in the order of cells; there is nothing to reorder.");
  require_view(plan_->queue, "deposit", "the array to reorder", in, plan_->particles.count);
  require_view(plan_->queue, "deposit", "the reordered array", out, plan_->particles.count);
  gather(plan_->queue, in, order(), out);
}
template <class Real>
void Deposit<Real>::values_are_in_cell_order() {
  plan_->require_binned();
  plan_->particles.order = nullptr;
  plan_->is_in_support = false;
}

template <class Real>
void Deposit<Real>::require_finite(ParticleValues values) {
  plan_->require_finite(values);
}
template <class Real>
void Deposit<Real>::to_nodes(ParticleValues values, Outputs nodes) {
  plan_->to_nodes(values, nodes);
}
template <class Real>
void Deposit<Real>::to_nodes(View<const Real> value, View<Real> node) {
  plan_->to_nodes(ParticleValues(&value, 1), Outputs(&node, 1));
}
template <class Real>
void Deposit<Real>::to_cells(ParticleValues values, Outputs cells) {
  plan_->to_cells(values, cells);
}
template <class Real>
void Deposit<Real>::to_cells(View<const Real> value, View<Real> cell) {
  plan_->to_cells(ParticleValues(&value, 1), Outputs(&cell, 1));
}
template <class Real>
void Deposit<Real>::interpolate(NodeValues nodes, Outputs values) {
  plan_->interpolate(nodes, values);
}
template <class Real>
void Deposit<Real>::interpolate(View<const Real> node, View<Real> value) {
  plan_->interpolate(NodeValues(&node, 1), Outputs(&value, 1));
}
template <class Real>
void Deposit<Real>::interpolate_gradient(View<const Real> node, View<Real> gx, View<Real> gy, View<Real> gz) {
  const View<Real> components[] = {gx, gy, gz};
  plan_->interpolate_gradient(NodeValues(&node, 1),
                              Outputs(components, static_cast<std::size_t>(plan_->grid.grid.dimensions)));
}
template <class Real>
void Deposit<Real>::interpolate_gradient(View<const Real> node, View<Real> gx, View<Real> gy) {
  require(plan_->grid.grid.dimensions == 2, "deposit: the grid has 3 dimensions, got gx and gy alone. Pass gz too.");
  interpolate_gradient(node, gx, gy, {});
}

template <class Real>
double Deposit<Real>::lost(View<const Real> value) {
  return plan_->lost(value);
}
template <class Real>
std::int64_t Deposit<Real>::skipped() const {
  plan_->require_binned();
  const std::int64_t cells = plan_->space().cell_count();
  const View<const std::int64_t> start = cell_start();
  return plan_->particles.count -
         to_host(plan_->queue, View<const std::int64_t>(start.data + cells, 1, start.device)).front();
}

template <class Real>
View<const std::int64_t> Deposit<Real>::cell_start() const {
  return plan_->cell_start();
}
template <class Real>
View<const std::int32_t> Deposit<Real>::order() const {
  return plan_->has_order ? plan_->sorted_particles.order() : View<const std::int32_t>();
}
template <class Real>
const DepositGrid& Deposit<Real>::grid() const {
  return plan_->grid;
}
template <class Real>
std::int64_t Deposit<Real>::node_count() const {
  return plan_->space().node_count();
}
template <class Real>
std::int64_t Deposit<Real>::first_node() const {
  return plan_->layers.range(plan_->grid).begin * nodes_of_plane(plan_->memory.space());
}
template <class Real>
std::int64_t Deposit<Real>::first_cell() const {
  return plan_->first_cell();
}
template <class Real>
MethodInfo Deposit<Real>::method() const {
  return method_info("deposit", *plan_->method);
}

template class Deposit<float>;
template class Deposit<double>;

}  // namespace shoal::deposit
