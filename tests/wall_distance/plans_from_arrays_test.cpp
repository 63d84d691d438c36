// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance/wall_arrays.hpp>

#include <limits>

#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Order of arrays in memory.
enum class Layout { separate, records };

/// Arrays of a mesh on the device of a queue, as WallArrays views them.
template <class Real, class Index>
class ArraysOnDevice {
 public:
  /// @param mesh    may be invalid
  /// @param layout  records: a point is x, y, z and one more number, a face its corners and its marker
  ArraysOnDevice(const Queue& queue, const WallMesh& mesh, Layout layout, Index first_point = 0)
      : layout_(layout), points_(mesh.point_count()), faces_(mesh.face_count()), dimensions_(mesh.dimensions) {
    arrays.first_point = first_point;
    arrays.names = mesh.wall_names;
    std::vector<Real> coordinates(static_cast<std::size_t>(4 * points_));
    put(coordinates, mesh.x, 0, 4, points_);
    put(coordinates, mesh.y, 1, 4, points_);
    put(coordinates, mesh.z, 2, 4, points_);
    coordinates_ = to_device(queue, coordinates);
    arrays.points = {coordinate(0), coordinate(1), dimensions_ == 3 ? coordinate(2) : View<const Real>()};
    const bool are_equal = has_equal_faces(mesh);
    corners_each_ = are_equal && faces_ > 0 ? mesh.face_start[1] : 0;
    std::vector<std::int64_t> corners = mesh.corners;
    for (std::int64_t& corner : corners) corner += first_point;
    const std::int64_t members = corners_each_ + 1;
    std::vector<Index> numbers(static_cast<std::size_t>(members * faces_));
    for (std::int64_t i = 0; i < corners_each_; ++i) {
      std::vector<std::int64_t> corner_i;
      for (std::int64_t face = 0; face < faces_; ++face)
        corner_i.push_back(corners[static_cast<std::size_t>(face * corners_each_ + i)]);
      put(numbers, corner_i, i, members, faces_);
    }
    put(numbers, mesh.wall, corners_each_, members, faces_);
    numbers_ = to_device(queue, numbers);
    arrays.marker = member(corners_each_);
    if (are_equal) {
      for (std::int64_t i = 0; i < corners_each_; ++i) arrays.corners.push_back(member(i));
    } else {
      corners_ = to_device(queue, std::vector<Index>(corners.begin(), corners.end()));
      start_ = to_device(queue, std::vector<Index>(mesh.face_start.begin(), mesh.face_start.end()));
      arrays.corners = {corners_};
      arrays.face_start = start_;
    }
  }

  WallArrays<Real, Index> arrays;

 private:
  static bool has_equal_faces(const WallMesh& mesh) {
    for (std::size_t face = 0; face + 1 < mesh.face_start.size(); ++face)
      if (mesh.face_start[face] != static_cast<std::int64_t>(face) * mesh.face_start[1]) return false;
    return true;
  }

  /// Writes one member of all items.
  template <class To, class From>
  void put(std::vector<To>& memory, const std::vector<From>& values, std::int64_t member, std::int64_t members,
           std::int64_t items) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto item = static_cast<std::int64_t>(i);
      const std::int64_t position = layout_ == Layout::records ? item * members + member : member * items + item;
      memory[static_cast<std::size_t>(position)] = static_cast<To>(values[i]);
    }
  }
  View<const Real> coordinate(std::int64_t axis) const { return view(coordinates_, axis, 4, points_); }
  View<const Index> member(std::int64_t i) const { return view(numbers_, i, corners_each_ + 1, faces_); }
  template <class T>
  View<const T> view(const Array<T>& memory, std::int64_t member, std::int64_t members, std::int64_t items) const {
    if (layout_ == Layout::records) return {memory.data() + member, items, memory.device(), members};
    return {memory.data() + member * items, items, memory.device()};
  }

  Layout layout_;
  std::int64_t points_, faces_, corners_each_ = 0;
  int dimensions_;
  Array<Real> coordinates_;                 ///< [points][x, y, z, another number]
  Array<Index> numbers_, corners_, start_;  ///< [faces][corners, marker]; all corners; face_start
};

