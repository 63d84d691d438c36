// SPDX-License-Identifier: Apache-2.0
// Walls and points from formulas: the O-grids and round bodies of case files, and the problems of the papers.
#pragma once
#include <shoal/wall_distance/wall_mesh.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace shoal::wall_distance {

/// Walls and query points.
struct WallCase {
  WallMesh mesh = {};
  std::vector<double> x = {}, y = {}, z = {};  ///< [points] m; z is empty in 2-D

  std::int64_t point_count() const { return static_cast<std::int64_t>(x.size()); }
};

/// Nodes of an O-grid, ring after ring from the wall outwards. A ring does not repeat its first node at its end.
struct OGridNodes {
  std::int64_t around = 0, out = 0;    ///< number of nodes in a ring, number of rings
  std::vector<double> x = {}, y = {};  ///< [around out] m
};

/// Nodes of circle_case() and naca0012_case(). `OGridNodes::around` is one less than the argument.
/// @throws Error  the conditions of circle_case() and naca0012_case()
OGridNodes circle_nodes(std::int64_t around, std::int64_t out);
OGridNodes naca0012_nodes(std::int64_t around, std::int64_t out);

/// The paper's O-grid between a circle of radius 0.5 m and one of radius 10.097 m.
///
/// The grid has `around` × `out` points; the last point around is the first one again. The first layer is 0.00594 m
/// high and the heights grow by a constant factor. The wall "circle" has around − 1 faces. Query points are the
/// (around − 1)(out − 1) cell centers, each the mean of four corners, layer after layer.
///
/// The paper has 200 × 50, 1000 × 50 and 5000 × 50 points.
///
/// @throws Error  around < 4 or out < 3
/// Source: Wukie, Ganapathy and Park (2014).
WallCase circle_case(std::int64_t around, std::int64_t out);

/// An O-grid around a NACA 0012 of chord 1 m, from x = 0 to 1, with a closed trailing edge.
///
/// Points along the chord have a cosine distribution. Straight grid lines lead to a circle of radius 20 m; the first
/// layer is 1e-5 m high along them. The wall is "airfoil"; points and faces are numbered as in circle_case().
///
/// @throws Error  around < 4 or even, or out < 3
/// Source: Ladson and Brooks (1975), "Development of a computer program to obtain ordinates for NACA 4-digit airfoils",
/// NASA TM X-3284; the last coefficient of the thickness is −0.1036, which closes the trailing edge.
WallCase naca0012_case(std::int64_t around, std::int64_t out);

/// Six unit spheres at ±2 m on the axes, the walls "sphere 0" to "sphere 5", and uniformly distributed points in a box
/// ten times as wide as all spheres: the scaling test of Roget and Sitaraman (2013).
/// @param faces   approximate number of triangles of all spheres; at least 6 × 8
/// @param points  number of points; the points depend on nothing else
/// @throws Error  fewer faces, or points < 0
WallCase six_spheres_case(std::int64_t faces, std::int64_t points);

/// Adds a circle of segments, counter-clockwise, with its corners on the circle.
/// @throws Error  faces < 3, or a 3-D mesh
void add_circle(WallMesh& mesh, std::string_view wall, const std::array<double, 2>& center, double radius,
                std::int64_t faces);

/// Adds a sphere of 2 around (parallels − 1) triangles between meridians and parallels, with their corners on the
/// sphere.
/// @throws Error  around < 3, parallels < 2, or a 2-D mesh
void add_sphere(WallMesh& mesh, std::string_view wall, const std::array<double, 3>& center, double radius,
                std::int64_t around, std::int64_t parallels);

}  // namespace shoal::wall_distance
