// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/standard_solid.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "core/vector.hpp"
#include "io/mesh/cell_shape.hpp"

namespace shoal::io {
namespace {

using Face = std::vector<std::int64_t>;

constexpr CellShape solids[] = {CellShape::tetrahedron, CellShape::pyramid, CellShape::prism, CellShape::hexahedron};

/// Faces of a solid whose corners have the numbers 10, 11, ...; their normals point out of it.
std::vector<Face> faces_with_numbers(CellShape shape) {
  std::vector<Face> faces;
  for (const auto& corners : faces_of(shape)) {
    Face face;
    for (const std::size_t corner : corners) face.push_back(static_cast<std::int64_t>(corner) + 10);
    faces.push_back(face);
  }
  return faces;
}

/// Rotates each face, and reorders the faces.
std::vector<Face> shuffled(std::vector<Face> faces, std::size_t number) {
  for (std::size_t face = 0; face < faces.size(); ++face) {
    const auto first = static_cast<std::ptrdiff_t>((number + face) % faces[face].size());
    std::rotate(faces[face].begin(), faces[face].begin() + first, faces[face].end());
  }
  std::rotate(faces.begin(), faces.begin() + static_cast<std::ptrdiff_t>(number % faces.size()), faces.end());
  return faces;
}

Face canonical(Face face) {
  std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
  return face;
}

TEST(StandardSolids, AreFoundFromFacesInAnyOrder) {
  for (const CellShape shape : solids)
    for (std::size_t number = 0; number < 24; ++number) {
      const std::vector<Face> faces = shuffled(faces_with_numbers(shape), number);
      const auto solid = find_standard_solid(faces);
      ASSERT_TRUE(solid) << static_cast<int>(shape) << " " << number;
      EXPECT_EQ(solid->shape, shape);
      std::vector<Face> expected, present;
      for (const Face& face : faces) expected.push_back(canonical(face));
      for (const auto& corners : faces_of(shape)) {
        Face face;
        for (const std::size_t corner : corners) face.push_back(solid->corners[corner]);
        if (shape == CellShape::prism) std::reverse(face.begin(), face.end());  // VTK's prism is the mirror image
        present.push_back(canonical(face));
      }
      EXPECT_THAT(present, testing::UnorderedElementsAreArray(expected));
    }
}

TEST(StandardSolids, AreNotFoundInOtherPolyhedra) {
  std::vector<Face> faces = faces_with_numbers(CellShape::hexahedron);
  std::swap(faces[1][0], faces[1][1]);  // a bow tie
  EXPECT_FALSE(find_standard_solid(faces));
  faces = faces_with_numbers(CellShape::hexahedron);
  std::reverse(faces[2].begin(), faces[2].end());
  EXPECT_FALSE(find_standard_solid(faces)) << "a face turned inside out";
  faces = faces_with_numbers(CellShape::hexahedron);
  faces[1] = {20, 21, 22, 23};
  EXPECT_FALSE(find_standard_solid(faces)) << "not closed";
  faces = faces_with_numbers(CellShape::tetrahedron);
  faces.pop_back();
  EXPECT_FALSE(find_standard_solid(faces)) << "too few faces";
  faces = faces_with_numbers(CellShape::prism);
  faces.push_back({10, 11, 12, 13, 14});
  EXPECT_FALSE(find_standard_solid(faces)) << "a pentagon more";
  EXPECT_FALSE(find_standard_solid({}));
}

}  // namespace
}  // namespace shoal::io
