// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace shoal::neighbors {

/// Periodic cell of any shape, as atomistic codes have it: up to three vectors along which the points repeat.
struct PeriodicCell {
  std::array<std::array<double, 3>, 3> vectors{};  ///< m; those without `periodic` are not read
  std::array<bool, 3> periodic{};                  ///< Vectors along which the points repeat.
};

struct PeriodicNeighborsOptions {
  std::string method = "auto";              ///< Name of a method in methods("neighbors"), or "auto"; see below.
  Predicate predicate = Predicate::strict;  ///< d² < r², or d² ≤ r²
  bool include_self = false;                ///< List each point as its own neighbor, without a shift.
  bool half = false;       ///< List each pair once: with i < j, or i = j and the first shift that is not 0 positive.
  bool distances = false;  ///< Add d of every pair.
  bool displacements = false;  ///< Add the vector of every pair.
};

/// Arrays of fixed size for the pairs of several sets of equally many points, as compiled programs of fixed shapes have
/// them. Numbers of points and of pairs count within a set. Entries beyond the last pair of a set are 0.
struct PairSets {
  std::int64_t sets = 1;          ///< Number of sets.
  std::int64_t capacity = 0;      ///< Maximum number of pairs of a set.
  View<std::int32_t> edge_index;  ///< [sets · 2 · capacity] i of each pair of a set, then j of each pair
  View<std::int32_t> shifts;      ///< [sets · capacity · 3] S of each pair, pair by pair
  View<std::int32_t> offsets;     ///< [sets · (points of a set + 1)] first pair of each point
};

/// All pairs of points within a radius in periodic cells of any shape, with every image, in COO form.
///
/// A pair (i, j, S) of two points and three whole numbers is in the list exactly if, in the arithmetic of `Real` and with
/// fma rounding once on each axis,
///
///     d² = fma(Dz, Dz, fma(Dy, Dy, Dx·Dx)) < r·r     (or ≤, see Predicate)
///     D = fma(S₂, a₂, fma(S₁, a₁, fma(S₀, a₀, x_j − x_i)))
///
/// where a₀, a₁, a₂ are the vectors of the cell, 0 for those without `periodic`, and S is 0 there. D points from i to the
/// image of j, the convention of ASE, matscipy and vesin. Pairs are ordered by i, then j, then S. A cell may be smaller
/// than the radius, skewed or left-handed; points may lie outside it. A point pairs with its own images. If (i, j, S) is in
/// the list, so is (j, i, −S), and both have the same d.
///
/// One call may hold many systems, each with its own points and cell: points of different systems are no pairs. The
/// list has the bits of one call for each system, on CPU and CUDA, for any number of threads and by any method.
///
///     shoal::PeriodicNeighbors<double> neighbors(shoal::Queue::cpu(), 5.0, {.displacements = true});
///     neighbors.find({x, y, z}, {.vectors = {{{4, 0, 0}, {1, 4, 0}, {0, 1, 4}}}, .periodic = {true, true, true}});
///     use(neighbors.pair_count(), neighbors.edge_index(), neighbors.shifts(), neighbors.displacements());
///
/// Cost: small systems, with the method `auto`, have all their points compared with each other, each with the shifts that can
/// bring the two near: two tests of each pair, and 330 bytes a system beside the list. One larger system that repeats along
/// all vectors of its cell is divided into bins, whose points are compared: 76 bytes a point. Otherwise it is a search of
/// `Neighbors` between the points and those of their images that are within the radius of a point's system, and two tests
/// of each pair: 64 bytes a point, 56 an image (72 in double), 4 a pair beside the list, 500 a system. The number of kernels on CUDA does
/// not depend on the number of systems. `Real` is float or double.
template <class Real>
class PeriodicNeighbors {
 public:
  /// @param radius  m
  /// @throws Error  radius not positive, or its square not a normal number of `Real`; no such method on this device
  PeriodicNeighbors(const Queue& queue, double radius, const PeriodicNeighborsOptions& options = {});
  ~PeriodicNeighbors();
  PeriodicNeighbors(PeriodicNeighbors&&) noexcept;
  PeriodicNeighbors& operator=(PeriodicNeighbors&&) noexcept;

  /// Finds the pairs of one system. Waits for the queue. The plan keeps its memory and grows it when needed, which
  /// invalidates earlier views. All views are on the queue's device.
  /// @param points  [n] m, any stride, on the queue's device; in two dimensions z is empty, in one dimension also y
  /// @param cell    default: no periodic vector
  /// @throws Error  a coordinate is not finite: names the first such point; vectors that are linearly dependent, or not
  ///                finite; points so far away, or periods so long, that rounding errors reach half the radius; more than
  ///                2^31 − 2 points or images
  /// After an error the plan has no list, keeps its memory and can be used again.
  void find(const Points<Real>& points, const PeriodicCell& cell = {});

  /// Finds the pairs of many systems. Numbers of points count over all systems.
  /// @param starts  [systems + 1] first point of each system, ascending from 0 to n, in host memory
  /// @param cells   [systems], or [1] for one cell that all systems have, in host memory
  /// @throws Error  as above, naming the system; starts or cells do not fit
  void find(const Points<Real>& points, std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells);

  /// Number of pairs.
  std::int64_t pair_count() const;

  /// [n + 1] first pair of each point i
  View<const std::int64_t> offsets() const;

  /// [2 · pairs] i of each pair, then j of each pair
  View<const std::int64_t> edge_index() const;

  /// [3 · pairs] S of each pair, pair by pair
  View<const std::int32_t> shifts() const;

  /// [pairs] m, d of each pair: the root of d², rounded once. With options.distances.
  View<const Real> distances() const;

  /// [3 · pairs] m, D of each pair, pair by pair. With options.displacements.
  View<const Real> displacements() const;

  /// Writes the pairs of the last search into arrays of fixed size, in the order of the queue. Each set is a run of systems
  /// whose pairs no other set has.
  /// @param sets  contiguous arrays on the queue's device
  /// @throws Error  sizes or devices of the arrays do not fit the search; a set has more pairs than the capacity
  void write_sets(const PairSets& sets) const;

  /// Number of images of points in the last search, those without a shift included; 0 if it needed none.
  std::int64_t image_count() const;

  /// Bytes that the plan keeps between searches, without the list.
  std::int64_t scratch_bytes() const;

  /// Method of this plan.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::PairSets;
using neighbors::PeriodicCell;
using neighbors::PeriodicNeighbors;
using neighbors::PeriodicNeighborsOptions;
}  // namespace shoal
