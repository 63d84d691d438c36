// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/cell_shape.hpp"

#include <algorithm>

#include "core/vector.hpp"
#include "io/mesh/csr_row.hpp"

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
    {CellShape::polyhedron, "polyhedron", 3, 0},
};

using Vector = std::array<double, 3>;

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(double s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }

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

/// Corners of the cells of a mesh, as vectors from a point near them, which avoids cancellation far from the origin.
class Corners {
 public:
  Corners(const MeshPoints& nodes, const Vector& origin) : nodes_(nodes), origin_(origin) {}
  Vector operator()(std::int64_t node) const {
    const auto i = static_cast<std::size_t>(node);
    return Vector{nodes_.x[i], nodes_.y[i], nodes_.z.empty() ? 0.0 : nodes_.z[i]} - origin_;
  }
  std::vector<Vector> operator()(std::span<const std::int64_t> numbers) const {
    std::vector<Vector> points;
    for (const std::int64_t node : numbers) points.push_back((*this)(node));
    return points;
  }

 private:
  const MeshPoints& nodes_;
  Vector origin_;
};

/// Adds the tetrahedra between the origin and each side of a face. A face that is not flat is the fan of triangles
/// around the mean of its corners.
void add_face(Weighted& sum, const std::vector<Vector>& face) {
  const Vector middle = mean_of(face);
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vector &a = face[i], &b = face[(i + 1) % face.size()];
    sum.add(dot(middle, cross(a, b)) / 6, 0.25 * (middle + a + b));
  }
}

Weighted solid_parts(CellShape shape, const std::vector<Vector>& corners) {
  Weighted sum;
  for (const std::vector<std::size_t>& face : faces_of(shape)) {
    std::vector<Vector> around;
    for (const std::size_t corner : face) around.push_back(corners[corner]);
    add_face(sum, around);
  }
  return sum;
}

Weighted polyhedron_parts(const PolyhedronFaces& faces, std::size_t cell, const Corners& corners) {
  Weighted sum;
  for (auto face = static_cast<std::size_t>(faces.cell_start[cell]);
       face < static_cast<std::size_t>(faces.cell_start[cell + 1]); ++face)
    add_face(sum, corners(csr_row(faces.corners, faces.face_start, face)));
  return sum;
}

}  // namespace

const ShapeFacts& facts_of(CellShape shape) {
  return *std::find_if(std::begin(all_shapes), std::end(all_shapes),
                       [&](const ShapeFacts& facts) { return facts.shape == shape; });
}

std::optional<CellShape> shape_of_vtk(std::int64_t number) {
  for (const ShapeFacts& facts : all_shapes)
    if (static_cast<std::int64_t>(facts.shape) == number && facts.shape != CellShape::polyhedron) return facts.shape;
  return {};
}

CellShape face_shape(std::size_t corners) {
  if (corners == 2) return CellShape::segment;
  if (corners == 3) return CellShape::triangle;
  return corners == 4 ? CellShape::quadrilateral : CellShape::polygon;
}

const std::vector<std::vector<std::size_t>>& faces_of(CellShape shape) {
  using Face = std::vector<std::size_t>;
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

double signed_volume(const MeshPoints& nodes, const std::vector<std::vector<std::int64_t>>& faces) {
  if (faces.empty()) return 0;
  const Corners corners(nodes, Corners(nodes, {})(faces[0][0]));
  Weighted sum;
  for (const auto& face : faces) add_face(sum, corners(face));
  return sum.size;
}

std::array<double, 3> center_of_cell(const MeshFile& mesh, std::int64_t cell, CellCenter center) {
  const auto number = static_cast<std::size_t>(cell);
  const std::span<const std::int64_t> nodes = csr_row(mesh.cell_corners, mesh.cell_start, number);
  const Vector mean = mean_of(Corners(mesh.nodes, {})(nodes));
  if (center == CellCenter::mean) return mean;
  const Corners corners(mesh.nodes, mean);
  const CellShape shape = mesh.cell_shape[number];
  const Weighted sum = shape == CellShape::polyhedron    ? polyhedron_parts(mesh.polyhedron_faces, number, corners)
                       : facts_of(shape).dimensions == 3 ? solid_parts(shape, corners(nodes))
                                                         : polygon_parts(corners(nodes));
  return sum.size == 0 ? mean : mean + (1 / sum.size) * sum.moment;
}

}  // namespace shoal::io
