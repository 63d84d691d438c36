// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/cell_shape.hpp"

#include <algorithm>

#include "core/vector.hpp"

namespace shoal::io {

namespace {

constexpr ShapeFacts all_shapes[] = {
    {CellShape::point, "point", 0, 1},
    {CellShape::segment, "segment", 1, 2},
    {CellShape::triangle, "triangle", 2, 3},
    {CellShape::polygon, "polygon", 2, 0},
    {CellShape::quadrilateral, "quadrilateral", 2, 4},
    {CellShape::tetrahedron, "tetrahedron", 3, 4},
    {CellShape::hexahedron, "hexahedron", 3, 8},
    {CellShape::prism, "prism", 3, 6},
    {CellShape::pyramid, "pyramid", 3, 5},
};

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }

using Face = std::vector<std::size_t>;

/// Corners of the faces of a solid; all faces have the same orientation.
const std::vector<Face>& faces_of(CellShape shape) {
  static const std::vector<Face> tetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  static const std::vector<Face> pyramid = {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  static const std::vector<Face> prism = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
  static const std::vector<Face> hexahedron = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  switch (shape) {
    case CellShape::tetrahedron:
      return tetrahedron;
    case CellShape::pyramid:
      return pyramid;
    case CellShape::prism:
      return prism;
    default:
      return hexahedron;
  }
}

Vector mean_of(const std::vector<Vector>& points) {
  Vector sum{};
  for (const Vector& point : points) sum = sum + point;
  return {sum[0] / static_cast<double>(points.size()), sum[1] / static_cast<double>(points.size()),
          sum[2] / static_cast<double>(points.size())};
}

/// Sum of parts of a cell: their sizes, and their centers weighted by size.
struct Weighted {
  double size = 0;
  Vector moment{};
  void add(double part, const Vector& center) { size += part, moment = moment + part * center; }
};

/// Sum over the triangles between the origin and each side of a polygon in the plane.
Weighted polygon_parts(const std::vector<Vector>& corners) {
  Weighted sum;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector &a = corners[i], &b = corners[(i + 1) % corners.size()];
    sum.add(0.5 * cross(a, b)[2], (1.0 / 3) * (a + b));
  }
  return sum;
}

/// Sum over the tetrahedra between the origin and each side of each face. A face that is not flat is the fan of
/// triangles around the mean of its corners.
Weighted solid_parts(CellShape shape, const std::vector<Vector>& corners) {
  Weighted sum;
  for (const Face& face : faces_of(shape)) {
    std::vector<Vector> around;
    for (const std::size_t corner : face) around.push_back(corners[corner]);
    const Vector middle = mean_of(around);
    for (std::size_t i = 0; i < around.size(); ++i) {
      const Vector &a = around[i], &b = around[(i + 1) % around.size()];
      sum.add(dot(middle, cross(a, b)) / 6, 0.25 * (middle + a + b));
    }
  }
  return sum;
}

}  // namespace

const ShapeFacts& facts_of(CellShape shape) {
  return *std::find_if(std::begin(all_shapes), std::end(all_shapes),
                       [&](const ShapeFacts& facts) { return facts.shape == shape; });
}

std::optional<CellShape> shape_of_vtk(std::int64_t number) {
  for (const ShapeFacts& facts : all_shapes)
    if (static_cast<std::int64_t>(facts.shape) == number) return facts.shape;
  return {};
}

CellShape face_shape(std::size_t corners) {
  if (corners == 2) return CellShape::segment;
  if (corners == 3) return CellShape::triangle;
  return corners == 4 ? CellShape::quadrilateral : CellShape::polygon;
}

std::array<double, 3> center_of_cell(const MeshPoints& nodes, CellShape shape, std::span<const std::int64_t> corners,
                                     CellCenter center) {
  std::vector<Vector> corner_points;
  for (const std::int64_t corner : corners) {
    const auto i = static_cast<std::size_t>(corner);
    corner_points.push_back({nodes.x[i], nodes.y[i], nodes.z.empty() ? 0.0 : nodes.z[i]});
  }
  const Vector mean = mean_of(corner_points);
  if (center == CellCenter::mean) return mean;
  for (Vector& corner : corner_points) corner = corner - mean;  // avoids cancellation far from the origin
  const Weighted sum =
      facts_of(shape).dimensions == 3 ? solid_parts(shape, corner_points) : polygon_parts(corner_points);
  return sum.size == 0 ? mean : mean + (1 / sum.size) * sum.moment;
}

}  // namespace shoal::io