/// Two closed surfaces whose faces alternate between three walls.
WallMesh alternating_walls(std::int64_t around) {
  WallMesh mesh = dented_sphere(around);
  add_sphere(mesh, "passing", {1.5, 0, 0}, 0.4, around, around / 2);
  const std::int32_t last = mesh.add_wall("last");
  for (std::size_t face = 0; face < mesh.wall.size(); face += 3) mesh.wall[face] = mesh.wall[face] == 0 ? 0 : last;
  return mesh;
}

/// Quadrilaterals, triangles and a pentagon: a closed prism.
WallMesh prism() {
  WallMesh mesh;
  const std::int32_t side = mesh.add_wall("side"), end = mesh.add_wall("end");
  for (int height = 0; height < 2; ++height)
    for (int i = 0; i < 5; ++i) mesh.add_point(std::cos(1.25 * i), std::sin(1.25 * i), height);
  mesh.add_face({4, 3, 2, 1, 0}, end);
  for (std::int64_t i = 0; i < 5; ++i) mesh.add_face({i, (i + 1) % 5, 5 + (i + 1) % 5, 5 + i}, side);
  mesh.add_face({5, 6, 7}, end), mesh.add_face({5, 7, 8, 9}, end);
  return mesh;
}

/// Meshes whose coordinates are floats, so that both types of coordinates give the same mesh.
std::vector<NamedCase> every_mesh() {
  std::vector<NamedCase> cases = {{"triangles", with_points_within(dented_sphere(60), 500, 1)},
                                  {"few triangles", with_points_within(dented_sphere(6), 100, 1)},
                                  {"three walls", with_points_within(alternating_walls(40), 500, 2)},
                                  {"a prism", with_points_within(prism(), 500, 2)},
                                  {"bad faces", with_points_within(bad_faces(), 500, 2)},
                                  {"segments", with_points_within(circle_case(300, 3).mesh, 500, 1)}};
  for (NamedCase& named : cases)
    for (auto* coordinates : {&named.about.mesh.x, &named.about.mesh.y, &named.about.mesh.z})
      for (double& coordinate : *coordinates) coordinate = static_cast<double>(static_cast<float>(coordinate));
  return cases;
}

class PlansFromArrays : public DeviceTest {
 protected:
  template <class Real, class Index>
  void expect_bits_of_mesh(const WallCase& about, const WallDistanceOptions& options) const {
    const Queue on = queue();
    const WallAnswers expected = answers(on, about, options);
    for (const Layout layout : {Layout::separate, Layout::records})
      for (const Index first : {Index{0}, Index{1}}) {
        const ArraysOnDevice<Real, Index> input(on, about.mesh, layout, first);
        WallDistance walls(on, input.arrays, options);
        EXPECT_TRUE(same_results(answers(on, walls, about), expected));
        EXPECT_EQ(walls.face_count(), WallDistance(on, about.mesh, options).face_count());
      }
  }
};
INSTANTIATE_TEST_SUITE_P(AllDevices, PlansFromArrays, every_device, device_test_name);

TEST_P(PlansFromArrays, GiveTheBitsOfPlansFromMeshes) {
  for (const auto& [name, about] : every_mesh())
    for (const WallDistanceTo to : {WallDistanceTo::face, WallDistanceTo::face_center}) {
      SCOPED_TRACE(name);
      const WallDistanceOptions options{.to = to};
      expect_bits_of_mesh<float, std::int32_t>(about, options);
      expect_bits_of_mesh<float, std::int64_t>(about, options);
      expect_bits_of_mesh<double, std::int32_t>(about, options);
      expect_bits_of_mesh<double, std::int64_t>(about, options);
    }
}

