// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit.hpp>

#include <cmath>

#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "deposit/binning/binning.hpp"
#include "deposit/binning/deposit_faults.hpp"
#include "deposit/binning/device_grid.hpp"
#include "deposit/binning/sorted_particles.hpp"
#include "deposit/grid_to_particles/grid_to_particles.hpp"
#include "deposit/support/support_grid.hpp"

namespace shoal::deposit {

namespace {

DepositOptions checked_options(const DepositOptions& options) {
  for (std::size_t k = 0; k < options.ranges.size(); ++k)
    require(std::isfinite(options.ranges[k]) && options.ranges[k] > 0, "deposit: the range of value ", k, " is ",
            options.ranges[k], ", expected a positive number.");
  return options;
}

/// The views of one call as kernels take them, after checks.
template <class T>
Fields<T> checked_fields(const Queue& queue, const char* name, std::span<const View<T>> views, std::int64_t count) {
  constexpr int most = Fields<T>::max_count;
  require(!views.empty() && views.size() <= most, "deposit: ", views.size(), " arrays of ", name, ", expected 1 to ",
          most, ". Make several calls.");
  Fields<T> fields;
  for (const View<T>& view : views) {
    require_view(queue, "deposit", text(name, " ", fields.count).c_str(), view, count);
    fields.data[fields.count] = view.data;
    fields.stride[fields.count++] = view.stride;
  }
  return fields;
}

void require_equal_numbers(const char* inputs, int in, const char* outputs, int out) {
  require(in == out, "deposit: ", in, " arrays of ", inputs, " and ", out, " of ", outputs,
          ", expected equal numbers.");
}

}  // namespace

template <class Real>
struct Deposit<Real>::Plan {
  Queue queue;
  DepositGrid grid;
  DepositOptions options;
  DeviceGrid<Real> memory;
  const DepositMethod* method;
  Scratch scratch;
  SortedParticles<Real> sorted_particles;
  Array<std::int64_t> start_of_sorted;  ///< [cells + 2] offsets of the cells after bin_sorted()
  BinnedParticles<Real> particles;
  std::unique_ptr<SupportGrid<Real>> support;  ///< null before the first to_cells()
  bool is_in_support = false;                  ///< true: `support` has the particles
  bool has_order = false;                      ///< true after bin(): sorted_particles has their order
  std::shared_ptr<StatusBlock> status;

  Plan(const Queue& plan_queue, const DepositGrid& plan_grid, const DepositOptions& plan_options)
      : queue(plan_queue),
        grid(plan_grid),
        options(checked_options(plan_options)),
        memory(queue, grid, options),
        method(&find_method("deposit", deposit_method_table(), options.method, queue.device().kind)),
        scratch(queue),
        sorted_particles(queue, grid.grid.dimensions),
        start_of_sorted(queue, 0),
        status(watch_status(queue, [this, message = fault_message(memory.space(), options.ranges)](
                                       int kind, std::int64_t item, const double* value) {
          if (kind <= DepositFault::out_of_order) clear_particles();
          return message(kind, item, value);
        })) {}

  const DepositSpace<Real>& space() const { return memory.space(); }

  /// Clears the result of bin(), so that nothing can be computed from refused particles.
  void clear_particles() {
    particles = {};
    has_order = false;
    is_in_support = false;
  }

  void bin(const Points<Real>& points, bool sorted) {
    clear_particles();  // there are none if a check or an allocation below fails
    require_points(queue, "deposit", points, grid.grid.dimensions);
    const BinningInput<Real> input{
        .space = space(),
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
    start_of_sorted.resize(grid.cell_count() + 2);
    binning.find_cell_starts(queue, input, sorted_particles.cells(), start_of_sorted);
    binned.cell_start = start_of_sorted.data();
    return binned;
  }

  BinnedParticles<Real> bin_and_sort(const BinningInput<Real>& input) {
    const auto find_positions = [&](const PackedPositions<Real>& positions) {
      backend<BinningBackend<Real>>(queue).find_packed_positions(queue, input, positions);
    };
    return sorted_particles.sort(scratch, input.count, grid.cell_count(), find_positions);
  }

  const GridToParticlesBackend<Real>& gather() const { return backend<GridToParticlesBackend<Real>>(queue); }

  void require_binned() const {
    require(particles.cell_start != nullptr,
            "deposit: there are no particles, since bin() was not called or refused them. Call bin() first.");
  }

  void require_finite(ParticleValues values) {
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

  void deposit(const DepositSpace<Real>& onto, const BinnedParticles<Real>& binned, const Fields<const Real>& values,
               const Fields<Real>& nodes) {
    require(options.ranges.empty() || static_cast<int>(options.ranges.size()) >= values.count,
            "deposit: ", values.count, " values, but ", options.ranges.size(),
            " ranges; expected one for each value, or none.");
    method->run({scratch, onto, binned, values, nodes, options.ranges, status->device_pointer()});
  }

  void to_nodes(ParticleValues values, Outputs nodes) {
    require_binned();
    const Fields<const Real> in = checked_fields(queue, "value", values, particles.count);
    const Fields<Real> out = checked_fields(queue, "node", nodes, grid.node_count());
    require_equal_numbers("value", in.count, "node", out.count);
    deposit(space(), particles, in, out);
  }

  void to_cells(ParticleValues values, Outputs cells) {
    require_binned();
    const Fields<const Real> in = checked_fields(queue, "value", values, particles.count);
    const Fields<Real> out = checked_fields(queue, "cell", cells, grid.cell_count());
    require_equal_numbers("value", in.count, "cell", out.count);
    bin_in_support();
    const SupportSpace<Real>& between = support->space();
    ScratchFrame frame(scratch);
    Fields<Real> nodes;
    for (; nodes.count < in.count; ++nodes.count) {
      nodes.data[nodes.count] = frame.array<Real>(between.support.node_count()).data;
      nodes.stride[nodes.count] = 1;
    }
    deposit(between.support, support->particles(), in, nodes);
    backend<SupportBackend<Real>>(queue).copy_to_cells(queue, between, nodes, out);
  }

  void bin_in_support() {
    if (is_in_support) return;
    if (!support) support = std::make_unique<SupportGrid<Real>>(queue, grid, options, space());
    support->bin(scratch, particles, status->device_pointer());
    is_in_support = true;
  }

  void interpolate(NodeValues nodes, Outputs values) {
    require_binned();
    const NodeInterpolation<Real> job{space(), particles, checked_fields(queue, "node", nodes, grid.node_count()),
                                      checked_fields(queue, "value", values, particles.count)};
    require_equal_numbers("node", job.nodes.count, "value", job.out.count);
    gather().interpolate(queue, job);
  }

  void interpolate_gradient(NodeValues node, Outputs components) {
    require_binned();
    const NodeInterpolation<Real> job{space(), particles, checked_fields(queue, "node", node, grid.node_count()),
                                      checked_fields(queue, "component", components, particles.count)};
    gather().interpolate_gradient(queue, job);
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
    return {particles.cell_start, particles.cell_start != nullptr ? grid.cell_count() + 2 : 0, queue.device()};
  }
};

template <class Real>
Deposit<Real>::Deposit(const Queue& queue, const DepositGrid& grid, const DepositOptions& options)
    : plan_(std::make_unique<Plan>(queue, grid, options)) {}
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
  const std::int64_t cells = plan_->grid.cell_count();
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
MethodInfo Deposit<Real>::method() const {
  return method_info("deposit", *plan_->method);
}

template class Deposit<float>;
template class Deposit<double>;

}  // namespace shoal::deposit
