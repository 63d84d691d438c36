// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance.hpp>

#include "core/check_views.hpp"
#include "wall_distance/wall_search.hpp"

namespace shoal {

namespace {

constexpr const char* operation = "wall_distance";

template <class T>
void require_output(const Queue& queue, const char* name, View<T> view, std::int64_t count) {
  if (view.data != nullptr) require_view(queue, operation, name, view, count);
}

void require_outputs(const Queue& queue, const WallDistanceOutputs& out, std::int64_t count) {
  require_output(queue, "distance", out.distance, count);
  require_output(queue, "face", out.face, count);
  require_output(queue, "wall", out.wall, count);
  require_output(queue, "the x of nearest points", out.x, count);
  require_output(queue, "the y of nearest points", out.y, count);
  require_output(queue, "the z of nearest points", out.z, count);
}

}  // namespace

struct WallDistance::Plan {
  Queue queue;
  int dimensions;
  const WallDistanceMethod* method;
  WallPieces pieces;
  std::unique_ptr<WallSearch> search;
  std::shared_ptr<StatusBlock> status;

  Plan(const Queue& on, const WallMesh& mesh, const WallDistanceOptions& options)
      : queue(on),
        dimensions(mesh.dimensions),
        method(&find_method(operation, wall_distance_rows(), options.method, on.device().kind)),
        pieces(wall_pieces(mesh, options)),
        search(method->open(on, pieces)),
        status(watch_status(on, explain_wall_faults())) {}

  void find(const Points<double>& points, const WallDistanceOutputs& out) {
    require_points(queue, operation, points, dimensions);
    require_outputs(queue, out, points.count());
    search->find({points, out, status->device_pointer()});
  }
};

StatusBlock::Explain explain_wall_faults() {
  return [](int kind, std::int64_t point, const double*) {
    return text("wall_distance: point ", point, " is nowhere: ", "xyz"[kind],
                " is not a number of at most 1e100 m in size. Repair it.");
  };
}

WallDistance::WallDistance(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options)
    : plan_(std::make_unique<Plan>(queue, mesh, options)) {}
WallDistance::~WallDistance() = default;
WallDistance::WallDistance(WallDistance&&) noexcept = default;
WallDistance& WallDistance::operator=(WallDistance&&) noexcept = default;

void WallDistance::find(View<const double> x, View<const double> y, View<const double> z,
                        const WallDistanceOutputs& out) {
  require(plan_->dimensions == 3, "wall_distance: the mesh has 2 dimensions, got x, y and z. Leave z out.");
  plan_->find({x, y, z}, out);
}
void WallDistance::find(View<const double> x, View<const double> y, const WallDistanceOutputs& out) {
  require(plan_->dimensions == 2, "wall_distance: the mesh has 3 dimensions, got x and y alone. Pass z too.");
  plan_->find({x, y}, out);
}

std::int64_t WallDistance::face_count() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < plan_->pieces.face.size(); ++i)
    if (i == 0 || plan_->pieces.face[i] != plan_->pieces.face[i - 1]) ++count;
  return count;
}
std::int64_t WallDistance::bytes() const {
  const auto per_piece = static_cast<std::int64_t>(sizeof(FacePiece) + sizeof(std::int64_t) + sizeof(std::int32_t));
  return plan_->pieces.count() * per_piece + plan_->search->bytes() + plan_->status->bytes();
}
MethodInfo WallDistance::method() const { return method_info(operation, *plan_->method); }

}  // namespace shoal
