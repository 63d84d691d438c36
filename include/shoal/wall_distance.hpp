// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/methods.hpp>
#include <shoal/rigid_transform.hpp>
#include <shoal/wall_distance/wall_arrays.hpp>
#include <shoal/wall_distance/wall_mesh.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::wall_distance {

/// The part of a face to which distances are measured.
enum class WallDistanceTo {
  face,        ///< its nearest point
  face_center  ///< the mean of its corners, as in Wukie, Ganapathy and Park (2014)
};

/// Rule that determines which points are inside the walls.
enum class WallInside {
  /// The walls are closed surfaces, which is checked: the side of the nearest face, exact also next to edges and corners.
  closed,

  /// The generalized winding number of the walls exceeds 1/2: the sum of the solid angles of their faces, divided by 4π
  /// (2-D: of their angles, by 2π). For walls with holes, duplicate faces, intersections, or some faces of wrong
  /// orientation. The result is that of the sum over all faces; a tree makes it fast. Within about half the size of a face
  /// of wrong orientation the sides are exchanged, and on a wall the gradient is 0.
  ///
  /// Source: Jacobson, Kavan and Sorkine-Hornung (2013), "Robust inside-outside segmentation using generalized winding
  /// numbers"; Barill et al. (2018), "Fast winding numbers for soups and clouds".
  winding_number
};

/// Walls that move together as a rigid body.
struct WallBody {
  std::string name;
  std::vector<std::string> walls;  ///< names of its walls
};

/// Accuracy far from the walls. Every result is the distance to some face, hence never too small. It is exact where the
/// true distance is less than `beyond`; elsewhere it exceeds the true distance by at most `tolerance` times that
/// distance.
struct FarField {
  double tolerance = 0;  ///< relative, 0 to 1; 0: exact everywhere
  double beyond = 0;     ///< m
};

struct WallDistanceOptions {
  std::string method = "auto";               ///< name of a method of methods("wall_distance"), or "auto"
  std::vector<std::string> walls = {};       ///< names of the walls to use; empty: all
  WallDistanceTo to = WallDistanceTo::face;  ///< distances to faces, or to their centers
  std::vector<WallBody> bodies = {};         ///< walls that move(); all other walls are fixed

  /// m: expected relative motion of walls and points over a few steps. When update() has to search, it collects
  /// candidate faces within this additional distance, and then needs no search until the motion exceeds it.
  double motion = 0;

  /// Negative distances inside the walls. Each body must then be a closed surface of its own, with faces oriented all
  /// outwards or all inwards, and holes the other way. Walls must not intersect themselves or each other, which is not
  /// checked. `inside` has a rule for walls that are not so. Not available with face_center or a far field.
  bool signs = false;
  WallInside inside = WallInside::closed;  ///< rule for signs; the body of the nearest face decides

  /// Number of cells of the auxiliary grid along each axis, 1 to 1,000,000, for methods `advancing_boundary_*` alone.
  /// 0: 79 in 2-D, as in the paper's repository, and 31 in 3-D. Results do not depend on it.
  std::int64_t auxiliary_cells = 0;

  FarField far_field = {};   ///< used by find() of some methods; update() and brute force are always exact
  bool count_faces = false;  ///< find() counts the faces that it tests, see faces_tested()
};

/// Number of tests of a search, summed over all points. Triangles count (in 2-D segments), so a quadrilateral is two.
struct WallFacesTested {
  std::int64_t bounded = 0;  ///< evaluations of an inexpensive lower bound; `bvh` computes it in float
  std::int64_t exact = 0;    ///< evaluations of the distance; exact, except by `serial_double`
};

/// Arrays for the results: views of one element for each point, any stride, on the queue's device. Empty views are not
/// written.
struct WallDistanceOutputs {
  View<double> distance = {};           ///< m; with signs: negative inside
  View<std::int64_t> face = {};         ///< number of the nearest face in the mesh
  View<std::int32_t> wall = {};         ///< number of its wall in the mesh
  View<double> x = {}, y = {}, z = {};  ///< m, the nearest point of the face
  View<double> lower = {};              ///< m, lower bound of the true unsigned distance, at most |distance|

  /// Derivative of the distance with respect to the point: the unit vector (p − q) / d from the nearest point q, and
  /// with signs its opposite inside. The distance has no derivative where several points of the walls are nearest; the
  /// result is that of the face in `face`. On a wall, where d = 0, it is 0 without signs. With signs it is the unit normal
  /// of the nearest face out of the body; at an edge or corner, that of one of its faces or the unit pseudonormal.
  View<double> gradient_x = {}, gradient_y = {}, gradient_z = {};
};

/// Distance from any point to the nearest wall face, with the number of the face and of its wall and the nearest point.
///
///     d(p) = min_f min_{q in f} |p − q|
///
/// Distances are to the faces themselves, not to their centers or corners. They are within one unit in the last place
/// of the exact number at any height above the wall, for any offset of the coordinates and any shape of face; slivers,
/// zero-area and duplicate faces are treated as the segments, points or copies that they are. A point on a wall has the
/// distance 0. Of several faces at the same distance (as a double), the one with the smallest number is the result. All
/// methods but `serial_double` give the same bits, for any number of threads. `serial_double` computes in double, with
/// an error that docs/theory/wall_distance.md bounds, and writes that bound to `lower`. With a tolerance in the far field they need not: the face may
/// be another one, and `lower` bounds the true distance from below.
///
///     shoal::WallDistance walls(queue, mesh);
///     walls.find(x, y, z, {.distance = distance, .face = face});
///     queue.wait();
///
/// Cost: the plan is built once for a mesh, on the queue's device; a point close to the wall visits about ten nodes of a
/// tree. The notes at the head of each method's file are in src/wall_distance/methods.
///
/// Source: Wukie, Ganapathy and Park (2014), "GPU acceleration of wall distance calculation for computational fluid
/// dynamics codes"; Roget and Sitaraman (2013), "Wall distance search algorithm using voxelized marching spheres".
class WallDistance {
 public:
  /// @throws Error  the mesh is invalid, it has no wall of a given name, an option has a value outside its range, or the
  ///                method is not available on this device or has no auxiliary grid of the given size;
  ///                with signs: the walls are not closed or not consistently oriented (names the first such face)
  WallDistance(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options = {});

