// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <vector>

namespace shoal::sph {

/// Masses of the particles of fields, by the part of the case that they belong to.
class PartMasses {
 public:
  explicit PartMasses(const Case& simulation);

  /// Mass of the particle of row i, kg.
  double mass(const Fields& fields, std::size_t i) const;

 private:
  std::size_t bodies_;
  std::size_t walls_;
  /// Mass of a particle of each body, then of each wall, then of each material where fluid entered since the start, kg.
  std::vector<double> masses_;
};

}  // namespace shoal::sph
