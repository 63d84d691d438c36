// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/cases/wall_cases.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "core/text.hpp"

namespace shoal::wall_distance {

namespace {

using Position = std::array<double, 3>;

constexpr double pi = std::numbers::pi;

/// `count` heights from 0 to `height` with steps in a geometric progression; the first step is `first`.
std::vector<double> stretched(std::int64_t count, double first, double height) {
  const auto total = [&](double growth) {
    double sum = 0, step = first;
    for (std::int64_t k = 1; k < count; ++k, step *= growth) sum += step;
    return sum;
  };
  double low = 1e-3, high = 1e3;
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = std::sqrt(low * high);
    (total(middle) < height ? low : high) = middle;
  }
  std::vector<double> heights{0};
  double step = first;
  for (std::int64_t k = 1; k < count; ++k, step *= low) heights.push_back(heights.back() + step);
  heights.back() = height;
  return heights;
}

/// The nodes of an O-grid between two closed lines.
/// @param position  position of node i of ring j
OGridNodes o_grid_nodes(std::int64_t around, std::int64_t out,
                        const std::function<Position(std::int64_t, std::int64_t)>& position) {
  OGridNodes nodes{.around = around - 1, .out = out};
  for (std::int64_t j = 0; j < out; ++j)
    for (std::int64_t i = 0; i < nodes.around; ++i) {
      const Position node = position(i, j);
      nodes.x.push_back(node[0]);
      nodes.y.push_back(node[1]);
    }
  return nodes;
}

/// A wall made of the first ring, with the cell centers as query points.
WallCase o_grid(const char* wall, const OGridNodes& nodes) {
  WallCase grid{{.dimensions = 2}};
  const std::int32_t number = grid.mesh.add_wall(wall);
  for (std::int64_t i = 0; i < nodes.around; ++i) {
    const auto k = static_cast<std::size_t>(i);
    grid.mesh.add_point(nodes.x[k], nodes.y[k]);
    grid.mesh.add_face({i, (i + 1) % nodes.around}, number);
  }
  for (std::int64_t j = 0; j + 1 < nodes.out; ++j)
    for (std::int64_t i = 0; i < nodes.around; ++i) {
      const std::int64_t next = (i + 1) % nodes.around;
      const auto mean = [&](const std::vector<double>& coordinates) {
        const auto node = [&](std::int64_t k, std::int64_t ring) {
          return coordinates[static_cast<std::size_t>(ring * nodes.around + k)];
        };
        return (node(i, j) + node(next, j) + node(next, j + 1) + node(i, j + 1)) / 4;
      };
      grid.x.push_back(mean(nodes.x));
      grid.y.push_back(mean(nodes.y));
    }
  return grid;
}

/// Half the thickness of a NACA 0012 at a fraction of the chord.
double half_thickness(double fraction) {
  const double series = 0.2969 * std::sqrt(fraction) +
                        fraction * (-0.1260 + fraction * (-0.3516 + fraction * (0.2843 - fraction * 0.1036)));
  return fraction >= 1 ? 0 : 5 * 0.12 * series;
}

}  // namespace

OGridNodes circle_nodes(std::int64_t around, std::int64_t out) {
  require(around >= 4 && out >= 3, "wall_distance: a circle of ", around, " x ", out,
          " points, expected at least 4 x 3.");
  const std::vector<double> heights = stretched(out, 0.00594, 10.097 - 0.5);
  return o_grid_nodes(around, out, [&](std::int64_t i, std::int64_t j) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(around - 1);
    const double radius = 0.5 + heights[static_cast<std::size_t>(j)];
    return Position{radius * std::cos(angle), radius * std::sin(angle)};
  });
}

OGridNodes naca0012_nodes(std::int64_t around, std::int64_t out) {
  require(around >= 4 && around % 2 == 1 && out >= 3, "wall_distance: an airfoil of ", around, " x ", out,
          " points, expected at least 5 x 3, and an odd number around.");
  constexpr double far = 20;
  const std::vector<double> heights = stretched(out, 1e-5, far);
  return o_grid_nodes(around, out, [&](std::int64_t i, std::int64_t j) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(around - 1);  // 0: the trailing edge
    const double fraction = (1 + std::cos(angle)) / 2;
    const double side = 2 * i < around - 1 ? 1 : -1;
    const Position wall{fraction, side * half_thickness(fraction)};
    const Position outer{0.5 + far * std::cos(angle), far * std::sin(angle)};
    const double length = std::hypot(outer[0] - wall[0], outer[1] - wall[1]);
    const double along = j + 1 == out ? 1 : heights[static_cast<std::size_t>(j)] / length;
    return Position{wall[0] + along * (outer[0] - wall[0]), wall[1] + along * (outer[1] - wall[1])};
  });
}

