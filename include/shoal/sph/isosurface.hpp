// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace shoal::sph {

/// Surface of the fluid: where φ = Σ V W over the fluid, with V = m/ρ, has the value `level`. φ is about 1 within the fluid
/// and 1/2 at a plane surface. Walls add nothing, so that the surface closes around the fluid, also along them.
struct Isosurface {
  double spacing = 0;  ///< m, of the grid on which φ is computed; 0: that of the particles
  double level = 0.5;
};

/// A surface of triangles, in 2-D of line segments, in the order of the grid: the same for any number of threads.
struct SurfaceMesh {
  int corners = 3;           ///< number of corners of a face: 3, in 2-D 2
  std::vector<float> point;  ///< [points][3] m; no two faces have points of their own at the same place
  /// [faces][corners] indices of points. The fluid is behind triangles whose corners are seen counterclockwise, and to the
  /// left of segments.
  std::vector<std::int64_t> face;

  std::int64_t points() const { return static_cast<std::int64_t>(point.size() / 3); }
  std::int64_t faces() const { return static_cast<std::int64_t>(face.size()) / corners; }
};

}  // namespace shoal::sph
