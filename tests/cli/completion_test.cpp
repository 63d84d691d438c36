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

TEST(Completion, BashOffersValues) {
  EXPECT_EQ(bash_offers("shoal run --device \"\""), "best cpu cuda\n");
  EXPECT_EQ(bash_offers("shoal neighbors p.csv --method cell"), "cell_list\n");
  EXPECT_THAT(bash_offers("shoal wall_distance --method \"\""), HasSubstr("auto bvh"));
  EXPECT_EQ(bash_offers("shoal deposit --outside \"\""), "error clamp skip\n");
  EXPECT_EQ(bash_offers("shoal run case.toml --set run.dur"), "run.duration=\n");
  EXPECT_EQ(bash_offers("shoal check case.toml --set probe.0.ev"), "probe.0.every=\n");
  EXPECT_EQ(bash_offers("shoal completion \"\""), "bash zsh fish\n");
  EXPECT_EQ(bash_offers("shoal run case.toml --out \"\""), "\n") << "then bash offers files";
}

TEST(Completion, BashOffersCases) {
  const ScratchFolder folder;
  std::filesystem::create_symlink(SHOAL_EXECUTABLE, folder / "shoal");
  const Result offered =
      shell("cd " SHOAL_CASES "/..; PATH=" + folder.path().string() +
            ":$PATH bash -c '. <(shoal completion bash); COMP_WORDS=(shoal validate dam_break_l); COMP_CWORD=2; "
            "_shoal shoal dam_break_l; echo ${COMPREPLY[*]}'");
  EXPECT_EQ(offered.text, "dam_break_lobovsky\n");
}

TEST(Completion, EveryShellOffersValues) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const Result script = run_shoal("completion " + std::string(name));
    for (const char* word : {"best cpu cuda", "cell_list", "run.duration=", "bash zsh fish", "shoal validate --list"})
      EXPECT_THAT(script, Prints(HasSubstr(word))) << name;
  }
}

TEST(Completion, EveryShellOffersEveryCommand) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const Result script = run_shoal("completion " + std::string(name));
    for (const char* word : {"run", "resume", "wall_distance", "methods", "bench", "force", "grid"})
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
  for (const char* part : {".TH SHOAL 1", ".SS \"shoal run\"", ".SS \"shoal bench\"", "\\-\\-force", ".SH DESCRIPTION",
                           ".SH ENVIRONMENT", "SHOAL_PYTHON", "NO_COLOR", "GOMP_SPINCOUNT", ".SH FILES", "restart.h5",
                           ".SH EXIT STATUS", "fB130", ".SH EXAMPLES", ".SH SEE ALSO"})
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
