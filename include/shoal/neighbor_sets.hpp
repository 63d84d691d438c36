// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbor_list.hpp>
#include <shoal/neighbors.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// Neighbors between several named sets of points, for those pairs of sets that are active.
///
/// A pair (destination, source) says whose points search whose; (a, b) and (b, a) are two pairs, and (a, a) is a search
/// within one set, in which a point is not its own neighbor unless options say so. Nothing is active at first. Every
/// list has the bits that Neighbors gives for its two sets.
///
///     shoal::NeighborSets<float> sets(queue, 0.1);
///     sets.add("fluid");
///     sets.add("wall");
///     sets.activate("fluid", "fluid");
///     sets.activate("fluid", "wall");
///     sets.set_points("fluid", {x, y, z});
///     sets.set_points("wall", {wall_x, wall_y, wall_z});
///     sets.find();
///     use(sets.list("fluid", "wall").offsets, sets.list("fluid", "wall").indices);
///
/// Cost: each set of an active pair is looked at and sorted once, however many pairs it is in, in one grid over all
/// sources; then each pair is one search as in Neighbors. `Real` is float or double.
template <class Real>
class NeighborSets {
 public:
  /// @param radius   m; where points have radii of their own, the factor k that these are multiplied by
  /// @param options  the same for all pairs; `half` and `include_self` matter to pairs of one set
  /// @throws Error   what the constructor of Neighbors says
  NeighborSets(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {});
  ~NeighborSets();
  NeighborSets(NeighborSets&&) noexcept;
  NeighborSets& operator=(NeighborSets&&) noexcept;

  /// Makes a set, without points and in no active pair.
  /// @throws Error  the name is empty, or another set has it
  void add(std::string_view name);

  /// In the order in which they were added.
  std::vector<std::string> names() const;

  /// The activation table: whether the points of `destination` search those of `source`. Holds for the next find().
  /// @throws Error  there is no such set; the message lists those there are
  /// @{
  void activate(std::string_view destination, std::string_view source);
  void deactivate(std::string_view destination, std::string_view source);
  bool is_active(std::string_view destination, std::string_view source) const;
  /// @}

  /// The points of a set from now on, of any number, also none. They are views: what they show is read by find(),
  /// update() and prepare(), and must not change before the work of these has ended.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1
  /// @throws Error  no such set; counts differ or wrong device
  void set_points(std::string_view name, const Points<Real>& points);

  /// Finds the lists of all active pairs. Waits for the queue. The plan keeps its memory and grows it when needed;
  /// views that it gave out before are then void.
  /// @throws Error  no pair is active, or a set of one has no points yet; a coordinate is not finite, or more than one
  ///                period outside the box; a radius not positive: names the first such point and its set
  /// @throws OutOfMemory  the lists do not fit the device
  /// After an error there is no list, and the plan can be used again.
  void find();

  /// find() for points that moved, in the memory that the plan has: nothing waits, nothing is allocated, and the calls
  /// can be captured in a CUDA graph. Pairs that were deactivated since find() are left out.
  /// @throws Error  at once: a pair was activated or a set has more points than at the last find(); a method that needs
  ///                the host
  /// @throws Error  at Queue::wait(): what find() throws; or a list needs more room than the plan has: call find()
  void update();

  /// Sorts the sets of all active pairs for visitor() without making lists; nothing waits.
  /// @throws Error  at once and at Queue::wait(), what find() throws
  void prepare();

  /// The list of an active pair: rows are destinations, indices are numbers of sources.
  /// @throws Error  no such set; the pair is not active, or there was no find() since
  NeighborListView<Real> list(std::string_view destination, std::string_view source) const;

  /// The loop over the neighbors of an active pair, on the points of the last prepare(), find() or update(). It is
  /// void after the next of these.
  /// @throws Error  no such set; the pair is not active, or none of these was called since
  NeighborVisitor<Real> visitor(std::string_view destination, std::string_view source) const;

  /// out[i] = the sum of weights[j] over the neighbors j of i, in the visitor's order.
  /// @param weights  [points of the source set], any stride
  /// @param out      [points of the destination set], any stride
  /// @throws Error   what visitor() throws; counts or device do not fit
  void sum(std::string_view destination, std::string_view source, View<const Real> weights, View<Real> out) const;

  /// Bytes that the plan holds on its device from search to search, without the lists and what options add to them.
  std::int64_t scratch_bytes() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
