// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance.hpp>

#include "core/memory/check_views.hpp"
#include "wall_distance/signs/closed_surface.hpp"

namespace shoal {

namespace {

constexpr const char* operation = "wall_distance";

template <class T>
void require_output(const Queue& queue, const char* name, View<T> view, std::int64_t count) {
  if (view.data != nullptr) require_view(queue, operation, name, view, count);
}

WallDistanceOptions checked(const WallDistanceOptions& options) {
  require(options.motion >= 0 && options.motion <= 1e30, "wall_distance: motion is ", options.motion,
          " m, expected 0 or more.");
  const FarField& far = options.far_field;
  require(far.tolerance >= 0 && far.tolerance <= 1, "wall_distance: the tolerance of the far field is ", far.tolerance,
          ", expected 0 to 1.");
  require(far.beyond >= 0 && far.beyond <= 1e100, "wall_distance: the far field begins at ", far.beyond,
          " m, expected 0 to 1e100.");
  require(!options.signs || options.to == WallDistanceTo::face,
          "wall_distance: signs are those of distances to faces, ",
          "and these are to their centers. Ask for one of both.");
  require(!options.signs || far.tolerance == 0, "wall_distance: signs need the nearest face, and a far field with a ",
          "tolerance may take another one. Ask for one of both.");
  for (std::size_t i = 0; i < options.bodies.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      require(options.bodies[i].name != options.bodies[k].name, "wall_distance: two bodies have the name \"",
              options.bodies[i].name, "\". Names must differ.");
  return options;
}

void require_outputs(const Queue& queue, const WallDistanceOutputs& out, std::int64_t count) {
  require_output(queue, "distance", out.distance, count);
  require_output(queue, "face", out.face, count);
  require_output(queue, "wall", out.wall, count);
  require_output(queue, "the x of nearest points", out.x, count);
  require_output(queue, "the y of nearest points", out.y, count);
  require_output(queue, "the z of nearest points", out.z, count);
  require_output(queue, "lower bounds", out.lower, count);
}

}  // namespace

struct WallDistance::Plan {
  Queue queue;
  WallDistanceOptions options;
  WallMesh mesh;
  const WallDistanceMethod* method;
  WallPieces pieces;
  std::unique_ptr<WallSearch> search;
  std::unique_ptr<WallSigns> signs;  ///< if they are asked for
  Array<std::int64_t> faces;         ///< for signs where the caller does not ask for faces
  std::shared_ptr<StatusBlock> status;
  std::optional<WallFacesTested> tested;  ///< by the last find()

  Plan(const Queue& on, const WallMesh& its_mesh, const WallDistanceOptions& with)
      : queue(on),
        options(checked(with)),
        mesh(its_mesh),
        method(&find_method(operation, wall_distance_rows(), options.method, on.device().kind)),
        pieces(wall_pieces(mesh, options)),
        search(method->open(on, pieces, options.motion)),
        signs(options.signs ? open_signs(wall_sides(mesh, pieces)) : nullptr),
        faces(on, 0),
        status(watch_status(on, explain_wall_faults())) {}

  std::unique_ptr<WallSigns> open_signs(WallSides sides) const {
#ifdef SHOAL_CUDA
    if (queue.device().kind == DeviceKind::cuda) return wall_signs_cuda(queue, pieces, sides);
#endif
    return wall_signs_cpu(queue, pieces, std::move(sides));
  }

  WallQueries queries(const Points<double>& points, WallDistanceOutputs out, std::int32_t body = -1) {
    require_points(queue, operation, points, mesh.dimensions);
    require_outputs(queue, out, points.count());
    if (needs_signs(out) && out.face.data == nullptr) {
      faces.resize(points.count());
      out.face = faces;
    }
    return {points, out, status->device_pointer(), body, FarReach(options.far_field)};
  }

  bool needs_signs(const WallDistanceOutputs& out) const { return signs != nullptr && out.distance.data != nullptr; }

  void find(const Points<double>& points, const WallDistanceOutputs& out, std::int32_t body = -1) {
    WallQueries asked = queries(points, out, body);
    tested.reset();
    if (options.count_faces) asked.tested = &tested;
    search->find(asked);
    if (needs_signs(out)) signs->find(asked);
  }
  void update(const Points<double>& points, const WallDistanceOutputs& out) {
    const WallQueries asked = queries(points, out);
    tested.reset();
    search->update(asked);
    if (needs_signs(out)) signs->find(asked);
  }

