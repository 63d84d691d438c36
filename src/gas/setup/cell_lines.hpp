// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "gas/physics/transport_item.hpp"

namespace shoal::gas {

/// Lines of cells along one axis: the only one of a flow that depends on x, or all rows or all columns of a plane. Cell
/// (i, j) of a plane has the index j × columns + i. A mixture has a line of each species in place of one, and the cells of both
/// follow each other in each layer. All lines of an axis have cells of the same widths. Cells are those that a rank stores.
struct CellLines {
  int axis;                            ///< 0: along x, 1: along y
  std::int64_t species;                ///< Number of species.
  std::int64_t count;                  ///< Number of lines, of all species.
  std::int64_t length;                 ///< Number of cells of a line.
  std::int64_t step;                   ///< Index of the next cell of a line − index of a cell.
  std::int64_t apart;                  ///< Index of the first cell of the next line − that of a line.
  std::array<std::int64_t, 2> ghosts;  ///< Numbers of ghost cells before the own ones of a line and behind.
  bool periodic;                       ///< Both ends of each line are joined here. Ghosts join those of several ranks.
  int first_forward;                   ///< Index along the axis of the first node that moves toward the last cell.
  double largest_speed;                ///< Largest speed of a node along the axis, m/s.
  std::int64_t
      first_boundary_face;        ///< Index of the first face at the first end among those of all boundaries and cuts.
  std::vector<CellShape> shapes;  ///< [length]

  /// Index of the first cell of a line.
  std::int64_t first(std::int64_t line) const { return line * apart; }
  /// Line of a cell, and its place on that line.
  std::int64_t line(std::int64_t cell) const { return step == 1 ? cell / length : cell % count; }
  std::int64_t place(std::int64_t cell) const { return step == 1 ? cell % length : cell / count; }
  /// Number of lines of a species.
  std::int64_t count_of_species() const { return count / species; }
  /// Number of a line of a species, the species of a line, and its number among the lines of that species.
  std::int64_t number(std::int64_t of_species, std::int64_t index) const {
    return axis == 0 ? index * species + of_species : of_species * count_of_species() + index;
  }
  std::int64_t species_of(std::int64_t line) const { return axis == 0 ? line % species : line / count_of_species(); }
  std::int64_t index_of(std::int64_t line) const { return axis == 0 ? line / species : line % count_of_species(); }
  const CellShape& shape(std::int64_t cell) const { return shapes[static_cast<std::size_t>(place(cell))]; }
  /// Places of the first own cell on a line, and of the last one.
  std::int64_t own_begin() const { return ghosts[0]; }
  std::int64_t own_last() const { return length - 1 - ghosts[1]; }
  /// Index of the face at an end of the own cells of a line among those of all boundaries and cuts.
  /// @param end  0: at the first cell, 1: at the last cell
  std::int64_t boundary_face(std::size_t end, std::int64_t line) const {
    return first_boundary_face + static_cast<std::int64_t>(end) * count + line;
  }
};

}  // namespace shoal::gas