TEST_P(PlansFromArrays, UseChosenWallsAndBodies) {
  const WallCase about = with_points_within(alternating_walls(40), 500, 2);
  expect_bits_of_mesh<double, std::int32_t>(about, {.walls = {"passing"}});
  expect_bits_of_mesh<double, std::int32_t>(about, {.bodies = {{"a", {"last", "passing"}}}});
  expect_bits_of_mesh<double, std::int64_t>(about,
                                            {.bodies = {{"a", {"last"}}, {"b", {"dented"}}, {"c", {"passing"}}}});
  expect_bits_of_mesh<double, std::int32_t>(with_points_within(prism(), 500, 2), {.walls = {"end"}});
}

TEST_P(PlansFromArrays, HaveSignsAndMovingBodies) {
  const WallDistanceOptions options{.bodies = {{"a", {"last", "passing"}}}, .signs = true};
  const WallCase about = with_points_within(alternating_walls(40), 500, 2);
  expect_bits_of_mesh<double, std::int32_t>(about, options);
  expect_bits_of_mesh<double, std::int32_t>(with_points_within(prism(), 500, 2), {.signs = true});
  const Queue on = queue();
  const ArraysOnDevice<double, std::int32_t> input(on, about.mesh, Layout::separate);
  WallDistance from_arrays(on, input.arrays, options), from_mesh(on, about.mesh, options);
  for (WallDistance* walls : {&from_arrays, &from_mesh}) walls->move("a", RigidTransform::shift({0.1, 0.2, 0.3}));
  EXPECT_TRUE(same_results(answers(on, from_arrays, about), answers(on, from_mesh, about)));
}

TEST_P(PlansFromArrays, EveryMethodTakesThem) {
  const WallCase about = with_points_within(alternating_walls(20), 300, 2);
  const Queue on = queue();
  const ArraysOnDevice<double, std::int32_t> input(on, about.mesh, Layout::records);
  const WallAnswers expected = serial(about);
  for (const MethodInfo& method : exact_methods()) {
    if (method.device != GetParam()) continue;
    WallDistance walls(on, input.arrays, {.method = method.name});
    EXPECT_TRUE(same_results(answers(on, walls, about), expected)) << method.name;
    WallCase refitted = about;
    for (double& x : refitted.mesh.x) x *= 1.25;
    const Array<double> x = to_device(on, refitted.mesh.x), y = to_device(on, refitted.mesh.y),
                        z = to_device(on, refitted.mesh.z);
    walls.refit(x, y, z);
    EXPECT_TRUE(same_results(answers(on, walls, refitted), serial(refitted))) << method.name;
  }
}

TEST_P(PlansFromArrays, WithoutMarkersAllFacesAreOneWall) {
  const WallCase about = with_points_within(dented_sphere(20), 300, 1);
  const Queue on = queue();
  ArraysOnDevice<double, std::int32_t> input(on, about.mesh, Layout::separate);
  input.arrays.marker = {};
  input.arrays.names = {};
  WallDistance walls(on, input.arrays);
  EXPECT_TRUE(same_results(answers(on, walls, about), answers(on, about)));
  EXPECT_EQ(message_of([&] { WallDistance(on, input.arrays, {.walls = {"fin"}}); }),
            "wall_distance: no wall \"fin\"; the mesh has wall 0.");
}

