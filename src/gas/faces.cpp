// SPDX-License-Identifier: Apache-2.0
#include <shoal/gas.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::gas {

std::vector<double> uniform_faces(double first, double last, int cells) {
  return stretched_faces(first, last, cells, 1);
}

std::vector<double> stretched_faces(double first, double last, int cells, double wall_ratio) {
  require(std::isfinite(first) && std::isfinite(last) && first < last, "gas: the cells extend from ", first, " m to ",
          last, " m, expected finite ends in ascending order.");
  constexpr int most_cells = 1'000'000;
  require(cells >= 2 && cells <= most_cells, "gas: ", cells, " cells, expected 2 to ", most_cells, ".");
  require(wall_ratio >= 1 && wall_ratio <= 2, "gas: wall_ratio is ", wall_ratio,
          ", expected the ratio of the widths of neighbors, 1 to 2.");
  std::vector<double> faces{0};
  for (int cell = 0; cell < cells; ++cell)
    faces.push_back(faces.back() + std::pow(wall_ratio, std::min(cell, cells - 1 - cell)));
  const double length = faces.back();
  for (double& face : faces) face = first + (last - first) * (face / length);
  faces.back() = last;
  return faces;
}

}  // namespace shoal::gas
