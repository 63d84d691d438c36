// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbor_stream.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/memory/memory.hpp"
#include "core/primitives/primitives.hpp"
#include "neighbors/list/neighbor_counts.hpp"
#include "neighbors/stream/slab_transfer.hpp"

namespace shoal {

namespace {

/// What a destination needs beside its entries: its offset, its place in the order of the cells, and what methods note
/// about it.
constexpr std::int64_t bytes_of_destination = 256;

std::int64_t chosen_slab_bytes(const Queue& queue, const NeighborStreamOptions& options) {
  if (options.slab_bytes > 0) return options.slab_bytes;
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  const std::int64_t most = queue.on_cpu() ? 4096 * mebibyte : 256 * mebibyte;
  return std::clamp(static_cast<std::int64_t>(memory_info(queue).free / 16), 16 * mebibyte, most);
}

/// Copies with all threads: most of the time goes into pages that are touched for the first time.
template <class T>
void copy_part(const Queue& host, View<const T> from, Array<T>& to, std::int64_t first) {
  const int parts = host.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(from.count, part, parts);
    if (range.count() > 0)
      std::memcpy(to.data() + first + range.begin, from.data + range.begin,
                  static_cast<std::size_t>(range.count()) * sizeof(T));
  }
}

}  // namespace

template <class Real>
struct NeighborStream<Real>::Plan {
  struct Slab {
    Range destinations;
    StreamLane<Real>* lane;
  };

  SearchPlan<Real> search;
  NeighborStreamOptions options;
  SearchSet<Real> points;  ///< of a search within one set
  SearchSet<Real> sources;
  SearchSet<Real> destinations;
  SearchSet<Real> part;  ///< the destinations of one slab
  Array<std::int64_t> device_offsets;
  PinnedArray<std::int64_t> offsets;  ///< of the whole list
  StreamLane<Real> lanes[2];          ///< the CPU, which copies nothing, uses the first
  bool has_two_sets = false;
  std::int64_t slab_bytes = 0;

