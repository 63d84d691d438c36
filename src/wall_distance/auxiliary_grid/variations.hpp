// SPDX-License-Identifier: Apache-2.0
// Variations of the advancing boundary on CUDA: the storage of the faces of a cell, and the memory from which a thread
// reads. The methods are made from this table.
//
// Source of T1 to T5 and the new cells: Wukie, Ganapathy and Park (2014), table 3, figure 11, the slides in its
// appendix B, and the repository that its appendix A names, github.com/Basian/PC-WallDistanceProject. The slides number
// T3 to T5 as T4 to T6, as the kernels in the repository's ab_pt1.cu, and the new cells as pt2_T5 and pt3_T5.
#pragma once
#include <cstddef>
#include <iterator>
#include <string_view>

namespace shoal::wall_distance {

/// Storage of the faces of a cell.
enum class FaceStorage {
  linked_list,       ///< figure 10, `cell`
  pointers,          ///< struct A, `cell_t2`: pointers to arrays of x and y
  in_cell,           ///< struct B, `cell_pt3`: one array of x and y in the cell
  in_cell_arrays,    ///< struct C, `cell_t3` and `cell_pt2`: an array of x and an array of y in the cell
  index,             ///< struct D, `cell_pt1`: numbers of faces, whose x and y are in separate arrays
  index_interleaved  ///< struct D: numbers of faces, whose x and y are next to each other
};

/// Memory in which a thread keeps its point, the center of a grid cell in the paper.
enum class PointIn { global, shared, registers };

/// Memory of the smallest distance to a face center so far.
enum class MinimumIn { global, registers };

/// Memory of the points of the bounding box, at which the paper's search radius starts.
enum class BoxPointsIn {
  nowhere,  ///< unused: the radius is the smallest one that contains all of a cell
  global,
  shared
};

/// Memory of the centers of auxiliary cells.
enum class CentersIn {
  cells,         ///< The cells in global memory.
  array,         ///< An array in global memory.
  shared_copies  ///< Copies that a block makes in shared memory.
};

struct Variation {
  std::string_view method;
  std::string_view in_paper;  ///< name in table 3; empty: not in the paper
  FaceStorage faces;
  PointIn point;
  MinimumIn minimum;
  BoxPointsIn box_points;
  CentersIn centers;
};

/// Variation that moves to shared memory and registers what shoal can.
constexpr Variation in_shared_cells(std::string_view method, FaceStorage faces) {
  return {method, "", faces, PointIn::registers, MinimumIn::registers, BoxPointsIn::nowhere, CentersIn::shared_copies};
}

/// Variation with the paper's T4 for all but the faces.
constexpr Variation like_t4(std::string_view method, std::string_view in_paper, FaceStorage faces) {
  return {method, in_paper, faces, PointIn::registers, MinimumIn::registers, BoxPointsIn::shared, CentersIn::cells};
}

inline constexpr Variation variations[] = {
    in_shared_cells("advancing_boundary_in_cell", FaceStorage::in_cell),
    in_shared_cells("advancing_boundary_in_cell_arrays", FaceStorage::in_cell_arrays),
    in_shared_cells("advancing_boundary_index", FaceStorage::index),
    in_shared_cells("advancing_boundary_pointers", FaceStorage::pointers),
    in_shared_cells("advancing_boundary_linked_list", FaceStorage::linked_list),
    {"advancing_boundary_t1", "T1", FaceStorage::index, PointIn::global, MinimumIn::global, BoxPointsIn::global,
     CentersIn::cells},
    {"advancing_boundary_t2", "T2", FaceStorage::index, PointIn::shared, MinimumIn::global, BoxPointsIn::global,
     CentersIn::cells},
    {"advancing_boundary_t3", "T3", FaceStorage::index_interleaved, PointIn::registers, MinimumIn::registers,
     BoxPointsIn::global, CentersIn::cells},
    like_t4("advancing_boundary_t4", "T4", FaceStorage::index_interleaved),
    {"advancing_boundary_t5", "T5", FaceStorage::index_interleaved, PointIn::registers, MinimumIn::registers,
     BoxPointsIn::shared, CentersIn::array},
    like_t4("advancing_boundary_t4_new_cell_1", "T4 new cell 1", FaceStorage::in_cell_arrays),
    like_t4("advancing_boundary_t4_new_cell_2", "T4 new cell 2", FaceStorage::in_cell),
};

/// Number of a method in the table. A name that is not there does not compile.
consteval std::size_t number_of(std::string_view method) {
  for (std::size_t number = 0; number < std::size(variations); ++number)
    if (variations[number].method == method) return number;
  throw "no variation has this name";
}

}  // namespace shoal::wall_distance
