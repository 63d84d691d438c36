// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/sets.hpp>

#include <deque>

#include "neighbors/list/list_buffers.hpp"
#include "neighbors/list/list_outputs.hpp"

namespace shoal::neighbors {

namespace {

template <class Real>
struct NamedSet {
  std::string name;
  SearchSet<Real> set;
  Points<Real> points;  ///< Points of set_points() for the next search.
  bool has_points = false;
  std::int64_t max_points = -1;  ///< Maximum for update(); −1 before the first find().
};

template <class Real>
struct PairOfSets {
  NamedSet<Real>* destination;
  NamedSet<Real>* source;
  ListBuffers<Real> list;
  std::shared_ptr<StatusBlock> list_status;
  bool is_active = false;
  bool is_prepared = false;  ///< The present grid holds both sets.

  SearchPair<Real> search_pair() const { return {destination->set, source->set, destination == source}; }
  std::string name() const { return text("(", destination->name, ", ", source->name, ")"); }
};

}  // namespace

template <class Real>
struct NeighborSets<Real>::Plan {
  SearchPlan<Real> search;
  const NeighborsMethod& method;
  std::deque<NamedSet<Real>> sets;  // a deque keeps the addresses of its elements
  std::deque<PairOfSets<Real>> pairs;

  Plan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
      : search(queue, radius, box, options), method(find_neighbors_method(queue, options.method, options.order)) {}

  NamedSet<Real>* find_set(std::string_view name) {
    for (NamedSet<Real>& set : sets)
      if (set.name == name) return &set;
    return nullptr;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const NamedSet<Real>& set : sets) names.push_back(set.name);
    return names;
  }

  NamedSet<Real>& set(std::string_view name) {
    NamedSet<Real>* const named = find_set(name);
    require(named != nullptr, "neighbors: there is no set `", name, "`. ",
            sets.empty() ? std::string("Call add() first") : text("The sets are ", join(names())), ".");
    return *named;
  }

  void add(std::string_view name) {
    require(!name.empty(), "neighbors: the name of a set is empty, expected at least one character.");
    require(find_set(name) == nullptr, "neighbors: there is a set `", name, "` already. Choose another name.");
    const std::string set_name(name);
    sets.push_back({set_name, search.make_set("point", set_name), {}});
  }

  PairOfSets<Real>* find_pair(const NamedSet<Real>& destination, const NamedSet<Real>& source) {
    for (PairOfSets<Real>& pair : pairs)
      if (pair.destination == &destination && pair.source == &source) return &pair;
    return nullptr;
  }

  void set_active(std::string_view destination, std::string_view source, bool active) {
    NamedSet<Real>& destination_set = set(destination);
    NamedSet<Real>& source_set = set(source);
    PairOfSets<Real>* pair = find_pair(destination_set, source_set);
    if (pair == nullptr) {
      if (!active) return;
      pairs.push_back({&destination_set, &source_set, ListBuffers<Real>(search.queue(), method), nullptr});
      pair = &pairs.back();
      pair->list_status = search.watch_list(pair->name());
    }
    pair->is_active = active;
  }

  bool is_active(std::string_view destination, std::string_view source) {
    const PairOfSets<Real>* const pair = find_pair(set(destination), set(source));
    return pair != nullptr && pair->is_active;
  }

  PairOfSets<Real>& active_pair(std::string_view destination, std::string_view source) {
    PairOfSets<Real>* const pair = find_pair(set(destination), set(source));
    require(pair != nullptr && pair->is_active, "neighbors: the pair (", destination, ", ", source,
            ") is not active. Call activate(\"", destination, "\", \"", source, "\") before find().");
    return *pair;
  }

  void set_points(std::string_view name, const Points<Real>& points) {
    NamedSet<Real>& named = set(name);
    search.require_points(text("neighbors (", name, ")").c_str(), points);
    named.points = points;
    named.has_points = true;
  }

  /// Assigns the points of the sets in active pairs, and returns these sets.
  std::vector<SearchRole<Real>> assign_points() {
    std::vector<SearchRole<Real>> roles;
    for (NamedSet<Real>& named : sets) {
      bool takes_part = false;
      bool is_source = false;
      for (const PairOfSets<Real>& pair : pairs) {
        if (!pair.is_active) continue;
        takes_part = takes_part || pair.destination == &named || pair.source == &named;
        is_source = is_source || pair.source == &named;
      }
      if (!takes_part) continue;
      require(named.has_points, "neighbors: the set `", named.name, "` has no points. Call set_points(\"", named.name,
              "\", ...); an empty set is allowed.");
      search.assign(named.set, named.points);
      roles.push_back({&named.set, is_source});
    }
    require(!roles.empty(), "neighbors: no pair of sets is active. Call activate(destination, source) first.");
    return roles;
  }

  void survey() {
    for (PairOfSets<Real>& pair : pairs) pair.is_prepared = false;
    search.survey(assign_points());
    for (PairOfSets<Real>& pair : pairs) pair.is_prepared = pair.is_active;
  }

