// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit.hpp>

#include <cmath>

#include "cells/cell_sorter.hpp"
#include "core/backends.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "deposit/binning_backends.hpp"
#include "deposit/deposit_faults.hpp"
#include "deposit/deposit_space.hpp"
#include "deposit/from_nodes_backends.hpp"

namespace shoal {

namespace {

DepositOptions checked(const DepositOptions& options) {
  for (std::size_t k = 0; k < options.ranges.size(); ++k)
    require(std::isfinite(options.ranges[k]) && options.ranges[k] > 0, "deposit: the range of value ", k, " is ",
            options.ranges[k], ", expected a positive number.");
  return options;
}

/// The views of one call, checked, as kernels take them.
template <class T>
Fields<T> fields_of(const Queue& queue, const char* name, std::span<const View<T>> views, std::int64_t count) {
  constexpr int most = Fields<T>::most;
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

void require_as_many(const char* inputs, int in, const char* outputs, int out) {
  require(in == out, "deposit: ", in, " arrays of ", inputs, " and ", out, " of ", outputs, ", expected as many.");
}

}  // namespace

template <class Real>
struct Deposit<Real>::Plan {
  Queue queue;
  DepositGrid grid;
  DepositOptions options;
  DepositSpaceMemory<Real> memory;
  const DepositMethod* method;
  Scratch scratch;
  cells::CellSorter sorter;
  Array<std::int64_t> start_of_sorted;  ///< [cells + 2], after bin_sorted()
  Array<std::uint32_t> cell;            ///< [n] in the order of cells
  Array<Real> offset[3];                ///< [n + read_past_end] the same
  BinnedParticles<Real> particles;
  bool has_order = false;  ///< the sorter's order is that of the particles
  std::shared_ptr<StatusBlock> status;

  Plan(const Queue& on, const DepositGrid& over, const DepositOptions& with)
      : queue(on),
        grid(over),
        options(checked(with)),
        memory(on, over, with),
        method(&find_method("deposit", deposit_rows(), with.method, on.device().kind)),
        scratch(on),
        sorter(on),
        start_of_sorted(on, 0),
        cell(on, 0),
        offset{Array<Real>(on, 0), Array<Real>(on, 0), Array<Real>(on, 0)},
        status(watch_status(on, explain_deposit_faults(memory.space(), options.ranges))) {}

  const DepositSpace<Real>& space() const { return memory.space(); }

  void bin(const Points<Real>& points, bool sorted) {
    require_points(queue, "deposit", points, grid.grid.dimensions);
    const DepositPlacing<Real> placing{
        .space = space(),
        .points = cells::PointReader<Real>(points),
        .count = points.count(),
        .skip = options.outside == DepositOutside::skip,
        .report_blocked = options.blocked == DepositBlocked::report,
        .status = status->device_pointer(),
    };
    particles = {};  // until all is done: memory may not suffice
    BinnedParticles<Real> binned{.count = placing.count};
    const ParticlePlaces<Real> places = room_for(binned);
    has_order = !sorted;
    if (sorted)
      place(placing, places, binned);
    else
      place_and_sort(placing, places, binned);
    particles = binned;
  }

  ParticlePlaces<Real> room_for(BinnedParticles<Real>& binned) {
    ParticlePlaces<Real> places;
    cell.resize(binned.count);
    binned.cell = places.cell = cell.data();
    for (int axis = 0; axis < grid.grid.dimensions; ++axis) {
      offset[axis].resize(binned.count + BinnedParticles<Real>::read_past_end);
      binned.offset[axis] = places.offset[axis] = offset[axis].data();
    }
    return places;
  }

  void place(const DepositPlacing<Real>& placing, const ParticlePlaces<Real>& places, BinnedParticles<Real>& binned) {
    SHOAL_RUN(queue, find_places(queue, placing, places));
    start_of_sorted.resize(grid.cell_count() + 2);
    SHOAL_RUN(queue, find_cell_starts<Real>(queue, placing, cell, start_of_sorted));
    binned.cell_start = start_of_sorted.data();
  }

