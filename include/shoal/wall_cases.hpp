// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/wall_mesh.hpp>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace shoal {

/// Walls, and points to ask about: what tests, benchmarks and the paper's tables measure, made from a formula.
struct WallCase {
  WallMesh mesh = {};
  std::vector<double> x = {}, y = {}, z = {};  ///< [points] m; z is empty in 2-D

  std::int64_t point_count() const { return static_cast<std::int64_t>(x.size()); }
};

/// The nodes of an O-grid, ring after ring from the wall on; the last node around, which is the first one, is left out.
struct OGridNodes {
  std::int64_t around = 0, out = 0;    ///< nodes of a ring, and rings
  std::vector<double> x = {}, y = {};  ///< [around out] m
};

/// The nodes of circle_case() and naca0012_case(): of as many points around, one node less.
/// @throws Error  what these throw
OGridNodes circle_nodes(std::int64_t around, std::int64_t out);
OGridNodes naca0012_nodes(std::int64_t around, std::int64_t out);

/// The O-grid of the paper: a circle of radius 0.5 m in the middle of one of 10.097 m, with `around` × `out` points
/// (the last point around is the first one again), the first layer of which is 0.00594 m high and the others each
/// higher by the same factor. The wall "circle" has around − 1 faces; asked about are the (around − 1)(out − 1) cell
/// centers, the means of four corners, those of a layer one after the other.
///
/// The paper has 200 × 50, 1000 × 50 and 5000 × 50 points.
///
/// @throws Error  around < 4 or out < 3
/// Source: Wukie, Ganapathy and Park (2014).
WallCase circle_case(std::int64_t around, std::int64_t out);

/// An O-grid around a NACA 0012 of chord 1 m from x = 0 to 1 with a closed trailing edge: points are close at both ends
/// of the chord (cosine), lines go straight to a circle of 20 m, the first layer is 1e-5 m high along them. The wall is
/// "airfoil"; points and faces are as those of circle_case().
///
/// @throws Error  around < 4 or even, or out < 3
/// Source: Ladson and Brooks (1975), "Development of a computer program to obtain ordinates for NACA 4-digit airfoils",
/// NASA TM X-3284; the last coefficient of the thickness is −0.1036, which closes the trailing edge.
WallCase naca0012_case(std::int64_t around, std::int64_t out);

/// Six unit spheres at ±2 m on the axes, the walls "sphere 0" to "sphere 5", and points anywhere in a box ten times as
/// wide as all spheres: the scaling test of Roget and Sitaraman (2013).
/// @param faces   about so many triangles in all; at least 6 × 8
/// @param points  in the box; the same ones for the same number on every machine
/// @throws Error  fewer faces, or points < 0
WallCase six_spheres_case(std::int64_t faces, std::int64_t points);

/// Adds a circle of segments, counter-clockwise, whose corners are on the circle.
/// @throws Error  faces < 3, or a 3-D mesh
void add_circle(WallMesh& mesh, std::string_view wall, const std::array<double, 2>& center, double radius,
                std::int64_t faces);

/// Adds a sphere of triangles between meridians and parallels: 2 around (parallels − 1) triangles whose corners are on
/// the sphere.
/// @throws Error  around < 3, parallels < 2, or a 2-D mesh
void add_sphere(WallMesh& mesh, std::string_view wall, const std::array<double, 3>& center, double radius,
                std::int64_t around, std::int64_t parallels);

/// Columns over faces, as the cells of a boundary layer are.
struct ColumnOptions {
  std::int64_t layers = 40;  ///< points of a column
  double first = 1e-5;       ///< m, the height of the lowest
  double growth = 1.25;      ///< of the heights: first · growth^k
  std::int64_t split = 1;    ///< columns over split² equal parts of each triangle, or split parts of each segment
};

/// Points on the device of a queue.
struct WallPoints {
  Array<double> x, y, z;  ///< [points] m; z is empty in 2-D
};

/// Points above every face of a mesh: a column over the middle of each part of a face, along its normal (by the order
/// of its corners; in 2-D to the right of it). The points of a column are one after the other, and so are the columns
/// of a face; a polygon is a fan of triangles, and what has no area has no column. Made on the device, with the same
/// bits on all: 10^8 points of a surface of 10^5 triangles are one launch. Waits for the queue.
///
/// Cost: 24 bytes a point written, and 96 bytes a triangle uploaded.
/// @throws Error        the mesh makes no sense, layers < 1, split < 1, first or growth not positive
/// @throws OutOfMemory  more points than fit
WallPoints make_columns(const Queue& queue, const WallMesh& mesh, const ColumnOptions& options = {});

/// The same in host memory, one column a triangle or segment.
/// @throws Error  what make_columns() throws
WallCase columns_case(WallMesh mesh, std::int64_t layers, double first, double growth);

}  // namespace shoal
