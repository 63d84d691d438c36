// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors.hpp>

#include <cmath>
#include <limits>

#include "cells/assign_cells.hpp"
#include "core/check_views.hpp"
#include "core/primitives.hpp"
#include "core/status.hpp"
#include "neighbors/methods/methods.hpp"
#include "neighbors/search_grid.hpp"

namespace shoal {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

void require_valid(const Box& box, double radius) {
  require(box.dimensions == 2 || box.dimensions == 3, "neighbors: dimensions = ", box.dimensions, ", expected 2 or 3.");
  require(std::isfinite(radius) && radius > 0, "neighbors: radius = ", radius, " m, expected a positive length.");
  for (int axis = 0; axis < box.dimensions; ++axis) {
    if (!box.periodic[axis]) continue;
    const double length = box.upper[axis] - box.lower[axis];
    require(std::isfinite(length) && length > 0, "neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis],
            "] m along the periodic axis ", axis_names[axis], ", expected a positive, finite length.");
    require(length >= 2 * radius, "neighbors: the box spans [", box.lower[axis], ", ", box.upper[axis],
            "] m along the periodic axis ", axis_names[axis], ", less than twice the radius of ", radius,
            " m: a point could be a neighbour twice. Use a smaller radius or a larger box.");
  }
}

template <class Real>
PairTest<Real> pair_test(const Box& box, double radius, Predicate predicate) {
  const auto r = static_cast<Real>(radius);
  const Real squared = r * r;
  require(std::isnormal(squared), "neighbors: radius = ", radius, " m, whose square ",
          sizeof(Real) == 4 ? "float" : "double", " cannot hold. Choose other units",
          sizeof(Real) == 4 ? " or double." : ".");
  PairTest<Real> test;
  test.limit =
      predicate == Predicate::strict ? squared : std::nextafter(squared, std::numeric_limits<Real>::infinity());
  for (int axis = 0; axis < box.dimensions; ++axis) {
    if (!box.periodic[axis]) continue;
    test.period[axis] = static_cast<Real>(box.upper[axis] - box.lower[axis]);
    test.inverse_period[axis] = 1 / test.period[axis];
  }
  return test;
}

/// What is said about a point that cannot be searched; `who` is "point", "source" or "destination".
template <class Real>
StatusBlock::Explain explain_with(const Box& box, const char* who) {
  return [box, who](int axis, std::int64_t point, const double* value) {
    const auto coordinate = static_cast<Real>(value[axis]);
    const std::string start = text("neighbors: ", who, " ", point, ": ", axis_names[axis]);
    if (std::isnan(coordinate)) return text(start, " is not a number. Repair or remove it.");
    if (std::isfinite(coordinate) && box.periodic[axis])
      return text(start, " = ", coordinate, " m is more than one period outside the box [", box.lower[axis], ", ",
                  box.upper[axis], "] m. Wrap it into the box.");
    return text(start, " = ", coordinate, " m, expected a finite position. Repair or remove it.");
  };
}

}  // namespace

std::span<const NeighborsMethod> neighbors_rows() {
  // `auto` takes the first row of the device; docs/neighbors.md has the timings behind this order.
  static const NeighborsMethod rows[] = {
#ifdef SHOAL_CUDA
      neighbors_rows_cuda,
#endif
      neighbors_rows_cpu,
      neighbors_serial,
  };
  return rows;
}

std::vector<MethodInfo> neighbors_methods() { return method_infos("neighbors", neighbors_rows()); }

/// One set of points in a plan.
template <class Real>
struct PlanSet {
  Array<std::uint32_t> cell_of_point;
  CellSorter sorter;
  std::shared_ptr<StatusBlock> status;

  PlanSet(const Queue& queue, const Box& box, const char* who)
      : cell_of_point(queue, 0), sorter(queue), status(watch_status(queue, explain_with<Real>(box, who))) {}

  SearchSet<Real> locate(const Queue& queue, const CellFormula<Real>& formula, const Points<Real>& points) {
    cell_of_point.resize(points.count());
    assign_cells(queue, formula, points, cell_of_point.view(), status->device_pointer());
    return {points, cell_of_point, sorter};
  }
};

