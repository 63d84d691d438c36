// SPDX-License-Identifier: Apache-2.0
// Which method `auto` is.
#include <gtest/gtest.h>

#include "sph/sph_method.hpp"

namespace shoal::sph {
namespace {

TEST(MethodChoice, AutoIsTheListOnACpu) {
  EXPECT_EQ(choose_method("auto", DeviceKind::cpu, {3, 1'000'000, 4.0}).name, "list");
}

/// The choice needs the methods of CUDA, and no device.
class CudaMethodChoice : public testing::Test {
 protected:
  void SetUp() override {
    for (const Method& method : sph_method_table())
      if (method.device == DeviceKind::cuda) return;
    GTEST_SKIP() << "a build without CUDA";
  }
};

TEST_F(CudaMethodChoice, AutoIsRowsIn2D) {
  EXPECT_EQ(choose_method("auto", DeviceKind::cuda, {2, 4'000'000, 4.0}).name, "rows");
}

TEST_F(CudaMethodChoice, AutoIsFusedForManyParticlesIn3D) {
  EXPECT_EQ(choose_method("auto", DeviceKind::cuda, {3, 80'000, 2.4}).name, "rows");
  EXPECT_EQ(choose_method("auto", DeviceKind::cuda, {3, 120'000, 2.4}).name, "fused");
}

TEST_F(CudaMethodChoice, AutoIsFusedEarlierForManyNeighbors) {
  EXPECT_EQ(choose_method("auto", DeviceKind::cuda, {3, 30'000, 4.0}).name, "rows");
  EXPECT_EQ(choose_method("auto", DeviceKind::cuda, {3, 100'000, 4.0}).name, "fused");
}

TEST_F(CudaMethodChoice, ANameIsNotOverruled) {
  EXPECT_EQ(choose_method("rows", DeviceKind::cuda, {3, 1'000'000, 4.0}).name, "rows");
}

}  // namespace
}  // namespace shoal::sph
