// SPDX-License-Identifier: Apache-2.0
// What shells offer after `shoal`, and the manual page.
#include <gmock/gmock.h>

#include "cli/shell.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

/// What bash offers at the end of a line.
std::string bash_offers(const std::string& line) {
  return shell(
             "bash -c '. <(" + std::string(SHOAL_EXECUTABLE) + " completion bash); COMP_WORDS=(" + line +
             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _shoal shoal \"${COMP_WORDS[-1]}\"; echo \"${COMPREPLY[*]}\"'")
      .text;
}

TEST(Completion, BashOffersCommandsThenTheirOptions) {
  EXPECT_EQ(bash_offers("shoal ru"), "run\n");
  EXPECT_EQ(bash_offers("shoal bench de"), "deposit\n");
  EXPECT_EQ(bash_offers("shoal run case.toml --for"), "--force\n");
  EXPECT_THAT(bash_offers("shoal bench deposit --"), HasSubstr("--paper"));
  EXPECT_THAT(bash_offers("shoal deposit --"), Not(HasSubstr("--paper")));
}

TEST(Completion, EveryShellKnowsEveryCommand) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const Result script = run_shoal("completion " + std::string(name));
    EXPECT_EQ(script.code, 0);
    for (const char* word : {"run", "resume", "wall-distance", "methods", "bench", "--force", "--paper"})
      EXPECT_THAT(script.text, HasSubstr(std::string(word).substr(std::string(word).starts_with("--") ? 2 : 0)))
          << name;
    const std::string check = std::string("command -v ") + name + " >/dev/null || exit 0; " + SHOAL_EXECUTABLE +
                              " completion " + name + " | " + name + " -n";
    EXPECT_EQ(shell(check).text, "") << name;
  }
}

TEST(Completion, AnotherShellIsBadInput) {
  const Result result = run_shoal("completion tcsh");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.text, HasSubstr("no script for \"tcsh\"; expected bash, zsh or fish"));
}

TEST(Manual, HasEveryCommandAndItsOptions) {
  const Result page = run_shoal("manual");
  EXPECT_EQ(page.code, 0);
  for (const char* part :
       {".TH SHOAL 1", ".SS \"shoal run\"", ".SS \"shoal bench deposit\"", "\\-\\-force", "130 interrupted"})
    EXPECT_THAT(page.text, HasSubstr(part));
}

TEST(Manual, RoffHasNoComplaints) {
  EXPECT_EQ(shell("command -v groff >/dev/null || exit 0; " + std::string(SHOAL_EXECUTABLE) +
                  " manual | groff -ww -man -Tutf8 2>&1 >/dev/null")
                .text,
            "");
}

}  // namespace
}  // namespace shoal
