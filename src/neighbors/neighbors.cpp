// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors.hpp>

#include <optional>

#include "core/memory/check_views.hpp"
#include "neighbors/list/list_buffers.hpp"
#include "neighbors/list/list_outputs.hpp"

namespace shoal {

namespace {

NeighborsOptions without_skin(NeighborsOptions options) {
  options.skin = 0;
  return options;
}

}  // namespace

template <class Real>
struct Neighbors<Real>::Plan {
  SearchPlan<Real> search;
  std::optional<SkinSearch<Real>> skin;
  SearchSet<Real> points;  ///< of a search within one set
  SearchSet<Real> sources;
  SearchSet<Real> destinations;
  ListBuffers<Real> list;
  Array<std::int64_t> longest;
  std::shared_ptr<StatusBlock> matrix_status;
  std::int64_t matrix_maximum = 0;
  bool has_two_sets = false;            ///< in the last search
  bool has_grid = false;                ///< of the points of the last search
  bool had_two_sets = false;            ///< in the last find()
  std::int64_t most_destinations = -1;  ///< that update() takes; -1 before the first find()
  std::int64_t most_sources = -1;

  Plan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
      : search(queue, radius, box, without_skin(options)),
        points(search.make_set("point")),
        sources(search.make_set("source")),
        destinations(search.make_set("destination")),
        list(queue),
        longest(queue, 1),
        matrix_status(watch_status(queue, [this](int, std::int64_t row, const double* value) {
          return text("neighbors: the longest row has ", static_cast<std::int64_t>(value[0]),
                      " entries, more than the maximum of ", matrix_maximum, " (the first such row is ", row,
                      "). Use at least that maximum.");
        })) {
    if (options.skin != 0) skin.emplace(queue, radius, box, options);
  }

  const Queue& queue() const { return search.queue(); }
  SearchSet<Real>& last_sources() { return has_two_sets ? sources : points; }
  SearchSet<Real>& last_destinations() { return has_two_sets ? destinations : points; }

  void check(const Points<Real>& one_set) const { search.require_points("neighbors", one_set); }

  void check(const Points<Real>& near, const Points<Real>& of) const {
    search.require_points("neighbors (destinations)", near);
    search.require_points("neighbors (sources)", of);
  }

  void take(const Points<Real>& one_set) {
    has_grid = false;
    has_two_sets = false;
    search.assign(points, one_set);
  }

  void take(const Points<Real>& near, const Points<Real>& of) {
    has_grid = false;
    has_two_sets = true;
    search.assign(destinations, near);
    search.assign(sources, of);
  }

  void survey() {
    search.survey(last_destinations(), last_sources());
    has_grid = true;
  }

  template <class... Sets>
  void find(const Sets&... sets) {
    check(sets...);
    most_destinations = -1;  // until it has worked
    list.clear();
    try {
      take(sets...);
      survey();
      if (skin)
        list.find(*skin, search, last_destinations(), last_sources(), !has_two_sets);
      else
        list.find(search, last_destinations(), last_sources(), !has_two_sets);
      queue().wait();
    } catch (...) {
      list.clear();
      has_grid = false;
      throw;
    }
    had_two_sets = has_two_sets;
    most_destinations = last_destinations().count();
    most_sources = last_sources().count();
  }

  template <class... Sets>
  void update(const Sets&... sets) {
    check(sets...);
    require_room(sizeof...(sets) == 2, sets.count()...);
    take(sets...);
    survey();
    if (skin)
      list.update(*skin, search, last_destinations(), last_sources(), !has_two_sets);
    else
      list.update(search, last_destinations(), last_sources(), !has_two_sets);
  }

  template <class... Sets>
  void prepare(const Sets&... sets) {
    check(sets...);
    take(sets...);
    survey();
    pairs();
  }

