// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors.hpp>

#include "core/check_views.hpp"
#include "core/primitives.hpp"
#include "neighbors/list_outputs.hpp"
#include "neighbors/search_plan.hpp"

namespace shoal {

template <class Real>
struct Neighbors<Real>::Plan {
  SearchPlan<Real> search;
  SearchSet<Real> points;  ///< of a search within one set
  SearchSet<Real> sources;
  SearchSet<Real> destinations;
  NeighborList list;
  Array<std::int64_t> wide;
  Array<Real> distance;
  Array<Real> displacement[3];
  Array<std::int64_t> longest;
  std::shared_ptr<StatusBlock> matrix_status;
  std::int64_t matrix_maximum = 0;
  bool has_two_sets = false;            ///< in the last search
  bool is_surveyed = false;             ///< whether the grid is one for the sets
  std::int64_t most_destinations = -1;  ///< that update() takes; -1 before the first find()
  std::int64_t most_sources = -1;

  Plan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
      : search(queue, radius, box, options),
        points(search.make_set("point")),
        sources(search.make_set("source")),
        destinations(search.make_set("destination")),
        list{Array<std::int64_t>(queue, 0), Array<std::int32_t>(queue, 0)},
        wide(queue, 0),
        distance(queue, 0),
        displacement{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)},
        longest(queue, 1),
        matrix_status(watch_status(queue, [this](int, std::int64_t row, const double* value) {
          return text("neighbors: the longest row has ", static_cast<std::int64_t>(value[0]),
                      " entries, more than the maximum of ", matrix_maximum, " (the first such row is ", row,
                      "). Use at least that maximum.");
        })) {}

  const Queue& queue() const { return search.queue(); }
  SearchSet<Real>& last_sources() { return has_two_sets ? sources : points; }
  SearchSet<Real>& last_destinations() { return has_two_sets ? destinations : points; }

  void take(const Points<Real>& one_set) {
    search.require_points("neighbors", one_set);
    points.assign(one_set);
    has_two_sets = false;
    is_surveyed = false;
  }

  void take(const Points<Real>& near, const Points<Real>& of) {
    search.require_points("neighbors (destinations)", near);
    search.require_points("neighbors (sources)", of);
    destinations.assign(near);
    sources.assign(of);
    has_two_sets = true;
    is_surveyed = false;
  }

  void survey() {
    search.survey(last_destinations(), last_sources());
    is_surveyed = true;
  }

  void run(bool may_wait) {
    survey();
    search.search(last_destinations(), last_sources(), !has_two_sets, 0, may_wait, list);
    write_outputs(may_wait);
  }

  void find() {
    most_destinations = -1;  // until it has worked
    run(true);
    queue().wait();
    most_destinations = last_destinations().count();
    most_sources = last_sources().count();
  }

  void update() {
    require(search.method().replays, "neighbors: method `", search.method().name,
            "` cannot update without waiting. Call find(), or choose another method.");
    require(most_destinations >= 0, "neighbors: update() before find(). Call find() once, to make room for the list.");
    require(last_destinations().count() <= most_destinations && last_sources().count() <= most_sources,
            "neighbors: update() with ", last_destinations().count(), " destinations and ", last_sources().count(),
            " sources, expected at most the ", most_destinations, " and ", most_sources,
            " of the last find(). Call find(), which makes room.");
    run(false);
  }

  void write_outputs(bool may_grow) {
    const NeighborsOptions& options = search.options();
    EntryOutputs<Real> outputs;
    const auto room_for = [&](bool wanted, auto& array) {
      if (wanted && may_grow) array.resize(list.indices.count());
      return wanted ? array.data() : nullptr;
    };
    outputs.wide = room_for(options.wide_indices, wide);
    outputs.distance = room_for(options.distances, distance);
    for (int axis = 0; axis < search.box().dimensions; ++axis)
      outputs.displacement[axis] = room_for(options.displacements, displacement[axis]);
    if (!options.wide_indices && !options.distances && !options.displacements) return;
    outputs.offsets = list.offsets.data();
    outputs.indices = list.indices.data();
    outputs.rows = list.offsets.count() - 1;
    outputs.room = list.indices.count();
    outputs.destinations = last_destinations().survey_set();
    outputs.sources = last_sources().survey_set();
    outputs.test = search.test();
    outputs.dimensions = search.box().dimensions;
#ifdef SHOAL_CUDA
    if (!queue().on_cpu()) return cuda::write_entries(queue(), outputs);
#endif
    cpu::write_entries(queue(), outputs);
  }