  /// Plan for the walls in the arrays of a solver, which a GPU reads where they are. It gives the same bits as a plan for
  /// wall_mesh(arrays). The plan copies what it needs before the constructor returns.
  ///
  ///     // x, y, z: shoal::View<const double>; a, b, c: shoal::View<const int>, the corners of triangles; all on the GPU
  ///     shoal::WallDistance walls(queue, shoal::WallArrays<double, int>{.points = {x, y, z}, .corners = {a, b, c}});
  ///
  /// Cost: on CUDA, every array is read once, and the host waits once or twice for a few numbers. Signs are made on the
  /// host, and some methods other than `bvh` prepare their data there; both copy the primitives.
  /// @param arrays  points in m, corners, markers: shapes as documented there, any stride, all on the queue's device
  /// @tparam Real   float or double; coordinates are converted to double
  /// @tparam Index  std::int32_t or std::int64_t
  /// @throws Error  at once: the errors of wall_mesh() and of the other constructor, or a view on another device
  template <class Real, class Index>
  WallDistance(const Queue& queue, const WallArrays<Real, Index>& arrays, const WallDistanceOptions& options = {});
  ~WallDistance();
  WallDistance(WallDistance&&) noexcept;
  WallDistance& operator=(WallDistance&&) noexcept;

  /// Distances of n points. Points that are neighbors in memory should be neighbors in space, like the cells of a mesh:
  /// this is worth a factor of two.
  /// @param x,y,z  [n] m, any stride, on the queue's device
  /// @throws Error  at once: counts differ, wrong device
  /// @throws Error  at Queue::wait(): a coordinate is not finite; names the first such point
  void find(View<const double> x, View<const double> y, View<const double> z, const WallDistanceOutputs& out);
  void find(View<const double> x, View<const double> y, const WallDistanceOutputs& out);  ///< overload for 2-D meshes

  /// Distances to the walls of one body alone.
  /// @throws Error  there is no such body; the message lists those that exist
  void find_body(std::string_view body, View<const double> x, View<const double> y, View<const double> z,
                 const WallDistanceOutputs& out);
  void find_body(std::string_view body, View<const double> x, View<const double> y, const WallDistanceOutputs& out);

  /// Returns exactly what find() would, and usually needs no search: for the same points step after step, while bodies
  /// and points move. Each result is stored with a certificate: a few candidate faces, and a lower bound of the
  /// distance to all others. While the motion since then does not exceed the bound, only the candidates are tested.
  /// Point i corresponds to point i of the last update(); the first call, and a call with another number of points,
  /// searches for all points and allocates. Memory: 72 bytes for each point (method `bvh`; other methods always
  /// search).
  void update(View<const double> x, View<const double> y, View<const double> z, const WallDistanceOutputs& out);
  void update(View<const double> x, View<const double> y, const WallDistanceOutputs& out);

  /// Number of points of the last update() that needed no search. On CUDA it waits for the queue.
  std::int64_t reused() const;

  /// Moves a body from its position in the mesh to R x + t, for all later calls. Nothing is rebuilt.
  /// @throws Error  there is no such body, the transform is not rigid, or it leaves the plane of a 2-D mesh
  void move(std::string_view body, const RigidTransform& transform);

  /// Changes the positions of the mesh's points, for walls that deform; bodies keep their transforms. The tree is kept
  /// and its boxes are fitted again: after large deformations a new plan searches faster. The next update() searches
  /// for all points.
  /// Cost: on CUDA, arrays on the queue's device are read there; those of the host are copied first. The host waits for
  /// the check of the coordinates. With signs the host computes the normals again.
  /// @param x,y,z  [points of the mesh] m, any stride, all on the host or all on the queue's device
  /// @throws Error  counts differ, a coordinate is not finite, or signs are no longer defined; the plan is then
  ///                unchanged
  void refit(View<const double> x, View<const double> y, View<const double> z);
  void refit(View<const double> x, View<const double> y);

  /// Number of tests of the last find() or find_body(), without those for signs; the search must be complete. None
  /// without `count_faces`, after an update(), or if the method does not count: the methods on CUDA do not.
  std::optional<WallFacesTested> faces_tested() const;

  std::int64_t face_count() const;  ///< number of faces of the walls in use
  std::int64_t bytes() const;       ///< memory of the plan

  /// The method that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal::wall_distance

namespace shoal {

using wall_distance::FarField;
using wall_distance::WallBody;
using wall_distance::WallDistance;
using wall_distance::WallDistanceOptions;
using wall_distance::WallDistanceOutputs;
using wall_distance::WallDistanceTo;
using wall_distance::WallFacesTested;
using wall_distance::WallInside;

template <>
inline constexpr auto enumerator_names<WallInside> = std::array<std::string_view, 2>{"closed", "winding_number"};
template <>
inline constexpr auto enumerator_names<WallDistanceTo> = std::array<std::string_view, 2>{"face", "face_center"};

}  // namespace shoal
