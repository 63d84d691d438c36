// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/methods.hpp>
#include <shoal/neighbors/visitor.hpp>
#include <shoal/points.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace shoal::neighbors {

/// Comparison of d with the radius r: neighbors have d² < r² (strict) or d² ≤ r² (inclusive).
enum class Predicate { strict, inclusive };

/// Radius of a pair: that of the plan, of the destination, of the source, or the larger of the last two.
enum class Radius { fixed, gather, scatter, symmetric };

/// Order of the entries of a row: by the number of the source, or as NeighborVisitor visits them.
enum class RowOrder { ascending, visit };

/// Space of the points. Only periodic axes have bounds; on the other axes points may be anywhere.
struct Box {
  int dimensions = 3;              ///< 1, 2 or 3
  std::array<bool, 3> periodic{};  ///< Periodic axes.
  std::array<double, 3> lower{};   ///< m, lower bounds of the periodic axes
  std::array<double, 3> upper{};   ///< m, upper bounds of the periodic axes
};

struct NeighborsOptions {
  std::string method = "auto";              ///< Name of a method in methods("neighbors"), or "auto".
  Predicate predicate = Predicate::strict;  ///< d² < r², or d² ≤ r²
  Radius radius = Radius::fixed;            ///< If not fixed, every point has a radius: Points::radius.
  bool include_self = false;                ///< Within one set: list each point as its own neighbor.
  RowOrder order = RowOrder::ascending;     ///< Order of the entries of a row.
  bool half = false;                        ///< Within one set: list each pair once, in the row of the smaller number.
  bool wide_indices = false;                ///< Add the indices as std::int64_t.
  bool distances = false;                   ///< Add d of every entry.
  bool displacements = false;               ///< Add dx, dy, dz of every entry.
  bool edge_index = false;                  ///< Add the list in COO form: both numbers of every entry.
  bool shifts = false;                      ///< Add the periods between every source and its nearest image.
  double skin = 0;                          ///< m, for Neighbors with a fixed radius, see below; 0: no skin
};

/// Every source point within a radius of every destination point, as compressed rows.
///
/// The sources of destination i are indices[offsets[i]] ... indices[offsets[i + 1] − 1], ascending, unless options.order
/// asks for the order of visits. A pair is in the list exactly if, in the arithmetic of `Real` and with fma rounding
/// once,
///
///     d² = fma(dz, dz, fma(dy, dy, dx·dx)) < r·r     (or ≤, see Predicate)
///     dx = x_i − x_j, on a periodic axis with period L then fma(−rint(dx · (1/L)), L, dx)
///     r = k,  k·h_i,  k·h_j  or  max(k·h_i, k·h_j)    (see Radius; k is the radius of the plan, h those of the points)
///
/// so the list has the same bits for all methods, on CPU and CUDA, for any number of threads. Distinct points at the
/// same position are neighbors. The number of neighbors has no limit: they are counted, then the list gets room.
///
///     shoal::Neighbors<float> neighbors(queue, 0.1);
///     neighbors.find({x, y, z});
///     use(neighbors.offsets(), neighbors.indices());
///
/// RowOrder::visit leaves the entries of a row as the search meets them, which saves the sort: by the row of cells of the
/// source, z slowest, in the order around the destination; then by the cell along x; then by number. The cells are those
/// of the grid of the search, which depends on the sources and the largest radius alone, so these rows, too, have the
/// same bits for all methods that write them, on CPU and CUDA. Points that move may change the order of all rows.
///
/// With a skin, find() also keeps candidates: the pairs within radius + skin. update() then only filters the
/// candidates. It searches them again when the largest displacements of destinations and sources since the last search
/// of candidates add up to the skin, less a margin for rounding. The device decides, and the list is the same in every
/// case. A periodic box must hold twice the sum of radius and skin. The list and its optional arrays get room for all
/// candidates.
///
/// Cost: about 3.5 distance tests a neighbor; 4 bytes a neighbor and 8 a point. With a skin, between two searches of
/// candidates, one test and another 4 bytes for each of the (1 + skin / radius)³ candidates a neighbor. `Real` is float
/// or double. The notes at the head of each method's file are in src/neighbors/methods, the cost model in
/// docs/neighbors.md.
template <class Real>
class Neighbors {
 public:
  /// @param radius  m; if points have radii, the factor k of these radii
  /// @throws Error  radius not positive, or its square not a normal number of `Real`; a period shorter than two radii;
  ///                a negative skin, or a skin with radii of points or with RowOrder::visit; no such method on this
  ///                device, or one that writes ascending rows only
  Neighbors(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {});
  ~Neighbors();
  Neighbors(Neighbors&&) noexcept;
  Neighbors& operator=(Neighbors&&) noexcept;