  Plan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& search_options,
       const NeighborStreamOptions& stream_options)
      : search(queue, radius, box, search_options),
        options(stream_options),
        points(search.make_set("point")),
        sources(search.make_set("source")),
        destinations(search.make_set("destination")),
        part(search.make_set("destination")),
        device_offsets(queue, 0),
        offsets(queue),
        lanes{StreamLane<Real>(queue), StreamLane<Real>(queue)} {
    require(options.slab_bytes >= 0, "neighbors: slab_bytes = ", options.slab_bytes,
            ", expected 0 (choose) or a positive number of bytes.");
  }

  const Queue& queue() const { return search.queue(); }
  SearchSet<Real>& all_sources() { return has_two_sets ? sources : points; }
  SearchSet<Real>& all_destinations() { return has_two_sets ? destinations : points; }
  std::int64_t rows() const { return offsets.count() - 1; }

  void take(const Points<Real>& one_set) {
    search.require_points("neighbors", one_set);
    search.assign(points, one_set);
    has_two_sets = false;
  }

  void take(const Points<Real>& near, const Points<Real>& of) {
    search.require_points("neighbors (destinations)", near);
    search.require_points("neighbors (sources)", of);
    search.assign(destinations, near);
    search.assign(sources, of);
    has_two_sets = true;
  }

  /// Sorts the sources and counts the neighbors of all destinations.
  void count_rows() {
    search.survey(all_destinations(), all_sources());
    const std::int64_t n = all_destinations().count();
    device_offsets.resize(n + 1);
    const View<std::int64_t> lengths(device_offsets.data(), n, queue().device());
    row_lengths(queue(), search.sorted_pairs(all_destinations(), all_sources(), !has_two_sets), search.periodic(),
                lengths);
    exclusive_scan<std::int64_t>(search.scratch(), lengths, device_offsets);
    offsets.copy_from(queue(), device_offsets);
    queue().wait();
    slab_bytes = chosen_slab_bytes(queue(), options);
  }

  std::int64_t bytes_of(Range slab) const {
    return (offsets.data()[slab.end] - offsets.data()[slab.begin]) * ListBuffers<Real>::bytes_of_entry(search) +
           slab.count() * bytes_of_destination;
  }

  /// As many destinations from `begin` on as fit, at least one.
  Range next_slab(std::int64_t begin) const {
    std::int64_t low = begin + 1;
    std::int64_t high = rows();
    while (low < high) {
      const std::int64_t middle = high - (high - low) / 2;
      if (bytes_of({begin, middle}) <= slab_bytes)
        low = middle;
      else
        high = middle - 1;
    }
    return {begin, low};
  }

  /// Searches the slab at `begin` and sends it on its way; where memory is short, one that is half as large.
  Slab search_slab(std::int64_t begin, StreamLane<Real>& lane) {
    for (;;) {
      const Range slab = next_slab(begin);
      try {
        part.assign_part(all_destinations(), slab);
        lane.list().find(search, part, all_sources(), !has_two_sets, has_two_sets ? 0 : begin);
        lane.send(queue());
        return {slab, &lane};
      } catch (const OutOfMemory&) {
        lane.settle();
        if (slab.count() == 1) throw;
        slab_bytes = bytes_of(slab) / 2;
      }
    }
  }

  void deliver(const Slab& slab, const Consumer& consumer) const {
    NeighborListView<Real> list = slab.lane->receive();
    list.offsets = {offsets.data() + slab.destinations.begin, slab.destinations.count() + 1};
    consumer({slab.destinations.begin, list});
  }

  /// A slab is delivered when the search of the next one is under way, on the CPU at once.
  void stream_slabs(const Consumer& consumer) {
    std::optional<Slab> sent;
    int lane = 0;
    for (std::int64_t begin = 0; begin < rows();) {
      const Slab slab = search_slab(begin, lanes[lane]);
      begin = slab.destinations.end;
      if (queue().on_cpu()) {
        deliver(slab, consumer);
        continue;
      }
      if (sent) deliver(*sent, consumer);
      sent = slab;
      lane = 1 - lane;
    }
    if (sent) deliver(*sent, consumer);
  }

  void stream(const Consumer& consumer) {
    try {
      stream_slabs(consumer);
    } catch (...) {
      for (StreamLane<Real>& lane : lanes) lane.settle();
      throw;
    }
  }

  template <class... Sets>
  void find(const Consumer& consumer, const Sets&... sets) {
    require(static_cast<bool>(consumer), "neighbors: the consumer of a stream is empty, expected a function.");
    take(sets...);
    count_rows();
    stream(consumer);
  }

  template <class... Sets>
  HostNeighborList<Real> find_to_host(const Sets&... sets) {
    take(sets...);
    count_rows();
    const Queue host = queue().on_cpu() ? queue() : Queue::cpu();
    HostNeighborList<Real> whole = room_for_list(host);
    copy_part(host, std::as_const(offsets).view(), whole.offsets, 0);
    stream([&](const NeighborSlab<Real>& slab) {
      const std::int64_t first = slab.list.offsets.data[0];
      copy_part(host, slab.list.indices, whole.indices, first);
      copy_part(host, slab.list.wide_indices, whole.wide_indices, first);
      copy_part(host, slab.list.distances, whole.distances, first);
      for (std::size_t axis = 0; axis < 3; ++axis)
        copy_part(host, slab.list.displacements[axis], whole.displacements[axis], first);
    });
    return whole;
  }

  HostNeighborList<Real> room_for_list(const Queue& host) const {
    const NeighborsOptions& wanted = search.options();
    const std::int64_t entries = offsets.data()[rows()];
    const auto along = [&](int axis) {
      return Array<Real>(host, wanted.displacements && axis < search.box().dimensions ? entries : 0);
    };
    return {Array<std::int64_t>(host, rows() + 1),
            Array<std::int32_t>(host, entries),
            Array<std::int64_t>(host, wanted.wide_indices ? entries : 0),
            Array<Real>(host, wanted.distances ? entries : 0),
            {along(0), along(1), along(2)}};
  }

  std::int64_t device_bytes() const {
    std::int64_t total = search.bytes() + device_offsets.bytes();
    for (const SearchSet<Real>* set : {&points, &sources, &destinations, &part}) total += set->bytes();
    for (const StreamLane<Real>& lane : lanes) total += lane.list().bytes();
    return total;
  }
};

template <class Real>
NeighborStream<Real>::NeighborStream(const Queue& queue, double radius, const Box& box, const NeighborsOptions& options,
                                     const NeighborStreamOptions& stream_options)
    : plan_(std::make_unique<Plan>(queue, radius, box, options, stream_options)) {}
template <class Real>
NeighborStream<Real>::~NeighborStream() = default;
template <class Real>
NeighborStream<Real>::NeighborStream(NeighborStream&&) noexcept = default;
template <class Real>
NeighborStream<Real>& NeighborStream<Real>::operator=(NeighborStream&&) noexcept = default;

template <class Real>
void NeighborStream<Real>::find(const Points<Real>& points, const Consumer& consumer) {
  plan_->find(consumer, points);
}
template <class Real>
void NeighborStream<Real>::find(const Points<Real>& destinations, const Points<Real>& sources,
                                const Consumer& consumer) {
  plan_->find(consumer, destinations, sources);
}
template <class Real>
HostNeighborList<Real> NeighborStream<Real>::find_to_host(const Points<Real>& points) {
  return plan_->find_to_host(points);
}
template <class Real>
HostNeighborList<Real> NeighborStream<Real>::find_to_host(const Points<Real>& destinations,
                                                          const Points<Real>& sources) {
  return plan_->find_to_host(destinations, sources);
}
template <class Real>
std::int64_t NeighborStream<Real>::device_bytes() const {
  return plan_->device_bytes();
}
template <class Real>
MethodInfo NeighborStream<Real>::method() const {
  return method_info("neighbors", plan_->search.method());
}

template class NeighborStream<float>;
template class NeighborStream<double>;

}  // namespace shoal
