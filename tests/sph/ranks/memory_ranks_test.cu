// SPDX-License-Identifier: Apache-2.0
// Device memory that ranks lack during steps: all throw the same error.
#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <shoal/sph.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/cuda/cuda_check.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::Each;
using testing::EndsWith;
using testing::StartsWith;

/// A pool of memory that is full. While it exists, allocations on device 0 come from it, and fail.
class FullPool {
 public:
  FullPool() {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    properties.maxSize = std::size_t{32} << 20;
    SHOAL_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
    SHOAL_CUDA_CHECK(cudaDeviceGetMemPool(&previous_, 0));
    SHOAL_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (std::size_t bytes = std::size_t{32} << 20; bytes >= 256; bytes /= 2) fill(bytes);
    SHOAL_CUDA_CHECK(cudaStreamSynchronize(stream_));
    SHOAL_CUDA_CHECK(cudaDeviceSetMemPool(0, pool_));
  }
  ~FullPool() {
    cudaDeviceSetMemPool(0, previous_);
    for (void* const memory : memory_) cudaFreeAsync(memory, stream_);
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
    cudaMemPoolDestroy(pool_);
  }
  FullPool(const FullPool&) = delete;

 private:
  void fill(std::size_t bytes) {
    for (void* memory = nullptr; cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_) == cudaSuccess;)
      memory_.push_back(memory);
    cudaGetLastError();  // the failure of the last allocation is expected
  }

  cudaMemPool_t pool_ = nullptr;
  cudaMemPool_t previous_ = nullptr;
  cudaStream_t stream_ = nullptr;
  std::vector<void*> memory_;
};

class DeviceMemoryOfRanks : public MethodTest {};

std::vector<MethodInfo> cuda_methods() {
  std::vector<MethodInfo> list = methods("sph");
  std::erase_if(list, [](const MethodInfo& method) { return method.device != DeviceKind::cuda; });
  return list;
}

INSTANTIATE_TEST_SUITE_P(AllMethods, DeviceMemoryOfRanks, testing::ValuesIn(cuda_methods()), method_test_name);

/// Calls `work` on the first rank alone, while all others wait.
void on_first_rank(const Communicator& ranks, const std::function<void()>& work) {
  ranks.agree([&] {
    if (ranks.rank() == 0) work();
  });
}

/// Messages of two ranks that get no more memory once they have started.
std::vector<std::string> messages_of(const Case& simulation, int steps) {
  std::vector<std::string> messages(2);
  std::optional<FullPool> pool;
  run_on_ranks(2, [&](const Communicator& ranks) {
    Solver solver(Queue::cuda(0), simulation, ranks);
    on_first_rank(ranks, [&] { pool.emplace(); });
    messages[static_cast<std::size_t>(ranks.rank())] = message_of([&] { solver.advance_steps(steps); });
    on_first_rank(ranks, [&] { pool.reset(); });
  });
  return messages;
}

TEST_P(DeviceMemoryOfRanks, IsTheSameErrorOnAllRanks) {
  Case simulation = block_of_water(40, 40);
  simulation.bodies[0].velocity = {0, 5, 0};
  simulation.method = GetParam().name;
  const std::vector<std::string> messages = messages_of(simulation, 200);
  EXPECT_EQ(messages[0], messages[1]);
  EXPECT_THAT(messages, Each(AllOf(StartsWith("array: out of memory on cuda:0"), EndsWith("of 2 on this machine)"))));
}

}  // namespace
}  // namespace shoal::sph
