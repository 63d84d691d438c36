// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance.hpp>

#include "core/backends.hpp"
#include "core/memory/check_views.hpp"
#include "wall_distance/signs/signs.hpp"

namespace shoal::wall_distance {

namespace {

constexpr const char* operation = "wall_distance";

template <class T>
void require_output(const Queue& queue, const char* name, View<T> view, std::int64_t count) {
  if (view.data != nullptr) require_view(queue, operation, name, view, count);
}

WallDistanceOptions checked(const WallDistanceOptions& options) {
  require(options.motion >= 0 && options.motion <= 1e30, "wall_distance: motion is ", options.motion,
          " m, expected 0 to 1e30 m.");
  require(options.auxiliary_cells >= 0 && options.auxiliary_cells <= 1'000'000, "wall_distance: auxiliary_cells is ",
          options.auxiliary_cells, ", expected 1 to 1000000 cells along each axis, or 0 for the default.");
  const FarField& far = options.far_field;
  require(far.tolerance >= 0 && far.tolerance <= 1, "wall_distance: the tolerance of the far field is ", far.tolerance,
          ", expected 0 to 1.");
  require(far.beyond >= 0 && far.beyond <= 1e100, "wall_distance: the far field begins at ", far.beyond,
          " m, expected 0 to 1e100.");
  require(!options.signs || options.to == WallDistanceTo::face,
          "wall_distance: signs are defined for distances to faces, not to face centers. ",
          "Set signs = false or to = \"face\".");
  require(!options.signs || far.tolerance == 0,
          "wall_distance: signs need the nearest face, which a far field with a tolerance does not guarantee. ",
          "Set signs = false or the tolerance to 0.");
  require(options.signs || options.inside == WallInside::closed,
          "wall_distance: inside = \"winding_number\" is a rule for signs. Set signs = true, or leave it out.");
  for (std::size_t i = 0; i < options.bodies.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      require(options.bodies[i].name != options.bodies[k].name, "wall_distance: two bodies have the name \"",
              options.bodies[i].name, "\". Names must differ.");
  return options;
}

/// Returns the method of the options.
/// @throws Error  the device has none of this name, or an auxiliary grid is wanted that it does not have
const WallDistanceMethod& chosen_method(const Queue& queue, const WallDistanceOptions& options) {
  const DeviceKind device = queue.device().kind;
  const WallDistanceMethod& chosen = find_method(operation, wall_distance_method_table(), options.method, device);
  require(!options.signs || chosen.is_exact, "wall_distance: signs need the nearest face, which method `", chosen.name,
          "` does not guarantee. Set signs = false, or choose another method.");
  if (options.auxiliary_cells == 0 || chosen.has_auxiliary_grid) return chosen;
  std::vector<std::string> with_grid;
  for (const WallDistanceMethod& method : wall_distance_method_table())
    if (method.device == device && method.has_auxiliary_grid) with_grid.emplace_back(method.name);
  throw Error(text("wall_distance: auxiliary_cells is ", options.auxiliary_cells, ", but method `", chosen.name,
                   "` has no auxiliary grid. Leave auxiliary_cells at 0, or choose one of ", join(with_grid), "."));
}

void require_outputs(const Queue& queue, const WallDistanceOutputs& out, std::int64_t count) {
  require_output(queue, "distance", out.distance, count);
  require_output(queue, "face", out.face, count);
  require_output(queue, "wall", out.wall, count);
  require_output(queue, "the x of nearest points", out.x, count);
  require_output(queue, "the y of nearest points", out.y, count);
  require_output(queue, "the z of nearest points", out.z, count);
  require_output(queue, "lower bounds", out.lower, count);
  require_output(queue, "the x of gradients", out.gradient_x, count);
  require_output(queue, "the y of gradients", out.gradient_y, count);
  require_output(queue, "the z of gradients", out.gradient_z, count);
}

}  // namespace

struct WallDistance::Plan {
  Queue queue;
  WallDistanceOptions options;
  const WallDistanceMethod* method;
  std::unique_ptr<PlanWalls> walls;
  std::unique_ptr<WallDistanceSearch> search;
  std::unique_ptr<WallSigns> signs;  ///< null without signs
  Array<std::int64_t> faces;         ///< nearest faces for the signs if the caller gives no array for them
  std::shared_ptr<StatusBlock> status;
  std::optional<WallFacesTested> tested;  ///< number of tests of the last find()

  /// @param open_walls  function of a queue and of options that returns the walls
  template <class OpenWalls>
  Plan(const Queue& plan_queue, const WallDistanceOptions& plan_options, const OpenWalls& open_walls)
      : queue(plan_queue),
        options(checked(plan_options)),
        method(&chosen_method(queue, options)),
        walls(open_walls(queue, options)),
        search(method->open(queue, *walls, options)),
        signs(open_signs()),
        faces(queue, 0),
        status(watch_status(queue, explain_wall_faults())) {}

  /// Signs of the walls; null without signs.
  std::unique_ptr<WallSigns> open_signs() const {
    if (!options.signs) return nullptr;
    const SignsBackend& signs_backend = backend<SignsBackend>(queue);
    const bool by_winding = options.inside == WallInside::winding_number;
    return (by_winding ? signs_backend.open_winding : signs_backend.open)(queue, *walls);
  }

