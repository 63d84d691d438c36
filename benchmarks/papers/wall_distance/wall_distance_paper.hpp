// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

// Tables 1 to 3 of Wukie, Ganapathy and Park (2014): distances from the cells of three O-grids around a circle.
namespace shoal::benchmarks {

inline constexpr std::size_t paper_grids = 3;

/// Grid of `around` × 50 points, which has (around − 1) × 49 cells and around − 1 faces.
struct PaperWallGrid {
  std::string_view name;
  std::int64_t around;
};
inline constexpr std::array<PaperWallGrid, paper_grids> paper_wall_grids = {{{"SM", 200}, {"MD", 1000}, {"FN", 5000}}};
inline constexpr std::int64_t paper_points_out = 50;

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
inline constexpr double below_one = 0.5;  ///< ms, for "< 1" in the paper

/// Processor of a line: the device of the bench, one CPU thread, or all CPU threads.
enum class Processor { device, cpu_thread, cpu_threads };

/// Line of a table: serial code on a node of the Oakley cluster (2014), kernels on its GPU, which the paper does not
/// name.
struct PaperWallLine {
  int table;
  std::string_view name;
  std::string_view method;               ///< method that does the same
  std::array<double, paper_grids> time;  ///< ms
  Processor processor = Processor::device;
};

inline constexpr PaperWallLine paper_wall_lines[] = {
    {1, "serial", "serial_double", {33, 595, 13636}, Processor::cpu_thread},
    {1, "block-per-cell 1A", "block_1a", {1, 28, not_measured}},
    {1, "block-per-cell 1B", "block_1b", {1, 30, not_measured}},
    {1, "block-per-cell 1C", "block_1c", {1, 31, not_measured}},
    {1, "thread-per-cell 2A", "thread_2a", {below_one, 7, 173}},
    {1, "thread-per-cell 2B", "thread_2b", {1, 9, 293}},
    {1, "thread-per-cell 2C", "thread_2c", {below_one, 7, 166}},
    {1, "combination; proposed", "combination", {not_measured, not_measured, not_measured}},
    {2, "T1: linked list", "advancing_boundary_linked_list", {not_measured, not_measured, 8796}, Processor::cpu_thread},
    {2, "T2: struct A", "advancing_boundary_pointers", {not_measured, not_measured, 11044}, Processor::cpu_thread},
    {2,
     "T3: struct C",
     "advancing_boundary_in_cell_arrays",
     {not_measured, not_measured, 10007},
     Processor::cpu_thread},
    {2,
     "parallel CPU of slides",
     "advancing_boundary_parallel",
     {not_measured, not_measured, not_measured},
     Processor::cpu_threads},
    {3, "T1", "advancing_boundary_t1", {not_measured, not_measured, 134}},
    {3, "T2", "advancing_boundary_t2", {not_measured, not_measured, 114}},
    {3, "T3", "advancing_boundary_t3", {not_measured, not_measured, 114}},
    {3, "T4", "advancing_boundary_t4", {not_measured, not_measured, 112}},
    {3, "T5", "advancing_boundary_t5", {not_measured, not_measured, 113}},
    {3, "T4 new cell 1: struct C", "advancing_boundary_t4_new_cell_1", {not_measured, not_measured, 106}},
    {3, "T4 new cell 2: struct B", "advancing_boundary_t4_new_cell_2", {not_measured, not_measured, 102}},
    {3, "linked list of figure 10", "advancing_boundary_linked_list", {not_measured, not_measured, not_measured}},
    {3, "struct A of figure 11", "advancing_boundary_pointers", {not_measured, not_measured, not_measured}},
    {3, "struct B of figure 11", "advancing_boundary_in_cell", {not_measured, not_measured, not_measured}},
    {3, "struct C of figure 11", "advancing_boundary_in_cell_arrays", {not_measured, not_measured, not_measured}},
    {3, "struct D of figure 11", "advancing_boundary_index", {not_measured, not_measured, not_measured}},
};

/// Table whose fastest serial code is the reference of the speed-ups of a table, as in the paper.
constexpr int reference_table(int table) { return table == 3 ? 2 : 1; }

/// Reference time of the paper's speed-ups, ms; table 2 has none.
constexpr double paper_wall_reference(int table, std::size_t grid) {
  double fastest = not_measured;
  for (const PaperWallLine& line : paper_wall_lines)
    if (table != 2 && line.table == reference_table(table) && line.processor == Processor::cpu_thread &&
        !(line.time[grid] >= fastest))
      fastest = line.time[grid];
  return fastest;
}

/// Cells along each axis in the figure "Auxiliary grid resolution optimization" of the slides, one less than `res` of its
/// data, and 79 as in the tables.
inline constexpr std::array<std::int64_t, 11> paper_sweep_cells = {2, 4, 9, 14, 19, 29, 39, 49, 69, 79, 99};

/// Times of serial codes by the number of cells, which do not say on which grid they were measured.
struct PaperSweepCurve {
  std::string_view name;
  std::string_view method;                            ///< method that does the same; empty: none
  std::array<double, paper_sweep_cells.size()> time;  ///< ms
};

/// Data of the figure: ProjectDoc/AB_timings.xlsx in the paper's repository.
inline constexpr PaperSweepCurve paper_sweep_curves[] = {
    {"serial T1: linked list",
     "advancing_boundary_linked_list",
     {1073, 950, 788, 749, 733, 734, 763, 811, 889, not_measured, 983}},
    {"serial T2: struct A",
     "advancing_boundary_pointers",
     {1103, 981, 815, 775, 757, 759, 783, 827, 898, not_measured, 997}},
    {"serial brute force", "", {1100, 1100, 1100, 1100, 1100, 1100, 1100, 1100, 1100, 1100, 1100}},
};

}  // namespace shoal::benchmarks
