// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/periodic.hpp>

#include <optional>

#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "neighbors/neighbors_method.hpp"
#include "neighbors/periodic/bins/bin_search.hpp"
#include "neighbors/periodic/direct/direct_search.hpp"
#include "neighbors/periodic/images.hpp"
#include "neighbors/search/search_box.hpp"

namespace shoal::neighbors {

namespace {

/// The pairs of a search, in memory that later searches reuse.
template <class Real>
struct PairArrays {
  Array<std::int64_t> offsets, edge_index;
  Array<std::int32_t> shifts;
  Array<Real> distances, displacements;

  explicit PairArrays(const Queue& queue)
      : offsets(queue, 0), edge_index(queue, 0), shifts(queue, 0), distances(queue, 0), displacements(queue, 0) {}

  void resize(std::int64_t pairs, const PeriodicNeighborsOptions& options) {
    edge_index.resize(2 * pairs);
    shifts.resize(3 * pairs);
    if (options.distances) distances.resize(pairs);
    if (options.displacements) displacements.resize(3 * pairs);
  }

  void clear() {
    offsets.resize(0);
    resize(0, {.distances = true, .displacements = true});
  }

  PairOutputs<Real> outputs(std::int64_t pairs) {
    return {pairs, edge_index.data(), shifts.data(), distances.count() > 0 ? distances.data() : nullptr,
            displacements.count() > 0 ? displacements.data() : nullptr};
  }
};

}  // namespace

template <class Real>
struct PeriodicNeighbors<Real>::Plan {
  Queue queue;
  double radius;
  PeriodicNeighborsOptions options;
  Real limit;
  const NeighborsMethod& method;
  DirectSearch<Real> direct;
  PeriodicImages<Real> images;
  double candidate_radius = 0;
  std::optional<Neighbors<double>> candidates;
  PairArrays<Real> pairs;

  Plan(const Queue& on, double r, const PeriodicNeighborsOptions& with)
      : queue(on),
        radius(r),
        options(with),
        limit((require_radius(r, Radius::fixed),
               fixed_limit<Real>(r, {.scale = 1, .inclusive = with.predicate == Predicate::inclusive}))),
        method(find_neighbors_method(on, with.method)),
        direct(on),
        images(on),
        pairs(on) {}

  void require_systems(std::int64_t n, std::span<const std::int64_t> starts, std::size_t cells) const {
    require(starts.size() >= 2, "neighbors: ", starts.size(),
            " starts of systems, expected the first point of each system ", "and the number of points.");
    require(starts.front() == 0 && starts.back() == n, "neighbors: systems start at ", starts.front(), " and end at ",
            starts.back(), ", expected 0 and the number of points, ", n, ".");
    for (std::size_t s = 0; s + 1 < starts.size(); ++s)
      require(starts[s] <= starts[s + 1], "neighbors: system ", s, " starts at point ", starts[s],
              " and ends at point ", starts[s + 1], ", expected ascending numbers.");
    require(cells == 1 || cells == starts.size() - 1, "neighbors: ", cells, " cells for ", starts.size() - 1,
            " systems, expected one cell for each, or one for all.");
  }

  void find(const Points<Real>& points, std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells) {
    const int dimensions = dimensions_of(points);
    require_points(queue, "neighbors", points, dimensions);
    require_systems(points.count(), starts, cells.size());
    pairs.clear();
    images.clear();
    try {
      if (!find_in_bins(points, cells, starts.size() - 1) && !find_directly(points, starts, cells))
        find_by_images(points, starts, cells);
      queue.wait();
    } catch (...) {
      pairs.clear();
      throw;
    }
  }

  ImageRule rule() const { return {options.include_self, options.half}; }

  /// Compares the points of one system with those of the bins around them. Returns false if another search is faster, or
  /// if the system needs it; the search by images also names what is wrong.
  bool find_in_bins(const Points<Real>& points, std::span<const PeriodicCell> cells, std::size_t systems) {
    if (options.method != "auto" || systems != 1) return false;
    pairs.offsets.resize(points.count() + 1);
    return neighbors::find_in_bins<Real>(images.scratch(), points, radius, limit, rule(), cells[0], pairs.offsets,
                                         [this](std::int64_t total) {
                                           pairs.resize(total, options);
                                           return pairs.outputs(total);
                                         });
  }

  /// Compares all points of each system. Returns false as above.
  bool find_directly(const Points<Real>& points, std::span<const std::int64_t> starts,
                     std::span<const PeriodicCell> cells) {
    if (options.method != "auto" || !direct.suits(starts)) return false;
    pairs.offsets.resize(points.count() + 1);
    const std::optional<std::int64_t> total =
        direct.count(images.scratch(), points, radius, limit, rule(), starts, cells, pairs.offsets);
    if (!total) return false;
    pairs.resize(*total, options);
    direct.write(pairs.outputs(*total));
    return true;
  }

  void find_by_images(const Points<Real>& points, std::span<const std::int64_t> starts,
                      std::span<const PeriodicCell> cells) {
    images.make(points, radius, starts, cells);
    find_candidates();
    const PeriodicBackend<Real>& steps = backend<PeriodicBackend<Real>>(queue);
    pairs.offsets.resize(points.count() + 1);
    ImagePairs<Real> search{.systems = images.arrays(),
                            .first_candidate = candidates->offsets().data,
                            .candidates = candidates->indices().data,
                            .rule = rule(),
                            .limit = limit,
                            .offsets = pairs.offsets.data(),
                            .outputs = {}};
    steps.count_pairs(queue, search);
    search.outputs = pairs_after_count();
    steps.write_pairs(queue, search);
  }

