// SPDX-License-Identifier: Apache-2.0
// Comparison of snapshots, bit by bit, and of fields.
#pragma once
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

namespace shoal::testing_support {

inline void expect_same(const sph::RigidBodyState& a, const sph::RigidBodyState& b) {
  EXPECT_EQ(a.center, b.center);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.rotation, b.rotation);
  EXPECT_EQ(a.angular_momentum, b.angular_momentum);
}

inline void expect_same(const sph::Snapshot& a, const sph::Snapshot& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.tag, b.tag);
  EXPECT_EQ(a.coordinate, b.coordinate);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.density_deviation, b.density_deviation);
  EXPECT_EQ(a.pressure_over_density2, b.pressure_over_density2);
  EXPECT_EQ(a.smoothing_length, b.smoothing_length);
  EXPECT_EQ(a.sound_speed, b.sound_speed);
  EXPECT_EQ(a.previous_velocity, b.previous_velocity);
  EXPECT_EQ(a.previous_density_deviation, b.previous_density_deviation);
  EXPECT_EQ(a.clock.particles, b.clock.particles);
  EXPECT_TRUE(a.absorption == b.absorption);
  ASSERT_EQ(a.rigid_bodies.size(), b.rigid_bodies.size());
  for (std::size_t k = 0; k < a.rigid_bodies.size(); ++k) expect_same(a.rigid_bodies[k], b.rigid_bodies[k]);
}

/// The same particles, at positions that differ by at most the tolerance along each axis, m.
inline void expect_near(const sph::Fields& a, const sph::Fields& b, double tolerance) {
  ASSERT_EQ(a.id, b.id);
  ASSERT_EQ(a.position.size(), b.position.size());
  for (std::size_t k = 0; k < a.position.size(); ++k) EXPECT_NEAR(a.position[k], b.position[k], tolerance);
}

}  // namespace shoal::testing_support
