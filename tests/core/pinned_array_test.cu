// SPDX-License-Identifier: Apache-2.0
// Page-locked memory, as CUDA reports it.
#include <gtest/gtest.h>

#include "core/cuda/cuda_check.hpp"
#include "core/memory/pinned_array.hpp"
#include "support/devices.hpp"

namespace shoal {
namespace {

TEST(PinnedArray, IsPageLockedAndHasTheSameAddressOnTheDevice_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  PinnedArray<float> pinned(Queue::cuda(0));
  pinned.resize(1'000);
  unsigned flags = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, pinned.data()), cudaSuccess);
  cudaPointerAttributes attributes{};
  SHOAL_CUDA_CHECK(cudaPointerGetAttributes(&attributes, pinned.data()));
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes.devicePointer, pinned.data());
}

}  // namespace
}  // namespace shoal
