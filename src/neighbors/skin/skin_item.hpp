// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

#include "neighbors/search/survey_item.hpp"

// Why no neighbor is missing among the candidates
//
// Candidates are the pairs that passed the test of the radius R = r + s when they were made, s being the skin. Let u be
// the unit roundoff of Real, P the sum of the periods of all periodic axes, and t a length whose square underflows,
// 2^-74 m (float) or 2^-536 m (double). Points are at most one period outside the box, so that differences of two
// coordinates are at most 3P there. Lengths below are Euclidean.
//
// 1. A pair that passes the test of r now has, as computed, |d| <= r (1 + 5u): three roundings of d*d, one of r*r, one
//    of r. Each computed component has an error of at most 2u of itself and, on a periodic axis, 3uP from the inner
//    rounding. So some image of the pair is at most r (1 + 7u) + 4uP apart in exact arithmetic.
// 2. In the same way, a point whose displacement has the computed square q moved, to some image of its reference
//    position, by at most sqrt(q) (1 + 4u) + 4uP + t. The sum and the roots of two such numbers, in double, add less
//    than 3u of them.
// 3. Let m be the computed sum of the largest displacements of the two points. Some image of the pair was at most
//    r (1 + 7u) + m (1 + 8u) + 12uP + 2t apart when the candidates were made. The test chose its image by a rounded
//    product, which on each axis is at most 20uP worse than the nearest image; rounding adds 2u of the distance and
//    3uP. So the test computed at most |d| <= r + m + 10uR + 36uP + 2t.
// 4. The pair passed if |d| <= R (1 - 6u): roundings of R, of its square, and three of d*d.
//
// Together: no neighbor is missing if m <= s - 16uR - 36uP - 2t. The code takes twice that margin. If the candidates
// were made of the same positions (m = 0), none is missing whatever the margin: d*d is the same number and R*R is not
// below r*r.
namespace shoal::neighbors {

/// Returns the largest sum, m, of the maximum displacements of both sets for which the candidates hold all neighbors.
template <class Real>
double max_displacement(double radius, double skin, const PairTest<Real>& test) {
  constexpr double u = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
  constexpr double underflow = sizeof(Real) == 4 ? 0x1p-74 : 0x1p-536;
  const double periods = static_cast<double>(test.period[0]) + test.period[1] + test.period[2];
  return skin - 32 * u * (radius + skin) - 72 * u * periods - 4 * underflow;
}

/// State of a search with a skin on the device, kept between updates.
struct SkinState {
  int needed = 1;                       ///< 1: the candidates must be searched again, 0: they are valid.
  std::int64_t destinations = -1;       ///< Number of destinations of the candidates; −1: no candidates.
  std::int64_t sources = -1;            ///< Number of sources of the candidates; −1: no candidates.
  std::int64_t rebuilds = 0;            ///< Number of searches for candidates since find().
  double squared_displacement[2] = {};  ///< m², largest of the destinations and of the sources so far

  /// Compares the displacements with the limit, and resets them for the next update. One thread calls it.
  /// @param limit  m, from max_displacement()
  SHOAL_HD void decide(std::int64_t destination_count, std::int64_t source_count, bool one_set, double limit) {
    const double of_destinations = std::sqrt(squared_displacement[0]);
    const double sum = of_destinations + (one_set ? of_destinations : std::sqrt(squared_displacement[1]));
    needed = destinations == destination_count && sources == source_count && sum <= limit ? 0 : 1;
    rebuilds += needed;
    squared_displacement[0] = 0;
    squared_displacement[1] = 0;
  }
};

/// Points of a set and their reference positions: those at the last search for candidates.
template <class Real>
struct SkinSet {
  SurveySet<Real> points;
  Real* reference[3] = {};  ///< m, [max points] each, by number; null on axes that the box does not have

  /// Returns the squared displacement, m², of the nearest image of a point. NaN counts as far.
  SHOAL_HD double squared_displacement(const PairTest<Real>& test, std::int64_t i, int dimensions) const {
    const Position<Real> previous{reference[0][i], dimensions > 1 ? reference[1][i] : Real(0),
                                  dimensions > 2 ? reference[2][i] : Real(0)};
    const Real squared =
        PairTest<Real>::squared(test.template displacement<true>(points.position(i, dimensions), previous));
    return squared <= Extent<Real>::far ? squared : Extent<Real>::far;
  }

  /// Stores the position of a point as its reference position.
  SHOAL_HD void store_reference(std::int64_t i, int dimensions) const {
    const Position<Real> position = points.position(i, dimensions);
    reference[0][i] = position.x;
    if (dimensions > 1) reference[1][i] = position.y;
    if (dimensions > 2) reference[2][i] = position.z;
  }
};

/// Data that decide whether the candidates are valid.
template <class Real>
struct Skin {
  SkinSet<Real> destinations;
  SkinSet<Real> sources;  ///< Not read within one set.
  bool one_set = false;
  int dimensions = 3;
  PairTest<Real> test;            ///< Distance test of the candidates.
  double max_displacement = 0;    ///< m
  SkinState* state = nullptr;     ///< State on the queue's device.
  std::int32_t* order = nullptr;  ///< [max destinations] numbers of destinations in an order that keeps neighbors close

  SHOAL_HD std::int64_t source_count() const { return one_set ? destinations.points.count : sources.points.count; }
  SHOAL_HD void decide() const { state->decide(destinations.points.count, source_count(), one_set, max_displacement); }

  /// Validates the candidates after their search if they fitted. One thread calls it.
  SHOAL_HD void accept(bool fit) const {
    state->destinations = fit ? destinations.points.count : -1;
    state->sources = fit ? source_count() : -1;
  }
};

/// Filter from the rows of candidates to the rows of the list. Each candidate has a bit that is set for a neighbor; the
/// masks of a row start at a word of their own.
template <class Real>
struct CandidateFilter {
  std::int64_t rows = 0;
  const std::int64_t* candidate_offsets = nullptr;  ///< [rows + 1]
  const std::int32_t* candidates = nullptr;
  std::int64_t candidate_room = 0;
  const std::int32_t* order = nullptr;  ///< [rows] order in which rows are processed
  SurveySet<Real> destinations;
  SurveySet<Real> sources;  ///< Within one set: the same as the destinations.
  bool one_set = false;
  int dimensions = 3;
  PairTest<Real> test;
  std::uint32_t* masks = nullptr;         ///< [mask_count()]
  std::int32_t* count = nullptr;          ///< [rows] numbers of neighbors
  const std::int64_t* offsets = nullptr;  ///< [rows + 1]
  std::int32_t* indices = nullptr;        ///< Out, with room for all candidates.

  /// Returns true if all candidates fit. If they do not, an error is recorded and the list is empty.
  SHOAL_HD bool fits() const { return candidate_offsets[rows] <= candidate_room; }
  std::int64_t mask_count() const { return candidate_room / 32 + rows + 1; }
  /// Returns the first mask of a row. From row to row, ⌊offset / 32⌋ + row grows by at least the masks that the row
  /// needs.
  SHOAL_HD std::uint32_t* masks_of(std::int64_t row) const { return masks + candidate_offsets[row] / 32 + row; }
  SHOAL_HD bool is_empty(std::int64_t row) const { return offsets[row + 1] == offsets[row]; }
};

}  // namespace shoal::neighbors
