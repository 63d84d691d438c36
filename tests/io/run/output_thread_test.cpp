// SPDX-License-Identifier: Apache-2.0
// Fields that a run makes beside its steps, in the thread of its output.
#include <gtest/gtest.h>

#include <thread>

#include "io/run/scripted_run.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;

/// Simulation whose fields are made when they are needed, and fail from a time on.
class LateSimulation : public ScriptedSimulation {
 public:
  double fails_at = 1e9;
  mutable std::vector<std::thread::id> threads;  ///< Threads that made fields.

  std::function<sph::Fields()> fields_later() const override {
    return [this, made = fields(), fails = clock().time >= fails_at] {
      threads.push_back(std::this_thread::get_id());
      if (fails) throw Error("fields: no memory for them.");
      return made;
    };
  }
};

struct OutputThreadTest : RunTest {
  LateSimulation late;
  io::RunReport run_late() { return io::run(late, description, options); }
};

TEST_F(OutputThreadTest, MakesTheFieldsOfEachOutputOnce) {
  run_it();
  const std::vector<double> expected = field_times();
  const std::string balance = text_of("balance.csv");
  io::prepare_output(folder.path(), description, true);
  run_late();
  EXPECT_EQ(field_times(), expected);
  EXPECT_EQ(text_of("balance.csv"), balance);
  EXPECT_EQ(late.threads.size(), expected.size());
  for (const std::thread::id thread : late.threads) EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(OutputThreadTest, AnErrorOfLateFieldsEndsTheRunAndLeavesWhatWasWritten) {
  run_it();
  const std::vector<double> expected = field_times();
  ASSERT_GE(expected.size(), 3U);
  io::prepare_output(folder.path(), description, true);
  late.fails_at = expected[2] - 1e-9;
  EXPECT_THAT(message_of([&] { run_late(); }),
              AllOf(HasSubstr("fields: no memory for them."), HasSubstr("had not written a restart yet")));
  EXPECT_EQ(field_times(), (std::vector<double>{expected[0], expected[1]}));
  EXPECT_FALSE(std::filesystem::exists(file("restart.h5")));
  EXPECT_EQ(late.threads.size(), 3U);
}

}  // namespace
}  // namespace shoal
