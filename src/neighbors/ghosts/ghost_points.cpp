// SPDX-License-Identifier: Apache-2.0
#include <shoal/ranks/ghost_points.hpp>

#include <cmath>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "neighbors/ghosts/ghost_extent.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::neighbors {

namespace {

void check_search(double radius, const Box& box) {
  require(std::isfinite(radius) && radius > 0, "ghost points: radius = ", radius, ", expected a positive number.");
  require(box.dimensions >= 1 && box.dimensions <= 3, "ghost points: the box has ", box.dimensions,
          " dimensions, expected 1 to 3.");
  for (std::size_t axis = 0; axis < 3; ++axis)
    require(!box.periodic[axis] || box.upper[axis] > box.lower[axis], "ghost points: the box spans [", box.lower[axis],
            ", ", box.upper[axis], "] m along periodic axis ", axis, ", expected a positive length.");
}

}  // namespace

template <class Real>
struct GhostPoints<Real>::Plan {
  /// Exchange with one rank.
  struct Peer {
    Array<std::int32_t> sent;   ///< own points that are its ghosts
    std::int64_t received = 0;  ///< number of its points that are ghosts here
    std::int64_t begin = 0;     ///< index of these in points()
  };

  Queue queue;
  Communicator ranks;
  double radius;
  Box box;
  Scratch scratch;
  std::unique_ptr<Transport> transport;
  std::vector<Peer> peers;  ///< [ranks]
  bool has_points = false;
  std::int64_t first = 0;  ///< number of the first own point
  std::int64_t own_begin = 0;
  std::int64_t own_count = 0;
  std::int64_t total = 0;
  Array<Real> memory[4];
  Array<std::int64_t> numbers;
  bool has_numbers = false;
  Points<Real> points;

