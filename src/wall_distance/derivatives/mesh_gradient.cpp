// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance/mesh_gradient.hpp>

#include <algorithm>
#include <limits>
#include "core/text.hpp"
#include "wall_distance/derivatives/barycentric.hpp"

namespace shoal::wall_distance {

namespace {

/// Calls use(number of the point, weight) for the points of a face that determine its nearest point.
class FaceWeights {
 public:
  FaceWeights(const WallMesh& mesh, std::int64_t face)
      : mesh_(mesh),
        corners_(mesh.corners.data() + mesh.face_start[static_cast<std::size_t>(face)]),
        count_(mesh.face_start[static_cast<std::size_t>(face) + 1] - mesh.face_start[static_cast<std::size_t>(face)]) {
    for (std::int64_t i = 1; count_ > 2 && i < count_; ++i)
      if (corners_[i] < corners_[first_]) first_ = i;
  }

  /// @param nearest  a point of the face
  template <class Use>
  void visit(const Coordinates& nearest, Use&& use) const {
    std::array<std::int64_t, 3> best_corners{};
    TrianglePoint best{{}, std::numeric_limits<double>::infinity()};
    for (std::int64_t i = 0; i < std::max<std::int64_t>(count_ - 2, 1); ++i) {
      const std::array<std::int64_t, 3> corners{number(0), number(i + 1), number(count_ > 2 ? i + 2 : i + 1)};
      const TrianglePoint point =
          nearest_on_triangle({position(corners[0]), position(corners[1]), position(corners[2])}, nearest);
      if (point.distance2 >= best.distance2) continue;
      best = point;
      best_corners = corners;
    }
    for (std::size_t corner = 0; corner < 3; ++corner)
      if (best.weight[corner] != 0) use(best_corners[corner], best.weight[corner]);
  }

  /// Weights of the mean of the corners.
  template <class Use>
  void visit_center(Use&& use) const {
    for (std::int64_t i = 0; i < count_; ++i) use(corners_[i], 1 / static_cast<double>(count_));
  }

 private:
  std::int64_t number(std::int64_t corner) const { return corners_[(first_ + corner) % count_]; }
  Coordinates position(std::int64_t point) const {
    const auto i = static_cast<std::size_t>(point);
    return {mesh_.x[i], mesh_.y[i], mesh_.dimensions == 3 ? mesh_.z[i] : 0};
  }

  const WallMesh& mesh_;
  const std::int64_t* corners_;
  std::int64_t count_, first_ = 0;
};

double element(const View<double>& view, std::int64_t i) { return view.data[i * view.stride]; }

void require_array(const char* name, const auto& view, std::int64_t count) {
  require(view.count == count && view.device.kind == DeviceKind::cpu, "wall_distance: ", name,
          " of mesh_gradient() has ", view.count, " elements on ", to_string(view.device), ", expected ", count,
          " on cpu.");
}

}  // namespace

void mesh_gradient(const WallMesh& mesh, const WallDistanceOutputs& search, View<const double> weight,
                   const std::array<View<double>, 3>& out, WallDistanceTo to) {
  require_valid(mesh);
  const auto axes = static_cast<std::size_t>(mesh.dimensions);
  const std::array nearest{search.x, search.y, search.z};
  const std::array gradient{search.gradient_x, search.gradient_y, search.gradient_z};
  require_array("face", search.face, weight.count);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    require_array("the nearest point", nearest[axis], weight.count);
    require_array("the gradient", gradient[axis], weight.count);
    require_array("out", out[axis], mesh.point_count());
    for (std::int64_t v = 0; v < out[axis].count; ++v) out[axis].data[v * out[axis].stride] = 0;
  }
  for (std::int64_t k = 0; k < weight.count; ++k) {
    const std::int64_t face = search.face.data[k * search.face.stride];
    require(face >= 0 && face < mesh.face_count(), "wall_distance: point ", k, " has the face ", face,
            ", expected 0 to ", mesh.face_count() - 1, ", the faces of the mesh.");
    const auto add = [&](std::int64_t v, double share) {
      for (std::size_t axis = 0; axis < axes; ++axis)
        out[axis].data[v * out[axis].stride] -= weight.data[k * weight.stride] * share * element(gradient[axis], k);
    };
    const FaceWeights weights(mesh, face);
    if (to == WallDistanceTo::face_center)
      weights.visit_center(add);
    else
      weights.visit({element(nearest[0], k), element(nearest[1], k), axes == 3 ? element(nearest[2], k) : 0}, add);
  }
}

}  // namespace shoal::wall_distance
