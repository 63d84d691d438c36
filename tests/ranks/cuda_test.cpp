// SPDX-License-Identifier: Apache-2.0
// Exchange between GPUs: through page-locked memory where ranks share a GPU, and by NCCL where each has its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "core/device/queue_order.hpp"
#include "support/devices.hpp"
#include "support/exchanges.hpp"
#include "support/messages.hpp"

namespace shoal {
namespace {

using testing::HasSubstr;
using testing_support::message_of;

bool with_nccl() { return mpi::nccl_version() != "not in this build"; }

TEST(RanksCuda, ShareADeviceThroughTheHost) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Communicator ranks = mpi::world();
  const Queue queue = Queue::cuda(0);
  testing_support::expect_exchange_between(ranks, queue);
  if (ranks.size() > 1) {
    EXPECT_THAT(ranks.group().transport(queue)->name(), HasSubstr("page-locked"));
  }
}

TEST(RanksCuda, NeedADeviceEachUnlessSharingIsAskedFor) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Communicator ranks = mpi::world();
  if (ranks.size() <= cuda_device_count()) GTEST_SKIP() << "there is a CUDA device for each rank";
  EXPECT_THAT(message_of([&] { mpi::queue(ranks, "cuda"); }),
              testing::AllOf(HasSubstr(std::to_string(ranks.size()) + " ranks, and "), HasSubstr("SHARE_DEVICES")));
  setenv("SHOAL_RANKS_SHARE_DEVICES", "1", 1);
  EXPECT_FALSE(mpi::queue(ranks, "cuda").on_cpu());
  EXPECT_FALSE(mpi::queue(ranks, "best").on_cpu());
  unsetenv("SHOAL_RANKS_SHARE_DEVICES");
}

TEST(RanksCuda, ShareTheCoresForTheWorkOfTheHost) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Communicator ranks = mpi::world();
  setenv("SHOAL_RANKS_SHARE_DEVICES", "1", 1);
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  const std::string before = threads != nullptr ? threads : "1";
  EXPECT_EQ(mpi::queue(ranks, "cuda", 3).threads(), 3);
  unsetenv("OMP_NUM_THREADS");
  std::array<std::int64_t, 1> threads_of_all{ranks.size() > 1 ? mpi::queue(ranks, "cuda").threads() : 1};
  setenv("OMP_NUM_THREADS", before.c_str(), 1);
  unsetenv("SHOAL_RANKS_SHARE_DEVICES");
  ranks.group().all_sum(threads_of_all);
  EXPECT_LE(threads_of_all[0], std::max<std::int64_t>(ranks.size(), sysconf(_SC_NPROCESSORS_ONLN)));
}

TEST(RanksCuda, ExchangeByNccl) {
  const Communicator ranks = mpi::world();
  if (cuda_device_count() < ranks.size()) GTEST_SKIP() << "fewer CUDA devices than ranks, or a build without CUDA";
  if (!with_nccl()) GTEST_SKIP() << "a build without NCCL";
  const Queue queue = mpi::queue(ranks, "cuda");
  testing_support::expect_exchange_between(ranks, queue);
  EXPECT_EQ(ranks.group().transport(queue)->name(), "NCCL");
}

TEST(RanksCuda, ExchangeByNcclOnAQueueOfItsOwn) {
  const Communicator ranks = mpi::world();
  if (cuda_device_count() < ranks.size()) GTEST_SKIP() << "fewer CUDA devices than ranks, or a build without CUDA";
  if (!with_nccl()) GTEST_SKIP() << "a build without NCCL";
  const Queue computing = mpi::queue(ranks, "cuda");
  const Queue exchanging = Queue::cuda(computing.device().index);
  const std::unique_ptr<Transport> transport = ranks.group().transport(exchanging);
  Array<std::uint64_t> words(computing, 1 << 20);
  std::vector<std::uint64_t> expected(1 << 20, static_cast<std::uint64_t>(ranks.size()));
  for (int repetition = 0; repetition < 20; ++repetition) {
    copy(computing, View<const std::uint64_t>(std::vector<std::uint64_t>(1 << 20, ranks.rank() + 1)), words.view());
    enqueue_wait(exchanging, computing);
    transport->all_max(words.data(), 1 << 20);
    enqueue_wait(computing, exchanging);
    EXPECT_EQ(to_host(computing, words), expected);
  }
}

TEST(RanksCuda, ExchangeByMpiWhereNcclIsSwitchedOff) {
  const Communicator ranks = mpi::world();
  if (cuda_device_count() < ranks.size()) GTEST_SKIP() << "fewer CUDA devices than ranks, or a build without CUDA";
  const Queue queue = mpi::queue(ranks, "cuda");
  setenv("SHOAL_RANKS_NCCL", "0", 1);
  EXPECT_THAT(ranks.group().transport(queue)->name(), HasSubstr("page-locked"));
  testing_support::expect_exchange_between(ranks, queue);
  unsetenv("SHOAL_RANKS_NCCL");
}

}  // namespace
}  // namespace shoal
