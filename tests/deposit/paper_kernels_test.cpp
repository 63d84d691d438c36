// SPDX-License-Identifier: Apache-2.0
// Shared memory of the methods of Larson, Carver and Zhao (2015), as the paper states it for three values in double.
#include <gtest/gtest.h>
#include <shoal/error.hpp>

#include "deposit/paper/paper_kernels.hpp"
#include "support/devices.hpp"

namespace shoal::deposit {
namespace {

using namespace testing_support;

KernelResources kernel_of(const std::string& method) {
  for (const KernelResources& kernel : paper::paper_kernels(Queue::cuda(0)))
    if (kernel.kernel == method) return kernel;
  throw Error("no kernel of " + method);
}

TEST(PaperKernels, AreThoseOfTheGpu) { EXPECT_TRUE(paper::paper_kernels(Queue::cpu(1)).empty()); }

TEST(PaperKernels, OfZhaoSumInTheSharedMemoryOfThePaper_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const KernelResources zhao = kernel_of("zhao");
  EXPECT_EQ(zhao.shared_bytes, 24'576);
  EXPECT_EQ(zhao.local_bytes, 0);
  EXPECT_LT(zhao.registers, 2 * (3 * 8 + 8)) << "the 24 sums and the 8 weights of a particle do not fit into registers";
}

TEST(PaperKernels, OfCornersFoldInTheSharedMemoryOfThePaper_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  EXPECT_EQ(kernel_of("corners").shared_bytes, 6'144);
  EXPECT_EQ(kernel_of("corners_wide").shared_bytes, 6'144);
  EXPECT_EQ(kernel_of("corners_shuffle").shared_bytes, 0) << "it folds by shuffles";
}

}  // namespace
}  // namespace shoal::deposit