  void place_and_sort(const DepositPlacing<Real>& placing, const ParticlePlaces<Real>& places,
                      BinnedParticles<Real>& binned) {
    ScratchFrame frame(scratch);
    const View<ParticlePlace<Real>> packed = frame.array<ParticlePlace<Real>>(placing.count);
    const View<std::uint32_t> cell_of_particle = frame.array<std::uint32_t>(placing.count);
    SHOAL_RUN(queue, find_places(queue, placing, PackedPlaces<Real>{cell_of_particle.data, packed.data}));
    sorter.sort(cell_of_particle, grid.cell_count());
    SHOAL_RUN(queue, order_places<Real>(queue, packed, sorter.order(), places));
    binned.cell_start = sorter.cell_start().data;
    binned.order = sorter.order().data;
  }

  void require_binned() const {
    require(particles.cell_start != nullptr, "deposit: there are no particles yet. Call bin() first.");
  }

  void deposit(const Fields<const Real>& values, const Fields<Real>& nodes) {
    require(options.ranges.empty() || static_cast<int>(options.ranges.size()) >= values.count,
            "deposit: ", values.count, " values, but ", options.ranges.size(),
            " ranges. Give one for each value, or none.");
    method->run({scratch, space(), particles, values, nodes, options.ranges, status->device_pointer()});
  }

  void to_nodes(ParticleValues values, Outputs nodes) {
    require_binned();
    const Fields<const Real> from = fields_of(queue, "value", values, particles.count);
    const Fields<Real> to = fields_of(queue, "node", nodes, grid.node_count());
    require_as_many("value", from.count, "node", to.count);
    deposit(from, to);
  }

  void to_cells(ParticleValues values, Outputs cells) {
    require_binned();
    const Fields<const Real> from = fields_of(queue, "value", values, particles.count);
    const Fields<Real> to = fields_of(queue, "cell", cells, grid.cell_count());
    require_as_many("value", from.count, "cell", to.count);
    ScratchFrame frame(scratch);
    Fields<Real> nodes;
    Fields<const Real> filled;
    for (; nodes.count < from.count; ++nodes.count) {
      nodes.data[nodes.count] = frame.array<Real>(grid.node_count()).data;
      nodes.stride[nodes.count] = filled.stride[nodes.count] = 1;
      filled.data[nodes.count] = nodes.data[nodes.count];
    }
    filled.count = nodes.count;
    deposit(from, nodes);
    SHOAL_RUN(queue, share_nodes(queue, space(), filled, to));
  }

  void interpolate(NodeValues nodes, Outputs values) {
    require_binned();
    const NodeReading<Real> reading{space(), particles, fields_of(queue, "node", nodes, grid.node_count()),
                                    fields_of(queue, "value", values, particles.count)};
    require_as_many("node", reading.nodes.count, "value", reading.out.count);
    SHOAL_RUN(queue, interpolate_nodes(queue, reading));
  }

  void interpolate_gradient(NodeValues node, Outputs components) {
    require_binned();
    const NodeReading<Real> reading{space(), particles, fields_of(queue, "node", node, grid.node_count()),
                                    fields_of(queue, "component", components, particles.count)};
    SHOAL_RUN(queue, interpolate_gradients(queue, reading));
  }

  double lost(View<const Real> value) {
    require_binned();
    const Fields<const Real> from = fields_of(queue, "value", ParticleValues(&value, 1), particles.count);
    ScratchFrame frame(scratch);
    const View<double> shares = frame.array<double>(particles.count);
    const View<double> total = frame.array<double>(1);
    SHOAL_RUN(queue, find_lost(queue, space(), particles, from, shares));
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
  require(plan_->has_order, "deposit: the particles came in the order of cells; there is nothing to reorder.");
  require_view(plan_->queue, "deposit", "the array to reorder", in, plan_->particles.count);
  require_view(plan_->queue, "deposit", "the reordered array", out, plan_->particles.count);
  gather(plan_->queue, in, order(), out);
}
template <class Real>
void Deposit<Real>::values_are_in_cell_order() {
  plan_->require_binned();
  plan_->particles.order = nullptr;
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
  return plan_->has_order ? plan_->sorter.order() : View<const std::int32_t>();
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

}  // namespace shoal
