// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls_cuda/mesh_on_device.cuh"

#include <deque>

#include "core/cuda/warp.cuh"

namespace shoal::wall_distance {

namespace {

/// Destination of coordinates.
struct CoordinateArrays {
  double *x, *y, *z;  ///< [points] m; z: null in 2-D
};

template <class Real>
__global__ void read_points(Points<Real> points, CoordinateArrays out, MeshReport* report) {
  const std::int64_t i = thread_index();
  if (i >= points.x.count) return;
  const auto read = [i, report](const View<const Real>& from, double* coordinates) {
    const auto coordinate = static_cast<double>(from.data[i * from.stride]);
    if (!(std::abs(coordinate) <= largest_mesh_coordinate)) report->faults = 1;
    coordinates[i] = coordinate;
  };
  read(points.x, out.x);
  read(points.y, out.y);
  if (out.z != nullptr) read(points.z, out.z);
}

/// Writes the numbers of a view, less those before the first point, to every `stride`-th element.
template <class Index>
__global__ void read_corners(View<const Index> numbers, std::int64_t first_point, std::int64_t* out,
                             std::int64_t stride) {
  const std::int64_t i = thread_index();
  if (i < numbers.count) out[i * stride] = static_cast<std::int64_t>(numbers.data[i * numbers.stride]) - first_point;
}

/// Starts of faces of equal numbers of corners.
__global__ void write_face_start(std::int64_t corners, std::int64_t* start, std::int64_t count) {
  const std::int64_t face = thread_index();
  if (face < count) start[face] = face * corners;
}

template <class Index>
__global__ void read_face_start(View<const Index> start, std::int64_t* out, MeshReport* report) {
  const std::int64_t face = thread_index();
  if (face >= start.count) return;
  const Index begin = start.data[face * start.stride];
  const bool is_valid = face == 0 ? begin == 0 : begin >= start.data[(face - 1) * start.stride];
  if (!is_valid) report->faults = 1;
  out[face] = static_cast<std::int64_t>(begin);
}

template <class Index>
__global__ void read_markers(View<const Index> marker, std::int32_t* wall, MeshReport* report) {
  const std::int64_t face = thread_index();
  Index number = 0;
  if (face < marker.count) {
    number = marker.data[face * marker.stride];
    if (number < 0 || number >= most_markers) {
      report->faults = 1;
      number = 0;
    }
    wall[face] = static_cast<std::int32_t>(number);
  }
  const unsigned largest = warp_largest(static_cast<unsigned>(number));
  if (threadIdx.x % 32 == 0 && largest > 0) atomicMax(&report->largest_wall, static_cast<unsigned long long>(largest));
}

template <class Real>
void copy_device_points(const Queue& queue, const Points<Real>& points, MeshOnDevice& mesh,
                        MeshReportOnDevice& report) {
  for (Array<double>* coordinates : {&mesh.x, &mesh.y}) coordinates->resize(points.count());
  if (mesh.dimensions == 3) mesh.z.resize(points.count());
  const CoordinateArrays out{mesh.x.data(), mesh.y.data(), mesh.dimensions == 3 ? mesh.z.data() : nullptr};
  launch(queue, points.count(), read_points<Real>, points, out, report.data());
}

/// Copies coordinates from the host.
void upload(const Queue& queue, const View<const double>& from, Array<double>& coordinates) {
  coordinates.resize(from.count);
  if (from.contiguous()) return copy<double>(queue, from, coordinates.view());
  std::vector<double> gathered(static_cast<std::size_t>(from.count));
  for (std::int64_t i = 0; i < from.count; ++i) gathered[static_cast<std::size_t>(i)] = from.data[i * from.stride];
  copy<double>(queue, gathered, coordinates.view());
}

/// Replaces a view of device memory by one of a copy on the host, which includes the elements between those of the view.
template <class T>
void fetch(const Queue& queue, View<const T>& view, std::deque<std::vector<T>>& copies) {
  view.device = {};
  if (view.count == 0) return;
  const std::int64_t last = (view.count - 1) * view.stride, begin = std::min<std::int64_t>(last, 0);
  std::vector<T>& host = copies.emplace_back(static_cast<std::size_t>(std::abs(last) + 1));
  copy<T>(queue, View<const T>(view.data + begin, std::ssize(host), queue.device()), View<T>(host));
  view.data = host.data() - begin;
}

}  // namespace

MeshOnDevice mesh_on_device(const Queue& queue, const WallMesh& mesh) {
  MeshOnDevice result(queue, mesh.dimensions);
  result.x = to_device(queue, mesh.x);
  result.y = to_device(queue, mesh.y);
  if (mesh.dimensions == 3) result.z = to_device(queue, mesh.z);
  result.face_start = to_device(queue, mesh.face_start);
  result.corners = to_device(queue, mesh.corners);
  result.wall = to_device(queue, mesh.wall);
  return result;
}

template <class Real, class Index>
MeshOnDevice mesh_on_device(const Queue& queue, const WallArrays<Real, Index>& arrays, MeshReportOnDevice& report) {
  const std::int64_t faces = face_count(arrays), views = std::ssize(arrays.corners);
  MeshOnDevice mesh(queue, arrays.points.z.data != nullptr ? 3 : 2);
  copy_device_points(queue, arrays.points, mesh, report);
  mesh.face_start.resize(faces + 1);
  if (arrays.face_start.count > 0)
    launch(queue, faces + 1, read_face_start<Index>, arrays.face_start, mesh.face_start.data(), report.data());
  else
    launch(queue, faces + 1, write_face_start, views, mesh.face_start.data(), faces + 1);
  mesh.corners.resize(arrays.corners[0].count * views);
  for (std::int64_t i = 0; i < views; ++i)
    launch(queue, arrays.corners[0].count, read_corners<Index>, arrays.corners[static_cast<std::size_t>(i)],
           arrays.first_point, mesh.corners.data() + i, views);
  mesh.wall.resize(faces);
  if (arrays.marker.data != nullptr)
    launch(queue, faces, read_markers<Index>, arrays.marker, mesh.wall.data(), report.data());
  else if (faces > 0)
    fill_bytes(queue, mesh.wall.data(), 0, static_cast<std::size_t>(faces) * sizeof(std::int32_t));
  return mesh;
}

void copy_points(const Queue& queue, const Points<double>& points, MeshOnDevice& mesh, MeshReportOnDevice& report) {
  report.clear();
  if (points.x.device == queue.device()) return copy_device_points(queue, points, mesh, report);
  upload(queue, points.x, mesh.x);
  upload(queue, points.y, mesh.y);
  if (mesh.dimensions == 3) upload(queue, points.z, mesh.z);
  copy_device_points<double>(queue, {mesh.x.view(), mesh.y.view(), mesh.z.view()}, mesh, report);
}

template <class Real, class Index>
WallMesh mesh_on_host(const Queue& queue, const WallArrays<Real, Index>& arrays) {
  WallArrays<Real, Index> host = arrays;
  std::deque<std::vector<Real>> coordinates;
  std::deque<std::vector<Index>> numbers;
  for (View<const Real>* axis : {&host.points.x, &host.points.y, &host.points.z}) fetch(queue, *axis, coordinates);
  for (View<const Index>& corner : host.corners) fetch(queue, corner, numbers);
  fetch(queue, host.face_start, numbers);
  fetch(queue, host.marker, numbers);
  return wall_mesh(host);
}

#define SHOAL_INSTANTIATE(Real, Index)                                                                     \
  template MeshOnDevice mesh_on_device(const Queue&, const WallArrays<Real, Index>&, MeshReportOnDevice&); \
  template WallMesh mesh_on_host(const Queue&, const WallArrays<Real, Index>&);
SHOAL_INSTANTIATE(float, std::int32_t)
SHOAL_INSTANTIATE(float, std::int64_t)
SHOAL_INSTANTIATE(double, std::int32_t)
SHOAL_INSTANTIATE(double, std::int64_t)
#undef SHOAL_INSTANTIATE

}  // namespace shoal::wall_distance
