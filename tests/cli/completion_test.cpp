// SPDX-License-Identifier: Apache-2.0
// Completion scripts and the manual page.
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

/// Words that bash offers at the end of a line.
std::string bash_offers(const std::string& line) {
  return shell(
             "bash -c '. <(" + std::string(SHOAL_EXECUTABLE) + " completion bash); COMP_WORDS=(" + line +
             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _shoal shoal \"${COMP_WORDS[-1]}\"; echo \"${COMPREPLY[*]}\"'")
      .text;
}

TEST(Completion, BashOffersCommandsThenTheirOptions) {
  EXPECT_EQ(bash_offers("shoal ru"), "run\n");
  EXPECT_EQ(bash_offers("shoal run case.toml --for"), "--force\n");
  EXPECT_THAT(bash_offers("shoal deposit --"), HasSubstr("--grid"));
  EXPECT_THAT(bash_offers("shoal neighbors --"), Not(HasSubstr("--grid")));
  EXPECT_EQ(bash_offers("shoal run bench --for"), "--force\n") << "the first command counts";
}

TEST(Completion, EveryShellOffersEveryCommand) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const Result script = run_shoal("completion " + std::string(name));
    for (const char* word : {"run", "resume", "wall-distance", "methods", "bench", "force", "grid"})
      EXPECT_THAT(script, Prints(HasSubstr(word))) << name;
    const std::string check = std::string("command -v ") + name + " >/dev/null || exit 0; " + SHOAL_EXECUTABLE +
                              " completion " + name + " | " + name + " -n";
    EXPECT_EQ(shell(check).text, "") << name;
  }
}

TEST(Completion, AnotherShellIsBadInput) {
  EXPECT_THAT(run_shoal("completion tcsh"), Refuses("no script for \"tcsh\"; expected bash, zsh or fish"));
}

TEST(Manual, HasEveryCommandAndItsOptions) {
  const Result page = run_shoal("manual");
  for (const char* part : {".TH SHOAL 1", ".SS \"shoal run\"", ".SS \"shoal bench\"", "\\-\\-force", "130 interrupted"})
    EXPECT_THAT(page, Prints(HasSubstr(part)));
}

TEST(Manual, RoffReportsNoErrors) {
  EXPECT_EQ(shell("command -v groff >/dev/null || exit 0; " + std::string(SHOAL_EXECUTABLE) +
                  " manual | groff -ww -man -Tutf8 2>&1 >/dev/null")
                .text,
            "");
}

}  // namespace
}  // namespace shoal
