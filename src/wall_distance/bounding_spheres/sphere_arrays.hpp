// SPDX-License-Identifier: Apache-2.0
// Memory layouts of bounding spheres.
#pragma once
#include "wall_distance/geometry/bounding_sphere_item.hpp"

namespace shoal::wall_distance {

/// An array for each coordinate.
template <class Number>
struct SphereArrays {
  using Real = Number;
  Real *x, *y, *z, *radii;

  SHOAL_HD SphereArrays(Real* memory, std::int32_t count) : x(memory), y(x + count), z(y + count), radii(z + count) {}
  SHOAL_HD BoundingSphere<Real> sphere(std::int32_t k) const { return {x[k], y[k], z[k], radii[k]}; }
  SHOAL_HD Real radius(std::int32_t k) const { return radii[k]; }
  SHOAL_HD void put(std::int32_t k, const BoundingSphere<Real>& sphere) const {
    x[k] = sphere.x;
    y[k] = sphere.y;
    z[k] = sphere.z;
    radii[k] = sphere.radius;
  }
};

/// x, y, z and radius of a sphere next to each other.
template <class Number>
struct InterleavedSpheres {
  using Real = Number;
  BoundingSphere<Real>* spheres;

  SHOAL_HD InterleavedSpheres(Real* memory, std::int32_t) : spheres(reinterpret_cast<BoundingSphere<Real>*>(memory)) {}
  SHOAL_HD BoundingSphere<Real> sphere(std::int32_t k) const { return spheres[k]; }
  SHOAL_HD Real radius(std::int32_t k) const { return spheres[k].radius; }
  SHOAL_HD void put(std::int32_t k, const BoundingSphere<Real>& sphere) const { spheres[k] = sphere; }
};

}  // namespace shoal::wall_distance
