// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_cases.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "core/text.hpp"

namespace shoal {

namespace {

using Place = std::array<double, 3>;

constexpr double pi = std::numbers::pi;

/// The heights of `count` points from 0 to `height`, the second of which is at `first`, in a geometric progression.
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

/// An O-grid between two closed lines, and its cell centres.
/// @param place  of point i around and j out
WallCase o_grid(const char* wall, std::int64_t around, std::int64_t out,
                const std::function<Place(std::int64_t, std::int64_t)>& place) {
  WallCase grid{{.dimensions = 2}};
  const std::int32_t number = grid.mesh.add_wall(wall);
  for (std::int64_t i = 0; i + 1 < around; ++i) {
    const Place at = place(i, 0);
    grid.mesh.add_point(at[0], at[1]);
    grid.mesh.add_face({i, (i + 1) % (around - 1)}, number);
  }
  for (std::int64_t j = 0; j + 1 < out; ++j)
    for (std::int64_t i = 0; i + 1 < around; ++i) {
      const std::int64_t next = (i + 1) % (around - 1);
      const Place corners[] = {place(i, j), place(next, j), place(next, j + 1), place(i, j + 1)};
      grid.x.push_back((corners[0][0] + corners[1][0] + corners[2][0] + corners[3][0]) / 4);
      grid.y.push_back((corners[0][1] + corners[1][1] + corners[2][1] + corners[3][1]) / 4);
    }
  return grid;
}

/// Half the thickness of a NACA 0012 at a part of the chord.
double half_thickness(double part) {
  const double series =
      0.2969 * std::sqrt(part) + part * (-0.1260 + part * (-0.3516 + part * (0.2843 - part * 0.1036)));
  return part >= 1 ? 0 : 5 * 0.12 * series;
}

Place middle_of(const WallMesh& mesh, std::int64_t face) {
  const auto f = static_cast<std::size_t>(face);
  Place sum{};
  for (std::int64_t k = mesh.face_start[f]; k < mesh.face_start[f + 1]; ++k) {
    const auto corner = static_cast<std::size_t>(mesh.corners[static_cast<std::size_t>(k)]);
    sum[0] += mesh.x[corner];
    sum[1] += mesh.y[corner];
    if (mesh.dimensions == 3) sum[2] += mesh.z[corner];
  }
  for (double& coordinate : sum) coordinate /= static_cast<double>(mesh.face_start[f + 1] - mesh.face_start[f]);
  return sum;
}

/// The normal of a face as long as its area (3-D, twice) or length: Newell's sum over its edges.
Place normal_of(const WallMesh& mesh, std::int64_t face) {
  const auto f = static_cast<std::size_t>(face);
  const auto begin = static_cast<std::size_t>(mesh.face_start[f]),
             end = static_cast<std::size_t>(mesh.face_start[f + 1]);
  const auto place = [&](std::size_t k) {
    const auto corner = static_cast<std::size_t>(mesh.corners[k]);
    return Place{mesh.x[corner], mesh.y[corner], mesh.dimensions == 3 ? mesh.z[corner] : 0};
  };
  const Place first = place(begin);
  if (mesh.dimensions == 2) {
    const Place second = place(begin + 1);
    return {second[1] - first[1], first[0] - second[0], 0};
  }
  Place sum{};
  for (std::size_t k = begin + 1; k + 1 < end; ++k) {
    const Place a = place(k), b = place(k + 1);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t p = (axis + 1) % 3, q = (axis + 2) % 3;
      sum[axis] += (a[p] - first[p]) * (b[q] - first[q]) - (a[q] - first[q]) * (b[p] - first[p]);
    }
  }
  return sum;
}

}  // namespace