  /// Finds the neighbors within one set. Waits for the queue, because the length of the list determines its room. The
  /// plan keeps its memory and grows it when needed, which invalidates earlier views.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1. Two dimensions ignore z.
  /// @throws Error  counts differ or wrong device; a coordinate is not finite, or more than one period outside the box;
  ///                a radius not positive: names the first such point
  /// @throws OutOfMemory  the list does not fit the device: see NeighborStream
  /// After an error the plan has no list, keeps its memory and can be used again.
  void find(const Points<Real>& points);

  /// Finds the neighbors of a part of one set: rows of points `first` to `first + count − 1` alone, as find(points) has
  /// them, with offsets from 0. visitor() and sum() visit all points.
  /// @throws Error  as find(points); the part is not one of the points; a plan with a skin
  void find_part(const Points<Real>& points, std::int64_t first, std::int64_t count);

  /// Finds the sources near each destination. A point in both sets finds itself.
  void find(const Points<Real>& destinations, const Points<Real>& sources);

  /// Finds the neighbors of points that moved, in the memory of the plan: it does not wait, allocates nothing, and can
  /// be captured in a CUDA graph.
  /// @param points  as many as find() was given or fewer
  /// @throws Error  at once: no find() before, or more points or sets than it had; a method that needs the host
  /// @throws Error  at Queue::wait(): what find() throws; or the list needs more room than the plan has: call find().
  ///                With a skin, candidates have room for an eighth more than at find(), and one more a destination
  /// @{
  void update(const Points<Real>& points);
  void update(const Points<Real>& destinations, const Points<Real>& sources);
  /// @}

  /// Number of updates since the last find() that searched candidates again. Waits for the queue.
  std::int64_t rebuilds() const;

  /// [destinations + 1] first entry of each row
  View<const std::int64_t> offsets() const;

  /// [room] numbers of sources; the list uses the first offsets[destinations]. After update() the room may be larger.
  View<const std::int32_t> indices() const;

  /// [room] indices as 64-bit numbers, with options.wide_indices.
  View<const std::int64_t> wide_indices() const;

  /// [room] m, d of each entry: the root of d², rounded once. With options.distances.
  View<const Real> distances() const;

  /// [room] each, m: dx, dy, dz of each entry. With options.displacements; empty on axes that the box does not have.
  std::array<View<const Real>, 3> displacements() const;

  /// [2 · room] the list in COO form: the destination of each entry, then the source of each entry. With options.edge_index.
  /// After find_part() destinations count from 0, as the rows do.
  View<const std::int64_t> edge_index() const;

  /// [3 · room] periods along x, y and z of each entry, entry by entry: the neighbor is the image of x_j shifted by as
  /// many periods, so that −dx = x_j − x_i + shift·L. 0 on open axes. With options.shifts.
  View<const std::int32_t> shifts() const;

  /// Writes the list as a matrix: row i holds the sources of destination i, then −1 up to its end.
  /// @param matrix  [destinations · maximum] row by row, contiguous, on the queue's device
  /// @throws Error  counts or device do not fit
  /// @throws Error  at Queue::wait(): a row is longer than `maximum`; the message gives the longest length
  void to_matrix(std::int64_t maximum, View<std::int32_t> matrix) const;

  /// Sorts points for visitor() without a list. Does not wait.
  /// @throws Error  at once and at Queue::wait(), what find() throws
  /// @{
  void prepare(const Points<Real>& points);
  void prepare(const Points<Real>& destinations, const Points<Real>& sources);
  /// @}

  /// Returns a loop over neighbors for user-written kernels, on the points of the last prepare(), find() or update().
  /// The next of these calls invalidates it. With a skin, the first visitor after find() or update() sorts the points.
  NeighborVisitor<Real> visitor() const;

  /// Computes out[i] = the sum of weights[j] over the neighbors j of i, in the visitor's order.
  /// @param weights  [sources], any stride
  /// @param out      [destinations], any stride
  void sum(View<const Real> weights, View<Real> out) const;

  /// Bytes of device memory that the plan keeps between searches: without the list and its optional arrays, with the
  /// candidates of a skin.
  std::int64_t scratch_bytes() const;

  /// Method of this plan.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::Box;
using neighbors::Neighbors;
using neighbors::NeighborsOptions;
using neighbors::Predicate;
using neighbors::Radius;
using neighbors::RowOrder;

template <>
inline constexpr auto enumerator_names<Predicate> = std::array<std::string_view, 2>{"strict", "inclusive"};
template <>
inline constexpr auto enumerator_names<Radius> =
    std::array<std::string_view, 4>{"fixed", "gather", "scatter", "symmetric"};
template <>
inline constexpr auto enumerator_names<RowOrder> = std::array<std::string_view, 2>{"ascending", "visit"};
}  // namespace shoal
