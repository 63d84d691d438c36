// SPDX-License-Identifier: Apache-2.0
// Neighbors by the definition in <shoal/neighbors.hpp>, in plain loops that share no code with the library.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "neighbors/neighbor_lists.hpp"

namespace shoal::testing_support {

template <class Real>
class BruteForce {
 public:
  /// Searches within one set if both are the same object.
  BruteForce(const Search& search, const Distribution<Real>& destinations, const Distribution<Real>& sources)
      : search_(search), destinations_(destinations), sources_(sources) {}

  /// x_i − x_j of the nearest image; 0 on axes that the box does not have.
  std::array<Real, 3> displacement(std::size_t i, std::size_t j) const {
    const std::array<Real, 3> d = {destinations_.x[i] - sources_.x[j], destinations_.y[i] - sources_.y[j],
                                   destinations_.z[i] - sources_.z[j]};
    std::array<Real, 3> nearest{};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(search_.box.dimensions); ++axis) {
      const auto period = static_cast<Real>(search_.box.upper[axis] - search_.box.lower[axis]);
      nearest[axis] =
          search_.box.periodic[axis] ? std::fma(-std::rint(d[axis] * (1 / period)), period, d[axis]) : d[axis];
    }
    return nearest;
  }

  /// Periods by which the nearest image of x_j is shifted: the displacement is x_i − x_j − shift · period.
  std::array<std::int32_t, 3> shift(std::size_t i, std::size_t j) const {
    const std::array<Real, 3> d = {destinations_.x[i] - sources_.x[j], destinations_.y[i] - sources_.y[j],
                                   destinations_.z[i] - sources_.z[j]};
    std::array<std::int32_t, 3> shift{};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(search_.box.dimensions); ++axis) {
      const auto period = static_cast<Real>(search_.box.upper[axis] - search_.box.lower[axis]);
      if (search_.box.periodic[axis]) shift[axis] = static_cast<std::int32_t>(std::rint(d[axis] * (1 / period)));
    }
    return shift;
  }

  Real squared(std::size_t i, std::size_t j) const {
    const auto [dx, dy, dz] = displacement(i, j);
    return std::fma(dz, dz, std::fma(dy, dy, dx * dx));
  }

  bool lists(std::size_t i, std::size_t j) const {
    if (&destinations_ == &sources_) {
      if (i == j && !search_.options.include_self) return false;
      if (j < i && search_.options.half) return false;
    }
    const Real r = radius(i, j);
    return search_.options.predicate == Predicate::strict ? squared(i, j) < r * r : squared(i, j) <= r * r;
  }

  std::vector<std::int32_t> row(std::size_t i) const {
    std::vector<std::int32_t> row;
    for (std::size_t j = 0; j < sources_.x.size(); ++j)
      if (lists(i, j)) row.push_back(static_cast<std::int32_t>(j));
    return row;
  }

  List list() const {
    List list{{0}, {}};
    for (std::size_t i = 0; i < destinations_.x.size(); ++i) list.add_row(row(i));
    return list;
  }

 private:
  Real radius(std::size_t i, std::size_t j) const {
    const auto k = static_cast<Real>(search_.radius);
    switch (search_.options.radius) {
      case Radius::gather:
        return k * destinations_.radius[i];
      case Radius::scatter:
        return k * sources_.radius[j];
      case Radius::symmetric:
        return std::max(k * destinations_.radius[i], k * sources_.radius[j]);
      case Radius::fixed:
        break;
    }
    return k;
  }

  const Search& search_;
  const Distribution<Real>& destinations_;
  const Distribution<Real>& sources_;
};

template <class Real>
List brute_force(const Search& search, const Distribution<Real>& points) {
  return BruteForce<Real>(search, points, points).list();
}

template <class Real>
List brute_force(const Search& search, const Distribution<Real>& destinations, const Distribution<Real>& sources) {
  return BruteForce<Real>(search, destinations, sources).list();
}

}  // namespace shoal::testing_support