  int dimensions() const { return walls->mesh().dimensions; }

  WallQueries queries(const Points<double>& points, const WallDistanceOutputs& out, std::int32_t body = -1) {
    require_points(queue, operation, points, dimensions());
    require_outputs(queue, out, points.count());
    WallQueries call{points, out, status->device_pointer(), body, SearchRadius(options.far_field)};
    if (needs_signs(call) && out.face.data == nullptr) {
      faces.resize(points.count());
      call.out.face = faces;
    }
    return call;
  }

  bool needs_signs(const WallQueries& call) const {
    return signs != nullptr && (call.out.distance.data != nullptr || call.has_gradient());
  }

  void find(const Points<double>& points, const WallDistanceOutputs& out, std::int32_t body = -1) {
    WallQueries call = queries(points, out, body);
    tested.reset();
    if (options.count_faces) call.tested = &tested;
    search->find(call);
    if (needs_signs(call)) signs->apply(call);
  }
  void update(const Points<double>& points, const WallDistanceOutputs& out) {
    const WallQueries call = queries(points, out);
    tested.reset();
    search->update(call);
    if (needs_signs(call)) signs->apply(call);
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

  void move(std::string_view body, const RigidTransform& transform) {
    const std::int32_t number = body_number(body);
    require_valid(transform);
    require(dimensions() == 3 || (transform.rotation[8] == 1 && transform.translation[2] == 0),
            "wall_distance: the transform of body \"", body, "\" leaves the plane of the 2-D mesh.");
    BodyPose moved;
    std::copy(transform.rotation.begin(), transform.rotation.end(), moved.rotation);
    std::copy(transform.translation.begin(), transform.translation.end(), moved.translation);
    moved.moved = !(moved == BodyPose());
    walls->move(number, moved);
  }

  void refit(const Points<double>& points) {
    const bool are_on_device = points.x.device == queue.device();
    const Queue where = are_on_device ? queue : Queue::cpu(1);
    require_points(where, operation, points, dimensions());
    require_view(where, operation, "x of the mesh", points.x, walls->mesh().points);
    std::unique_ptr<WallSigns> new_signs;
    const auto accept = [&] { new_signs = open_signs(); };
    walls->refit(points, options.signs ? PlanWalls::Accept(accept) : PlanWalls::Accept());
    signs = std::move(new_signs);
    search->refit();
    walls->finish_refit();
  }

  /// Throws unless the number of coordinate arrays of a call is that of the mesh.
  void require_dimensions(int given) const {
    require(given == dimensions() || given == 2,
            "wall_distance: the mesh has 2 dimensions, got x, y and z. Leave z out.");
    require(given == dimensions(), "wall_distance: the mesh has 3 dimensions, got x and y alone. Pass z too.");
  }
};

StatusBlock::Explain explain_wall_faults() {
  return [](int kind, std::int64_t point, const double*) {
    const char axis = "xyz"[kind];
    return text("wall_distance: point ", point, " has a bad ", axis, " coordinate, expected a finite number with |",
                axis, "| <= 1e100 m. Correct or remove the point.");
  };
}

WallDistance::WallDistance(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options)
    : plan_(std::make_unique<Plan>(queue, options, [&](const Queue& plan_queue, const WallDistanceOptions& checked) {
        return backend<WallsBackend>(plan_queue).open(plan_queue, mesh, checked);
      })) {}
template <class Real, class Index>
WallDistance::WallDistance(const Queue& queue, const WallArrays<Real, Index>& arrays,
                           const WallDistanceOptions& options)
    : plan_(std::make_unique<Plan>(queue, options, [&](const Queue& plan_queue, const WallDistanceOptions& checked) {
        return backend<WallArraysBackend<Real, Index>>(plan_queue).open(plan_queue, arrays, checked);
      })) {}
template WallDistance::WallDistance(const Queue&, const WallArrays<float, std::int32_t>&, const WallDistanceOptions&);
template WallDistance::WallDistance(const Queue&, const WallArrays<float, std::int64_t>&, const WallDistanceOptions&);
template WallDistance::WallDistance(const Queue&, const WallArrays<double, std::int32_t>&, const WallDistanceOptions&);
template WallDistance::WallDistance(const Queue&, const WallArrays<double, std::int64_t>&, const WallDistanceOptions&);
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

void WallDistance::move(std::string_view body, const RigidTransform& transform) { plan_->move(body, transform); }

void WallDistance::refit(View<const double> x, View<const double> y, View<const double> z) {
  plan_->require_dimensions(3);
  plan_->refit({x, y, z});
}
void WallDistance::refit(View<const double> x, View<const double> y) {
  plan_->require_dimensions(2);
  plan_->refit({x, y});
}

std::optional<WallFacesTested> WallDistance::faces_tested() const { return plan_->tested; }

std::int64_t WallDistance::face_count() const { return plan_->walls->face_count(); }
std::int64_t WallDistance::bytes() const {
  const std::int64_t signs = plan_->signs ? plan_->signs->bytes() + plan_->faces.bytes() : 0;
  return plan_->walls->bytes() + plan_->search->bytes() + signs + plan_->status->bytes();
}
MethodInfo WallDistance::method() const { return method_info(operation, *plan_->method); }

}  // namespace shoal::wall_distance
