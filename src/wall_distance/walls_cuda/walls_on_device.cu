// SPDX-License-Identifier: Apache-2.0
// The walls of a plan on CUDA. Kernels check the mesh, number its primitives and compute their shapes, with one thread
// for each face or primitive. An invalid mesh goes to the host, whose checks write the message.
#include "core/cuda/warp.cuh"
#include "core/primitives/primitives.hpp"
#include "wall_distance/walls/plan_walls.hpp"
#include "wall_distance/walls_cuda/mesh_on_device.cuh"

namespace shoal::wall_distance {

namespace {

/// Numbers of faces and primitives of each wall, and of invalid items.
struct MeshSurvey {
  unsigned long long* faults;  ///< 0: all numbers are valid
  unsigned long long* counts;  ///< [walls][faces, primitives]

  __device__ void add(std::int32_t wall, unsigned long long faces, unsigned long long primitives) const {
    if (wall < 0) return;
    atomicAdd(counts + 2 * wall, faces);
    atomicAdd(counts + 2 * wall + 1, primitives);
  }
};

__global__ void survey_mesh(MeshArrays mesh, std::int64_t walls, WallDistanceTo target, MeshSurvey survey) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  bool is_valid = true;
  for (std::int64_t i = thread_index(); i < mesh.points; i += step) is_valid = is_valid && mesh.is_valid_point(i);
  std::int32_t wall = -1;  // of the faces that are not yet added
  unsigned long long faces = 0, primitives = 0;
  for (std::int64_t face = thread_index(); face < mesh.faces; face += step) {
    if (!mesh.is_valid_face(face, walls)) {
      is_valid = false;
      continue;
    }
    if (mesh.wall[face] != wall) {
      survey.add(wall, faces, primitives);
      wall = mesh.wall[face];
      faces = primitives = 0;
    }
    ++faces;
    primitives += static_cast<unsigned long long>(mesh.primitives_of(face, target));
  }
  if (!is_valid) *survey.faults = 1;
  if (__all_sync(whole_warp, wall == __shfl_sync(whole_warp, wall, 0))) {  // one thread adds the faces of the warp
    faces = warp_sum(faces);
    primitives = warp_sum(primitives);
    if (threadIdx.x % 32 != 0) return;
  }
  survey.add(wall, faces, primitives);
}

/// Numbers of primitives of all faces; 0 for walls that are not in use.
__global__ void count_primitives(MeshArrays mesh, const std::int32_t* body_of_wall, WallDistanceTo target,
                                 std::int64_t* count) {
  const std::int64_t face = thread_index();
  if (face < mesh.faces) count[face] = body_of_wall[mesh.wall[face]] < 0 ? 0 : mesh.primitives_of(face, target);
}

/// Arrays of numbers of primitives.
struct PrimitiveNumbers {
  std::int64_t* face;
  std::int32_t *wall, *body;
};

/// @param first  [faces + 1] number of the first primitive of each face; null: each face has one
__global__ void number_primitives(MeshArrays mesh, const std::int32_t* body_of_wall, const std::int64_t* first,
                                  PrimitiveNumbers out) {
  const std::int64_t face = thread_index();
  if (face >= mesh.faces) return;
  const std::int32_t wall = mesh.wall[face], body = body_of_wall[wall];
  const std::int64_t begin = first == nullptr ? face : first[face], end = first == nullptr ? face + 1 : first[face + 1];
  for (std::int64_t k = begin; k < end; ++k) {
    out.face[k] = face;
    out.wall[k] = wall;
    out.body[k] = body;
  }
}

constexpr int shape_threads = 256;  ///< threads of a block of shape_primitives()

/// Number of primitive k among those of its face.
__device__ std::int64_t number_in_face(const std::int64_t* face, std::int64_t k) {
  std::int64_t i = 0;
  while (i < k && face[k - 1 - i] == face[k]) ++i;
  return i;
}

/// Computes shapes and orientations. A block writes its shapes one after another, because they have strides of 72 bytes.
/// @param report  faults other than 0: nothing changes
__global__ void __launch_bounds__(shape_threads)
    shape_primitives(MeshArrays mesh, WallDistanceTo target, const std::int64_t* face, std::int64_t count,
                     const MeshReport* report, Primitive* shape, std::int8_t* orientation) {
  constexpr int numbers = sizeof(Primitive) / sizeof(double);
  __shared__ Primitive block_shape[shape_threads];
  if (report->faults != 0) return;
  const std::int64_t k = thread_index(), begin = k - threadIdx.x;
  if (k < count) {
    const OrientedPrimitive primitive = FaceCorners(mesh, face[k]).primitive(number_in_face(face, k), target);
    block_shape[threadIdx.x] = primitive.shape;
    orientation[k] = primitive.orientation;
  }
  __syncthreads();
  const auto* const source = reinterpret_cast<const double*>(block_shape);
  auto* const destination = reinterpret_cast<double*>(shape + begin);
  const auto end = static_cast<int>(::min(count - begin, std::int64_t{shape_threads})) * numbers;
  for (auto i = static_cast<int>(threadIdx.x); i < end; i += shape_threads) destination[i] = source[i];
}

/// Throws the error of a mesh that kernels found to be invalid.
using Refuse = std::function<void()>;

class WallsOnDevice : public PlanWalls {
 public:
  WallsOnDevice(const Queue& queue, MeshOnDevice mesh, std::vector<std::string> names,
                const WallDistanceOptions& options, const Refuse& refuse)
      : queue_(queue), target_(options.to), mesh_on_device_(std::move(mesh)), report_(queue) {
    mesh_.dimensions = mesh_on_device_.dimensions;
    mesh_.points = mesh_on_device_.x.count();
    mesh_.faces = mesh_on_device_.wall.count();
    mesh_.wall_names = std::move(names);
    const std::vector<unsigned long long> counts = counts_of_walls(refuse);
    require_distinct(mesh_.wall_names);
    const std::vector<std::int32_t> body = body_of_wall(mesh_.wall_names, options);
    BodySizes sizes(options);
    for (std::size_t wall = 0; wall < body.size(); ++wall)
      if (body[wall] >= 0)
        sizes.add(body[wall], static_cast<std::int64_t>(counts[2 * wall]),
                  static_cast<std::int64_t>(counts[2 * wall + 1]));
    sizes.finish(options);
    for (std::size_t number = 0; number < sizes.faces.size(); ++number) {
      face_count_ += sizes.faces[number];
      count_ += sizes.primitives[number];
    }
    primitives_of_body_ = sizes.primitives;
    host_.pose.resize(sizes.faces.size());
    make_primitives(body);
    release_staging();
  }