WallCase circle_case(std::int64_t around, std::int64_t out) { return o_grid("circle", circle_nodes(around, out)); }

WallCase naca0012_case(std::int64_t around, std::int64_t out) { return o_grid("airfoil", naca0012_nodes(around, out)); }

void add_circle(WallMesh& mesh, std::string_view wall, const std::array<double, 2>& center, double radius,
                std::int64_t faces) {
  require(mesh.dimensions == 2, "wall_distance: a circle in a 3-D mesh. Set `dimensions` of the mesh to 2.");
  require(faces >= 3, "wall_distance: a circle of ", faces, " faces, expected at least 3.");
  const std::int32_t number = mesh.add_wall(wall);
  const std::int64_t first = mesh.point_count();
  for (std::int64_t i = 0; i < faces; ++i) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(faces);
    mesh.add_point(center[0] + radius * std::cos(angle), center[1] + radius * std::sin(angle));
    mesh.add_face({first + i, first + (i + 1) % faces}, number);
  }
}

void add_sphere(WallMesh& mesh, std::string_view wall, const std::array<double, 3>& center, double radius,
                std::int64_t around, std::int64_t parallels) {
  require(mesh.dimensions == 3, "wall_distance: a sphere in a 2-D mesh. Set `dimensions` of the mesh to 3.");
  require(around >= 3 && parallels >= 2, "wall_distance: a sphere of ", around, " x ", parallels,
          " triangles, expected at least 3 x 2.");
  const std::int32_t number = mesh.add_wall(wall);
  const auto add = [&](double x, double y, double z) {
    return mesh.add_point(center[0] + radius * x, center[1] + radius * y, center[2] + radius * z);
  };
  const std::int64_t south = add(0, 0, -1);
  for (std::int64_t j = 1; j < parallels; ++j)
    for (std::int64_t i = 0; i < around; ++i) {
      const double height = pi * static_cast<double>(j) / static_cast<double>(parallels);
      const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(around);
      add(std::sin(height) * std::cos(angle), std::sin(height) * std::sin(angle), -std::cos(height));
    }
  const std::int64_t north = add(0, 0, 1);
  const auto point = [&](std::int64_t i, std::int64_t j) {
    return j == 0 ? south : j == parallels ? north : south + 1 + (j - 1) * around + i % around;
  };
  for (std::int64_t j = 0; j < parallels; ++j)
    for (std::int64_t i = 0; i < around; ++i) {
      if (j > 0) mesh.add_face({point(i, j), point(i + 1, j), point(i + 1, j + 1)}, number);
      if (j + 1 < parallels) mesh.add_face({point(i, j), point(i + 1, j + 1), point(i, j + 1)}, number);
    }
}

WallCase six_spheres_case(std::int64_t faces, std::int64_t points) {
  require(faces >= 48, "wall_distance: six spheres of ", faces, " triangles, expected at least 48.");
  require(points >= 0, "wall_distance: ", points, " points, expected 0 or more.");
  WallCase spheres;
  const auto parallels =
      std::max<std::int64_t>(2, std::llround((1 + std::sqrt(1 + static_cast<double>(faces) / 6)) / 2));
  for (std::size_t sphere = 0; sphere < 6; ++sphere) {
    Position center{};
    center[sphere / 2] = sphere % 2 == 0 ? -2 : 2;
    add_sphere(spheres.mesh, text("sphere ", sphere), center, 1, 2 * parallels, parallels);
  }
  std::mt19937_64 random(1);
  const auto uniform = [&random] { return 60 * (static_cast<double>(random() >> 11) * 0x1p-53) - 30; };
  for (std::int64_t i = 0; i < points; ++i) {
    spheres.x.push_back(uniform());
    spheres.y.push_back(uniform());
    spheres.z.push_back(uniform());
  }
  return spheres;
}

}  // namespace shoal::wall_distance
