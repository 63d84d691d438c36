// SPDX-License-Identifier: Apache-2.0
// φ = Σ V W on the nodes of a grid, layer by layer across the last axis.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <vector>

#include "sph/physics/pairs/kernel_item.hpp"

namespace shoal::sph {

/// A particle of fluid, or its image beyond the end of a periodic axis.
template <int dimensions>
struct FilledPlace {
  std::array<double, dimensions> position;  ///< m
  double volume;                            ///< m³ (2-D: m²)
  std::int64_t id;
};

/// Nodes of the grid: node n along an axis is at origin + n step.
template <int dimensions>
struct SurfaceGrid {
  std::array<double, dimensions> origin{};       ///< m
  std::array<double, dimensions> step{};         ///< m
  std::array<std::int64_t, dimensions> nodes{};  ///< number of nodes along each axis

  double at(int axis, std::int64_t node) const {
    const auto k = static_cast<std::size_t>(axis);
    return origin[k] + static_cast<double>(node) * step[k];
  }
  /// Number of nodes in a layer.
  std::int64_t layer_size() const {
    std::int64_t size = 1;
    for (std::size_t axis = 0; axis + 1 < dimensions; ++axis) size *= nodes[axis];
    return size;
  }
};

/// Sums of φ. Particles add in the order of their places across the layers, so that a layer has the same bits whichever
/// thread makes it.
template <int dimensions>
class Filling {
 public:
  Filling(std::vector<FilledPlace<dimensions>> places, const SurfaceGrid<dimensions>& grid, Kernel kernel, double h)
      : places_(std::move(places)),
        grid_(grid),
        kernel_(kernel),
        h_(h),
        scale_(kernel_scale(kernel, dimensions) / std::pow(h, dimensions)),
        radius_(kernel_radius(kernel) * h) {
    const auto order = [](const auto& place) { return std::tuple(place.position[last], place.id, place.position[0]); };
    std::sort(places_.begin(), places_.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  }

  /// Sets the values of a layer, [layer_size()], the first axis fastest.
  void set_layer(std::int64_t layer, std::vector<double>& values) const {
    values.assign(static_cast<std::size_t>(grid_.layer_size()), 0);
    const double height = grid_.at(last, layer);
    auto place = std::lower_bound(places_.begin(), places_.end(), height - radius_,
                                  [](const auto& p, double least) { return p.position[last] < least; });
    for (; place != places_.end() && place->position[last] <= height + radius_; ++place) {
      const double apart = place->position[last] - height;
      with_kernel(kernel_, [&]<Kernel kernel> { add<kernel>(*place, apart * apart, values); });
    }
  }

 private:
  static constexpr std::size_t last = dimensions - 1;

  template <Kernel kernel>
  void add(const FilledPlace<dimensions>& place, double across, std::vector<double>& values) const {
    const double weight = place.volume * scale_;
    const auto add_row = [&](std::int64_t row, double squared) {
      const auto [first, end] = nodes_near(place, 0);
      for (std::int64_t node = first; node < end; ++node) {
        const double x = grid_.at(0, node) - place.position[0];
        const double q = std::sqrt(x * x + squared) / h_;
        if (q < kernel_radius(kernel))
          values[static_cast<std::size_t>(row * grid_.nodes[0] + node)] += weight * kernel_shape<kernel>(q);
      }
    };
    if constexpr (dimensions == 2) {
      add_row(0, across);
    } else {
      const auto [first, end] = nodes_near(place, 1);
      for (std::int64_t row = first; row < end; ++row) {
        const double y = grid_.at(1, row) - place.position[1];
        add_row(row, y * y + across);
      }
    }
  }

  /// Nodes along an axis within the support of a place: [first, end).
  std::pair<std::int64_t, std::int64_t> nodes_near(const FilledPlace<dimensions>& place, std::size_t axis) const {
    const double center = (place.position[axis] - grid_.origin[axis]) / grid_.step[axis];
    const double reach = radius_ / grid_.step[axis];
    return {std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(center - reach))),
            std::min(grid_.nodes[axis], static_cast<std::int64_t>(std::floor(center + reach)) + 1)};
  }

  std::vector<FilledPlace<dimensions>> places_;
  SurfaceGrid<dimensions> grid_;
  Kernel kernel_;
  double h_;       ///< m, smoothing length
  double scale_;   ///< 1/m³ (2-D: 1/m²), of the kernel
  double radius_;  ///< m, support of the kernel
};

}  // namespace shoal::sph