  void clear_search() {
    for (PairOfSets<Real>& pair : pairs) {
      pair.list.clear();
      pair.is_prepared = false;
    }
    for (NamedSet<Real>& named : sets) named.max_points = -1;
  }

  void find() {
    clear_search();
    try {
      survey();
      for (PairOfSets<Real>& pair : pairs)
        if (pair.is_active) pair.list.find(search, pair.search_pair());
      search.queue().wait();
    } catch (...) {
      clear_search();
      throw;
    }
    for (NamedSet<Real>& named : sets) named.max_points = named.set.count();
  }

  void require_room() const {
    require(method.replays, "neighbors: method `", method.name,
            "` cannot update without waiting. Call find(), or choose another method.");
    for (const PairOfSets<Real>& pair : pairs) {
      if (!pair.is_active) continue;
      require(pair.list.row_count() >= 0, "neighbors: update() before find() of the pair ", pair.name(),
              ". Call find() once, to make room for its list.");
      for (const NamedSet<Real>* named : {pair.destination, pair.source})
        require(named->points.count() <= named->max_points, "neighbors: update() with ", named->points.count(),
                " points of ", named->name, ", expected at most the ", named->max_points,
                " of the last find(). Call find(), which makes room.");
    }
  }

  void update() {
    require_room();
    survey();
    for (PairOfSets<Real>& pair : pairs)
      if (pair.is_active) pair.list.update(search, pair.search_pair(), pair.list_status->device_pointer());
  }

  void prepare() {
    survey();
    for (PairOfSets<Real>& pair : pairs)
      if (pair.is_active) search.sorted_pairs(pair.search_pair());
  }

  NeighborListView<Real> list(std::string_view destination, std::string_view source) {
    const PairOfSets<Real>& pair = active_pair(destination, source);
    require(pair.list.row_count() >= 0, "neighbors: the pair ", pair.name(), " has no list yet. Call find().");
    return pair.list.view();
  }

  NeighborPairs<Real> prepared_pairs(std::string_view destination, std::string_view source) {
    PairOfSets<Real>& pair = active_pair(destination, source);
    require(pair.is_prepared, "neighbors: visitor() of the pair ", pair.name(),
            " before prepare(), find() or update().");
    return search.sorted_pairs(pair.search_pair());
  }

  void sum(std::string_view destination, std::string_view source, View<const Real> weights, View<Real> out) {
    sum_neighbors(search.scratch(), prepared_pairs(destination, source), search.periodic(), weights, out);
  }

  std::int64_t scratch_bytes() const {
    std::int64_t total = search.bytes();
    for (const NamedSet<Real>& named : sets) total += named.set.bytes();
    for (const PairOfSets<Real>& pair : pairs) total += pair.list_status->bytes();
    return total;
  }
};

template <class Real>
NeighborSets<Real>::NeighborSets(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options)
    : plan_(std::make_unique<Plan>(queue, radius, box, options)) {}
template <class Real>
NeighborSets<Real>::~NeighborSets() = default;
template <class Real>
NeighborSets<Real>::NeighborSets(NeighborSets&&) noexcept = default;
template <class Real>
NeighborSets<Real>& NeighborSets<Real>::operator=(NeighborSets&&) noexcept = default;

template <class Real>
void NeighborSets<Real>::add(std::string_view name) {
  plan_->add(name);
}
template <class Real>
std::vector<std::string> NeighborSets<Real>::names() const {
  return plan_->names();
}
template <class Real>
void NeighborSets<Real>::activate(std::string_view destination, std::string_view source) {
  plan_->set_active(destination, source, true);
}
template <class Real>
void NeighborSets<Real>::deactivate(std::string_view destination, std::string_view source) {
  plan_->set_active(destination, source, false);
}
template <class Real>
bool NeighborSets<Real>::is_active(std::string_view destination, std::string_view source) const {
  return plan_->is_active(destination, source);
}
template <class Real>
void NeighborSets<Real>::set_points(std::string_view name, const Points<Real>& points) {
  plan_->set_points(name, points);
}
template <class Real>
void NeighborSets<Real>::find() {
  plan_->find();
}
template <class Real>
void NeighborSets<Real>::update() {
  plan_->update();
}
template <class Real>
void NeighborSets<Real>::prepare() {
  plan_->prepare();
}
template <class Real>
NeighborListView<Real> NeighborSets<Real>::list(std::string_view destination, std::string_view source) const {
  return plan_->list(destination, source);
}
template <class Real>
NeighborVisitor<Real> NeighborSets<Real>::visitor(std::string_view destination, std::string_view source) const {
  return {plan_->prepared_pairs(destination, source), plan_->search.periodic()};
}
template <class Real>
void NeighborSets<Real>::sum(std::string_view destination, std::string_view source, View<const Real> weights,
                             View<Real> out) const {
  plan_->sum(destination, source, weights, out);
}
template <class Real>
std::int64_t NeighborSets<Real>::scratch_bytes() const {
  return plan_->scratch_bytes();
}
template <class Real>
MethodInfo NeighborSets<Real>::method() const {
  return method_info("neighbors", plan_->method);
}

template class NeighborSets<float>;
template class NeighborSets<double>;

}  // namespace shoal::neighbors
