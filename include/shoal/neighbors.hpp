// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/methods.hpp>
#include <shoal/points.hpp>
#include <shoal/words.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace shoal {

/// Which pairs are neighbours: those nearer than the radius, or those at the radius, too.
enum class Predicate { strict, inclusive };
template <>
inline constexpr auto words<Predicate> = std::array<std::string_view, 2>{"strict", "inclusive"};

/// The space that points live in. Only periodic axes have bounds; on the others points may be anywhere.
struct Box {
  int dimensions = 3;
  std::array<bool, 3> periodic{};
  std::array<double, 3> lower{};  ///< m
  std::array<double, 3> upper{};  ///< m
};

struct NeighborsOptions {
  std::string method = "auto";              ///< a row of methods("neighbors"), or "auto"
  Predicate predicate = Predicate::strict;  ///< d² < r², or d² ≤ r²
  bool include_self = false;                ///< whether a point of one set is its own neighbour
};

/// Every source point within a radius of every destination point, as compressed rows.
///
/// The sources of destination i are indices[offsets[i]] ... indices[offsets[i + 1] − 1], ascending. A pair is in the
/// list exactly if, in the arithmetic of `Real` and with fma rounding once,
///
///     d² = fma(dz, dz, fma(dy, dy, dx·dx)) < r·r     (or ≤, see Predicate)
///     dx = x_i − x_j, on a periodic axis with period L then fma(−rint(dx · (1/L)), L, dx)
///
/// so the list has the same bits for all methods, on CPU and CUDA, for any number of threads. Distinct points at the
/// same place are neighbours. There is no largest number of neighbours to choose: they are counted first.
///
///     shoal::Neighbors<float> neighbors(queue, 0.1);
///     neighbors.find({x, y, z});
///     use(neighbors.offsets(), neighbors.indices());
///
/// Cost: 6.4 distance tests a neighbour in 3-D and 2.9 in 2-D, made twice; 4 bytes a neighbour and 8 a point. `Real` is
/// float or double. The methods' cards are in src/neighbors/methods.
template <class Real>
class Neighbors {
 public:
  /// @param radius  m
  /// @throws Error  radius not positive, or its square not a normal number of `Real`; a period shorter than two radii;
  ///                no such method on this device
  Neighbors(const Queue& queue, double radius, const Box& box = {}, const NeighborsOptions& options = {});
  ~Neighbors();
  Neighbors(Neighbors&&) noexcept;
  Neighbors& operator=(Neighbors&&) noexcept;

  /// Neighbours within one set. Waits for the queue, because the list's length must be known to make room for it. The
  /// plan keeps its memory and grows it when needed; views that it gave out before are then void.
  /// @param points  [n] m, any stride, on the queue's device; n < 2^31 − 1. Two dimensions ignore z.
  /// @throws Error  counts differ or wrong device; a coordinate is not finite, or more than one period outside the box:
  ///                names the first such point
  void find(const Points<Real>& points);

  /// The sources near each destination. A point that is in both sets finds itself.
  void find(const Points<Real>& destinations, const Points<Real>& sources);

  /// [destinations + 1]
  View<const std::int64_t> offsets() const;

  /// [offsets[destinations]] numbers of sources.
  View<const std::int32_t> indices() const;

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
