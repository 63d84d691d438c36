// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>
#include <shoal/neighbors/list.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::neighbors {

/// Neighbors between several named sets of points, for those pairs of sets that are active.
///
/// In a pair (destination, source), the points of the destination search those of the source; (a, b) and (b, a) are two
/// pairs. (a, a) is a search within one set, where a point is its own neighbor only with options.include_self. At first
/// no pair is active. Every list has the bits that Neighbors gives for its two sets.
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
/// Cost: each set of an active pair is sorted once, however many pairs it is in, into one grid over all sources. Then
/// each pair is one search as in Neighbors. `Real` is float or double.
template <class Real>
class NeighborSets {
 public:
  /// @param radius   m; if points have radii, the factor k of these radii
  /// @param options  the same for all pairs; `half` and `include_self` apply to pairs (a, a)
  /// @throws Error   see the constructor of Neighbors
  NeighborSets(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {});
  ~NeighborSets();
  NeighborSets(NeighborSets&&) noexcept;
  NeighborSets& operator=(NeighborSets&&) noexcept;

  /// Adds a set, without points and in no active pair.
  /// @throws Error  the name is empty or taken
  void add(std::string_view name);

  /// Names of the sets in the order of add().
  std::vector<std::string> names() const;

  /// Activates or deactivates a pair for the next find(), and reports its state.
  /// @throws Error  there is no such set; the message lists the sets
  /// @{
  void activate(std::string_view destination, std::string_view source);
  void deactivate(std::string_view destination, std::string_view source);
  bool is_active(std::string_view destination, std::string_view source) const;
  /// @}

  /// Sets the points of a set, any number. find(), update() and prepare() read the views, which must stay unchanged
  /// until the work of these calls has ended.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1
  /// @throws Error  no such set; counts differ or wrong device
  void set_points(std::string_view name, const Points<Real>& points);

  /// Finds the lists of all active pairs. Waits for the queue. The plan keeps its memory and grows it when needed,
  /// which invalidates earlier views.
  /// @throws Error  no pair is active, or a set of one has no points yet; a coordinate is not finite, or more than one
  ///                period outside the box; a radius not positive: names the first such point and its set
  /// @throws OutOfMemory  the lists do not fit the device
  /// After an error there is no list, and the plan can be used again.
  void find();

  /// Finds the lists of points that moved, in the memory of the plan: it does not wait, allocates nothing, and can be
  /// captured in a CUDA graph. Pairs deactivated since find() are left out.
  /// @throws Error  at once: a pair was activated or a set has more points than at the last find(); a method that needs
  ///                the host
  /// @throws Error  at Queue::wait(): what find() throws; or a list needs more room than the plan has: call find()
  void update();

  /// Sorts the sets of all active pairs for visitor() without lists. Does not wait.
  /// @throws Error  at once and at Queue::wait(), what find() throws
  void prepare();

  /// Returns the list of an active pair: rows are destinations, indices are numbers of sources.
  /// @throws Error  no such set; the pair is not active, or find() was not called since
  NeighborListView<Real> list(std::string_view destination, std::string_view source) const;

  /// Returns a loop over the neighbors of an active pair, on the points of the last prepare(), find() or update(). The
  /// next of these calls invalidates it.
  /// @throws Error  no such set; the pair is not active, or none of these was called since
  NeighborVisitor<Real> visitor(std::string_view destination, std::string_view source) const;

  /// Computes out[i] = the sum of weights[j] over the neighbors j of i, in the visitor's order.
  /// @param weights  [points of the source set], any stride
  /// @param out      [points of the destination set], any stride
  /// @throws Error   what visitor() throws; counts or device do not fit
  void sum(std::string_view destination, std::string_view source, View<const Real> weights, View<Real> out) const;

  /// Bytes of device memory that the plan keeps between searches, without the lists and their optional arrays.
  std::int64_t scratch_bytes() const;

  /// Method of this plan.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::NeighborSets;
}  // namespace shoal
