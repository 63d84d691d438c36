// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/wall_primitives.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/text.hpp"

namespace shoal::wall_distance {

namespace {

using Point = std::array<double, 3>;

/// Orientation of the sorted corners: −1 if sorting takes an odd number of exchanges.
std::int8_t orientation_of(const std::array<Point, 3>& corners) {
  const bool is_odd = (corners[0] > corners[1]) != ((corners[0] > corners[2]) != (corners[1] > corners[2]));
  return is_odd ? -1 : 1;
}

/// Sorts two corners. Equal ones keep their order.
void sort(Point& a, Point& b) {
  if (b < a) std::swap(a, b);
}

Primitive primitive_of(std::array<Point, 3> corners) {
  sort(corners[0], corners[1]);
  sort(corners[1], corners[2]);
  sort(corners[0], corners[1]);
  Primitive primitive;
  for (std::size_t i = 0; i < 3; ++i) {
    primitive.x[i] = corners[i][0];
    primitive.y[i] = corners[i][1];
    primitive.z[i] = corners[i][2];
  }
  return primitive;
}

/// Corners of one face. Those of a polygon begin with the smallest point number, those of a segment keep their order.
class FaceCorners {
 public:
  FaceCorners(const WallMesh& mesh, std::size_t face)
      : mesh_(mesh), numbers_(std::span(mesh.corners).subspan(index(mesh.face_start[face]), count_of(mesh, face))) {
    if (count() > 2) first_ = index(std::min_element(numbers_.begin(), numbers_.end()) - numbers_.begin());
  }

  static std::size_t count_of(const WallMesh& mesh, std::size_t face) {
    return index(mesh.face_start[face + 1] - mesh.face_start[face]);
  }

  std::size_t count() const { return numbers_.size(); }

  Point operator[](std::size_t corner) const {
    const std::size_t place = first_ + corner;
    const std::size_t point = index(numbers_[place < count() ? place : place - count()]);
    return {mesh_.x[point], mesh_.y[point], mesh_.dimensions == 3 ? mesh_.z[point] : 0};
  }

  Point mean() const {
    Point sum{};
    for (std::size_t corner = 0; corner < count(); ++corner)
      for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += (*this)[corner][axis];
    for (double& coordinate : sum) coordinate /= static_cast<double>(count());
    return sum;
  }

 private:
  static std::size_t index(std::int64_t number) { return static_cast<std::size_t>(number); }

  const WallMesh& mesh_;
  std::span<const std::int64_t> numbers_;
  std::size_t first_ = 0;
};

/// Number of primitives of a face.
std::size_t primitives_of_face(const WallMesh& mesh, std::size_t face, WallDistanceTo target) {
  const std::size_t corners = FaceCorners::count_of(mesh, face);
  return target == WallDistanceTo::face_center || corners < 3 ? 1 : corners - 2;
}

/// Writes shapes and orientations of a face from primitive `k` on.
void put_face(const FaceCorners& corners, WallDistanceTo target, WallPrimitives& primitives, std::size_t k) {
  const auto put = [&](const std::array<Point, 3>& primitive, std::int8_t orientation) {
    primitives.shape[k] = primitive_of(primitive);
    primitives.orientation[k++] = orientation;
  };
  if (target == WallDistanceTo::face_center) {
    const Point center = corners.mean();
    put({center, center, center}, 1);
  } else if (corners.count() == 2) {
    const Point a = corners[0], b = corners[1];
    put({a, b, b}, a > b ? -1 : 1);
  } else {
    const Point apex = corners[0];
    for (std::size_t i = 2; i < corners.count(); ++i) {
      const std::array<Point, 3> primitive{apex, corners[i - 1], corners[i]};
      put(primitive, orientation_of(primitive));
    }
  }
}

/// Writes shapes and orientations of all faces in use.
void put_faces(const WallMesh& mesh, const WallDistanceOptions& options, WallPrimitives& primitives) {
  primitives.shape.resize(primitives.face.size());
  primitives.orientation.resize(primitives.face.size());
#pragma omp parallel for
  for (std::size_t k = 0; k < primitives.face.size(); ++k)
    if (k == 0 || primitives.face[k] != primitives.face[k - 1])
      put_face(FaceCorners(mesh, static_cast<std::size_t>(primitives.face[k])), options.to, primitives, k);
}

/// [walls] number of the body of each wall; −1: the wall is not in use.
std::vector<std::int32_t> body_of_wall(const WallMesh& mesh, const WallDistanceOptions& options) {
  const auto fixed = static_cast<std::int32_t>(options.bodies.size());
  std::vector<std::int32_t> body(mesh.wall_names.size(), options.walls.empty() ? fixed : -1);
  for (const std::string& name : options.walls) body[static_cast<std::size_t>(mesh.wall_number(name))] = fixed;
  std::int32_t number = 0;
  for (const WallBody& moving : options.bodies) {
    for (const std::string& name : moving.walls) {
      std::int32_t& wall_body = body[static_cast<std::size_t>(mesh.wall_number(name))];
      require(wall_body != -1, "wall_distance: wall \"", name, "\" of body \"", moving.name,
              "\" is not among the walls in use. Add it to the option `walls`.");
      require(wall_body == fixed, "wall_distance: wall \"", name, "\" belongs to two bodies, expected one at most.");
      wall_body = number;
    }
    ++number;
  }
  return body;
}

}  // namespace

WallPrimitives wall_primitives(const WallMesh& mesh, const WallDistanceOptions& options) {
  require_valid(mesh);
  const std::vector<std::int32_t> body = body_of_wall(mesh, options);
  WallPrimitives primitives;
  std::vector<std::int64_t> faces_of_body(options.bodies.size() + 1);
  std::vector<std::size_t> end(mesh.wall.size());  // [faces] number of primitives up to each face
  std::size_t count = 0;
  for (std::size_t face = 0; face < end.size(); ++face) {
    const std::int32_t wall_body = body[static_cast<std::size_t>(mesh.wall[face])];
    if (wall_body >= 0) {
      ++faces_of_body[static_cast<std::size_t>(wall_body)];
      count += primitives_of_face(mesh, face, options.to);
    }
    end[face] = count;
  }
  primitives.face.resize(count);
  primitives.wall.resize(count);
  primitives.body.resize(count);
#pragma omp parallel for
  for (std::size_t face = 0; face < end.size(); ++face)
    for (std::size_t k = face > 0 ? end[face - 1] : 0; k < end[face]; ++k) {
      primitives.face[k] = static_cast<std::int64_t>(face);
      primitives.wall[k] = mesh.wall[face];
      primitives.body[k] = body[static_cast<std::size_t>(mesh.wall[face])];
    }
  require(!primitives.face.empty(), "wall_distance: the walls ", join(options.walls), " have no faces.");
  const bool has_fixed_walls = faces_of_body.back() > 0;
  primitives.pose.resize(options.bodies.size() + (has_fixed_walls ? 1 : 0));
  for (std::size_t number = 0; number < options.bodies.size(); ++number)
    require(faces_of_body[number] > 0, "wall_distance: body \"", options.bodies[number].name,
            "\" has no faces. Name its walls.");
  put_faces(mesh, options, primitives);
  return primitives;
}

void reshape(const WallMesh& mesh, const WallDistanceOptions& options, WallPrimitives& primitives) {
  require_valid(mesh);
  put_faces(mesh, options, primitives);
}

}  // namespace shoal::wall_distance
