// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors.hpp>

#include <optional>

#include "core/memory/check_views.hpp"
#include "neighbors/list/list_buffers.hpp"
#include "neighbors/list/list_outputs.hpp"

namespace shoal::neighbors {

namespace {

NeighborsOptions without_skin(NeighborsOptions options) {
  options.skin = 0;
  return options;
}

}  // namespace

template <class Real>
struct Neighbors<Real>::Plan {
  SearchPlan<Real> search;
  const NeighborsMethod& method;
  std::optional<SkinSearch<Real>> skin;
  SearchPoints<Real> points;
  ListBuffers<Real> list;
  Array<std::int64_t> longest;
  std::shared_ptr<StatusBlock> matrix_status;
  std::int64_t matrix_maximum = 0;
  bool has_grid = false;               ///< A survey of the last points made a grid.
  bool found_one_set = false;          ///< The last find() searched within one set.
  std::int64_t max_destinations = -1;  ///< Maximum for update(); -1 before the first find().
  std::int64_t max_sources = -1;

  Plan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
      : search(queue, radius, box, without_skin(options)),
        method(find_neighbors_method(queue, options.method, options.order)),
        points(search),
        list(queue, method),
        longest(queue, 1),
        matrix_status(watch_status(queue, [this](int, std::int64_t row, const double* value) {
          return text("neighbors: the longest row has ", static_cast<std::int64_t>(value[0]),
                      " entries, more than the maximum of ", matrix_maximum, " (the first such row is ", row,
                      "). Use at least that maximum.");
        })) {
    if (options.skin != 0) skin.emplace(queue, radius, box, options);
  }

  const Queue& queue() const { return search.queue(); }

  template <class... Sets>
  void survey(const Sets&... sets) {
    has_grid = false;
    points.assign(sets...);
    search.survey(points.pair());
    has_grid = true;
  }

  /// Finds a list of checked points by `find_list()`.
  template <class FindList, class... Sets>
  void find_by(FindList&& find_list, const Sets&... sets) {
    max_destinations = -1;  // no update while the search may fail
    list.clear();
    try {
      survey(sets...);
      find_list();
      queue().wait();
    } catch (...) {
      list.clear();
      has_grid = false;
      throw;
    }
  }

  void find_part(const Points<Real>& set, Range part) {
    points.check(set);
    require(part.begin >= 0 && part.end >= part.begin && part.end <= set.count(), "neighbors: part of ", part.count(),
            " points from point ", part.begin, " on, of a set of ", set.count(), ". Expected points of the set.");
    require(!skin, "neighbors: find_part() of a plan with a skin, which keeps candidates of whole sets. Use a plan ",
            "without a skin.");
    find_by([&] { list.find(search, points.part(part)); }, set);
  }

  template <class... Sets>
  void find(const Sets&... sets) {
    points.check(sets...);
    find_by([&] { skin ? list.find(*skin, search, points.pair()) : list.find(search, points.pair()); }, sets...);
    const SearchPair<Real> pair = points.pair();
    found_one_set = pair.one_set;
    max_destinations = pair.destinations.count();
    max_sources = pair.sources.count();
  }

  template <class... Sets>
  void update(const Sets&... sets) {
    points.check(sets...);
    require_room(sizeof...(sets) == 1, sets.count()...);
    survey(sets...);
    skin ? list.update(*skin, search, points.pair()) : list.update(search, points.pair());
  }

  template <class... Sets>
  void prepare(const Sets&... sets) {
    points.check(sets...);
    survey(sets...);
    search.sorted_pairs(points.pair());
  }

  void require_room(bool one_set, std::int64_t destinations, std::int64_t sources) const {
    require(method.replays, "neighbors: method `", method.name,
            "` cannot update without waiting. Call find(), or choose another method.");
    require(max_destinations >= 0, "neighbors: update() before find(). Call find() once, to make room for the list.");
    require(one_set == found_one_set, "neighbors: update() of ", one_set ? "one set" : "two sets", " after find() of ",
            one_set ? "two sets" : "one set", ". Call find(), which makes room.");
    require(destinations <= max_destinations && sources <= max_sources, "neighbors: update() with ", destinations,
            " destinations and ", sources, " sources, expected at most the ", max_destinations, " and ", max_sources,
            " of the last find(). Call find(), which makes room.");
  }
  void require_room(bool one_set, std::int64_t count) const { require_room(one_set, count, count); }

  void to_matrix(std::int64_t maximum, View<std::int32_t> matrix) {
    const std::int64_t rows = list.row_count();
    require(maximum > 0, "neighbors: maximum = ", maximum, ", expected a positive number of columns.");
    require(rows >= 0, "neighbors: to_matrix() before find(): there is no list.");
    require_view(queue(), "neighbors", "matrix", matrix, rows * maximum);
    require(matrix.contiguous(), "neighbors: matrix is strided, expected a contiguous view.");
    matrix_maximum = maximum;
    const NeighborListView<Real> view = list.view();
    const MatrixOutput output{.offsets = view.offsets.data,
                              .indices = view.indices.data,
                              .rows = rows,
                              .room = view.indices.count,
                              .maximum = maximum,
                              .matrix = matrix.data,
                              .longest = longest.data(),
                              .status = matrix_status->device_pointer()};
    backend<ListBackend<Real>>(queue()).write_matrix(queue(), output);
  }

  NeighborPairs<Real> prepared_pairs() {
    require(has_grid, "neighbors: visitor() or sum() before prepare(), find() or update(). Call one of them first.");
    return search.sorted_pairs(points.pair());
  }

  void sum(View<const Real> weights, View<Real> out) {
    sum_neighbors(search.scratch(), prepared_pairs(), search.periodic(), weights, out);
  }

  std::int64_t scratch_bytes() const {
    return search.bytes() + (skin ? skin->bytes() : 0) + points.bytes() + longest.bytes() + matrix_status->bytes();
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
void Neighbors<Real>::find_part(const Points<Real>& points, std::int64_t first, std::int64_t count) {
  plan_->find_part(points, {first, first + count});
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
View<const std::int64_t> Neighbors<Real>::edge_index() const {
  return plan_->list.view().edge_index;
}
template <class Real>
View<const std::int32_t> Neighbors<Real>::shifts() const {
  return plan_->list.view().shifts;
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
  return method_info("neighbors", plan_->method);
}

template class Neighbors<float>;
template class Neighbors<double>;

}  // namespace shoal::neighbors
