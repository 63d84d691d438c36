// SPDX-License-Identifier: Apache-2.0
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// Settings that the OpenMP library of g++ prints when it is loaded.
Result openmp_settings(const std::string& environment) {
  return shell("env -u GOMP_SPINCOUNT -u OMP_WAIT_POLICY OMP_DISPLAY_ENV=VERBOSE " + environment +
               " " SHOAL_EXECUTABLE " --version");
}

TEST(OpenMp, SpinsBrieflyUnlessTheEnvironmentSaysOtherwise) {
  const Result chosen = openmp_settings("");
  if (chosen.text.find("GOMP_SPINCOUNT") == std::string::npos) GTEST_SKIP() << "the OpenMP library is not that of g++";
  EXPECT_THAT(chosen, Prints(HasSubstr("GOMP_SPINCOUNT = '10000'")));
  EXPECT_THAT(openmp_settings("GOMP_SPINCOUNT=77"), Prints(HasSubstr("GOMP_SPINCOUNT = '77'")));
  EXPECT_THAT(openmp_settings("OMP_WAIT_POLICY=PASSIVE"), Prints(HasSubstr("GOMP_SPINCOUNT = '0'")));
}

TEST(OpenMp, KeepsAllProcessorsWhereThreadsAreBound) {
  const std::string text = openmp_settings("OMP_PROC_BIND=true").text;
  const auto places_at = [&](std::size_t begin) { return text.substr(begin, text.find('\n', begin) - begin); };
  const std::size_t first = text.find("OMP_PLACES"), last = text.rfind("OMP_PLACES");
  if (first == std::string::npos) GTEST_SKIP() << "the OpenMP library is not that of g++";
  EXPECT_EQ(places_at(last), places_at(first));
}

}  // namespace
}  // namespace shoal