  Plan(const Queue& plan_queue, const Communicator& plan_ranks, double plan_radius, const Box& plan_box)
      : queue(plan_queue),
        ranks(plan_ranks),
        radius(plan_radius),
        box(plan_box),
        scratch(queue),
        memory{Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0), Array<Real>(queue, 0)},
        numbers(queue, 0) {
    check_search(radius, box);
    for (int rank = 0; rank < ranks.size(); ++rank) peers.push_back({.sent = Array<std::int32_t>(queue, 0)});
  }

  bool is_alone() const { return ranks.size() == 1; }
  std::int64_t all_count() const { return points.count(); }

  void check(const Points<Real>& own_points) const {
    require_points(queue, "ghost points", own_points, box.dimensions);
    require(own_points.radius.count == 0 || own_points.radius.count == own_points.count(),
            "ghost points: ", own_points.radius.count, " radii for ", own_points.count(),
            " points, expected one for each, or none.");
    require(own_points.radius.empty() || own_points.radius.device == queue.device(), "ghost points: the radii are on ",
            to_string(own_points.radius.device), ", the queue works on ", to_string(queue.device()),
            ". Copy them there first.");
  }

  void find(const Points<Real>& own_points) {
    has_points = false;
    has_numbers = false;
    points = {};
    GhostExtent extent;
    agree_naming_rank(ranks, [&] {
      check(own_points);
      if (!is_alone()) extent = extent_of(scratch, own_points, box);
    });
    own_count = total = own_points.count();
    if (is_alone()) {
      points = own_points;
    } else {
      std::vector<GhostExtent> extents(peers.size());
      ranks.group().all_gather(&extent, sizeof extent, extents.data());
      find_ghosts(own_points, extents);
    }
    has_points = true;
  }

  void find_ghosts(const Points<Real>& own_points, const std::vector<GhostExtent>& extents) {
    const bool has_radii = number_points(extents);
    agree_naming_rank(ranks, [&] { select_sent(own_points, extents); });
    exchange_counts();
    agree_naming_rank(ranks, [&] { make_room(has_radii); });
    fill(own_points, has_radii);
  }

  /// Numbers the points of all ranks. Returns true if they have radii. All ranks have the same extents, and throw alike.
  bool number_points(const std::vector<GhostExtent>& extents) {
    total = 0;
    bool has_radii = false;
    for (std::size_t rank = 0; rank < extents.size(); ++rank) {
      if (static_cast<int>(rank) == ranks.rank()) first = total;
      total += extents[rank].count;
      has_radii = has_radii || extents[rank].has_radii != 0;
    }
    for (std::size_t rank = 0; rank < extents.size(); ++rank)
      require(!has_radii || extents[rank].count == 0 || extents[rank].has_radii != 0,
              "ghost points: the points of rank ", rank,
              " have no radii, those of others have. Give radii on all ranks, or on none.");
    return has_radii;
  }

  double largest_reach(const std::vector<GhostExtent>& extents) const {
    double largest = 0;
    bool has_radii = false;
    for (const GhostExtent& extent : extents) {
      has_radii = has_radii || extent.has_radii != 0;
      largest = std::max(largest, extent.max_radius);
    }
    return has_radii ? radius * largest : radius;
  }

  /// Selects the own points that are ghosts of each other rank.
  void select_sent(const Points<Real>& own_points, const std::vector<GhostExtent>& extents) {
    const auto rank = static_cast<std::size_t>(ranks.rank());
    const double reach = largest_reach(extents);
    ScratchFrame frame(scratch);
    const View<std::uint8_t> flags = frame.array<std::uint8_t>(own_count);
    const View<std::int32_t> indices = frame.array<std::int32_t>(own_count);
    const View<std::int64_t> selected = frame.array<std::int64_t>(1);
    for (std::size_t peer = 0; peer < peers.size(); ++peer) {
      peers[peer].sent.resize(0);
      if (peer == rank || own_count == 0 || extents[peer].count == 0) continue;
      const GhostRegion region = ghost_region<Real>(extents[peer], box, reach);
      if (!may_overlap(region, extents[rank])) continue;
      backend<GhostBackend<Real>>(queue).flag_near(queue, cells::PointReader<Real>(own_points), region, flags);
      select<std::int32_t>(scratch, flags, indices, selected);
      const std::int64_t count = to_host(queue, selected).front();
      peers[peer].sent.resize(count);
      copy(queue, View<const std::int32_t>(indices.data, count, indices.device), peers[peer].sent.view());
    }
  }

  /// Gathers how many points each rank sends to each, and places the ghosts in the order of ranks.
  void exchange_counts() {
    const std::size_t size = peers.size();
    const auto rank = static_cast<std::size_t>(ranks.rank());
    std::vector<std::int64_t> sent(size);
    std::vector<std::int64_t> of_all(size * size);
    for (std::size_t peer = 0; peer < size; ++peer) sent[peer] = peers[peer].sent.count();
    ranks.group().all_gather(sent.data(), size * sizeof(std::int64_t), of_all.data());
    std::int64_t begin = 0;
    for (std::size_t peer = 0; peer < size; ++peer) {
      peers[peer].received = of_all[peer * size + rank];
      peers[peer].begin = begin;
      if (peer == rank) own_begin = begin;
      begin += peer == rank ? own_count : peers[peer].received;
    }
    points.x.count = begin;
  }

  void make_room(bool has_radii) {
    constexpr std::int64_t most = 2147483646;
    const std::int64_t count = all_count();
    require(count <= most, "ghost points: ", own_count, " own points and ", count - own_count,
            " ghosts, expected at most ", most, ". Use more ranks, or give points near each other to one rank.");
    numbers.resize(count);
    for (int field = 0; field < 4; ++field)
      if (field == 3 ? has_radii : field < box.dimensions) memory[field].resize(count);
  }

  /// Fills coordinates, radii and numbers.
  void fill(const Points<Real>& own_points, bool has_radii) {
    const View<const Real> fields[] = {own_points.x, own_points.y, own_points.z, own_points.radius};
    View<const Real>* const views[] = {&points.x, &points.y, &points.z, &points.radius};
    for (int field = 0; field < 4; ++field) {
      if (!(field == 3 ? has_radii : field < box.dimensions)) continue;
      exchange<Real>(fields[field], memory[field]);
      *views[field] = memory[field];
    }
    fill_numbers();
  }

  /// Numbers of own points, and those of the ghosts, which their ranks send.
  void fill_numbers() {
    const GhostBackend<Real>& steps = backend<GhostBackend<Real>>(queue);
    steps.fill_numbers(queue, nullptr, first, part(numbers.view(), own_begin, own_count));
    if (!is_alone())
      exchange_ghosts<std::int64_t>(numbers, [&](const Peer& peer, View<std::int64_t> sent) {
        steps.fill_numbers(queue, peer.sent.data(), first, sent);
      });
    has_numbers = true;
  }

  template <class T>
  static View<T> part(View<T> view, std::int64_t begin, std::int64_t count) {
    return {view.data + begin, count, view.device};
  }

  /// Receives values of the ghosts.
  /// @param write  write(peer, sent) writes the values of the points that a rank gets
  template <class T, class Write>
  void exchange_ghosts(View<T> values, Write&& write) {
    ScratchFrame frame(scratch);
    std::vector<SentPiece> sends;
    std::vector<ReceivedPiece> receives;
    for (int rank = 0; rank < ranks.size(); ++rank) {
      const Peer& peer = peers[static_cast<std::size_t>(rank)];
      if (peer.sent.count() > 0) {
        const View<T> sent = frame.array<T>(peer.sent.count());
        write(peer, sent);
        sends.push_back({sent.data, static_cast<std::size_t>(sent.count) * sizeof(T), rank});
      }
      if (peer.received > 0)
        receives.push_back({values.data + peer.begin, static_cast<std::size_t>(peer.received) * sizeof(T), rank});
    }
    transport->exchange(sends, receives);
  }

  template <class T>
  void exchange(View<const T> own_values, View<T> values) {
    copy_own(own_values, part(values, own_begin, own_count));
    if (is_alone()) return;
    exchange_ghosts<T>(values, [&](const Peer& peer, View<T> sent) {
      gather<T, std::int32_t>(queue, own_values, peer.sent.view(), sent);
    });
  }

  template <class T>
  void copy_own(View<const T> own_values, View<T> values) {
    if (own_values.contiguous()) return copy(queue, own_values, values);
    ScratchFrame frame(scratch);
    const View<std::int64_t> order = frame.array<std::int64_t>(own_values.count);
    backend<GhostBackend<Real>>(queue).fill_numbers(queue, nullptr, 0, order);
    gather<T, std::int64_t>(queue, own_values, order, values);
  }

  template <class T>
  void update(View<const T> own_values, View<T> values) {
    agree_naming_rank(ranks, [&] {
      require_found();
      require_view(queue, "ghost points", "the array of own points", own_values, own_count);
      require_view(queue, "ghost points", "the array of own points and ghosts", values, all_count());
      require(values.contiguous(),
              "ghost points: the array of own points and ghosts is strided, expected a contiguous ", "view.");
    });
    exchange(own_values, values);
  }

  void require_found() const {
    require(has_points, "ghost points: there are none, since find() was not called or refused the points. Call find() ",
            "first.");
  }
};