  void require_room(bool two_sets, std::int64_t to, std::int64_t from) const {
    require(search.method().replays, "neighbors: method `", search.method().name,
            "` cannot update without waiting. Call find(), or choose another method.");
    require(most_destinations >= 0, "neighbors: update() before find(). Call find() once, to make room for the list.");
    require(two_sets == had_two_sets, "neighbors: update() of ", two_sets ? "two sets" : "one set", " after find() of ",
            two_sets ? "one set" : "two sets", ". Call find(), which makes room.");
    require(to <= most_destinations && from <= most_sources, "neighbors: update() with ", to, " destinations and ",
            from, " sources, expected at most the ", most_destinations, " and ", most_sources,
            " of the last find(). Call find(), which makes room.");
  }
  void require_room(bool two_sets, std::int64_t count) const { require_room(two_sets, count, count); }

  void to_matrix(std::int64_t maximum, View<std::int32_t> matrix) {
    const std::int64_t rows = list.rows();
    require(maximum > 0, "neighbors: maximum = ", maximum, ", expected a positive number of columns.");
    require(rows >= 0, "neighbors: to_matrix() before find(): there is no list.");
    require_view(queue(), "neighbors", "matrix", matrix, rows * maximum);
    require(matrix.contiguous(), "neighbors: matrix is strided, expected a contiguous view.");
    matrix_maximum = maximum;
    const NeighborList& from = list.list();
    const MatrixOutput output{from.offsets.data(),
                              from.indices.data(),
                              rows,
                              from.indices.count(),
                              maximum,
                              matrix.data,
                              longest.data(),
                              matrix_status->device_pointer()};
    write_matrix(queue(), output);
  }

  NeighborPairs<Real> pairs() { return search.sorted_pairs(last_destinations(), last_sources(), !has_two_sets); }

  NeighborPairs<Real> prepared_pairs() {
    require(has_grid, "neighbors: visitor() or sum() before prepare(), find() or update(). Call one of them first.");
    return pairs();
  }

  void sum(View<const Real> weights, View<Real> out) {
    sum_neighbors(search.scratch(), prepared_pairs(), search.periodic(), weights, out);
  }

  std::int64_t scratch_bytes() const {
    return search.bytes() + (skin ? skin->bytes() : 0) + points.bytes() + sources.bytes() + destinations.bytes() +
           longest.bytes() + matrix_status->bytes();
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
  plan_->find(points);
}
template <class Real>
void Neighbors<Real>::find(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->find(destinations, sources);
}
template <class Real>
void Neighbors<Real>::update(const Points<Real>& points) {
  plan_->update(points);
}
template <class Real>
void Neighbors<Real>::update(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->update(destinations, sources);
}
template <class Real>
void Neighbors<Real>::prepare(const Points<Real>& points) {
  plan_->prepare(points);
}
template <class Real>
void Neighbors<Real>::prepare(const Points<Real>& destinations, const Points<Real>& sources) {
  plan_->prepare(destinations, sources);
}

template <class Real>
std::int64_t Neighbors<Real>::rebuilds() const {
  return plan_->skin ? plan_->skin->rebuilds() : 0;
}

template <class Real>
View<const std::int64_t> Neighbors<Real>::offsets() const {
  return plan_->list.view().offsets;
}
template <class Real>
View<const std::int32_t> Neighbors<Real>::indices() const {
  return plan_->list.view().indices;
}
template <class Real>
View<const std::int64_t> Neighbors<Real>::wide_indices() const {
  return plan_->list.view().wide_indices;
}
template <class Real>
View<const Real> Neighbors<Real>::distances() const {
  return plan_->list.view().distances;
}
template <class Real>
std::array<View<const Real>, 3> Neighbors<Real>::displacements() const {
  return plan_->list.view().displacements;
}
template <class Real>
void Neighbors<Real>::to_matrix(std::int64_t maximum, View<std::int32_t> matrix) const {
  plan_->to_matrix(maximum, matrix);
}
template <class Real>
NeighborVisitor<Real> Neighbors<Real>::visitor() const {
  return {plan_->prepared_pairs(), plan_->search.periodic()};
}
template <class Real>
void Neighbors<Real>::sum(View<const Real> weights, View<Real> out) const {
  plan_->sum(weights, out);
}
template <class Real>
std::int64_t Neighbors<Real>::scratch_bytes() const {
  return plan_->scratch_bytes();
}
template <class Real>
MethodInfo Neighbors<Real>::method() const {
  return method_info("neighbors", plan_->search.method());
}

template class Neighbors<float>;
template class Neighbors<double>;

}  // namespace shoal