  const WallPrimitives& on_host() override {
    if (host_.shape.empty()) {
      host_.shape = fetched(device_.shape);
      host_.orientation = fetched(device_.orientation);
    }
    if (host_.face.empty()) {
      host_.face = fetched(device_.face);
      host_.wall = fetched(device_.wall);
      host_.body = fetched(device_.body);
    }
    return host_;
  }

  void refit(const Points<double>& points, const Accept& accept) override {
    copy_points(queue_, points, mesh_on_device_, report_);
    if (accept) {
      finish_refit();
      return replace_shapes(accept);
    }
    compute_shapes(device_.shape, device_.orientation);
    host_.shape = {};
    host_.orientation = {};
  }

  void finish_refit() override {
    if (report_.read().faults != 0) refuse_points();
  }

  std::int64_t bytes() const override {
    return host_bytes() + device_.bytes() + mesh_on_device_.bytes() + report_.bytes();
  }

 private:
  template <class T>
  std::vector<T> fetched(const Array<T>& array) const {
    std::vector<T> host(static_cast<std::size_t>(array.count()));
    copy<T>(queue_, array.view(), View<T>(host));
    return host;
  }

  /// Checks the mesh. Returns the numbers of faces and primitives of each wall: [walls][faces, primitives].
  std::vector<unsigned long long> counts_of_walls(const Refuse& refuse) const {
    if (mesh_.faces == 0) refuse();
    Array<unsigned long long> survey(queue_, 1 + 2 * std::ssize(mesh_.wall_names));
    fill_bytes(queue_, survey.data(), 0, static_cast<std::size_t>(survey.bytes()));
    constexpr std::int64_t most_threads = 1 << 16;
    launch(queue_, std::min(std::max(mesh_.faces, mesh_.points), most_threads), survey_mesh, mesh_on_device_.arrays(),
           std::ssize(mesh_.wall_names), target_, MeshSurvey{survey.data(), survey.data() + 1});
    std::vector<unsigned long long> counts = fetched(survey);
    if (counts[0] != 0) refuse();
    counts.erase(counts.begin());
    return counts;
  }

  void make_primitives(const std::vector<std::int32_t>& body) {
    const MeshArrays mesh = mesh_on_device_.arrays();
    const Array<std::int32_t> body_of_wall = to_device(queue_, body);
    const bool is_one_each = face_count_ == mesh_.faces && count_ == mesh_.faces;
    Array<std::int64_t> first(queue_, is_one_each ? 0 : mesh_.faces + 1);
    if (!is_one_each) {
      Scratch scratch(queue_);
      Array<std::int64_t> in_face(queue_, mesh_.faces);
      launch(queue_, mesh_.faces, count_primitives, mesh, body_of_wall.data(), target_, in_face.data());
      exclusive_scan<std::int64_t>(scratch, in_face.view(), first.view());
    }
    device_.shape = Array<Primitive>(queue_, count_);
    device_.orientation = Array<std::int8_t>(queue_, count_);
    device_.face = Array<std::int64_t>(queue_, count_);
    device_.wall = Array<std::int32_t>(queue_, count_);
    device_.body = Array<std::int32_t>(queue_, count_);
    launch(queue_, mesh_.faces, number_primitives, mesh, body_of_wall.data(), is_one_each ? nullptr : first.data(),
           PrimitiveNumbers{device_.face.data(), device_.wall.data(), device_.body.data()});
    compute_shapes(device_.shape, device_.orientation);
  }

