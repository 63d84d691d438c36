// SPDX-License-Identifier: Apache-2.0
// The k nearest sources that a GPU thread has visited so far.
#pragma once
#include <cuda/std/limits>

#include "neighbors/nearest/nearest_item.hpp"

namespace shoal::neighbors {

/// The k nearest sources in registers, ascending; k is at most `capacity`. Unused entries stand before the others and never
/// move.
template <int capacity, class Real>
class RegisterCollection {
 public:
  __device__ explicit RegisterCollection(const NearestSearch<Real>& search, std::int64_t)
      : unused_(capacity - static_cast<int>(search.count)) {
    constexpr Real infinity = cuda::std::numeric_limits<Real>::infinity();
#pragma unroll
    for (int e = 0; e < capacity; ++e) entries_[e] = {e < unused_ ? -infinity : infinity, NearestSource<Real>::none};
  }

  /// Squared distance, m², beyond which no source is added.
  __device__ Real bound() const { return entries_[capacity - 1].squared; }

  __device__ void add(const NearestSource<Real>& source) {
    if (!(source < entries_[capacity - 1])) return;
    entries_[capacity - 1] = source;
#pragma unroll
    for (int e = capacity - 1; e > 0; --e) {
      const NearestSource<Real> upper = entries_[e], lower = entries_[e - 1];
      const bool is_nearer = upper < lower;
      entries_[e - 1] = is_nearer ? upper : lower;
      entries_[e] = is_nearer ? lower : upper;
    }
  }

  __device__ void write_row(const NearestSearch<Real>& search, std::int64_t row) const {
#pragma unroll
    for (int e = 0; e < capacity; ++e)
      if (e >= unused_) search.write(row, e - unused_, entries_[e]);
  }

 private:
  NearestSource<Real> entries_[capacity];
  int unused_;
};

/// The k nearest sources in the row of the result: a heap with the farthest first, for any k. The distances are squared
/// until write_row().
template <class Real>
class RowCollection {
 public:
  __device__ RowCollection(const NearestSearch<Real>& search, std::int64_t row)
      : numbers_(search.indices + row * search.count),
        squared_(search.distances + row * search.count),
        k_(search.count) {}

  __device__ Real bound() const { return size_ < k_ ? cuda::std::numeric_limits<Real>::infinity() : squared_[0]; }

  __device__ void add(const NearestSource<Real>& source) {
    if (size_ < k_) return sift_up(source);
    if (source < entry(0)) sift_down(source, k_);
  }

  __device__ void write_row(const NearestSearch<Real>& search, std::int64_t row) {
    for (std::int64_t size = size_ - 1; size > 0; --size) {
      const NearestSource<Real> last = entry(size);
      put(size, entry(0));
      sift_down(last, size);
    }
    const NearestSource<Real> missing{cuda::std::numeric_limits<Real>::infinity(), NearestSource<Real>::none};
    for (std::int64_t e = 0; e < k_; ++e) search.write(row, e, e < size_ ? entry(e) : missing);
  }

 private:
  __device__ NearestSource<Real> entry(std::int64_t e) const { return {squared_[e], numbers_[e]}; }
  __device__ void put(std::int64_t e, const NearestSource<Real>& source) {
    squared_[e] = source.squared;
    numbers_[e] = source.number;
  }

  /// Adds a source to a heap that has room.
  __device__ void sift_up(const NearestSource<Real>& source) {
    std::int64_t hole = size_++;
    for (; hole > 0 && entry((hole - 1) / 2) < source; hole = (hole - 1) / 2) put(hole, entry((hole - 1) / 2));
    put(hole, source);
  }

  /// Replaces the first entry of a heap of `size` entries by a source.
  __device__ void sift_down(const NearestSource<Real>& source, std::int64_t size) {
    std::int64_t hole = 0;
    for (std::int64_t child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && entry(child) < entry(child + 1)) ++child;
      if (!(source < entry(child))) break;
      put(hole, entry(child));
      hole = child;
    }
    put(hole, source);
  }

  std::int32_t* numbers_;
  Real* squared_;
  std::int64_t k_;
  std::int64_t size_ = 0;
};

}  // namespace shoal::neighbors
