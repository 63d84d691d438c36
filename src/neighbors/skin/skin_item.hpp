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
//    of r. Each computed component is off by at most 2u of itself and, on a periodic axis, by 3uP from the inner
//    rounding. So some image of the pair is at most r (1 + 7u) + 4uP apart in exact arithmetic.
// 2. In the same way a point whose displacement has the computed square q moved, to some image of its old place, by at
//    most sqrt(q) (1 + 4u) + 4uP + t. Sum and roots of two such numbers, in double, add less than 3u of them.
// 3. With m, the sum of what the two points moved at most, as computed, some image of the pair was then at most
//    r (1 + 7u) + m (1 + 8u) + 12uP + 2t apart when the candidates were made. The image that the test took had been
//    chosen by a rounded product, which on each axis loses at most 20uP against the nearest one; rounding adds 2u of
//    the distance and 3uP. So what it computed was at most |d| <= r + m + 10uR + 36uP + 2t.
// 4. It passed if |d| <= R (1 - 6u): roundings of R, of its square, and three of d*d.
//
// Together: no neighbor is missing if m <= s - 16uR - 36uP - 2t. We take twice that. Where the candidates are made of
// the same positions (m = 0), none is missing whatever the margin: d*d is the same number and R*R is not below r*r.
namespace shoal {

/// The sum of the largest displacements of both sets up to which candidates hold all neighbors, m.
template <class Real>
double most_motion(double radius, double skin, const PairTest<Real>& test) {
  constexpr double u = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
  constexpr double underflow = sizeof(Real) == 4 ? 0x1p-74 : 0x1p-536;
  const double periods = static_cast<double>(test.period[0]) + test.period[1] + test.period[2];
  return skin - 32 * u * (radius + skin) - 72 * u * periods - 4 * underflow;
}

/// What is kept on the device between updates.
struct SkinState {
  int needed = 1;                  ///< whether the candidates are to be searched again
  std::int64_t destinations = -1;  ///< of the candidates; −1 while there are none
  std::int64_t sources = -1;
  std::int64_t rebuilds = 0;  ///< since find()
  double moved[2] = {};       ///< m², the largest squared displacements of destinations and sources so far

  /// Compares what moved with the limit, for one thread; the next update starts from zero.
  SHOAL_HD void decide(std::int64_t destinations_now, std::int64_t sources_now, bool one_set, double limit) {
    const double of_destinations = std::sqrt(moved[0]);
    const double sum = of_destinations + (one_set ? of_destinations : std::sqrt(moved[1]));
    needed = destinations == destinations_now && sources == sources_now && sum <= limit ? 0 : 1;
    rebuilds += needed;
    moved[0] = 0;
    moved[1] = 0;
  }
};

/// A set of points, and where they were when the candidates were made.
template <class Real>
struct SkinSet {
  SurveySet<Real> now;
  Real* then[3] = {};  ///< [most points] each, m, by number; null on axes that the box does not have

  /// m², of the nearest image. What is not a number is far.
  SHOAL_HD double moved(const PairTest<Real>& test, std::int64_t i, int dimensions) const {
    const Position<Real> before{then[0][i], dimensions > 1 ? then[1][i] : Real(0),
                                dimensions > 2 ? then[2][i] : Real(0)};
    const Real squared = PairTest<Real>::squared(test.template displacement<true>(now.at(i, dimensions), before));
    return squared <= Extent<Real>::far ? squared : Extent<Real>::far;
  }

  SHOAL_HD void remember(std::int64_t i, int dimensions) const {
    const Position<Real> at = now.at(i, dimensions);
    then[0][i] = at.x;
    if (dimensions > 1) then[1][i] = at.y;
    if (dimensions > 2) then[2][i] = at.z;
  }
};

/// All that decides about candidates.
template <class Real>
struct Skin {
  SkinSet<Real> destinations;
  SkinSet<Real> sources;  ///< of one set: not read
  bool one_set = false;
  int dimensions = 3;
  PairTest<Real> test;
  double most_motion = 0;         ///< m
  SkinState* state = nullptr;     ///< on the queue's device
  std::int32_t* order = nullptr;  ///< [most destinations] numbers of destinations in an order that keeps neighbors near

  SHOAL_HD std::int64_t source_count() const { return one_set ? destinations.now.count : sources.now.count; }
  SHOAL_HD void decide() const { state->decide(destinations.now.count, source_count(), one_set, most_motion); }

  /// After a search for candidates, for one thread. Candidates that did not fit are none.
  SHOAL_HD void accept(bool fit) const {
    state->destinations = fit ? destinations.now.count : -1;
    state->sources = fit ? source_count() : -1;
  }
};

/// From the rows of candidates to those of the list. A bit a candidate says whether it is a neighbor; the words of
/// bits of a row start anew with it.
template <class Real>
struct CandidateFilter {
  std::int64_t rows = 0;
  const std::int64_t* candidate_offsets = nullptr;
  const std::int32_t* candidates = nullptr;
  std::int64_t candidate_room = 0;
  const std::int32_t* order = nullptr;  ///< of rows
  SurveySet<Real> destinations;
  SurveySet<Real> sources;  ///< of one set: the same
  bool one_set = false;
  int dimensions = 3;
  PairTest<Real> test;
  std::uint32_t* marks = nullptr;         ///< [mark_count()]
  std::int32_t* count = nullptr;          ///< [rows] neighbors
  const std::int64_t* offsets = nullptr;  ///< [rows + 1]
  std::int32_t* indices = nullptr;        ///< out, with room for all candidates

  /// If not, an error was recorded, and the list is empty.
  SHOAL_HD bool fits() const { return candidate_offsets[rows] <= candidate_room; }
  std::int64_t mark_count() const { return candidate_room / 32 + rows + 1; }
  /// ⌊a / 32⌋ + row grows from row to row by at least the words that a row of any length needs.
  SHOAL_HD std::uint32_t* marks_of(std::int64_t row) const { return marks + candidate_offsets[row] / 32 + row; }
  SHOAL_HD bool is_empty(std::int64_t row) const { return offsets[row + 1] == offsets[row]; }
};

}  // namespace shoal
