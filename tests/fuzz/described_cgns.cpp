// SPDX-License-Identifier: Apache-2.0
// Tetrahedron as a polyhedron in CGNS. An input changes numbers of its sections, parents and condition, or their lengths.
#include <algorithm>
#include <cstring>

#include "described_hdf5.hpp"
#include "io/mesh/cgns/cgns_nodes.hpp"

namespace shoal::fuzz {

namespace {

using Numbers = std::vector<int>;

/// Integers of the file.
struct Tetrahedron {
  Numbers base = {3, 3}, size = {4, 1, 0}, type = {22, 23}, range = {1, 4, 5, 5};
  Numbers corners = {1, 3, 2, 1, 2, 4, 2, 3, 4, 1, 4, 3}, start = {0, 3, 6, 9, 12};
  Numbers faces = {1, 2, 3, 4}, face_start = {0, 4}, parents = {5, 5, 5, 5, 0, 0, 0, 0}, condition = {2, 3};

  std::vector<Numbers*> lists() {
    return {&base, &size, &type, &range, &corners, &start, &faces, &face_start, &parents, &condition};
  }
};

/// Applies changes of seven bytes: a list, an entry, whether its length changes, and a number.
void change(Tetrahedron& shape, Bytes input) {
  constexpr std::size_t bytes = 7;
  for (; input.size() >= bytes; input = input.subspan(bytes)) {
    Numbers& list = *shape.lists()[input[0] % shape.lists().size()];
    int number = 0;
    std::memcpy(&number, input.data() + 3, sizeof number);
    const bool is_fixed = &list == &shape.base || &list == &shape.size || &list == &shape.type || &list == &shape.range;
    if (input[2] < 32 && !is_fixed) list.resize(1 + input[1], number);
    list[input[1] % list.size()] = input[2] < 128 ? number % 16 : number;
  }
}

}  // namespace

void write_described_cgns(const std::filesystem::path& file, Bytes input) {
  Tetrahedron shape;
  const bool is_old = !input.empty() && input[0] % 2 == 1, has_cells = input.size() < 2 || input[1] % 4 != 0;
  change(shape, input.subspan(std::min<std::size_t>(input.size(), 2)));
  testing_support::CgnsNodes out(file, is_old ? 3.2F : 3.4F);
  out.integers("base", "CGNSBase_t", shape.base);
  out.integers("base/zone", "Zone_t", shape.size, 3);
  out.text("base/zone/ZoneType", "ZoneType_t", "Unstructured");
  out.node("base/zone/GridCoordinates", "GridCoordinates_t");
  out.reals("base/zone/GridCoordinates/CoordinateX", "DataArray_t", {0, 1, 0, 0});
  out.reals("base/zone/GridCoordinates/CoordinateY", "DataArray_t", {0, 0, 1, 0});
  out.reals("base/zone/GridCoordinates/CoordinateZ", "DataArray_t", {0, 0, 0, 1});
  if (shape.parents.size() % 2 == 1) shape.parents.push_back(0);
  const auto old = [&](const Numbers& entries, int length) {
    Numbers list;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i % static_cast<std::size_t>(length) == 0) list.push_back(i == 3 && shape.start[0] ? shape.start[0] : length);
      list.push_back(entries[i]);
    }
    return list;
  };
  out.section("base/zone/faces", shape.type[0], shape.range[0], shape.range[1],
              is_old ? old(shape.corners, 3) : shape.corners, is_old ? Numbers{} : shape.start, shape.parents);
  if (has_cells)
    out.section("base/zone/cells", shape.type[1], shape.range[2], shape.range[3],
                is_old ? old(shape.faces, 4) : shape.faces, is_old ? Numbers{} : shape.face_start);
  out.node("base/zone/ZoneBC", "ZoneBC_t");
  out.text("base/zone/ZoneBC/wall", "BC_t", "BCWall");
  out.integers("base/zone/ZoneBC/wall/PointList", "IndexArray_t", shape.condition, shape.condition.size());
  out.text("base/zone/ZoneBC/wall/GridLocation", "GridLocation_t", "FaceCenter");
}

}  // namespace shoal::fuzz
