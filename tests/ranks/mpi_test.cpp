// SPDX-License-Identifier: Apache-2.0
// These tests are of shoal/mpi.hpp: communicators of the caller, devices of ranks, versions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>
#include <shoal/ranks/launch.hpp>

#include <array>
#include <cstdlib>

#include "support/exchanges.hpp"
#include "support/messages.hpp"

namespace shoal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::message_of;

TEST(Mpi, WorldIsOneGroup) {
  EXPECT_EQ(&mpi::world().group(), &mpi::world().group());
  EXPECT_EQ(launch()->size, mpi::world().size());
}

TEST(Mpi, TakesCommunicatorsOfTheCaller) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  const Communicator ranks = mpi::of(&half);
  MPI_Comm_free(&half);  // it was duplicated
  EXPECT_LE(ranks.size(), mpi::world().size() / 2 + 1);
  testing_support::expect_exchange_on_the_host(ranks);
}

TEST(Mpi, RefusesWhatIsNoCommunicatorOfThisMpi) {
  MPI_Comm comm = MPI_COMM_NULL;
  EXPECT_THAT(message_of([&] { mpi::of(nullptr); }), HasSubstr("the address of the communicator is null"));
  EXPECT_THAT(message_of([&] { mpi::of(&comm); }), HasSubstr("MPI_COMM_NULL"));
  comm = MPI_COMM_WORLD;
  EXPECT_THAT(message_of([&] { mpi::of(&comm, "MPICH Version: 4.1\nsecond line"); }),
              testing::AllOf(HasSubstr("is of \"MPICH Version: 4.1\""), HasSubstr(mpi::version())));
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING + 1> library{};
  int length = 0;
  MPI_Get_library_version(library.data(), &length);
  EXPECT_EQ(mpi::of(&comm, library.data()).size(), mpi::world().size());
}

TEST(Mpi, GivesEachRankTheCpu) {
  const Communicator ranks = mpi::world();
  EXPECT_TRUE(mpi::queue(ranks, "cpu").on_cpu());
  EXPECT_EQ(mpi::queue(ranks, "cpu").threads(), 1);  // OMP_NUM_THREADS
  EXPECT_EQ(mpi::queue(ranks, "cpu", 3).threads(), 3);
}

TEST(Mpi, SharesCoresAmongRanks) {
  const Communicator ranks = mpi::world();
  const char* const threads = std::getenv("OMP_NUM_THREADS");
  const std::string before = threads != nullptr ? threads : "1";
  unsetenv("OMP_NUM_THREADS");
  std::array<std::int64_t, 1> threads_of_all{ranks.size() > 1 ? mpi::queue(ranks, "cpu").threads() : 1};
  setenv("OMP_NUM_THREADS", before.c_str(), 1);
  ranks.group().all_sum(threads_of_all);
  EXPECT_LE(threads_of_all[0], std::max<std::int64_t>(ranks.size(), sysconf(_SC_NPROCESSORS_ONLN)));
}

TEST(Mpi, RefusesDevicesWithOneText) {
  const Communicator ranks = mpi::world();
  if (ranks.size() == 1) GTEST_SKIP() << "one rank takes any device";
  const auto refusal = [&](const char* device) {
    return message_of([&] { mpi::queue(ranks, ranks.rank() == 0 ? "cpu" : device); });
  };
  EXPECT_THAT(refusal("cuda:1"), HasSubstr("device \"cuda:1\" with several ranks; expected cpu, cuda or best"));
  EXPECT_THAT(refusal("gpu"), HasSubstr("unknown device \"gpu\""));
  if (cuda_device_count() == 0) {
    EXPECT_THAT(refusal("cuda"), HasSubstr("CUDA"));
  } else {
    EXPECT_THAT(refusal("cuda"), HasSubstr("rank 0 on "));
  }
}

TEST(Mpi, HasVersions) {
  EXPECT_THAT(mpi::version(), testing::Not(HasSubstr("\n")));
  EXPECT_FALSE(mpi::version().empty());
  EXPECT_FALSE(mpi::nccl_version().empty());
}

}  // namespace
}  // namespace shoal
