// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/methods.hpp>
#include <shoal/neighbor_visitor.hpp>
#include <shoal/points.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace shoal {

/// Which pairs are neighbors: those nearer than the radius, or those at the radius, too.
enum class Predicate { strict, inclusive };
template <>
inline constexpr auto enumerator_names<Predicate> = std::array<std::string_view, 2>{"strict", "inclusive"};

/// Whose radius decides: the plan's, that of the destination, that of the source, or the larger of the two.
enum class Radius { fixed, gather, scatter, symmetric };
template <>
inline constexpr auto enumerator_names<Radius> =
    std::array<std::string_view, 4>{"fixed", "gather", "scatter", "symmetric"};

/// The space that points live in. Only periodic axes have bounds; on the others points may be anywhere.
struct Box {
  int dimensions = 3;  ///< 1, 2 or 3
  std::array<bool, 3> periodic{};
  std::array<double, 3> lower{};  ///< m
  std::array<double, 3> upper{};  ///< m
};

struct NeighborsOptions {
  std::string method = "auto";              ///< a row of methods("neighbors"), or "auto"
  Predicate predicate = Predicate::strict;  ///< d² < r², or d² ≤ r²
  Radius radius = Radius::fixed;            ///< else every point has one: Points::radius
  bool include_self = false;                ///< whether a point of one set is its own neighbor
  bool half = false;                        ///< of one set: each pair once, in the row of the smaller number
  bool wide_indices = false;                ///< also the indices as std::int64_t
  bool distances = false;                   ///< also d of every entry
  bool displacements = false;               ///< also dx, dy, dz of every entry
  double skin = 0;                          ///< m, of Neighbors with one radius: see below; 0: none
};

/// Every source point within a radius of every destination point, as compressed rows.
///
/// The sources of destination i are indices[offsets[i]] ... indices[offsets[i + 1] − 1], ascending. A pair is in the
/// list exactly if, in the arithmetic of `Real` and with fma rounding once,
///
///     d² = fma(dz, dz, fma(dy, dy, dx·dx)) < r·r     (or ≤, see Predicate)
///     dx = x_i − x_j, on a periodic axis with period L then fma(−rint(dx · (1/L)), L, dx)
///     r = k,  k·h_i,  k·h_j  or  max(k·h_i, k·h_j)    (see Radius; k is the radius of the plan, h those of the points)
///
/// so the list has the same bits for all methods, on CPU and CUDA, for any number of threads. Distinct points at the
/// same place are neighbors. There is no largest number of neighbors to choose: they are counted, then room is made.
///
///     shoal::Neighbors<float> neighbors(queue, 0.1);
///     neighbors.find({x, y, z});
///     use(neighbors.offsets(), neighbors.indices());
///
/// With a skin, find() also keeps candidates: the pairs within radius + skin. update() then only filters these, until
/// the largest displacements of destinations and sources since the candidates were found add up to the skin (less a
/// margin for rounding), and searches candidates again when they do. That is decided on the device, and the list is the
/// same in every case. A periodic box must hold twice the radius and the skin together. Indices and what options put
/// beside them get room for all candidates.
///
/// Cost: about 3.5 distance tests a neighbor; 4 bytes a neighbor and 8 a point. With a skin, between two searches one
/// test a candidate, of which there are (1 + skin / radius)³ a neighbor, and another 4 bytes for each. `Real` is float
/// or double. The methods' cards are in src/neighbors/methods, the cost model in docs/neighbors.md.
template <class Real>
class Neighbors {
 public:
  /// @param radius  m; where points have radii of their own, the factor k that these are multiplied by
  /// @throws Error  radius not positive, or its square not a normal number of `Real`; a period shorter than two radii;
  ///                a negative skin, or one where points have radii; no such method on this device
  Neighbors(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {});
  ~Neighbors();
  Neighbors(Neighbors&&) noexcept;
  Neighbors& operator=(Neighbors&&) noexcept;

  /// Neighbors within one set. Waits for the queue, because the list's length must be known to make room for it. The
  /// plan keeps its memory and grows it when needed; views that it gave out before are then void.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1. Two dimensions ignore z.
  /// @throws Error  counts differ or wrong device; a coordinate is not finite, or more than one period outside the box;
  ///                a radius not positive: names the first such point
  /// @throws OutOfMemory  the list does not fit the device: see NeighborStream
  /// After an error the plan has no list, keeps its memory and can be used again.
  void find(const Points<Real>& points);

  /// The sources near each destination. A point that is in both sets finds itself.
  void find(const Points<Real>& destinations, const Points<Real>& sources);

  /// find() for points that moved, in the memory that the plan has: nothing waits, nothing is allocated, and the calls
  /// can be captured in a CUDA graph.
  /// @param points  as many as find() was given or fewer
  /// @throws Error  at once: no find() before, or more points or sets than it had; a method that needs the host
  /// @throws Error  at Queue::wait(): what find() throws; or the list needs more room than the plan has, with a skin
  /// the
  ///                candidates an eighth and one a destination more than at find(): call find()
  /// @{
  void update(const Points<Real>& points);
  void update(const Points<Real>& destinations, const Points<Real>& sources);
  /// @}

  /// With a skin: in how many updates since the last find() candidates were searched again. Waits for the queue.
  std::int64_t rebuilds() const;

  /// [destinations + 1]
  View<const std::int64_t> offsets() const;

  /// [room] numbers of sources; the list has offsets[destinations] of them. After find() there is no more room than
  /// that, after update() there may be.
  View<const std::int32_t> indices() const;

  /// The same as 64-bit numbers, with options.wide_indices.
  View<const std::int64_t> wide_indices() const;

  /// [room] m, d of each entry: the root of d², rounded once. With options.distances.
  View<const Real> distances() const;

  /// [room] each, m: dx, dy, dz of each entry. With options.displacements; empty on axes that the box does not have.
  std::array<View<const Real>, 3> displacements() const;

  /// The list as a matrix: row i holds the sources of destination i, then −1 up to its end.
  /// @param matrix  [destinations · maximum] row by row, contiguous, on the queue's device
  /// @throws Error  counts or device do not fit
  /// @throws Error  at Queue::wait(): a row is longer than `maximum`; the message says how long the longest is
  void to_matrix(std::int64_t maximum, View<std::int32_t> matrix) const;

  /// Sorts points for visitor() without making a list; nothing waits.
  /// @throws Error  at once and at Queue::wait(), what find() throws
  /// @{
  void prepare(const Points<Real>& points);
  void prepare(const Points<Real>& destinations, const Points<Real>& sources);
  /// @}

  /// The loop over neighbors for a kernel of your own, on the points of the last prepare(), find() or update(). It is
  /// void after the next of these. With a skin, the first one after find() or update() sorts the points.
  NeighborVisitor<Real> visitor() const;

  /// out[i] = the sum of weights[j] over the neighbors j of i, in the visitor's order.
  /// @param weights  [sources], any stride
  /// @param out      [destinations], any stride
  void sum(View<const Real> weights, View<Real> out) const;

  /// Bytes that the plan holds on its device from search to search, without the list and what options add to it, but
  /// with the candidates of a skin.
  std::int64_t scratch_bytes() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