  void to_matrix(std::int64_t maximum, View<std::int32_t> matrix) {
    const std::int64_t rows = list.offsets.count() - 1;
    require(maximum > 0, "neighbors: maximum = ", maximum, ", expected a positive number of columns.");
    require(rows >= 0, "neighbors: to_matrix() before find(): there is no list.");
    require_view(queue(), "neighbors", "matrix", matrix, rows * maximum);
    require(matrix.contiguous(), "neighbors: matrix is strided, expected a contiguous view.");
    matrix_maximum = maximum;
    const MatrixOutput output{list.offsets.data(),
                              list.indices.data(),
                              rows,
                              list.indices.count(),
                              maximum,
                              matrix.data,
                              longest.data(),
                              matrix_status->device_pointer()};
#ifdef SHOAL_CUDA
    if (!queue().on_cpu()) return cuda::write_matrix(queue(), output);
#endif
    cpu::write_matrix(queue(), output);
  }

  void prepare() {
    survey();
    search.sorted_pairs(last_destinations(), last_sources(), !has_two_sets);
  }

  NeighborPairs<Real> sorted_pairs() {
    require(is_surveyed, "neighbors: visitor() or sum() before prepare(), find() or update(). Call one of them first.");
    return search.sorted_pairs(last_destinations(), last_sources(), !has_two_sets);
  }

  void sum(View<const Real> weights, View<Real> out) {
    const NeighborPairs<Real> pairs = sorted_pairs();
    require_view(queue(), "neighbors", "weights", weights, last_sources().count());
    require_view(queue(), "neighbors", "out", out, last_destinations().count());
    ScratchFrame frame(search.scratch());
    const View<Real> by_place = frame.array<Real>(weights.count);
    gather(queue(), weights, View<const std::int32_t>(pairs.sources.order, weights.count, queue().device()), by_place);
    const NeighborSum<Real> sum{{pairs, search.periodic()}, by_place.data, out};
#ifdef SHOAL_CUDA
    if (!queue().on_cpu()) return cuda::sum_neighbors(queue(), sum);
#endif
    cpu::sum_neighbors(queue(), sum);
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
  plan_->take(points);
  plan_->find();
}
template <class Real>
void Neighbors<Real>::find(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->take(destinations, sources);
  plan_->find();
}
template <class Real>
void Neighbors<Real>::update(const Points<Real>& points) {
  plan_->take(points);
  plan_->update();
}
template <class Real>
void Neighbors<Real>::update(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->take(destinations, sources);
  plan_->update();
}
template <class Real>
void Neighbors<Real>::prepare(const Points<Real>& points) {
  plan_->take(points);
  plan_->prepare();
}
template <class Real>
void Neighbors<Real>::prepare(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->take(destinations, sources);
  plan_->prepare();
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
View<const std::int64_t> Neighbors<Real>::wide_indices() const {
  return plan_->wide;
}
template <class Real>
View<const Real> Neighbors<Real>::distances() const {
  return plan_->distance;
}
template <class Real>
std::array<View<const Real>, 3> Neighbors<Real>::displacements() const {
  return {plan_->displacement[0], plan_->displacement[1], plan_->displacement[2]};
}
template <class Real>
void Neighbors<Real>::to_matrix(std::int64_t maximum, View<std::int32_t> matrix) const {
  plan_->to_matrix(maximum, matrix);
}
template <class Real>
NeighborVisitor<Real> Neighbors<Real>::visitor() const {
  return {plan_->sorted_pairs(), plan_->search.periodic()};
}
template <class Real>
void Neighbors<Real>::sum(View<const Real> weights, View<Real> out) const {
  plan_->sum(weights, out);
}
template <class Real>
MethodInfo Neighbors<Real>::method() const {
  return method_info("neighbors", plan_->search.method());
}

template class Neighbors<float>;
template class Neighbors<double>;

}  // namespace shoal
