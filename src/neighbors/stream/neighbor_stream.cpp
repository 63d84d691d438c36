// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors/stream.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/memory/memory.hpp"
#include "core/primitives/primitives.hpp"
#include "neighbors/list/neighbor_counts.hpp"
#include "neighbors/stream/slab_transfer.hpp"

namespace shoal::neighbors {

namespace {

/// Upper bound of the memory of a destination in addition to its entries: offset, sorted copy, scratch memory of
/// methods.
constexpr std::int64_t bytes_of_destination = 256;

std::int64_t slab_bytes_for(const Queue& queue, const NeighborStreamOptions& options) {
  if (options.slab_bytes > 0) return options.slab_bytes;
  constexpr std::int64_t mebibyte = std::int64_t{1} << 20;
  const std::int64_t max_bytes = queue.on_cpu() ? 4096 * mebibyte : 256 * mebibyte;
  return std::clamp(static_cast<std::int64_t>(memory_info(queue).free / 16), 16 * mebibyte, max_bytes);
}

/// Copies with all threads, because the first access to each page takes most of the time.
template <class T>
void copy_part(const Queue& host, View<const T> part_view, Array<T>& whole, std::int64_t first) {
  const int parts = host.threads();
#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; ++part) {
    const Range range = part_range(part_view.count, part, parts);
    if (range.count() > 0)
      std::memcpy(whole.data() + first + range.begin, part_view.data + range.begin,
                  static_cast<std::size_t>(range.count()) * sizeof(T));
  }
}

}  // namespace

template <class Real>
struct NeighborStream<Real>::Plan {
  struct Slab {
    Range destinations;
    SlabTransfer<Real>* transfer;
  };

  SearchPlan<Real> search;
  const NeighborsMethod& method;
  NeighborStreamOptions options;
  SearchPoints<Real> points;
  SearchSet<Real> part;  ///< Destinations of one slab.
  Array<std::int64_t> device_offsets;
  PinnedArray<std::int64_t> offsets;  ///< Offsets of the whole list.
  SlabTransfer<Real> transfers[2];    ///< The CPU, which copies nothing, uses the first.
  std::int64_t slab_bytes = 0;

  Plan(const Queue& queue, double radius, const Box& box, const NeighborsOptions& search_options,
       const NeighborStreamOptions& stream_options)
      : search(queue, radius, box, search_options),
        method(find_neighbors_method(queue, search_options.method, search_options.order)),
        options(stream_options),
        points(search),
        part(search.make_set("destination")),
        device_offsets(queue, 0),
        offsets(queue),
        transfers{SlabTransfer<Real>(queue, method), SlabTransfer<Real>(queue, method)} {
    require(!search_options.edge_index && !search_options.shifts,
            "neighbors: edge_index or shifts of a NeighborStream, whose ",
            "lists are compressed rows without shifts. Use Neighbors.");
    require(options.slab_bytes >= 0, "neighbors: slab_bytes = ", options.slab_bytes,
            ", expected 0 (choose) or a positive number of bytes.");
  }

  const Queue& queue() const { return search.queue(); }
  std::int64_t row_count() const { return offsets.count() - 1; }

  /// Sorts the sources and counts the neighbors of all destinations.
  template <class... Sets>
  void count_neighbors(const Sets&... sets) {
    points.check(sets...);
    points.assign(sets...);
    const SearchPair<Real> pair = points.pair();
    search.survey(pair);
    const std::int64_t n = pair.destinations.count();
    device_offsets.resize(n + 1);
    const View<std::int64_t> counts(device_offsets.data(), n, queue().device());
    backend<CountBackend<Real>>(queue()).count_neighbors(queue(), search.sorted_pairs(pair), search.periodic(),
                                                         counts.data);
    exclusive_scan<std::int64_t>(search.scratch(), counts, device_offsets);
    offsets.copy_from(queue(), device_offsets);
    queue().wait();
    slab_bytes = slab_bytes_for(queue(), options);
  }

