// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/ranks/launch.hpp>

#include <cstdlib>
#include <map>
#include <string>

namespace shoal {
namespace {

/// Fixture without the variables of a launcher that may have started the tests themselves.
class Launches : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : names) {
      const char* value = std::getenv(name);
      if (value) saved_[name] = value;
      unsetenv(name);
    }
  }
  void TearDown() override {
    for (const char* name : names) unsetenv(name);
    for (const auto& [name, value] : saved_) setenv(name.c_str(), value.c_str(), 1);
  }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }

 private:
  static constexpr const char* names[] = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",    "PMI_SIZE",
                                          "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"};
  std::map<std::string, std::string> saved_;
};

TEST_F(Launches, AreEmptyWithoutALauncher) { EXPECT_FALSE(launch()); }

TEST_F(Launches, OfOpenMpiOfMpichAndOfSlurm) {
  set("SLURM_PROCID", "5");
  set("SLURM_STEP_NUM_TASKS", "6");
  EXPECT_EQ(launch()->launcher, "srun");
  EXPECT_EQ(launch()->rank, 5);
  EXPECT_EQ(launch()->size, 6);
  set("PMI_RANK", "3");
  set("PMI_SIZE", "4");
  EXPECT_EQ(launch()->launcher, "mpirun");
  EXPECT_EQ(launch()->rank, 3);
  EXPECT_EQ(launch()->size, 4);
  set("OMPI_COMM_WORLD_RANK", "1");
  set("OMPI_COMM_WORLD_SIZE", "2");
  EXPECT_EQ(launch()->rank, 1);
  EXPECT_EQ(launch()->size, 2);
}

TEST_F(Launches, ABatchScriptOfSlurmIsNone) {
  set("SLURM_NTASKS", "4");
  set("SLURM_PROCID", "0");
  EXPECT_FALSE(launch());
}

TEST_F(Launches, ValuesThatAreNoPlaceOfAProcessAreNone) {
  set("PMI_SIZE", "4");
  for (const char* rank : {"", "first", "1x", "-1", "4", "99999999999999999999"}) {
    set("PMI_RANK", rank);
    EXPECT_FALSE(launch()) << rank;
  }
}

}  // namespace
}  // namespace shoal