WallCase circle_case(std::int64_t around, std::int64_t out) {
  require(around >= 4 && out >= 3, "wall_distance: a circle of ", around, " x ", out,
          " points, expected at least 4 x 3.");
  const std::vector<double> heights = stretched(out, 0.00594, 10.097 - 0.5);
  return o_grid("circle", around, out, [&](std::int64_t i, std::int64_t j) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(around - 1);
    const double radius = 0.5 + heights[static_cast<std::size_t>(j)];
    return Place{radius * std::cos(angle), radius * std::sin(angle)};
  });
}

WallCase naca0012_case(std::int64_t around, std::int64_t out) {
  require(around >= 4 && around % 2 == 1 && out >= 3, "wall_distance: an aerofoil of ", around, " x ", out,
          " points, expected at least 5 x 3, and an odd number around.");
  constexpr double far = 20;
  const std::vector<double> heights = stretched(out, 1e-5, far);
  return o_grid("aerofoil", around, out, [&](std::int64_t i, std::int64_t j) {
    const double angle = 2 * pi * static_cast<double>(i) / static_cast<double>(around - 1);  // 0: the trailing edge
    const double part = (1 + std::cos(angle)) / 2;
    const double side = 2 * i < around - 1 ? 1 : -1;
    const Place wall{part, side * half_thickness(part)};
    const Place outer{0.5 + far * std::cos(angle), far * std::sin(angle)};
    const double reach = std::hypot(outer[0] - wall[0], outer[1] - wall[1]);
    const double along = j + 1 == out ? 1 : heights[static_cast<std::size_t>(j)] / reach;
    return Place{wall[0] + along * (outer[0] - wall[0]), wall[1] + along * (outer[1] - wall[1])};
  });
}

void add_sphere(WallMesh& mesh, std::string_view wall, const std::array<double, 3>& centre, double radius,
                std::int64_t around, std::int64_t parallels) {
  require(mesh.dimensions == 3, "wall_distance: a sphere in a 2-D mesh. Set its dimensions to 3.");
  require(around >= 3 && parallels >= 2, "wall_distance: a sphere of ", around, " x ", parallels,
          " triangles, expected at least 3 x 2.");
  const std::int32_t number = mesh.add_wall(wall);
  const auto add = [&](double x, double y, double z) {
    return mesh.add_point(centre[0] + radius * x, centre[1] + radius * y, centre[2] + radius * z);
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
    Place centre{};
    centre[sphere / 2] = sphere % 2 == 0 ? -2 : 2;
    add_sphere(spheres.mesh, text("sphere ", sphere), centre, 1, 2 * parallels, parallels);
  }
  std::mt19937_64 random(1);
  const auto anywhere = [&random] { return 60 * (static_cast<double>(random() >> 11) * 0x1p-53) - 30; };
  for (std::int64_t i = 0; i < points; ++i) {
    spheres.x.push_back(anywhere());
    spheres.y.push_back(anywhere());
    spheres.z.push_back(anywhere());
  }
  return spheres;
}

WallCase columns_case(WallMesh mesh, std::int64_t layers, double first, double growth) {
  require_valid(mesh);
  require(layers >= 1, "wall_distance: columns of ", layers, " layers, expected at least 1.");
  require(first > 0 && growth > 0, "wall_distance: columns from ", first, " m growing by ", growth,
          ", expected positive numbers.");
  WallCase columns{std::move(mesh)};
  const bool solid = columns.mesh.dimensions == 3;
  for (std::int64_t face = 0; face < columns.mesh.face_count(); ++face) {
    const Place foot = middle_of(columns.mesh, face), normal = normal_of(columns.mesh, face);
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    if (!(length > 0)) continue;
    double height = first;
    for (std::int64_t layer = 0; layer < layers; ++layer, height *= growth) {
      columns.x.push_back(foot[0] + height * (normal[0] / length));
      columns.y.push_back(foot[1] + height * (normal[1] / length));
      if (solid) columns.z.push_back(foot[2] + height * (normal[2] / length));
    }
  }
  return columns;
}

}  // namespace shoal
