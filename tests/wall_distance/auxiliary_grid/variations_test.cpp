// SPDX-License-Identifier: Apache-2.0
// Rows of the paper's tables 2 and 3: struct, and memory of what a thread reads.
#include "wall_distance/auxiliary_grid/variations.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/devices.hpp"
#include "wall_distance/auxiliary_grid/cell_faces.hpp"
#include "wall_distance/wall_distance_method.hpp"
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;
using enum FaceStorage;

const Variation& row(std::string_view in_paper) {
  for (const Variation& variation : variations)
    if (variation.in_paper == in_paper) return variation;
  throw std::runtime_error("no such row of table 3");
}

void expect_row(std::string_view in_paper, const Variation& expected) {
  SCOPED_TRACE(in_paper);
  const Variation& variation = row(in_paper);
  EXPECT_EQ(variation.method, expected.method);
  EXPECT_EQ(variation.faces, expected.faces);
  EXPECT_EQ(variation.point, expected.point);
  EXPECT_EQ(variation.minimum, expected.minimum);
  EXPECT_EQ(variation.box_points, expected.box_points);
  EXPECT_EQ(variation.centers, expected.centers);
}

TEST(Table3, StoresAndReadsAsTheKernelsOfThePapersRepository) {
  expect_row("T1", {"advancing_boundary_t1", "", index, PointIn::global, MinimumIn::global, BoxPointsIn::global,
                    CentersIn::cells});
  expect_row("T2", {"advancing_boundary_t2", "", index, PointIn::shared, MinimumIn::global, BoxPointsIn::global,
                    CentersIn::cells});
  expect_row("T3", {"advancing_boundary_t3", "", index_interleaved, PointIn::registers, MinimumIn::registers,
                    BoxPointsIn::global, CentersIn::cells});
  expect_row("T4", {"advancing_boundary_t4", "", index_interleaved, PointIn::registers, MinimumIn::registers,
                    BoxPointsIn::shared, CentersIn::cells});
  expect_row("T5", {"advancing_boundary_t5", "", index_interleaved, PointIn::registers, MinimumIn::registers,
                    BoxPointsIn::shared, CentersIn::array});
  expect_row("T4 new cell 1", {"advancing_boundary_t4_new_cell_1", "", in_cell_arrays, PointIn::registers,
                               MinimumIn::registers, BoxPointsIn::shared, CentersIn::cells});
  expect_row("T4 new cell 2", {"advancing_boundary_t4_new_cell_2", "", in_cell, PointIn::registers,
                               MinimumIn::registers, BoxPointsIn::shared, CentersIn::cells});
}

/// Puts the spheres (1, 2, 3, 4) and (5, 6, 7, 8), of primitives 1 and 0, into a cell. Returns the memory.
template <FaceStorage storage>
struct FilledCell {
  FaceMemory memory{Queue::cpu(1)};
  typename FacesOf<storage>::type faces{};

  FilledCell() {
    const std::vector<BoundingSphere<double>> spheres = {{5, 6, 7, 8}, {1, 2, 3, 4}};
    const std::vector<std::int32_t> primitives = {1, 0};
    faces.resize(memory, 2);
    faces.put({primitives, 0, spheres}, memory);
  }
};

TEST(FaceStorage, StructBHasOneArrayInTheCell) {
  const FilledCell<in_cell> cell;
  EXPECT_EQ(std::vector(cell.faces.numbers, cell.faces.numbers + 8), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(std::size(cell.faces.primitives), 100u);
}

TEST(FaceStorage, StructCHasAnArrayForEachCoordinateInTheCell) {
  const FilledCell<in_cell_arrays> cell;
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(cell.faces.numbers[100 * k], 1.0 + static_cast<double>(k));
    EXPECT_EQ(cell.faces.numbers[100 * k + 1], 5.0 + static_cast<double>(k));
  }
}

TEST(FaceStorage, StructDHasNumbersOfFaces) {
  const FilledCell<index> separate;
  EXPECT_EQ(sizeof(separate.faces), 100 * sizeof(std::int32_t));
  EXPECT_EQ(separate.faces.primitives[0], 1);
  EXPECT_EQ(separate.memory.host_numbers, (std::vector<double>{5, 1, 6, 2, 7, 3, 8, 4}));
  const FilledCell<index_interleaved> interleaved;
  EXPECT_EQ(sizeof(interleaved.faces), 100 * sizeof(std::int32_t));
  EXPECT_EQ(interleaved.memory.host_numbers, (std::vector<double>{5, 6, 7, 8, 1, 2, 3, 4}));
}

