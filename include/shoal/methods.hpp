// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// One row of an operation's method table, as people see it.
struct MethodInfo {
  std::string operation;       ///< "cells", "neighbors", ...
  std::string name;            ///< the word to select it by
  DeviceKind device;           ///< where it runs
  bool deterministic = false;  ///< same bits on every run and for every number of threads
  std::string source;          ///< paper or DOI, or "shoal"
};

/// Every method of every operation in this build, in the order in which `auto` considers them.
std::vector<MethodInfo> methods();

/// The rows of one operation.
/// @throws Error  no such operation; the message lists them
std::vector<MethodInfo> methods(std::string_view operation);

}  // namespace shoal