template <class Real>
struct Neighbors<Real>::Plan {
  Queue queue;
  Box box;
  NeighborsOptions options;
  Real radius;
  PairTest<Real> test;
  const NeighborsMethod* method;
  Scratch scratch;
  PlanSet<Real> points;  ///< of a search within one set
  PlanSet<Real> sources;
  PlanSet<Real> destinations;
  NeighborList list;

  Plan(const Queue& on, double within, const Box& in, const NeighborsOptions& with)
      : queue(on),
        box(in),
        options(with),
        radius(static_cast<Real>(within)),
        test((require_valid(in, within), pair_test<Real>(in, within, with.predicate))),
        method(&find_method("neighbors", neighbors_rows(), with.method, on.device().kind)),
        scratch(on),
        points(on, in, "point"),
        sources(on, in, "source"),
        destinations(on, in, "destination"),
        list{Array<std::int64_t>(on, 0), Array<std::int32_t>(on, 0)} {}

  /// Waits for the queue.
  Extent extent_of(const Points<Real>& of) {
    ScratchFrame frame(scratch);
    const View<Real> found = frame.array<Real>(6);
    const View<const Real> axes[] = {of.x, of.y, of.z};
    for (int axis = 0; axis < box.dimensions; ++axis) {
      reduce(scratch, Reduction::min, axes[axis], View<Real>(found.data + axis, 1, found.device));
      reduce(scratch, Reduction::max, axes[axis], View<Real>(found.data + 3 + axis, 1, found.device));
    }
    const std::vector<Real> host = to_host(queue, found);
    Extent extent;
    for (int axis = 0; axis < box.dimensions; ++axis) {
      extent.lower[axis] = host[static_cast<std::size_t>(axis)];
      extent.upper[axis] = host[static_cast<std::size_t>(axis) + 3];
    }
    return extent;
  }

  void find(const Points<Real>& near, PlanSet<Real>& near_set, const Points<Real>& of, PlanSet<Real>& of_set) {
    const bool one_set = &near_set == &of_set;
    const Extent extent = of.count() > 0 ? extent_of(of) : Extent{};
    const CellFormula<Real> formula = search_formula(box, radius, extent, of.count());
    const SearchSet<Real> from = of_set.locate(queue, formula, of);
    if (!extent.finite()) queue.wait();  // says which point it is
    const SearchSet<Real> to = one_set ? from : near_set.locate(queue, formula, near);
    method->run(NeighborSearch<Real>{scratch, test, formula, from, to, one_set, options.include_self, list});
    queue.wait();
  }
};

template <class Real>
Neighbors<Real>::Neighbors(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
    : plan_(std::make_unique<Plan>(queue, radius, box, options)) {}
template <class Real>
Neighbors<Real>::~Neighbors() = default;
template <class Real>
Neighbors<Real>::Neighbors(Neighbors&&) noexcept = default;
template <class Real>
Neighbors<Real>& Neighbors<Real>::operator=(Neighbors&&) noexcept = default;

template <class Real>
void Neighbors<Real>::find(const Points<Real>& points) {
  require_points(plan_->queue, "neighbors", points, plan_->box.dimensions);
  plan_->find(points, plan_->points, points, plan_->points);
}

template <class Real>
void Neighbors<Real>::find(const Points<Real>& destinations, const Points<Real>& sources) {
  require_points(plan_->queue, "neighbors (destinations)", destinations, plan_->box.dimensions);
  require_points(plan_->queue, "neighbors (sources)", sources, plan_->box.dimensions);
  plan_->find(destinations, plan_->destinations, sources, plan_->sources);
}

template <class Real>
View<const std::int64_t> Neighbors<Real>::offsets() const {
  return plan_->list.offsets;
}
template <class Real>
View<const std::int32_t> Neighbors<Real>::indices() const {
  return plan_->list.indices;
}
template <class Real>
MethodInfo Neighbors<Real>::method() const {
  return method_info("neighbors", *plan_->method);
}

template class Neighbors<float>;
template class Neighbors<double>;

}  // namespace shoal