TEST(FaceStorage, StructAHasPointersToArrays) {
  FilledCell<pointers> cell;
  EXPECT_EQ(cell.memory.host_numbers, (std::vector<double>{1, 5, 2, 6, 3, 7, 4, 8}));
  EXPECT_EQ(cell.faces.y, cell.memory.numbers.data() + 2);
}

TEST(FaceStorage, LinkedListHasANodeForEachFace) {
  FilledCell<linked_list> cell;
  EXPECT_EQ(cell.faces.root, cell.memory.nodes.data());
  EXPECT_EQ(cell.memory.host_nodes[0].next, cell.faces.root + 1);
  EXPECT_EQ(cell.memory.host_nodes[0].primitive, 1);
  EXPECT_EQ(cell.memory.host_nodes[1].next, nullptr);
}

/// Memory of a plan of a method with 199 faces in one auxiliary cell, or in several of at most 100, after it was used.
std::int64_t bytes_of(const Queue& queue, const WallCase& about, const char* method) {
  WallDistance walls(queue, about.mesh, {.method = method, .auxiliary_cells = 1});
  answers(queue, walls, about);
  return walls.bytes();
}

TEST(Table2, MethodsHaveTheMemoryOfTheirStruct) {
  const Queue queue = Queue::cpu(1);
  const WallCase about{circle_case(200, 3).mesh, {2}, {0}};
  const auto bytes = [&](const char* method) { return bytes_of(queue, about, method); };
  constexpr std::int64_t numbers = 4 * sizeof(double) + sizeof(std::int32_t);
  const std::int64_t same = bytes("advancing_boundary_pointers") -
                            static_cast<std::int64_t>(sizeof(Cell<FacesOf<pointers>::type>)) - 199 * numbers;
  EXPECT_EQ(bytes("advancing_boundary_linked_list") - same,
            static_cast<std::int64_t>(sizeof(Cell<FacesOf<linked_list>::type>) + 199 * sizeof(FaceNode)));
  const std::int64_t in_cells = bytes("advancing_boundary_in_cell_arrays") - same;
  constexpr std::int64_t cell = sizeof(Cell<FacesOf<in_cell_arrays>::type>);
  EXPECT_GE(in_cells, 2 * cell);
  EXPECT_EQ(in_cells % cell, 0);
}

/// T1 and T2 keep the least distance of each point in memory, T5 an array with four numbers of each cell.
TEST(Table3, MethodsHaveTheMemoryOfTheirRow_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue queue = Queue::cuda(0);
  const WallCase about = circle_case(200, 3);
  const auto bytes = [&](const char* method) { return bytes_of(queue, about, method); };
  const std::int64_t t3 = bytes("advancing_boundary_t3");
  const auto points = static_cast<std::int64_t>(about.x.size());
  EXPECT_EQ(bytes("advancing_boundary_t1"), t3 + 8 * points);
  EXPECT_EQ(bytes("advancing_boundary_t2"), t3 + 8 * points);
  EXPECT_EQ(bytes("advancing_boundary_t4"), t3);
  const std::int64_t centers = bytes("advancing_boundary_t5") - t3;
  EXPECT_GE(centers, 2 * 32);
  EXPECT_EQ(centers % 32, 0);
}

/// Three coordinates of the points of 256 threads, three coordinates of up to 26 box points, 1,024 spheres.
TEST(Table3, KernelsHaveTheSharedMemoryOfTheirRow_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const std::map<std::string_view, std::int64_t> expected = {
      {"advancing_boundary_t1", 0},
      {"advancing_boundary_t2", 256 * 3 * 8},
      {"advancing_boundary_t3", 0},
      {"advancing_boundary_t4", 26 * 3 * 8},
      {"advancing_boundary_t5", 26 * 3 * 8},
      {"advancing_boundary_t4_new_cell_1", 26 * 3 * 8},
      {"advancing_boundary_t4_new_cell_2", 26 * 3 * 8},
      {"advancing_boundary_in_cell", 1024 * 4 * 8},
      {"advancing_boundary_in_cell_arrays", 1024 * 4 * 8},
      {"advancing_boundary_index", 1024 * 4 * 8},
      {"advancing_boundary_pointers", 1024 * 4 * 8},
      {"advancing_boundary_linked_list", 1024 * 4 * 8},
  };
  std::map<std::string_view, std::int64_t> compiled;
  for (const WallDistanceMethod& method : wall_distance_method_table())
    if (method.kernel != nullptr) compiled[method.name] = method.kernel().shared_bytes;
  EXPECT_EQ(compiled, expected);
}

}  // namespace
}  // namespace shoal::wall_distance
