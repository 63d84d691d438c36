// SPDX-License-Identifier: Apache-2.0
// Every rank runs every test. A rank that leaves a test early makes the others wait until their deadline, which ends all.
#include <gtest/gtest.h>
#include <shoal/mpi.hpp>
#include <shoal/ranks/launch.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  if (!shoal::launch()) {
    std::fputs("Start this program with mpirun.\n", stderr);
    return 1;
  }
  const shoal::Communicator ranks = shoal::mpi::world();
  testing::InitGoogleTest(&argc, argv);
  if (ranks.rank() > 0) GTEST_FLAG_SET(brief, true);
  return RUN_ALL_TESTS();
}
