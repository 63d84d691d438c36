// SPDX-License-Identifier: Apache-2.0
// Runs of kind = "gas" on ranks that are threads, and a case with two gases in a plane.
#pragma once
#include <gtest/gtest.h>
#include <shoal/io/case_kinds.hpp>

#include <string>
#include <vector>

#include "support/devices.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::io {

constexpr const char* mixture_plane = R"(kind = "gas"
[run]
duration = 0.05
[cells]
count = 3
[cells_y]
count = 8
[grid]
nodes = 8
half_width = 4
[gas]
model = "maxwell"
rate = 3
mass = 1
[second_gas]
mass = 0.8
rate = 2
cross_rate = 2
[[start]]
to_y = 0.3
density = 0.5
second_density = 0.3
[top]
velocity = [0.2, 0, 0]
[scheme]
model = "aap"
)";

class GasRankRuns : public testing::TestWithParam<DeviceKind> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }

  Queue queue() const { return GetParam() == DeviceKind::cpu ? Queue::cpu(1) : Queue::cuda(0); }

  /// Runs a case on `count` ranks into a subfolder, or continues the run there. Returns the messages of the errors of all
  /// ranks, and "no error".
  /// @param text   of the case; null: a run to continue
  /// @param steps  interrupted after so many steps and iterations; 0: not
  std::vector<std::string> run_on(int count, const char* text, const std::string& name, int steps = 0) {
    if (text != nullptr) testing_support::write_text(folder / "case.toml", text);
    std::vector<std::string> messages(static_cast<std::size_t>(count));
    testing_support::run_on_ranks(count, [&](const Communicator& ranks) {
      messages[static_cast<std::size_t>(ranks.rank())] = testing_support::message_of([&] {
        const Queue device = queue();
        const auto run = text != nullptr ? prepare_run(device, {folder / "case.toml"}, {folder / name}, ranks)
                                         : prepare_resume(device, {.folder = folder / name}, ranks);
        RunOptions options{.ranks = ranks, .folder = folder / name, .device = "a device"};
        int left = steps;
        options.interrupted = [&] { return --left == 0; };
        EXPECT_EQ(run->run(options).interrupted, steps > 0);
      });
    });
    return messages;
  }

  testing_support::ScratchFolder folder;
};

}  // namespace shoal::io
