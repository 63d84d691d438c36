// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

// Table 1 of Larson, Carver and Zhao (2015): three double-precision values to the support nodes of 330,000 cells.
namespace shoal::benchmarks {

/// Line of table 1; times in ms. M1: Intel i7-4770 and GeForce GTX Titan. M2: Tesla K40c.
struct PaperDepositLine {
  double millions;  ///< number of particles in millions
  double cpu_m1;
  double zhao_m1, zhao_m2;
  double sort;  ///< time on the GPU of M1 or M2, with little difference
  double corners_m2;

  /// Time of the corners method on M1, extrapolated by the ratio of the methods on M2, as the paper compares it with
  /// the CPU.
  constexpr double corners_m1() const { return zhao_m1 * corners_m2 / zhao_m2; }
};

inline constexpr std::array<PaperDepositLine, 7> paper_deposit_lines = {{
    {3.8, 187.2, 16.1, 17.5, 11.5, 10.1},
    {5.1, 184.6, 19.7, 22.5, 14.0, 12.9},
    {5.9, 213.0, 21.7, 25.4, 16.0, 14.5},
    {7.0, 258.5, 23.3, 28.3, 17.5, 16.8},
    {9.1, 310.7, 28.3, 33.7, 22.5, 22.2},
    {10.2, 341.4, 30.1, 36.9, 27.5, 25.1},
    {11.7, 390.4, 33.0, 40.0, 28.0, 29.6},
}};

/// Speed-up by the paper's formula: one sort serves ten interpolations.
constexpr double speed_up_with_sort(double serial, double method, double sort) {
  return serial / (method + 0.1 * sort);
}

}  // namespace shoal::benchmarks
