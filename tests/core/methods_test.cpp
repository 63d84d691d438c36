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
  for (const MethodInfo& method : methods()) {
    operations.insert(method.operation);
    if (method.name == "serial" && method.device == DeviceKind::cpu && method.deterministic)
      with_serial.insert(method.operation);
    EXPECT_FALSE(method.source.empty()) << method.operation << " " << method.name;
  }
  EXPECT_TRUE(operations.contains("cells"));
  EXPECT_EQ(with_serial, operations);
}

TEST(Methods, RowsAreUniqueOnADevice) {
  std::set<std::string> seen;
  for (const MethodInfo& method : methods())
    EXPECT_TRUE(
        seen.insert(method.operation + "/" + method.name + (method.device == DeviceKind::cpu ? "/cpu" : "/cuda"))
            .second)
        << method.operation << " " << method.name;
}

TEST(Methods, OfOneOperation) {
  for (const MethodInfo& method : methods("cells")) EXPECT_EQ(method.operation, "cells");
  const std::string message = testing_support::message_of([] { methods("binning"); });
  EXPECT_TRUE(message.starts_with("methods: unknown operation \"binning\"; expected one of cells, neighbors"))
      << message;
}

}  // namespace
}  // namespace shoal