  std::int64_t bytes_of(Range slab) const {
    return (offsets.data()[slab.end] - offsets.data()[slab.begin]) * ListBuffers<Real>::bytes_of_entry(search) +
           slab.count() * bytes_of_destination;
  }

  /// Returns the destinations from `begin` that fit a slab, at least one.
  Range next_slab(std::int64_t begin) const {
    std::int64_t low = begin + 1;
    std::int64_t high = row_count();
    while (low < high) {
      const std::int64_t middle = high - (high - low) / 2;
      if (bytes_of({begin, middle}) <= slab_bytes)
        low = middle;
      else
        high = middle - 1;
    }
    return {begin, low};
  }

  /// Searches the slab at `begin` and starts its copy. Halves the slab while memory is short.
  Slab search_slab(std::int64_t begin, SlabTransfer<Real>& transfer) {
    const SearchPair<Real> pair = points.pair();
    for (;;) {
      const Range slab = next_slab(begin);
      try {
        part.assign_part(pair.destinations, slab);
        transfer.list().find(search, {part, pair.sources, pair.one_set, pair.one_set ? begin : 0});
        transfer.send(queue());
        return {slab, &transfer};
      } catch (const OutOfMemory&) {
        transfer.wait_after_error();
        if (slab.count() == 1) throw;
        slab_bytes = bytes_of(slab) / 2;
      }
    }
  }

  void deliver(const Slab& slab, const Consumer& consumer) const {
    NeighborListView<Real> list = slab.transfer->receive();
    list.offsets = {offsets.data() + slab.destinations.begin, slab.destinations.count() + 1};
    consumer({slab.destinations.begin, list});
  }

  /// Searches all slabs. Delivers a slab while the device searches the next one; on the CPU at once.
  void stream_slabs(const Consumer& consumer) {
    std::optional<Slab> sent;
    int next_transfer = 0;
    for (std::int64_t begin = 0; begin < row_count();) {
      const Slab slab = search_slab(begin, transfers[next_transfer]);
      begin = slab.destinations.end;
      if (queue().on_cpu()) {
        deliver(slab, consumer);
        continue;
      }
      if (sent) deliver(*sent, consumer);
      sent = slab;
      next_transfer = 1 - next_transfer;
    }
    if (sent) deliver(*sent, consumer);
  }

  void stream(const Consumer& consumer) {
    try {
      stream_slabs(consumer);
    } catch (...) {
      for (SlabTransfer<Real>& transfer : transfers) transfer.wait_after_error();
      throw;
    }
  }

  template <class... Sets>
  void find(const Consumer& consumer, const Sets&... sets) {
    require(static_cast<bool>(consumer), "neighbors: the consumer of a stream is empty, expected a function.");
    count_neighbors(sets...);
    stream(consumer);
  }

  template <class... Sets>
  HostNeighborList<Real> find_to_host(const Sets&... sets) {
    count_neighbors(sets...);
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
    const std::int64_t entries = offsets.data()[row_count()];
    const auto component = [&](int axis) {
      return Array<Real>(host, wanted.displacements && axis < search.box().dimensions ? entries : 0);
    };
    return {Array<std::int64_t>(host, row_count() + 1),
            Array<std::int32_t>(host, entries),
            Array<std::int64_t>(host, wanted.wide_indices ? entries : 0),
            Array<Real>(host, wanted.distances ? entries : 0),
            {component(0), component(1), component(2)}};
  }

  std::int64_t device_bytes() const {
    std::int64_t total = search.bytes() + device_offsets.bytes() + points.bytes() + part.bytes();
    for (const SlabTransfer<Real>& transfer : transfers) total += transfer.list().bytes();
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
  return method_info("neighbors", plan_->method);
}

template class NeighborStream<float>;
template class NeighborStream<double>;

}  // namespace shoal::neighbors
