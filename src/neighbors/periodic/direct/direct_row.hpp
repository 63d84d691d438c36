// SPDX-License-Identifier: Apache-2.0
// Pairs of one point with all points of its system, on the CPU, in loops with vector instructions.
#pragma once
#include <algorithm>
#include <bit>
#include <vector>

#include "core/inlined.hpp"
#include "neighbors/periodic/direct/direct_backend.hpp"

namespace shoal::neighbors {

/// Points of a system and their places in its cell.
template <class Real>
struct SystemColumns {
  Range range;  ///< Numbers of the points.
  std::vector<Real> x, y, z;
  std::vector<std::int64_t> periods[3];  ///< FixedPeriods

  void assign(const DirectSystems<Real>& systems, std::int64_t s) {
    range = systems.system(s);
    const auto n = static_cast<std::size_t>(range.count());
    for (std::vector<Real>* column : {&x, &y, &z}) column->resize(n);
    for (std::vector<std::int64_t>& column : periods) column.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
      const Position<Real> point = systems.position(range.begin + static_cast<std::int64_t>(k));
      const FixedPeriods fixed = systems.periods(systems.cells[s], point);
      x[k] = point.x;
      y[k] = point.y;
      z[k] = point.z;
      for (int axis = 0; axis < 3; ++axis) periods[axis][k] = fixed.along[axis];
    }
  }

  SHOAL_HD Position<Real> position(std::size_t k) const { return {x[k], y[k], z[k]}; }
};

/// Pairs of point i with the points j of its system: a bit for each shift of a box that begins at the first shift of j.
template <class Real>
class DirectRow {
 public:
  /// Takes a system for the following rows.
  void assign(const DirectSystems<Real>& systems, std::int64_t s) {
    columns_.assign(systems, s);
    for (int axis = 0; axis < 3; ++axis) {
      first_[axis].resize(columns_.x.size());
      count_[axis].resize(columns_.x.size());
    }
    bits_.resize(columns_.x.size());
  }

  /// Compares a point with those of its system.
  SHOAL_HD void find(const DirectSystems<Real>& systems, const ImageTest<Real>& test, std::int64_t s, std::int64_t i) {
    place_ = static_cast<std::size_t>(i - columns_.range.begin);
    begin_ = systems.rule.half ? place_ : 0;
    for (int axis = 0; axis < 3; ++axis) box_[axis] = find_shifts(axis, systems.margins[s].along[axis]);
    if (!has_bits()) return;
    std::fill(bits_.begin(), bits_.end(), 0u);
    int bit = 0;
    for (std::int32_t a = 0; a < box_[0]; ++a)
      for (std::int32_t b = 0; b < box_[1]; ++b)
        for (std::int32_t c = 0; c < box_[2]; ++c, ++bit) {
          const std::int32_t step[3] = {a, b, c};
          for (int axis = 0; axis < 3; ++axis) step_[bit][axis] = step[axis];
          mark_pairs(test, systems.limit, step, 1u << bit);
        }
    for (std::uint32_t bits = bits_[place_]; bits != 0; bits &= bits - 1) {
      std::int32_t shift[3];
      set_shift(place_, std::countr_zero(bits), shift);
      if (!systems.rule.wants(i, i, shift)) bits_[place_] ^= bits & -bits;
    }
  }

  /// Number of pairs of the last point.
  SHOAL_HD std::int64_t count(const DirectSystems<Real>& systems, const ImageTest<Real>& test, std::int64_t i) const {
    std::int64_t count = 0;
    if (has_bits())
      for (std::size_t k = begin_; k < bits_.size(); ++k) count += std::popcount(bits_[k]);
    else
      visit_shifts(systems, test, i, [&](const ImagePair<Real>&) SHOAL_INLINED { ++count; });
    return count;
  }

  /// Calls use(pair) for each pair of the last point, in order.
  template <class Use>
  SHOAL_HD void visit(const DirectSystems<Real>& systems, const ImageTest<Real>& test, std::int64_t i,
                      Use&& use) const {
    if (!has_bits()) return visit_shifts(systems, test, i, use);
    ImagePair<Real> pair{};
    for (std::size_t k = begin_; k < bits_.size(); ++k) {
      pair.j = columns_.range.begin + static_cast<std::int64_t>(k);
      for (std::uint32_t bits = bits_[k]; bits != 0; bits &= bits - 1) {
        set_shift(k, std::countr_zero(bits), pair.shift);
        systems.make_pair(test, i, columns_.position(place_), columns_.position(k), pair);
        use(pair);
      }
    }
  }