  void compute_shapes(Array<Primitive>& shape, Array<std::int8_t>& orientation) const {
    launch<shape_threads>(queue_, count_, shape_primitives, mesh_on_device_.arrays(), target_, device_.face.data(),
                          count_, report_.data(), shape.data(), orientation.data());
  }

  /// Replaces shapes and orientations by new ones, unless `accept` throws.
  void replace_shapes(const Accept& accept) {
    Array<Primitive> shape(queue_, count_);
    Array<std::int8_t> orientation(queue_, count_);
    std::vector<Primitive> host_shape;
    std::vector<std::int8_t> host_orientation;
    compute_shapes(shape, orientation);
    const auto exchange = [&] {
      device_.shape.swap(shape);
      device_.orientation.swap(orientation);
      host_.shape.swap(host_shape);
      host_.orientation.swap(host_orientation);
    };
    exchange();
    try {
      accept();
    } catch (...) {
      exchange();
      throw;
    }
  }

  /// Releases the arrays that only the construction reads. A refit allocates new coordinates once.
  void release_staging() {
    for (Array<double>* coordinates : {&mesh_on_device_.x, &mesh_on_device_.y, &mesh_on_device_.z})
      *coordinates = Array<double>(queue_, 0);
    mesh_on_device_.wall = Array<std::int32_t>(queue_, 0);
  }

  [[noreturn]] void refuse_points() const {
    WallMesh mesh{.dimensions = mesh_.dimensions};
    mesh.x = fetched(mesh_on_device_.x);
    mesh.y = fetched(mesh_on_device_.y);
    mesh.z = fetched(mesh_on_device_.z);
    require_valid_points(mesh);
    throw_changed();
  }

 public:
  [[noreturn]] static void throw_changed() {
    throw Error("wall_distance: the mesh changed while it was read. Have its writers finish first.");
  }

 private:
  Queue queue_;
  WallDistanceTo target_;
  MeshOnDevice mesh_on_device_;  ///< `face_start` and `corners`; the others are empty between calls, or staging memory
  MeshReportOnDevice report_;
};

bool has_matching_counts(const WallMesh& mesh) {
  return (mesh.dimensions == 2 || mesh.dimensions == 3) && mesh.y.size() == mesh.x.size() &&
         (mesh.dimensions == 2 || mesh.z.size() == mesh.x.size()) && mesh.face_start.size() == mesh.wall.size() + 1;
}

std::unique_ptr<PlanWalls> open_mesh(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options) {
  const Refuse refuse = [&] {
    require_valid(mesh);
    WallsOnDevice::throw_changed();
  };
  if (!has_matching_counts(mesh)) refuse();
  return std::make_unique<WallsOnDevice>(queue, mesh_on_device(queue, mesh), mesh.wall_names, options, refuse);
}

template <class Real, class Index>
std::unique_ptr<PlanWalls> open_arrays(const Queue& queue, const WallArrays<Real, Index>& arrays,
                                       const WallDistanceOptions& options) {
  const Refuse refuse = [&] {
    mesh_on_host(queue, arrays);
    WallsOnDevice::throw_changed();
  };
  require_views(queue, arrays);
  MeshReportOnDevice report(queue);
  MeshOnDevice mesh = mesh_on_device(queue, arrays, report);
  std::int64_t last = 0;
  if (arrays.marker.data != nullptr || arrays.face_start.data != nullptr) {
    const MeshReport numbers = report.read();
    if (numbers.faults != 0) refuse();
    last = static_cast<std::int64_t>(numbers.largest_wall);
  }
  return std::make_unique<WallsOnDevice>(queue, std::move(mesh), names_of_walls(arrays.names, last), options, refuse);
}

}  // namespace

const WallsBackend WallsBackend::cuda{open_mesh};

template <class Real, class Index>
const WallArraysBackend<Real, Index> WallArraysBackend<Real, Index>::cuda{open_arrays<Real, Index>};
template const WallArraysBackend<float, std::int32_t> WallArraysBackend<float, std::int32_t>::cuda;
template const WallArraysBackend<float, std::int64_t> WallArraysBackend<float, std::int64_t>::cuda;
template const WallArraysBackend<double, std::int32_t> WallArraysBackend<double, std::int32_t>::cuda;
template const WallArraysBackend<double, std::int64_t> WallArraysBackend<double, std::int64_t>::cuda;

}  // namespace shoal::wall_distance
