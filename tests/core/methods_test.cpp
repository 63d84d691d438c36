// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/methods.hpp>

#include <set>

#include "support/messages.hpp"

namespace shoal {
namespace {

TEST(Methods, EveryOperationHasADeterministicSerialRow) {
  std::set<std::string> operations;
  std::set<std::string> with_serial;
  for (const MethodInfo& row : methods()) {
    operations.insert(row.operation);
    if (row.name == "serial" && row.device == DeviceKind::cpu && row.deterministic) with_serial.insert(row.operation);
    EXPECT_FALSE(row.source.empty()) << row.operation << " " << row.name;
  }
  EXPECT_TRUE(operations.contains("cells"));
  EXPECT_EQ(with_serial, operations);
}

TEST(Methods, RowsAreUniqueOnADevice) {
  std::set<std::string> seen;
  for (const MethodInfo& row : methods())
    EXPECT_TRUE(seen.insert(row.operation + "/" + row.name + (row.device == DeviceKind::cpu ? "/cpu" : "/cuda")).second)
        << row.operation << " " << row.name;
}

TEST(Methods, OfOneOperation) {
  for (const MethodInfo& row : methods("cells")) EXPECT_EQ(row.operation, "cells");
  const std::string message = testing_support::message_of([] { methods("binning"); });
  EXPECT_TRUE(message.starts_with("methods: no operation \"binning\"; this build has cells, neighbors")) << message;
}

}  // namespace
}  // namespace shoal
