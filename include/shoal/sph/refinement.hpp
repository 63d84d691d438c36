// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/shape.hpp>

/// Regions in which particles are finer than elsewhere.
namespace shoal::sph {

/// A box in which the spacing is that outside it over `ratio`. Boxes of a case are nested: each is within the one before it,
/// and divides its spacing.
struct Refinement {
  Box box{};      ///< m; its sides are on the lattice of the spacing outside it
  int ratio = 2;  ///< 2 only
};

}  // namespace shoal::sph
