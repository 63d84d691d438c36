// SPDX-License-Identifier: Apache-2.0
// Hash table of the corners of primitives, for host and device. Corners of one body with equal coordinates are one vertex.
#pragma once
#include <atomic>
#include <bit>

#include "core/real.hpp"
#include "wall_distance/geometry/primitive_distance_item.hpp"

namespace shoal::wall_distance {

struct CornerPosition {
  double x, y, z;
  std::int32_t body;

  SHOAL_HD bool operator==(const CornerPosition& corner) const {
    return x == corner.x && y == corner.y && z == corner.z && body == corner.body;
  }

  /// Same for equal positions; 0 and −0 are equal.
  SHOAL_HD std::uint32_t hash() const {
    auto word = static_cast<std::uint64_t>(static_cast<std::uint32_t>(body));
    for (const double along : {x, y, z}) {
      word = word * 0x9e3779b97f4a7c15ull + bits(along + 0.0);
      word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;  // the last step of SplitMix64
      word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
      word ^= word >> 31;
    }
    return static_cast<std::uint32_t>(word >> 32);
  }

 private:
  SHOAL_HD static std::uint64_t bits(double a) {
#ifdef __CUDA_ARCH__
    return static_cast<std::uint64_t>(__double_as_longlong(a));
#else
    return std::bit_cast<std::uint64_t>(a);
#endif
  }
};

/// Hash table that many threads fill. Corner c is corner c % 3 of primitive c / 3. Once all corners are inserted, each slot in
/// use has the first corner of its vertex.
struct CornerTable {
  static constexpr std::uint32_t empty = ~0u;  ///< slot without a corner; all its bytes are 0xff

  const Primitive* shape;
  const std::int32_t* body;
  std::uint32_t* slots;  ///< [mask + 1] empty at first
  std::uint32_t mask;    ///< number of slots, a power of two, less 1

  /// Number of slots for this many corners.
  static std::uint64_t size_for(std::uint64_t corners) { return std::bit_ceil(corners + corners / 3 + 1); }

  SHOAL_HD CornerPosition position(std::uint32_t c) const {
    const Primitive& primitive = shape[c / 3];
    return {primitive.x[c % 3], primitive.y[c % 3], primitive.z[c % 3], body[c / 3]};
  }

  /// Inserts a corner, and returns the slot of its vertex. Any earlier content of a slot that a thread reads will do.
  SHOAL_HD std::uint32_t insert(std::uint32_t c) const {
    const CornerPosition corner = position(c);
    for (std::uint32_t slot = corner.hash() & mask;; slot = (slot + 1) & mask) {
      std::uint32_t known = read(slot);
      if (known == empty) known = exchange(slot, empty, c);
      if (known == empty) return slot;
      if (!(position(known) == corner)) continue;
      while (c < known) {
        const std::uint32_t before = exchange(slot, known, c);
        if (before == known) break;
        known = before;
      }
      return slot;
    }
  }

 private:
  SHOAL_HD std::uint32_t read(std::uint32_t slot) const {
#ifdef __CUDA_ARCH__
    return slots[slot];
#else
    return std::atomic_ref(slots[slot]).load(std::memory_order_relaxed);
#endif
  }

  /// Replaces the content of a slot if it is `expected`. Returns the content before.
  SHOAL_HD std::uint32_t exchange(std::uint32_t slot, std::uint32_t expected, std::uint32_t c) const {
#ifdef __CUDA_ARCH__
    return atomicCAS(slots + slot, expected, c);
#else
    std::atomic_ref(slots[slot]).compare_exchange_strong(expected, c, std::memory_order_relaxed);
    return expected;
#endif
  }
};

}  // namespace shoal::wall_distance