  std::int32_t body_number(std::string_view name) const {
    std::vector<std::string> names;
    for (const WallBody& body : options.bodies) {
      if (body.name == name) return static_cast<std::int32_t>(names.size());
      names.push_back(body.name);
    }
    throw Error(text("wall_distance: no body \"", name, "\"; this plan has ",
                     names.empty() ? "none. Name bodies in its options" : join(names), "."));
  }

  void move(std::string_view body, const RigidTransform& to) {
    BodyPose& pose = pieces.pose[static_cast<std::size_t>(body_number(body))];
    require_valid(to);
    require(mesh.dimensions == 3 || (to.rotation[8] == 1 && to.translation[2] == 0),
            "wall_distance: the transform of body \"", body, "\" leaves the plane of the 2-D mesh.");
    BodyPose moved;
    std::copy(to.rotation.begin(), to.rotation.end(), moved.rotation);
    std::copy(to.translation.begin(), to.translation.end(), moved.translation);
    moved.moved = !(moved == BodyPose());
    pose = moved;
  }

  void refit(const Points<double>& points) {
    require_points(Queue::cpu(1), operation, points, mesh.dimensions);
    require_view(Queue::cpu(1), operation, "x of the mesh", points.x, mesh.point_count());
    WallMesh other = mesh;
    for (std::size_t i = 0; i < other.x.size(); ++i) {
      const auto k = static_cast<std::int64_t>(i);
      other.x[i] = points.x.data[k * points.x.stride];
      other.y[i] = points.y.data[k * points.y.stride];
      if (mesh.dimensions == 3) other.z[i] = points.z.data[k * points.z.stride];
    }
    WallPieces moved = pieces;
    reshape(other, options, moved);
    WallSides sides = options.signs ? wall_sides(other, moved) : WallSides();
    mesh = std::move(other);
    pieces = std::move(moved);
    if (options.signs) signs = open_signs(std::move(sides));
    search->refit();
  }

  /// Throws unless a call with or without z suits the mesh.
  void require_dimensions(int called) const {
    require(called == mesh.dimensions || called == 2,
            "wall_distance: the mesh has 2 dimensions, got x, y and z. Leave z ", "out.");
    require(called == mesh.dimensions, "wall_distance: the mesh has 3 dimensions, got x and y alone. Pass z too.");
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
  plan_->require_dimensions(3);
  plan_->find({x, y, z}, out);
}
void WallDistance::find(View<const double> x, View<const double> y, const WallDistanceOutputs& out) {
  plan_->require_dimensions(2);
  plan_->find({x, y}, out);
}

void WallDistance::find_body(std::string_view body, View<const double> x, View<const double> y, View<const double> z,
                             const WallDistanceOutputs& out) {
  plan_->require_dimensions(3);
  plan_->find({x, y, z}, out, plan_->body_number(body));
}
void WallDistance::find_body(std::string_view body, View<const double> x, View<const double> y,
                             const WallDistanceOutputs& out) {
  plan_->require_dimensions(2);
  plan_->find({x, y}, out, plan_->body_number(body));
}

void WallDistance::update(View<const double> x, View<const double> y, View<const double> z,
                          const WallDistanceOutputs& out) {
  plan_->require_dimensions(3);
  plan_->update({x, y, z}, out);
}
void WallDistance::update(View<const double> x, View<const double> y, const WallDistanceOutputs& out) {
  plan_->require_dimensions(2);
  plan_->update({x, y}, out);
}
std::int64_t WallDistance::reused() const { return plan_->search->reused(); }

void WallDistance::move(std::string_view body, const RigidTransform& to) { plan_->move(body, to); }

void WallDistance::refit(View<const double> x, View<const double> y, View<const double> z) {
  plan_->require_dimensions(3);
  plan_->refit({x, y, z});
}
void WallDistance::refit(View<const double> x, View<const double> y) {
  plan_->require_dimensions(2);
  plan_->refit({x, y});
}

std::optional<WallFacesTested> WallDistance::faces_tested() const { return plan_->tested; }

std::int64_t WallDistance::face_count() const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < plan_->pieces.face.size(); ++i)
    if (i == 0 || plan_->pieces.face[i] != plan_->pieces.face[i - 1]) ++count;
  return count;
}
std::int64_t WallDistance::bytes() const {
  const auto per_piece =
      static_cast<std::int64_t>(sizeof(FacePiece) + 1 + sizeof(std::int64_t) + 2 * sizeof(std::int32_t));
  const std::int64_t of_signs = plan_->signs ? plan_->signs->bytes() + plan_->faces.bytes() : 0;
  return plan_->pieces.count() * per_piece + plan_->search->bytes() + of_signs + plan_->status->bytes();
}
MethodInfo WallDistance::method() const { return method_info(operation, *plan_->method); }

}  // namespace shoal