  /// Searches the images near each point. A plan of a slightly larger radius serves again.
  void find_candidates() {
    const double reach = images.reach();
    if (!candidates || reach > candidate_radius || reach < 0.99 * candidate_radius) {
      candidate_radius = reach * (1 + 0x1p-10);
      candidates.emplace(queue, candidate_radius, Box{},
                         NeighborsOptions{.method = options.method, .predicate = Predicate::inclusive});
    }
    candidates->find(images.points(), images.images());
  }

  /// Turns the numbers of pairs of the points into their first pairs, and makes room for all pairs. Waits for the queue.
  PairOutputs<Real> pairs_after_count() {
    const std::int64_t n = pairs.offsets.count() - 1;
    exclusive_scan<std::int64_t>(images.scratch(), View<const std::int64_t>(pairs.offsets.data(), n, queue.device()),
                                 pairs.offsets);
    std::int64_t total = 0;
    copy_bytes(queue, &total, {}, pairs.offsets.data() + n, queue.device(), sizeof total);
    queue.wait();
    pairs.resize(total, options);
    return pairs.outputs(total);
  }

  /// @throws Error  a set has more pairs than the capacity
  void require_capacity(std::int64_t points, const PairSets& out) const {
    if (out.sets == 1 && pairs.shifts.count() / 3 <= out.capacity) return;
    const std::vector<std::int64_t> first = to_host(queue, pairs.offsets);
    for (std::int64_t set = 0; set < out.sets; ++set) {
      const auto begin = static_cast<std::size_t>(set * points);
      const std::int64_t count = first[begin + static_cast<std::size_t>(points)] - first[begin];
      require(count <= out.capacity, "neighbors: ", count, " pairs, expected at most max_pairs = ", out.capacity,
              ". Use at least that number.");
    }
  }

  void write_sets(const PairSets& out) const {
    const std::int64_t n = pairs.offsets.count() - 1;
    require(n >= 0, "neighbors: there is no list of pairs. Call find() first.");
    require(out.sets > 0 && n % out.sets == 0, "neighbors: ", out.sets, " sets of ", n,
            " points, expected sets of equally many points.");
    require(out.capacity >= 0, "neighbors: capacity = ", out.capacity, ", expected a number of pairs of at least 0.");
    const std::int64_t points = n / out.sets;
    require_view(queue, "neighbors", "edge_index", out.edge_index, 2 * out.sets * out.capacity);
    require_view(queue, "neighbors", "shifts", out.shifts, 3 * out.sets * out.capacity);
    require_view(queue, "neighbors", "offsets", out.offsets, out.sets * (points + 1));
    require_capacity(points, out);
    backend<PeriodicBackend<Real>>(queue).write_sets(queue, {.sets = out.sets,
                                                             .points = points,
                                                             .capacity = out.capacity,
                                                             .pairs = pairs.shifts.count() / 3,
                                                             .offsets = pairs.offsets.data(),
                                                             .edge_index = pairs.edge_index.data(),
                                                             .shifts = pairs.shifts.data(),
                                                             .set_edge_index = out.edge_index.data,
                                                             .set_shifts = out.shifts.data,
                                                             .set_offsets = out.offsets.data});
  }

  std::int64_t scratch_bytes() const {
    return direct.bytes() + images.bytes() + (candidates ? candidates->scratch_bytes() : 0);
  }
};

template <class Real>
PeriodicNeighbors<Real>::PeriodicNeighbors(const Queue& queue, double radius, const PeriodicNeighborsOptions& options)
    : plan_(std::make_unique<Plan>(queue, radius, options)) {}
template <class Real>
PeriodicNeighbors<Real>::~PeriodicNeighbors() = default;
template <class Real>
PeriodicNeighbors<Real>::PeriodicNeighbors(PeriodicNeighbors&&) noexcept = default;
template <class Real>
PeriodicNeighbors<Real>& PeriodicNeighbors<Real>::operator=(PeriodicNeighbors&&) noexcept = default;

template <class Real>
void PeriodicNeighbors<Real>::find(const Points<Real>& points, const PeriodicCell& cell) {
  const std::int64_t starts[] = {0, points.count()};
  plan_->find(points, starts, {&cell, 1});
}
template <class Real>
void PeriodicNeighbors<Real>::find(const Points<Real>& points, std::span<const std::int64_t> starts,
                                   std::span<const PeriodicCell> cells) {
  plan_->find(points, starts, cells);
}

template <class Real>
std::int64_t PeriodicNeighbors<Real>::pair_count() const {
  return plan_->pairs.shifts.count() / 3;
}
template <class Real>
View<const std::int64_t> PeriodicNeighbors<Real>::offsets() const {
  return plan_->pairs.offsets;
}
template <class Real>
View<const std::int64_t> PeriodicNeighbors<Real>::edge_index() const {
  return plan_->pairs.edge_index;
}
template <class Real>
View<const std::int32_t> PeriodicNeighbors<Real>::shifts() const {
  return plan_->pairs.shifts;
}
template <class Real>
View<const Real> PeriodicNeighbors<Real>::distances() const {
  return plan_->pairs.distances;
}
template <class Real>
View<const Real> PeriodicNeighbors<Real>::displacements() const {
  return plan_->pairs.displacements;
}
template <class Real>
void PeriodicNeighbors<Real>::write_sets(const PairSets& sets) const {
  plan_->write_sets(sets);
}
template <class Real>
std::int64_t PeriodicNeighbors<Real>::image_count() const {
  return plan_->images.image_count();
}
template <class Real>
std::int64_t PeriodicNeighbors<Real>::scratch_bytes() const {
  return plan_->scratch_bytes();
}
template <class Real>
MethodInfo PeriodicNeighbors<Real>::method() const {
  return method_info("neighbors", plan_->method);
}

template class PeriodicNeighbors<float>;
template class PeriodicNeighbors<double>;

}  // namespace shoal::neighbors