TEST_P(PlansFromArrays, RefitReadsArraysOnTheDeviceOrOnTheHost) {
  const Queue on = queue();
  for (auto [name, about] : every_mesh())
    for (const bool signs : {false, true}) {
      if (signs && name == "bad faces") continue;
      const ArraysOnDevice<double, std::int32_t> input(on, about.mesh, Layout::separate);
      WallDistance walls(on, input.arrays, {.signs = signs});
      for (std::size_t i = 0; i < about.mesh.x.size(); ++i) about.mesh.y[i] += 0.3 * about.mesh.x[i] * about.mesh.x[i];
      const WallAnswers expected = answers(on, about, {.signs = signs});
      const ArraysOnDevice<double, std::int32_t> refitted(on, about.mesh, Layout::records);
      const Points<double>& points = refitted.arrays.points;
      for (const bool from_host : {false, true}) {
        const Points<double> from =
            from_host ? Points<double>{about.mesh.x, about.mesh.y, about.mesh.z} : Points<double>(points);
        if (about.mesh.dimensions == 2)
          walls.refit(from.x, from.y);
        else
          walls.refit(from.x, from.y, from.z);
        EXPECT_TRUE(same_results(answers(on, walls, about), expected)) << name;
      }
    }
}

TEST_P(PlansFromArrays, ARefitThatFailsLeavesThePlanAsItWas) {
  const Queue on = queue();
  const WallCase about = with_points_within(alternating_walls(20), 300, 2);
  for (const bool signs : {false, true}) {
    WallDistance walls(on, about.mesh, {.signs = signs});
    const WallAnswers expected = answers(on, walls, about);
    std::vector<double> bad = about.mesh.y;
    bad[7] = bad[9] = not_a_number;
    const Array<double> x = to_device(on, about.mesh.x), y = to_device(on, bad), z = to_device(on, about.mesh.z);
    const std::string message =
        "wall_distance: point 7 of the mesh has y = nan m, expected a finite number with |y| <= 1e+100 m.";
    EXPECT_EQ(message_of([&] { walls.refit(x, y, z); }), message);
    EXPECT_EQ(message_of([&] { walls.refit(about.mesh.x, bad, about.mesh.z); }), message);
    const std::vector<double> flat(about.mesh.x.size(), 1.0);
    if (signs) {
      EXPECT_NE(message_of([&] { walls.refit(about.mesh.x, about.mesh.y, flat); }), "no error");
    }
    EXPECT_TRUE(same_results(answers(on, walls, about), expected));
  }
}

/// Changes that make a mesh invalid.
std::vector<std::function<void(WallMesh&)>> every_fault() {
  return {[](WallMesh& mesh) { mesh.x[50] = mesh.x[40] = not_a_number; },
          [](WallMesh& mesh) { mesh.y[3] = -std::numeric_limits<double>::infinity(); },
          [](WallMesh& mesh) { mesh.z[77] = 2e100, mesh.corners[3] = -1; },
          [](WallMesh& mesh) { mesh.corners[302] = mesh.corners[200] = mesh.point_count(); },
          [](WallMesh& mesh) { mesh.corners[301] = -1; },
          [](WallMesh& mesh) { mesh.corners.back() = 1'000'000'000; },
          [](WallMesh& mesh) { mesh.wall[90] = mesh.wall[41] = -1; }};
}

TEST_P(PlansFromArrays, FaultsHaveTheMessagesOfMeshes) {
  const Queue on = queue();
  for (const auto& change : every_fault()) {
    WallMesh mesh = dented_sphere(20);
    change(mesh);
    EXPECT_EQ(message_of([&] { WallDistance(on, mesh); }), message_of([&] { require_valid(mesh); }));
    for (const Layout layout : {Layout::separate, Layout::records}) {
      const ArraysOnDevice<double, std::int32_t> input(on, mesh, layout);
      const ArraysOnDevice<double, std::int32_t> on_host(Queue::cpu(1), mesh, layout);
      const std::string expected = message_of([&] { wall_mesh(on_host.arrays); });
      EXPECT_NE(expected, "no error");
      EXPECT_EQ(message_of([&] { WallDistance(on, input.arrays); }), expected);
    }
  }
}

TEST_P(PlansFromArrays, FaultsOfMeshesAreFoundOnEveryDevice) {
  const Queue on = queue();
  const auto message = [&](auto change) {
    WallMesh mesh = prism();
    change(mesh);
    const std::string device_message = message_of([&] { WallDistance(on, mesh); });
    EXPECT_EQ(device_message, message_of([&] { WallDistance(Queue::cpu(1), mesh); }));
    return device_message;
  };
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.wall[2] = 2; }),
            "wall_distance: face 2 belongs to wall 2, but there are 2 walls.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start[2] = 6; }),
            "wall_distance: face 1 has 1 corners, expected at least 3 in a 3-D mesh.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start[2] = -100; }),
            "wall_distance: face 1 has -105 corners, expected at least 3 in a 3-D mesh.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start[3] = 1'000'000; }),
            "wall_distance: face 3 has -999983 corners, expected at least 3 in a 3-D mesh.");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.face_start[0] = 1; }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.face_start.back() += 1; }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.face_start.pop_back(); }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.y.pop_back(); }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.z.pop_back(); }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.dimensions = 2; }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.dimensions = 4; }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh.wall_names[1] = "side"; }), "no error");
  EXPECT_NE(message([](WallMesh& mesh) { mesh = {}; }), "no error");
}

