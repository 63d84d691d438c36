// SPDX-License-Identifier: Apache-2.0
// Starts of several processes: --ranks, and launchers of programs that cannot use them. tests/ranks starts real ranks.
#include <filesystem>

#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* no_launcher =
    "unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS; ";

/// Result of shoal in a process with these variables: "PMI_RANK=0 PMI_SIZE=4".
Result run_with(const std::string& variables, const std::string& arguments) {
  return shell(no_launcher + variables + " " + SHOAL_EXECUTABLE + " " + arguments);
}

struct Ranks : CommandLineTest {
  /// Puts a program into a folder of programs. Returns the folder.
  std::string write_program(const std::string& name, const std::string& script) const {
    std::filesystem::create_directories(folder / "programs");
    write("programs/" + name, "#!/bin/sh\n" + script + "\n");
    std::filesystem::permissions(folder / "programs" / name, std::filesystem::perms::owner_all);
    return path("programs");
  }
};

TEST_F(Ranks, InfoReportsTheLaunch) {
  EXPECT_THAT(run_with("", "info"), Prints(HasSubstr("\nranks      1\n")));
  EXPECT_THAT(run_with("PMI_RANK=0 PMI_SIZE=4", "info"), Prints(HasSubstr("\nranks      4, started by mpirun\n")));
  EXPECT_THAT(run_with("PMI_RANK=1 PMI_SIZE=4", "info"), Prints(""));
}

TEST_F(Ranks, ACommandOfOneProcessIsRefusedOnceInSeveral) {
  const std::string points = write("points.csv", "x,y\n0,0\n1,0\n");
  const std::string command = "neighbors " + points + " --radius 1 --out " + path("list.h5");
  EXPECT_THAT(run_with("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4", command), Refuses("mpirun has started 4"));
  EXPECT_THAT(run_with("OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=4", command), Prints(""));
  EXPECT_FALSE(std::filesystem::exists(folder / "list.h5"));
  EXPECT_THAT(run_with("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1", command), Succeeds());
}

TEST_F(Ranks, MistakesInTheCommandLineAreReportedOnce) {
  EXPECT_THAT(run_with("PMI_RANK=0 PMI_SIZE=2", "runn"), Refuses("unknown command `runn`"));
  EXPECT_THAT(run_with("PMI_RANK=1 PMI_SIZE=2", "runn"), Prints(""));
}

TEST_F(Ranks, ACountMustBeAtLeastOne) {
  for (const std::string count : {"0", "-1", "two", "1.5", "1000001"})
    EXPECT_THAT(run_with("", "run case.toml --ranks " + count), Refuses("run: --ranks: ")) << count;
  EXPECT_THAT(run_with("", "run " + path("none.toml") + " --ranks 1"), Refuses("none.toml"));
}

TEST_F(Ranks, OfALauncherAndOfTheOptionMustBeEqual) {
  EXPECT_THAT(run_with("PMI_RANK=0 PMI_SIZE=1", "run case.toml --ranks 4"),
              Refuses("--ranks 4: mpirun has started 1 process already."));
}

#ifdef SHOAL_WITH_MPI

TEST_F(Ranks, AreStartedByMpirunWithTheSameArguments) {
  const std::string programs = write_program("mpirun", "echo got \"$@\"; exit 7");
  for (const std::string& command :
       {std::string("run case.toml --ranks 4 --quiet"), std::string("resume out --ranks=4")}) {
    const Result result = run_with("PATH=" + programs + ":$PATH", command);
    const std::string words = "-n 4 " + std::filesystem::canonical(SHOAL_EXECUTABLE).string() + " " + command + "\n";
    EXPECT_EQ(result.code, 7);
    EXPECT_THAT(result.text, AllOf(HasSubstr("shoal: starting mpirun " + words), HasSubstr("got " + words)));
  }
}

TEST_F(Ranks, NeedMpirun) {
  EXPECT_THAT(run_with("PATH=" + path("none"), "run case.toml --ranks 2"),
              FailsWith(1, "--ranks 2: cannot run mpirun: No such file or directory. Put the mpirun of the MPI"));
}

TEST_F(Ranks, AnMpirunThatSetsNoVariablesDoesNotStartRanksForEver) {
  const std::string programs = write_program("mpirun", "shift 2; exec \"$@\"");
  EXPECT_THAT(run_with("PATH=" + programs + ":$PATH", "run case.toml --ranks 2"),
              Refuses("set none of the variables of Open MPI, MPICH and Intel MPI"));
}

#else

TEST_F(Ranks, OfABuildWithoutMpiAreRefusedOnceAndWriteNothing) {
  const std::string message =
      "shoal: mpirun has started 4 copies of this program, but this build of shoal has no MPI. Build it with "
      "-DSHOAL_MPI=ON, or start one process.\n";
  const std::string case_file = std::string(SHOAL_CASES) + "/dam_break/case.toml";
  for (const std::string& command : {"run " + case_file + " --out " + out, "resume " + out, std::string("validate")}) {
    const Result first = run_with("OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=4", command);
    EXPECT_EQ(first.code, 2);
    EXPECT_EQ(first.text, message);
    EXPECT_THAT(run_with("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=4", command), Prints(""));
  }
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_THAT(run_with("SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2", "resume out"), Refuses("srun has started 2 copies"));
}

TEST_F(Ranks, CannotBeStartedByABuildWithoutMpi) {
  const std::string programs = write_program("mpirun", "echo started");
  EXPECT_THAT(run_with("PATH=" + programs + ":$PATH", "run case.toml --ranks 4"),
              AllOf(Refuses("--ranks 4: this build of shoal has no MPI."),
                    testing::Field(&Result::text, Not(HasSubstr("started")))));
}

#endif

}  // namespace
}  // namespace shoal