template <class Real>
GhostPoints<Real>::GhostPoints(const Queue& queue, const Communicator& ranks, double radius, const Box& box) {
  agree_naming_rank(ranks, [&] { plan_ = std::make_unique<Plan>(queue, ranks, radius, box); });
  if (ranks.size() > 1) plan_->transport = ranks.group().transport(queue);
}
template <class Real>
GhostPoints<Real>::~GhostPoints() = default;
template <class Real>
GhostPoints<Real>::GhostPoints(GhostPoints&&) noexcept = default;
template <class Real>
GhostPoints<Real>& GhostPoints<Real>::operator=(GhostPoints&&) noexcept = default;

template <class Real>
void GhostPoints<Real>::find(const Points<Real>& own_points) {
  plan_->find(own_points);
}
template <class Real>
template <class T>
void GhostPoints<Real>::update(View<const T> own_values, View<T> values) const {
  plan_->update(own_values, values);
}
template <class Real>
const Points<Real>& GhostPoints<Real>::points() const {
  plan_->require_found();
  return plan_->points;
}
template <class Real>
View<const std::int64_t> GhostPoints<Real>::number() const {
  plan_->require_found();
  if (!plan_->has_numbers) {  // on one rank few need them
    plan_->numbers.resize(plan_->own_count);
    plan_->fill_numbers();
  }
  return plan_->numbers;
}
template <class Real>
std::int64_t GhostPoints<Real>::own_begin() const {
  return plan_->own_begin;
}
template <class Real>
std::int64_t GhostPoints<Real>::own_count() const {
  return plan_->own_count;
}
template <class Real>
std::int64_t GhostPoints<Real>::total() const {
  return plan_->total;
}

template class GhostPoints<float>;
template class GhostPoints<double>;
template void GhostPoints<float>::update(View<const float>, View<float>) const;
template void GhostPoints<float>::update(View<const double>, View<double>) const;
template void GhostPoints<float>::update(View<const std::int32_t>, View<std::int32_t>) const;
template void GhostPoints<float>::update(View<const std::int64_t>, View<std::int64_t>) const;
template void GhostPoints<double>::update(View<const float>, View<float>) const;
template void GhostPoints<double>::update(View<const double>, View<double>) const;
template void GhostPoints<double>::update(View<const std::int32_t>, View<std::int32_t>) const;
template void GhostPoints<double>::update(View<const std::int64_t>, View<std::int64_t>) const;

}  // namespace shoal::neighbors