 private:
  static constexpr int most_bits = 32;

  SHOAL_HD bool has_bits() const { return std::int64_t{box_[0]} * box_[1] * box_[2] <= most_bits; }

  /// Finds the shifts of all points along a vector. Returns their largest number.
  SHOAL_HD std::int32_t find_shifts(int axis, std::int64_t margin) {
    const std::int64_t* const periods = columns_.periods[axis].data();
    std::int32_t* const first = first_[axis].data();
    std::int32_t* const count = count_[axis].data();
    const std::int64_t periods_i = periods[place_];
    const auto n = static_cast<std::int64_t>(bits_.size());
    std::int32_t most = 0;
#pragma omp simd reduction(max : most)
    for (std::int64_t k = 0; k < n; ++k) {
      first[k] = first_shift(periods[k] - periods_i, margin);
      count[k] = shift_count(periods[k] - periods_i, margin);
      most = most < count[k] ? count[k] : most;
    }
    return most;
  }

  /// Marks the points that are pairs with a shift.
  /// @param step  shift less the first one of each point
  SHOAL_HD void mark_pairs(const ImageTest<Real>& test, Real limit, const std::int32_t (&step)[3], std::uint32_t bit) {
    const Position<Real> position = columns_.position(place_);
    const Real *const x = columns_.x.data(), *const y = columns_.y.data(), *const z = columns_.z.data();
    const std::int32_t *const first0 = first_[0].data(), *const first1 = first_[1].data(),
                              *const first2 = first_[2].data();
    const std::int32_t *const count0 = count_[0].data(), *const count1 = count_[1].data(),
                              *const count2 = count_[2].data();
    std::uint32_t* const bits = bits_.data();
    const auto n = static_cast<std::int64_t>(bits_.size());
    for (std::int64_t k = static_cast<std::int64_t>(begin_); k < n; ++k) {
      const std::int32_t shift[3] = {first0[k] + step[0], first1[k] + step[1], first2[k] + step[2]};
      const Position<Real> displacement = test.shifted_displacement(position, {x[k], y[k], z[k]}, shift);
      const bool is_near = PairTest<Real>::squared(displacement) < limit;
      const bool has_shift = (step[0] < count0[k]) & (step[1] < count1[k]) & (step[2] < count2[k]);
      bits[k] |= is_near & has_shift ? bit : 0u;
    }
  }

  SHOAL_HD void set_shift(std::size_t k, int bit, std::int32_t (&shift)[3]) const {
    for (int axis = 0; axis < 3; ++axis) shift[axis] = first_[axis][k] + step_[bit][axis];
  }

  /// Calls use(pair) for each pair of the last point, where points have more shifts than bits.
  template <class Use>
  SHOAL_HD void visit_shifts(const DirectSystems<Real>& systems, const ImageTest<Real>& test, std::int64_t i,
                             Use&& use) const {
    ImagePair<Real> pair{};
    for (std::size_t k = begin_; k < bits_.size(); ++k) {
      pair.j = columns_.range.begin + static_cast<std::int64_t>(k);
      for (std::int32_t a = 0; a < count_[0][k]; ++a)
        for (std::int32_t b = 0; b < count_[1][k]; ++b)
          for (std::int32_t c = 0; c < count_[2][k]; ++c) {
            pair.shift[0] = first_[0][k] + a;
            pair.shift[1] = first_[1][k] + b;
            pair.shift[2] = first_[2][k] + c;
            if (systems.make_pair(test, i, columns_.position(place_), columns_.position(k), pair)) use(pair);
          }
    }
  }

  SystemColumns<Real> columns_;
  std::size_t place_ = 0;                          ///< Number of the last point within its system.
  std::size_t begin_ = 0;                          ///< First point that it is compared with.
  std::vector<std::int32_t> first_[3], count_[3];  ///< Shifts of each point along each vector.
  std::int32_t box_[3] = {};                       ///< Largest numbers of shifts.
  std::int32_t step_[most_bits][3] = {};           ///< Steps from the first shift, for each bit.
  std::vector<std::uint32_t> bits_;                ///< Pairs of each point.
};

}  // namespace shoal::neighbors
