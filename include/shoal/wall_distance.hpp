// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/enumerator_names.hpp>
#include <shoal/methods.hpp>
#include <shoal/rigid_transform.hpp>
#include <shoal/wall_mesh.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// What of a face the distance is measured to.
enum class WallDistanceTo {
  face,        ///< its nearest point
  face_center  ///< the mean of its corners, as Wukie, Ganapathy and Park (2014) do
};
template <>
inline constexpr auto enumerator_names<WallDistanceTo> = std::array<std::string_view, 2>{"face", "face_center"};

/// Walls that move as one.
struct WallBody {
  std::string name;
  std::vector<std::string> walls;
};

/// How exact answers must be far from the walls. Every answer is the distance to a face, hence never too small; it is
/// exact where the true distance is less than `beyond`, elsewhere at most `tolerance` of it too large.
struct FarField {
  double tolerance = 0;  ///< 0 to 1; 0: exact everywhere
  double beyond = 0;     ///< m
};

struct WallDistanceOptions {
  std::string method = "auto";               ///< a row of methods("wall_distance"), or "auto"
  std::vector<std::string> walls = {};       ///< names of the walls to ask about; empty: all
  WallDistanceTo to = WallDistanceTo::face;  ///< to faces, or to their centers
  std::vector<WallBody> bodies = {};         ///< those that move(); all other walls stand still

  /// m: as far as walls and points will move to each other in a few steps. update() then looks for candidates in so
  /// much more than the distance, once, and needs no search until the motion is used up.
  double motion = 0;

  /// Whether distances are negative inside the walls, which must be closed, each body for itself. Faces are turned
  /// alike, all outwards or all inwards; holes the other way. Walls must not meet themselves or each other, which is
  /// not looked for. Not with face_center or a far field.
  bool signs = false;

  FarField far_field = {};   ///< find() may use it, update() does not; brute force is exact all the same
  bool count_faces = false;  ///< whether find() counts the faces that it tests, see faces_tested()
};

/// What a search tested for all its points together. Triangles count, in 2-D segments, so a quadrilateral is two.
struct WallFacesTested {
  std::int64_t bounded = 0;  ///< quick lower bounds of distances, which say what need not be seen; in `bvh` in float
  std::int64_t exact = 0;    ///< distances
};

/// Where answers go: views of as many elements as there are points, any stride, on the queue's device. What is left
/// empty is not written.
struct WallDistanceOutputs {
  View<double> distance = {};           ///< m; with signs: negative inside
  View<std::int64_t> face = {};         ///< number of the nearest face in the mesh
  View<std::int32_t> wall = {};         ///< number of its wall in the mesh
  View<double> x = {}, y = {}, z = {};  ///< m, the nearest point of the face
  View<double> lower = {};              ///< m, the true distance without sign is at least this, at most `distance`
};

/// The distance from any point to the nearest wall face, and which face, which wall and where.
///
///     d(p) = min_f min_{q in f} |p − q|
///
/// Distances are to the faces themselves, not to their centers or corners, and within one unit in the last place of
/// the exact number, at any height above the wall, for any offset of the coordinates and any shape of face: slivers,
/// zero-area and duplicate faces count as what they are. A point on a wall has the distance 0. Where several faces are
/// at the same distance (as a double), the face with the smallest number is the answer. All rows of the method table
/// give the same bits, for any number of threads. With a tolerance far away (FarField) they need not: there the face
/// may be another one, and `lower` is what is proven of the true distance.
///
///     shoal::WallDistance walls(queue, mesh);
///     walls.find(x, y, z, {.distance = distance, .face = face});
///     queue.wait();
///
/// Cost: the plan is built once for a mesh; a point close to the wall visits some ten nodes of a tree. The methods'
/// cards are in src/wall_distance/methods.
///
/// Source: Wukie, Ganapathy and Park (2014), "GPU acceleration of wall distance calculation for computational fluid
/// dynamics codes"; Roget and Sitaraman (2013), "Wall
/// distance search algorithm using voxelized marching spheres".
class WallDistance {
 public:
  /// @throws Error  the mesh makes no sense, it has no such wall, or there is no such method on this device; signs are
  ///                asked for and the walls are not closed or not turned alike: names the first such face
  WallDistance(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options = {});
  ~WallDistance();
  WallDistance(WallDistance&&) noexcept;
  WallDistance& operator=(WallDistance&&) noexcept;

  /// Answers for n points. Points that are close to each other in memory should be close in space, as cells of a mesh
  /// are: it is worth a factor of two.
  /// @param x,y,z  [n] m, any stride, on the queue's device
  /// @throws Error  at once: counts differ, wrong device
  /// @throws Error  at Queue::wait(): a coordinate is not finite; names the first such point
  void find(View<const double> x, View<const double> y, View<const double> z, const WallDistanceOutputs& out);
  void find(View<const double> x, View<const double> y, const WallDistanceOutputs& out);  ///< for 2-D meshes

  /// The same for the walls of one body alone, whatever else is near.
  /// @throws Error  there is no such body; the message lists those there are
  void find_body(std::string_view body, View<const double> x, View<const double> y, View<const double> z,
                 const WallDistanceOutputs& out);
  void find_body(std::string_view body, View<const double> x, View<const double> y, const WallDistanceOutputs& out);

  /// The same as find(), and the same bits, for points that are asked about again and again while bodies move, and may
  /// move themselves. What a point was told is kept with a proof: a lower bound of its distance from everything that is
  /// not among its few candidates. As long as motion has not used up the bound, candidates alone give the answer.
  /// Point i is the point i of the last update(); the first one, or one of another number of points, searches for all.
  /// Allocates only then. Keeps 72 bytes a point (methods `bvh`; others search every time).
  void update(View<const double> x, View<const double> y, View<const double> z, const WallDistanceOutputs& out);
  void update(View<const double> x, View<const double> y, const WallDistanceOutputs& out);

  /// Points of the last update() that were answered without a search. On CUDA it waits for the queue.
  std::int64_t reused() const;

  /// Moves a body from where the mesh has it to R x + t, for all that is asked from now on. Nothing is rebuilt.
  /// @throws Error  there is no such body, the transform is not rigid, or leaves the plane of a 2-D mesh
  void move(std::string_view body, const RigidTransform& to);

  /// Puts the mesh's points elsewhere, for walls that deform; bodies keep their transforms. Boxes are fitted anew, the
  /// tree is kept: after large deformations a new plan searches faster. The next update() searches for all points.
  /// @param x,y,z  [points of the mesh] m, on the host
  /// @throws Error  counts differ, a coordinate is not finite, or signs can no longer be told; the plan is then as it
  /// was
  void refit(View<const double> x, View<const double> y, View<const double> z);
  void refit(View<const double> x, View<const double> y);

  /// What the last find() or find_body() tested, without what signs looked at; it must have ended. None if the options
  /// do not ask for it, update() came later, or the method does not count: those on CUDA do not.
  std::optional<WallFacesTested> faces_tested() const;

  std::int64_t face_count() const;  ///< of the walls asked about
  std::int64_t bytes() const;       ///< memory that the plan holds

  /// The row of the method table that runs.
  MethodInfo method() const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace shoal