TEST_P(PlansFromArrays, BadFaceStartsAndMarkers) {
  const Queue on = queue();
  const auto message = [&](auto change) {
    WallMesh mesh = prism();
    change(mesh);
    const ArraysOnDevice<double, std::int64_t> input(on, mesh, Layout::separate);
    return message_of([&] { WallDistance(on, input.arrays); });
  };
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start[2] = 3; }),
            "wall_distance: face_start[2] is 3, expected 5 or more.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start[0] = 1; }), "wall_distance: face_start[0] is 1, expected 0.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.face_start.back() = 40; }),
            "wall_distance: face_start of the mesh goes from 0 to 40, expected 0 to 32, the number of corners.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.wall[4] = mesh.wall[6] = 1'000'000; }),
            "wall_distance: face 4 has the marker 1000000, expected 0 to 999999.");
  EXPECT_EQ(message([](WallMesh& mesh) { mesh.wall[4] = 5; }), "no error") << "a wall without a name";
}

TEST_P(PlansFromArrays, NoFacesNoArraysAndOtherDevices) {
  const Queue on = queue();
  ArraysOnDevice<double, std::int32_t> input(on, dented_sphere(6), Layout::separate);
  const auto message = [&](auto change) {
    WallArrays<double, std::int32_t> arrays = input.arrays;
    change(arrays);
    return message_of([&] { WallDistance(on, arrays); });
  };
  using Arrays = WallArrays<double, std::int32_t>;
  EXPECT_EQ(message([](Arrays& arrays) {
              for (auto& corner : arrays.corners) corner.count = 0;
              arrays.marker = {};
            }),
            "wall_distance: the mesh has no wall faces. Name the boundaries that are walls.");
  EXPECT_EQ(
      message([](Arrays& arrays) { arrays.corners.clear(); }),
      "wall_distance: there are no arrays of corners. Give one for each corner of a face, or one with all of them "
      "and face_start.");
  EXPECT_EQ(message([](Arrays& arrays) { arrays.points.z = {}; }),
            "wall_distance: face 0 has 3 corners, expected 2 in a 2-D mesh.");
  EXPECT_EQ(message([](Arrays& arrays) { arrays.corners.pop_back(); }),
            "wall_distance: face 0 has 2 corners, expected at least 3 in a 3-D mesh.");
  EXPECT_EQ(message([](Arrays& arrays) { arrays.corners[1].count = 2; }),
            text("wall_distance: one of the corners has 2 elements, expected ", input.arrays.corners[0].count, "."));
  const std::string expected =
      text("wall_distance: marker is on cuda:7, the queue works on ", to_string(on.device()), ". Copy it there first.");
  EXPECT_EQ(message([](Arrays& arrays) { arrays.marker.device = {DeviceKind::cuda, 7}; }), expected);
}

}  // namespace
}  // namespace shoal::wall_distance
