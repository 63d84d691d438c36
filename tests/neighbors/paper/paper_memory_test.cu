// SPDX-License-Identifier: Apache-2.0
// The kinds of memory that the configurations of Godbole (2014) state: pool, page-locked neighbors, page-locked points.
#include <gtest/gtest.h>

#include "core/cuda/cuda_check.hpp"
#include "neighbors/paper/paper_pipeline.hpp"
#include "support/devices.hpp"
#include "support/distributions.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class PaperMemoryOn : public testing::TestWithParam<std::size_t> {
 protected:
  static constexpr std::int64_t n_ = 1'009;
  PaperConfiguration configuration_ = paper_configurations()[GetParam()];
  std::unique_ptr<PaperPipeline<float>> pipeline_;

  void SetUp() override {
    if (configuration_.device() == DeviceKind::cpu) GTEST_SKIP() << "searches on the CPU";
    SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
    pipeline_ = PaperBackend<float>::cuda.make_pipeline(Queue::cuda(0), configuration_, 0.2);
  }
  void find() { pipeline_->find(uniform<float>(n_).points()); }
};

INSTANTIATE_TEST_SUITE_P(Paper, PaperMemoryOn, testing::Range<std::size_t>(0, paper_configurations().size()),
                         [](const auto& test) { return "cuda_" + std::to_string(test.param); });

cudaMemoryType memory_type(const void* pointer) {
  cudaPointerAttributes attributes{};
  SHOAL_CUDA_CHECK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}

TEST_P(PaperMemoryOn, PoolKeepsDeviceMemoryAndNoPoolFreesIt) {
  EXPECT_EQ(pipeline_->memory().pool_bytes, 0);
  find();
  find();  // the first one may widen the table of neighbors
  const std::int64_t kept = pipeline_->memory().pool_bytes;
  find();
  EXPECT_EQ(pipeline_->memory().pool_bytes, kept) << "a repeated search needs no more memory";
  if (!configuration_.pool) {
    EXPECT_EQ(kept, 0);
    return;
  }
  EXPECT_GT(kept, 4 * n_) << "the table of cells has each point at least once";
  if (!configuration_.page_locked_points) EXPECT_GT(kept, (4 + 3 * 4) * n_) << "the coordinates, too";
}

TEST_P(PaperMemoryOn, NeighborsArePageLockedWhereStated) {
  find();
  EXPECT_EQ(memory_type(pipeline_->memory().neighbors),
            configuration_.page_locked ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered);
}

TEST_P(PaperMemoryOn, PointsArePageLockedWhereStated) {
  if (!configuration_.pool) GTEST_SKIP() << "the coordinates are freed";
  find();
  EXPECT_EQ(memory_type(pipeline_->memory().points),
            configuration_.page_locked_points ? cudaMemoryTypeHost : cudaMemoryTypeDevice);
}

}  // namespace
}  // namespace shoal::neighbors
